"""Each condition of a critical's effect has cases on both sides of it, and of each of its bounds.

Whoever widens a band or leaves out the light is found by a case, not by luck: every condition is
exchanged (conditions.py), and a numbered case in which somebody has the marker comes out otherwise.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from domain.games.crimson_tide.rules import targets
from domain.games.crimson_tide.rules.criticals import CREW, DEFENSES, Critical
from domain.games.crimson_tide.rules.facts import dark, has_critical
from tests.crimson_tide.ablation import about, holds, loaded, record
from tests.crimson_tide.conditions import Change, changes, made

CHANGES = list(changes())


@cache
def usual(row: Critical) -> tuple[tuple[dict[str, Any], str], ...]:
    """Every case with what comes of it; those in which somebody has the marker come first."""
    first = {case["id"] for case in loaded() if holds(row, case)}
    found = sorted(loaded(), key=lambda case: (case["id"] not in first, not about(row, case)))
    return tuple((case, played(case["id"])) for case in found)


@cache
def played(id: str) -> str:
    return told(next(case for case in loaded() if case["id"] == id))


def told(case: dict[str, Any]) -> str:
    """What comes of a case; that it breaks down is another thing, too."""
    try:
        return repr(record(case))
    except Exception as broken:
        return f"{type(broken).__name__}: {broken}"


def noticed(change: Change) -> str:
    """The case that comes out otherwise; empty: none."""
    known = usual(change.row)
    with made(change):
        return next((case["id"] for case, before in known if told(case) != before), "")


CHANGES = list(changes())


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: f"{change.row.name}: {change.told}")
def test_a_case_stands_on_the_other_side_of_each_condition(change: Change) -> None:
    assert noticed(change), (
        f"No numbered case comes out otherwise with this condition of {change.row.name} exchanged: "
        f"{change.told}. tests/cases/crimson_tide needs one where it acts and one where it rests, "
        "on each side of each bound."
    )


def test_conditions_are_found() -> None:
    told = {change.told for change in CHANGES}
    assert "targets._why_out_of_order: weapon != 'primary' -> True" in told
    assert "targets._why_out_of_order: weapon in ('asw', 'aaw') -> weapon in ('asw',)" in told
    assert "damage.settle_crippled: spare > 0 -> spare > 1" in told


def jammed(shot: Any, reach: int, light: str) -> bool:
    """An effect as somebody new might write it: in range 2, by day, for one weapon."""
    return has_critical(shot, CREW) and reach == 2 and not (light == "night" or reach in (1, 4))


def twice(shot: Any, reach: int) -> int:
    if has_critical(shot, DEFENSES):
        return 1 if reach <= 3 else 2
    return 0


def smoky(shot: Any, reach: int) -> bool:
    """A bound that has a name, as the figures of the rules have."""
    return has_critical(shot, CREW) and reach >= REACH


def early(state: Any, shot: Any) -> bool:
    """The light is asked before, by a way out; that the ship floats is no condition."""
    if shot.pose is None or dark(state):
        return False
    if shot.weapon == "primary":
        return has_critical(shot, CREW)
    return False


REACH = 3


def test_what_is_asked_around_is_exchanged() -> None:
    told = [change.told.partition(": ")[2] for change in changes([early])]
    assert told == [
        f"{asked} -> {other}"
        for asked in ("dark(state)", "shot.weapon == 'primary'")
        for other in (True, False)
    ]


def test_a_bound_with_a_name_is_exchanged() -> None:
    told = [change.told.partition(": ")[2] for change in changes([smoky])]
    assert told[2:] == ["reach >= REACH -> reach >= 2", "reach >= REACH -> reach >= 4"]


def test_band_light_and_every_bound_are_exchanged() -> None:
    told = [change.told.partition(": ")[2] for change in changes([jammed, twice])]
    for wanted in (
        "reach == 2 -> True", "reach == 2 -> False", "reach == 2 -> reach == 1",
        "reach == 2 -> reach == 3", "reach == 2 -> reach >= 2",
        "reach == 2 -> reach <= 2", "light == 'night' -> True", "light == 'night' -> False",
        "reach in (1, 4) -> reach in (4,)", "reach <= 3 -> reach <= 2", "reach <= 3 -> True",
    ):  # fmt: skip
        assert wanted in told, told


def test_an_exchanged_condition_holds_until_it_is_left() -> None:
    change = next(each for each in CHANGES if each.told.endswith("weapon != 'primary' -> True"))
    known = targets._why_out_of_order.__code__
    with made(change):
        assert targets._why_out_of_order.__code__ is not known
    assert targets._why_out_of_order.__code__ is known
