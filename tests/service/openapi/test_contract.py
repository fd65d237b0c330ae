"""The judge of answers (tests/support/contract.py) is as strict as the reference implementation."""

from __future__ import annotations

import copy
import random
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from service.openapi.document import COMMITTED
from tests.support.contract import Contract

EACH = 7
"""Of so many forms of answers one is looked at."""

STRANGE: tuple[Any, ...] = (None, "strange", -5, [])


@pytest.fixture(scope="module")
def contract() -> Contract:
    return Contract.of(COMMITTED.read_bytes())


def examples(contract: Contract) -> Iterator[tuple[str, str, dict[str, Any], Any]]:
    """Path, status, schema and body of recorded answers."""
    for path, item in contract.document["paths"].items():
        for status, answer in item.get("get", {"responses": {}})["responses"].items():
            form = answer.get("content", {}).get("application/json")
            for example in list((form or {}).get("examples", {}).values())[:1]:
                yield path, status, form["schema"], example["value"]


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where in the value there is something."""
    parts = value if isinstance(value, dict) else {}
    if isinstance(value, list):
        parts = dict(enumerate(value))
    for key, part in parts.items():
        yield (*path, key)
        yield from places(part, (*path, key))


def spoilt(value: Any, dice: random.Random) -> Iterator[Any]:
    """The value without something, and with something strange instead."""
    for *path, last in dice.choices(list(places(value)), k=len(STRANGE)):
        for strange in (*STRANGE, ...):
            whole = part = copy.deepcopy(value)
            for key in path:
                part = part[key]
            if strange is ...:
                del part[last]
            else:
                part[last] = strange
            yield whole


def is_kept(contract: Contract, path: str, status: str, value: Any) -> bool:
    request = httpx.Request("GET", f"http://127.0.0.1{path}")
    try:
        contract.check(httpx.Response(int(status), json=value, request=request))
    except AssertionError:
        return False
    return True


def test_answers_and_spoilt_answers_are_judged_as_by_the_reference(contract: Contract) -> None:
    found = {True: 0, False: 0}
    for path, status, schema, body in list(examples(contract))[::EACH]:
        components = contract.document["components"]
        reference = Draft202012Validator({**schema, "components": components})
        assert is_kept(contract, path, status, body)
        if not isinstance(body, dict) or not body:
            continue
        for value in spoilt(body, random.Random(path)):
            right = reference.is_valid(value)
            assert is_kept(contract, path, status, value) == right, (path, value)
            found[right] += 1
    assert min(found.values()) > 10, found


def test_a_status_or_a_form_that_is_not_promised_is_a_fault(contract: Contract) -> None:
    path, _, _, body = next(examples(contract))
    assert not is_kept(contract, path, "299", body)
    request = httpx.Request("GET", f"http://127.0.0.1{path}")
    with pytest.raises(AssertionError, match="came as"):
        contract.check(httpx.Response(200, text="plain", request=request))


@pytest.mark.parametrize(
    ("method", "path", "sent", "pointer", "right"),
    [
        ("post", "/v1/games", {"ruleset": "chess"}, "/ruleset", True),
        ("post", "/v1/games", {"ruleset": "chess"}, "/seats/0/hold", True),
        ("post", "/v1/games", {"ruleset": "chess"}, "/surprise", False),
        ("post", "/v1/games", {"ruleset": "chess", "surprise": 1}, "/surprise", True),
        ("post", "/v1/odds", {"game": "x", "command": {"type": "x"}}, "/type", False),
        ("post", "/v1/odds", {"game": "x", "command": {"type": "x"}}, "/command/type", True),
        ("get", "/v1/results", None, "#limit", True),
        ("get", "/v1/results", None, "#depth", False),
        ("get", "/v1/results", None, "/limit", False),
    ],
)
def test_what_a_problem_blames_is_in_the_request(
    contract: Contract, method: str, path: str, sent: Any, pointer: str, right: bool
) -> None:
    operation = contract.document["paths"][path][method]
    problem = {"errors": [{"pointer": pointer}]}
    assert (contract.misplaced(operation, problem, sent) == []) is right
