"""RULINGS.md of each game against its rulebook and its options."""

from __future__ import annotations

import re

import pytest

from domain.kernel.finder import games as installed
from domain.kernel.shown.rulebook import load_rulebook
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
    assert listed == [f"{e.id} {e.title}{MARKS[e.status]}" for e in rulings]


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
