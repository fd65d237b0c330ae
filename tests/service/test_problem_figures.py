"""A figure in the words of a problem is one that holds: each is here, with where it comes from."""

from __future__ import annotations

from typing import Any

import pytest

from service.http.access import BODY_SECONDS
from service.play.customs import DOCUMENT_LIMIT
from service.problems import BY_CODE
from service.webhooks.keeper import MOST
from service.webhooks.targets import PORTS
from tests.support.figures import said

EXPLAINED: dict[str, dict[int, str]] = {
    "body.malformed": {8: "UTF-8", 32: "levels"},
    "body.too-slow": {BODY_SECONDS: "seconds"},
    "content.unsupported": {8: "UTF-8"},
    "dice-link.malformed": {32: "bytes of SHA-256", 64: "their digits"},
    "dice.awaited": {2: "the grade A2"},
    "dice.tip-copied": {2: "what is one must not be two"},
    "dice.tip-malformed": {32: "bytes of SHA-256", 64: "their digits"},
    "diff.unrelated": {2: "games"},
    "document.too-large": {DOCUMENT_LIMIT: "bytes"},
    "fork.between": {2: "events"},
    "grade.unavailable": {2: "the grade A2", 3: "the grade A3"},
    "idempotency.key-malformed": {
        32: "least length",
        128: "random bits of it",
        255: "greatest length",
    },
    "precondition.malformed": {12: "an example"},
    "seat.key-unfit": {25519: "the curve's name"},
    "seats.invalid": {2: "a seat's name"},
    "signature.malformed": {64: "bytes of a signature of Ed25519", 128: "its digits"},
    "webhook.ended": {410: "the receiver's status, not ours"},
    "webhook.unproved": {200: "the status that agrees"},
    "webhook.target-forbidden": dict.fromkeys(PORTS, "port"),
    "webhook.too-many": {MOST: "webhooks of a seat"},
}
"""Figures of each kind's words besides one, each read beside what it is about."""


def unexplained(code: str, kind: Any) -> list[int]:
    """Figures that are in no entry; and entries that are in no words, as negative ones."""
    texts = f"{kind.title} {kind.meaning} {kind.hint}"
    figures = said(texts) - {0, 1}
    known = EXPLAINED.get(code, {}).keys()
    return [*sorted(figures - known), *sorted(-each for each in known - figures)]


@pytest.mark.parametrize("code", BY_CODE)
def test_every_figure_of_a_problem_is_explained(code: str) -> None:
    found = unexplained(code, BY_CODE[code])
    assert found == [], f"{code} in service/problems.toml, or EXPLAINED of {__name__}: {found}"


def test_what_is_explained_is_a_problem() -> None:
    assert EXPLAINED.keys() <= BY_CODE.keys()
