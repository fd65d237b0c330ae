"""Where two documents differ is told by field, down to the reason of a tally."""

from __future__ import annotations

import json
from typing import Any

import pytest

from service.evidence.differing import LONGEST, MOST, Apart, apart, between

PRINTED = {"label": "printed", "rule": "PEN-4", "value": 2}
BOLD = {"label": "bold", "rule": "PEN-4", "value": 1}


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ({"a": 1}, {"a": 1}, []),
        ({"a": 1}, {"a": True}, [("/a", "1", "true")]),
        ({"a": [{"b": 1}]}, {"a": [{"b": True}]}, [("/a/0/b", "1", "true")]),
        ({"a/b": {"~": 1}}, {"a/b": {"~": 2}}, [("/a~1b/~0", "1", "2")]),
        ({"a": 1}, {"b": 1}, [("/a", "1", "nothing"), ("/b", "nothing", "1")]),
        ([1, 2, 3], [1, 3], [("/1", "2", "nothing")]),
        ([1, 3], [1, 2, 3], [("/1", "nothing", "2")]),
        ([1, 1], [1, 1, 1], [("/2", "nothing", "1")]),
        (1, "1", [("", "1", '"1"')]),
        ({"a": None}, {}, [("/a", "null", "nothing")]),
    ],
)
def test_each_place_is_named(old: Any, new: Any, expected: list[tuple[str, str, str]]) -> None:
    assert [each[:3] for each in apart(old, new)] == expected


def test_a_reason_of_a_tally_is_named() -> None:
    old = {"dice": {"reasons": [PRINTED, BOLD], "total": 3}}
    new = {"dice": {"reasons": [PRINTED], "total": 2}}
    reason, total = apart(old, new)
    assert (reason.pointer, reason.reason, reason.new) == (
        "/dice/reasons/1", "bold, PEN-4", "nothing"
    )  # fmt: skip
    assert total.text() == "/dice/total: 3 -> 2"
    other = {"dice": {"reasons": [PRINTED, {**BOLD, "value": 2}], "total": 4}}
    assert next(apart(old, other)).text() == "/dice/reasons/1/value (bold, PEN-4): 1 -> 2"


def test_much_is_cut() -> None:
    old, new = (json.dumps([n + add for n in range(99)]).encode() for add in (0, 100))
    assert len(between(old, new)) == MOST
    (one,) = apart("x" * 999, "y")
    assert len(one.old) == LONGEST
    assert one.old.endswith("...")


def test_what_is_no_json_has_no_places() -> None:
    assert between(b"{", b"{}") == ()
    assert between(b'{"a":1}', b'{"a":2}') == (Apart("/a", "1", "2"),)
