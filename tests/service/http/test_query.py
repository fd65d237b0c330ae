"""Questions in the language of ``decklog query`` over HTTP: of one game, as its viewer sees it."""

from __future__ import annotations

import time
from random import Random
from typing import Any
from urllib.parse import quote

import pytest

from projections.language import LONGEST, STEPS
from projections.probes import saved
from service.work.tasks import SHORT

from .table import Match, Table, code


@pytest.fixture
def battle(table: Table) -> Match:
    match = table.create()
    table.command(match, "p1", {"type": "pennant.choose", "colour": "bold"})
    return match


def asked(table: Table, match: Match, question: str, token: str = "", **more: Any) -> Any:
    rest = "".join(f"&{name}={value}" for name, value in more.items())
    path = f"{match.path}/query?question={quote(question, safe='')}{rest}"
    return table.get(path, token) if token else table.get(path)


def test_moments_at_which_something_holds_are_told(table: Table, battle: Match) -> None:
    events = table.get(f"{battle.path}/events?limit=200").json()["items"]
    told = asked(table, battle, "seq > 1").json()
    assert told["count"] == len(events) - 1
    assert [each["seq"] for each in told["moments"]] == [e["seq"] for e in events[1:]]
    few = asked(table, battle, "seq > 1", limit=2).json()
    assert (few["count"], few["moments"]) == (told["count"], told["moments"][:2])
    (first,) = asked(table, battle, 'first(event.actor == "p1")').json()["moments"]
    assert first["actor"] == "p1"
    assert asked(table, battle, "count(state.nowhere == null)").json()["moments"] == []
    assert asked(table, battle, "state.nowhere == 1").json()["nowhere"] == ["state.nowhere"]


@pytest.mark.parametrize(
    "question",
    ["", "first(", "state.units[", "open('/etc/passwd')", "x" * LONGEST,
     "(" * 500, "most(" * 60 + "1" + ")" * 60, "1 +", "\u0000", "state; state"],
)  # fmt: skip
def test_what_is_no_question_is_refused(table: Table, battle: Match, question: str) -> None:
    refused = asked(table, battle, question)
    assert (refused.status_code, code(refused)) == (422, "query.invalid"), refused.text


def test_a_question_that_asks_too_much_is_refused(table: Table, battle: Match) -> None:
    """Steps are counted: nothing that is written in so few letters takes long."""
    size = 4  # items of ``game`` and more: so many steps as nothing may take
    assert size**20 > STEPS
    began = time.process_time()
    refused = asked(table, battle, "any(event, " * 20 + "false" + ")" * 20)
    assert (refused.status_code, code(refused)) == (422, "query.invalid")
    assert "asks too much" in refused.text
    assert time.process_time() - began < SHORT


def test_what_is_hidden_is_not_found(table: Table) -> None:
    match = table.create()
    table.command(match, "p1", {"type": "pennant.choose", "colour": "bold"})
    question = '"bold" in event.data.choice.items or any(state.choices, "bold" in it.items)'
    assert asked(table, match, question, match.tokens["p1"]).json()["count"] > 0
    assert asked(table, match, question, match.tokens["p2"]).json()["count"] == 0
    assert asked(table, match, question).json()["count"] == 0
    assert code(asked(table, match, question, **{"as": "truth"})) == "viewer.not-entitled"


def test_every_saved_question_is_one_and_the_pages_have_them(table: Table, battle: Match) -> None:
    pages = table.get("/pages/probes.json").json()
    assert set(pages) == set(saved())
    for group in ("every-game",):
        for each in pages[group]:
            assert asked(table, battle, each["query"]).status_code == 200, each


WORDS = (
    "state", "event", "rolls", "seq", "before", "game", "it", "key", "any(", "sum(", "len(", "(",
    ")", "[", "]", ".", ",", "==", "<", "and", "or", "not", "in", "+", "//", "%", "1", "0", '"a"',
    "null", "first(", "when(", "'", "\\", "\u00e9", "-", "keys(", "most(", "99999999999999999999",
)  # fmt: skip
LEAVES = (
    "state",
    "before",
    "event",
    "rolls",
    "seq",
    "game",
    "it",
    "key",
    "1",
    "0",
    '"p1"',
    "null",
    "[1, 2]",
)
MARKS = ("and", "or", "==", "!=", "<", "<=", ">", ">=", "in", "+", "-", "*", "//", "%")
OVER = ("any", "every", "number", "sum", "most", "least")


def expression(random: Random, depth: int) -> str:
    """One of the language, whatever it comes to."""
    if depth == 0 or random.random() < 0.1:
        return random.choice(LEAVES)
    one, two = (expression(random, depth - 1) for _ in range(2))
    return random.choice((
        f"({one}) {random.choice(MARKS)} ({two})", f"not ({one})", f"-({one})",
        f"{random.choice(OVER)}({one}, {two})", f"({one})[{two}]", f"({one}).data.left",
        f"len({one})", f"keys({one})", f"values({one})", f"begins({one}, {two})",
    ))  # fmt: skip


def test_whatever_is_asked_is_answered_or_refused(table: Table, battle: Match) -> None:
    """Never anything else: words at random, and expressions at random."""
    random = Random(28)
    for _ in range(150):
        question = " ".join(random.choice(WORDS) for _ in range(random.randrange(1, 30)))
        answer = asked(table, battle, question)
        assert answer.status_code in (200, 422), (question, answer.text)
    answered = 0
    for _ in range(150):
        question = expression(random, random.randrange(1, 5))
        answer = asked(table, battle, question)
        assert answer.status_code in (200, 422), (question, answer.text)
        answered += answer.status_code == 200
    assert answered > 50
