"""Abilities that meet: the table of tests/cases/war_at_sea/README.md, held to what happens."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

import pytest

from domain.games.war_at_sea.rules.families.played import implemented
from tests.support.cases import FOLDER
from tests.war_at_sea.ablation import acts_in, loaded
from tests.war_at_sea.suite import SUITE

WANTED = {
    "Escort and Draw the CAP",
    "Fighter Director and Combat Air Patrol",
    "Survivor and vital armor",
    "Smoke and concealment",
    "Torpedo Defense and Long-Lance",
    "Slow and Crippled",
    "Land Based and Stuka Operations",
    "Kamikaze",
    "Mines",
    "Landing",
    "Sub Hunter",
    "Mission Selection",
}
"""Interactions that there must be; one without a partner must meet something."""

CASES = {case["id"]: case for case in loaded()}


class Row(NamedTuple):
    """A row of the table: what meets, and the cases that show it."""

    name: str
    families: tuple[str, ...]
    rules: tuple[str, ...]
    cases: tuple[str, ...]


def table() -> list[Row]:
    text = (FOLDER / SUITE.folder / "README.md").read_text("utf-8")
    rows = [line.strip("|").split("|") for line in text.splitlines() if line.startswith("|")]
    return [_row(*(cell.strip() for cell in cells)) for cells in rows[2:]]


def _row(name: str, meet: str, shown: str, _: str) -> Row:
    parts = re.findall(r"`([^`]+)`", meet)
    rules = tuple(part for part in parts if part.isupper())
    families = tuple(part for part in parts if part not in rules)
    return Row(name, families, rules, tuple(_cases(shown)))


def _cases(shown: str) -> list[str]:
    names = []
    for part in shown.split(", "):
        first, _, last = part.partition(" to ")
        low, high = (int(each.rpartition("-")[2]) for each in (first, last or first))
        names += [f"{SUITE.cases}-{number:03}" for number in range(low, high + 1)]
    return names


PAIRS = [(row, name) for row in table() for name in row.cases]


def test_every_interaction_that_is_wanted_is_in_the_table() -> None:
    names = [row.name for row in table()]
    assert not {each for each in WANTED if not any(name.startswith(each) for name in names)}
    assert all(len(row.families) + len(row.rules) > 1 and row.cases for row in table())
    assert all(set(row.families) <= implemented() for row in table())


@pytest.mark.parametrize(("row", "name"), PAIRS, ids=[f"{r.name}: {n}" for r, n in PAIRS])
def test_all_that_meets_in_a_case_makes_a_difference(row: Row, name: str) -> None:
    case: dict[str, Any] = CASES[name]
    assert set(row.rules) <= set(case["rules"])
    for family in row.families:
        assert acts_in(family, case), f"{name} comes out the same without {family}"
