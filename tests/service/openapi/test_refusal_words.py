"""Every refusal of the service says what is wrong and what would be right."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import msgspec
import pytest

from service.problems import KINDS, Kind


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.code)
def test_it_has_words(kind: Kind) -> None:
    words = {
        name: value for name, value in msgspec.structs.asdict(kind).items() if type(value) is str
    }
    assert {"code", "title", "meaning", "hint"} <= words.keys()
    assert [name for name, value in words.items() if not value.strip()] == []


OTHERWISE = {
    "request.malformed": "The form of the request, before anything of it is understood.",
    "idempotency.key-missing": "The form of a header.",
    "idempotency.key-malformed": "The form of a header.",
    "precondition.malformed": "The form of a header.",
    "dice-link.malformed": "The form of a header.",
    "signature.malformed": "The form of a header.",
    "body.malformed": "No JSON at all.",
}
"""Codes of status 400 with the reason: what can be read and is wrong, in query or body, is 422."""

STATUSES = {
    400,
    401,
    403,
    404,
    405,
    406,
    408,
    409,
    410,
    412,
    413,
    415,
    422,
    428,
    429,
    500,
    503,
    507,
}


def faults(kinds: Iterable[Kind]) -> list[str]:
    """What is wrong with the table as a whole."""
    kinds = list(kinds)
    for_title = Counter(kind.title for kind in kinds)
    for_code = Counter(kind.code for kind in kinds)
    found = [f"{kind.code}: title {kind.title!r}, another's" for kind in kinds
             if for_title[kind.title] > 1]  # fmt: skip
    found += [f"{name} stands twice" for name, count in for_code.items() if count > 1]
    for kind in kinds:
        if kind.status not in STATUSES:
            found.append(f"{kind.code}: status {kind.status} is none that this service gives")
        elif kind.status == 400 and kind.code not in OTHERWISE:
            found.append(f"{kind.code}: status 400, and a wrong query or body is 422")
    return found


def test_the_table_has_no_title_twice_and_closed_statuses() -> None:
    wrong = faults(KINDS)
    assert not wrong, f"service/problems.toml: {'; '.join(wrong)}"
    odd = sorted(OTHERWISE.keys() - {kind.code for kind in KINDS if kind.status == 400})
    assert not odd, f"OTHERWISE excuses codes that are not 400: {odd}"
    unused = sorted(STATUSES - {kind.status for kind in KINDS})
    assert not unused, f"STATUSES has what no code has: {unused}"


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"status": 400}, "status 400"),
        ({"status": 418}, "status 418"),
        ({"title": "No such game"}, "another's"),
        ({"code": "game.not-found"}, "stands twice"),
    ],
)
def test_a_code_that_is_written_wrongly_is_found(changes: dict[str, object], said: str) -> None:
    new = {"code": "filter.no-seat", "status": 422, "title": "No game has this seat"}
    kind = msgspec.convert({**new, "meaning": "m", "hint": "h", **changes}, type=Kind)
    assert said in "; ".join(faults([*KINDS, kind]))
