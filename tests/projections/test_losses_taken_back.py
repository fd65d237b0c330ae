"""A unit that a step lost is lost no more once the step is taken back, and counts once in all."""

from __future__ import annotations

import json
from collections.abc import Iterator

from domain.kernel.shown.roles import Role
from projections.follow import Entry
from projections.records import TAKEBACK
from projections.statistics import PROJECTION, RulesetStatistics
from tests.support.followed import Memory

RULES = "pennant"


def told(game: str, seq: int, type_: str, *, ordered: bool = False, lost: int = 0) -> Entry:
    roles = tuple(Role("lost", f"u{number}", "p1") for number in range(lost))
    data = json.dumps({"seat": "p1", "command": "c_1", "first": seq - 1, "back": "[]"})
    return Entry(
        seq, game, RULES, seq, type_, 1, "2026-11-21T14:00:00.000Z", "p1", ordered, data.encode(),
        roles=roles, by="p1" if ordered else "",
    )  # fmt: skip


def losses(*log: Entry) -> int:
    shelf = Memory()
    for entry in log:
        PROJECTION.take(shelf, entry)
    found = shelf.read(RULES, RulesetStatistics)
    assert found is not None
    return found.losses


def step(game: str, seq: int, *lost: int) -> Iterator[Entry]:
    """An order with so many units lost in each of its events."""
    for place, number in enumerate(lost):
        yield told(game, seq + place, "pennant.sunk", ordered=not place, lost=number)


def test_what_a_step_lost_is_taken_back_with_it() -> None:
    back = told("a", 7, TAKEBACK)
    assert losses(*step("a", 2, 1), *step("a", 3, 2, 0, 1), *step("a", 6, 0)) == 4
    assert losses(*step("a", 2, 1), *step("a", 4, 2, 0, 1), back) == 1
    assert losses(*step("a", 2, 1), *step("a", 4, 2, 0, 1), back, *step("a", 8, 3)) == 4


def test_a_step_without_losses_takes_none_of_another_with_it() -> None:
    before = (*step("a", 2, 2), *step("b", 2, 5))
    assert losses(*before, *step("a", 3, 0), told("a", 4, TAKEBACK)) == 7
    assert losses(*before, told("a", 3, TAKEBACK), *step("a", 4, 1), told("a", 5, TAKEBACK)) == 5
