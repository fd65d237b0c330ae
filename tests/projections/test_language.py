"""The closed language of predicates: what it means, and that nothing in it reaches out or hangs."""

from __future__ import annotations

import time
from contextlib import suppress
from random import Random
from typing import Any

import pytest

from projections.language import (
    ALTOGETHER,
    DEEPEST,
    LONGEST,
    Expression,
    Meter,
    TooMuch,
    Unclear,
)

VALUES: dict[str, Any] = {
    "state": {
        "units": {"p1-1": {"hull": 3, "name": "A"}, "p1-2": {"hull": 0, "name": "B"}},
        "list": [1, 2, 3], "done": True, "none": None, "text": "smoke",
    },
    "rolls": [{"faces": [[6, 6], [1]], "score": 2}],
}  # fmt: skip


def asked(text: str) -> Any:
    return Expression(text, ("state", "rolls")).ask(VALUES)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('state.units["p1-2"].hull == 0', True),
        ('state.units["p1-9"].hull == 0', False),
        ("state.units.nowhere.at.all == null", True),
        ("state.list[0] + state.list[-1] * 2 == 7", True),
        ("state.list[7] == null", True),
        ("1 == true", False),
        ("not state.done or state.list[1] >= 2 and true", True),
        ("not not state.done", True),
        ("2 in state.list and 9 not in state.list", True),
        ('"smo" in state.text and begins(state.text, "smoke")', True),
        ('"p1-1" in state.units and "p3-1" not in state.units', True),
        ("any(state.units, it.hull == 0)", True),
        ("every(state.units, it.hull == 0)", False),
        ("number(state.units, it.hull > 0) == 1", True),
        ("sum(state.units, it.hull) == 3 and most(state.units, it.hull) == 3", True),
        ("least([], it) == null and sum([], it) == 0 and every([], false)", True),
        ('any(state.units, key == "p1-2" and it.hull == 0)', True),
        ("any(rolls, any(it.faces, every(it, it == 6)))", True),
        ("any(rolls, any(it.faces, true) and it.score == 2)", True),
        ("len(state.units) == 2 and len(keys(state.units)) == 2", True),
        ("len(values(state.units)) == 2 and len(7) == 0", True),
        ("7 // 2 == 3 and 7 % 2 == 1 and 1 // 0 == null and - -3 == 3 and -3 < 0", True),
        ('"a" < "b" and not "a" < 1 and not null < 1 and not true > false', True),
        ("state.none <= state.none", False),
        ("[1, 2] == [1, 2] and state.units == state.units", True),
        ("state.done", True),
        ("state.list and true", False),
        ("'single' == \"single\"", True),
    ],
)
def test_it_means(text: str, value: bool) -> None:
    assert asked(text) is value


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("", 0),
        ("state.", 6),
        ("state == ", 8),
        ("state = 1", 5),
        ("unknown", 0),
        ("it", 0),
        ("__import__('os')", 0),
        ("state.__class__()", 15),
        ("open(1)", 0),
        ("len(1, 2)", 0),
        ("len(1", 5),
        ("any(state)", 9),
        ("(1", 2),
        ("1 1", 2),
        ("a\x00", 1),
        ('"a\\"', 0),
        ("lambda: 1", 6),
        ("state[1:2]", 7),
        ("1 == 2 == 3", 7),
        ("1" * 19, 0),
        ("not", 3),
        ("in in in", 0),
    ],
)
def test_what_is_none_is_refused_where_it_is(text: str, at: int) -> None:
    with pytest.raises(Unclear) as refused:
        asked(text)
    assert refused.value.at == at


def test_it_reaches_nothing_but_what_it_was_given() -> None:
    """Names of Python are names of JSON fields, of which there are none."""
    for name in ("__class__", "__dict__", "mro", "get", "items", "__globals__", "format"):
        assert asked(f"state.{name} == null") is True
        assert asked(f"state.list.{name} == null") is True
        assert asked(f"state.text.{name} == null") is True


