"""RULINGS.md of each game against its rulebook and its options."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import pytest
from msgspec.structs import replace

from domain.kernel.finder import games as installed
from domain.kernel.shown.rulebook import RuleText, load_rulebook
from tests.rules.audit import games
from tests.support import cases
from tests.support.option_tables import anew
from tests.support.rules import GAMES

TEXTS = {game: (GAMES / game / "RULINGS.md").read_text("utf-8") for game in games()}
MARKS = {"done": "", "deferred": " *(deferred)*", "information": " *(information)*"}


@pytest.mark.parametrize("game", TEXTS)
def test_every_ruling_is_listed_as_it_is_called(game: str) -> None:
    rulings = [e for e in load_rulebook(f"domain.games.{game}") if e.kind == "ruling"]
    listed = re.findall(r"^- ([A-Z-]+[0-9]+ .*)$", TEXTS[game], re.MULTILINE)
    book = [f"{e.id} {e.title}{MARKS[e.status]}" for e in rulings]
    assert [*misplaced(listed, book)] == []
    assert listed == book


def misplaced(listed: list[str], book: list[str]) -> Iterator[str]:
    """Where the list of RULINGS.md and the order of rulebook.toml part, in words."""
    yield from (f"RULINGS.md lacks {each!r}" for each in book if each not in listed)
    yield from (f"rulebook.toml lacks {each!r}" for each in listed if each not in book)
    if sorted(listed) == sorted(book):
        pairs = zip(listed, book, strict=True)
        one, other = next((pair for pair in pairs if pair[0] != pair[1]), ("", ""))
        if other:
            yield f"RULINGS.md has {one!r} where rulebook.toml has {other!r}: one order for both"


def test_a_ruling_that_is_missing_or_in_another_place_is_told() -> None:
    assert [*misplaced(["A-1 a", "A-2 b"], ["A-1 a", "A-2 b"])] == []
    assert [*misplaced(["A-2 b", "A-1 a"], ["A-1 a", "A-2 b"])] == [
        "RULINGS.md has 'A-2 b' where rulebook.toml has 'A-1 a': one order for both"
    ]
    assert [*misplaced(["A-1 a"], ["A-1 a", "A-2 b"])] == ["RULINGS.md lacks 'A-2 b'"]


@pytest.mark.parametrize("game", TEXTS)
def test_every_id_exists(game: str) -> None:
    known = {entry.id for entry in load_rulebook(f"domain.games.{game}")}
    named = set(re.findall(r"\b(?:[A-Z]{2,3}-(?!C-)[A-Z]+|RUL)-[0-9]{2,3}\b", TEXTS[game]))
    assert named <= known


@pytest.mark.parametrize("game", TEXTS)
def test_the_table_of_options_is_made_from_them(game: str) -> None:
    rules = installed()[game.replace("_", "-")]
    assert anew(rules, TEXTS[game]) == TEXTS[game], (
        "make remake (python -m tests.support.option_tables)"
    )


@pytest.mark.parametrize("game", TEXTS)
def test_every_case_that_a_reading_names_exists(game: str) -> None:
    """A row of details without a case would be a claim that nothing shows."""
    known = {case["id"] for case in cases.load(game)}
    details = TEXTS[game].partition("## Details")[2].partition("\n## ")[0]
    rows = [line for line in details.splitlines() if line.startswith("| ")][1:]
    named = [re.findall(r"\b[A-Z]{2,3}-C-[0-9]{3,4}\b", row.split("|")[4]) for row in rows]
    assert all(named)
    assert {each for row in named for each in row} <= known


def apart(entries: Iterable[RuleText], listed: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """Rules that a ruling says it touches, by their IDs, and that no case has together with it."""
    together = [set(case["rules"]) for case in listed]
    for each in entries:
        said = each.source.partition("touches ")[2]
        for touched in re.findall(r"\b(?:[A-Z]{2,3}-[A-Z]+|RUL)-[0-9]{2,3}\b", said):
            if not any({each.id, touched} <= rules for rules in together):
                yield f"{each.id} touches {touched}"


@pytest.mark.parametrize("game", TEXTS)
def test_a_case_has_a_ruling_together_with_each_rule_that_it_touches(game: str) -> None:
    rulings = [e for e in load_rulebook(f"domain.games.{game}") if e.kind == "ruling"]
    assert [*apart(rulings, cases.load(game))] == [], (
        f"a case of tests/cases/{game} names both among its rules, or it touches another"
    )


def test_a_ruling_that_touches_another_rule_is_found() -> None:
    every = load_rulebook("domain.games.naval_battles")
    ruling = next(each for each in every if each.kind == "ruling")
    said = replace(ruling, source="ours; touches NB-LBAR-06")
    assert [*apart([said], [{"rules": [ruling.id, "NB-LBAR-06"]}])] == []
    assert [*apart([said], [{"rules": [ruling.id]}])] == [f"{ruling.id} touches NB-LBAR-06"]