def test_it_says_at_which_places_something_stood() -> None:
    expression = Expression('state.units["p1-1"].hull == state.untis.x', ("state",))
    meter = Meter()
    expression.ask(VALUES, meter)
    assert expression.places == (("state", "units", "p1-1", "hull"), ("state", "untis", "x"))
    assert [place in meter.found for place in expression.places] == [True, False]
    assert expression.names == {"state"}


HOSTILE = [
    "(" * 900 + "1" + ")" * 900,
    "[" * 1_000,
    "-" * 1_900 + "1",
    "not " * 400 + "true",
    "9" * 18 + "*" + "*".join(["9" * 18] * 80),
    "state" + ".a" * 900,
    "1" + " and 1" * 300,
    "1" + "+1" * 999,
    "1" + "+1" * 199,
    "state" + ".a" * 199,
    "true" + " or true" * 199,
    "-1" + "*-1" * 130,
    "any(big, " * 30 + "it == big" + ")" * 30,
    "any([big, big], " * 12 + "any([it, it], it == big)" + ")" * 12,
    "len([" + ",".join(["big"] * 400) + "])",
    "big" + " == big" * 1,
    "sum(big, sum(big, sum(big, sum(big, 1)))) > 0",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_a_hostile_expression_ends_soon(text: str) -> None:
    big = {f"u{n}": {"list": list(range(50)), "deep": [[[n]]]} for n in range(200)}
    meter = Meter()
    begun = time.process_time()
    with suppress(Unclear, TooMuch):
        Expression(text, ("state", "big")).ask({"state": {}, "big": big}, meter)
    assert time.process_time() - begun < 1
    assert meter.left > ALTOGETHER // 2, "one moment takes little of what a game has"


def test_all_moments_together_are_bounded() -> None:
    expression, meter = Expression("any(big, any(big, it == 1000))", ("big",)), Meter()
    meter.left = 30_000
    big = list(range(100))
    for _ in range(100):
        if meter.left <= 0:
            break
        with suppress(TooMuch):
            expression.ask({"big": big}, meter)
    assert meter.left <= 0
    with pytest.raises(TooMuch):
        expression.ask({"big": big}, meter)


WORDS = (
    "state", "it", "key", "any", "every", "sum", "len", "(", ")", "[", "]", ".", ",", "==", "in",
    "not", "and", "or", "-", "+", "*", "//", "%", "<", "1", "0", '"a"', "null", "true", "units",
    "__class__", "most", "keys", "values", " ", "'", "\\", "\u202e", "é", "\n", "=", "{", "lambda",
)  # fmt: skip


def test_whatever_is_typed_is_an_answer_or_a_refusal() -> None:
    """Words at random, and good expressions with one character changed."""
    rng, good, answered = Random(28), 'any(state.units, it.hull >= 3 and key in ["p1-1"])', 0
    refused: list[tuple[int, int]] = []
    for _ in range(6_000):
        if rng.random() < 0.5:
            text = "".join(rng.choice(WORDS) for _ in range(rng.randrange(1, 14)))
        else:
            at = rng.randrange(len(good))
            text = good[:at] + rng.choice(WORDS) + good[at + rng.randrange(3) :]
        try:
            asked(text)
            answered += 1
        except Unclear as error:
            refused.append((error.at, len(text)))
    assert all(0 <= at <= length for at, length in refused)
    assert answered > 300, "most of it would be refused at once"


def test_it_is_as_long_and_as_deep_as_it_may_be() -> None:
    assert asked("(" * (DEEPEST - 1) + "true" + ")" * (DEEPEST - 1)) is True
    with pytest.raises(Unclear, match="deep"):
        asked("(" * DEEPEST + "true" + ")" * DEEPEST)
    assert asked("true" + " " * (LONGEST - 4)) is True
    with pytest.raises(Unclear, match="longer"):
        asked("true" + " " * (LONGEST - 3))
