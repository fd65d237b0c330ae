"""Every row of the critical table is shown twice: it acts, and it rests when it should.

What shows it is a numbered case, played with and without the row (ablation.py). A case shows that a
row rests only if it says that it is about it, and if who has the marker does something or has
something done to it there: another weapon, another phase, another range.
"""

from __future__ import annotations

from typing import Any

import pytest

from domain.games.crimson_tide.rules import criticals
from domain.games.crimson_tide.rules.criticals import CREW, LUCKY, TABLE, Critical
from tests.crimson_tide.ablation import about, acts_in, holds, loaded, without

ROWS = [row for row in TABLE.values() if row.leaves]


def shown(row: Critical) -> dict[bool, str]:
    """The first case in which the row acts, and the first in which it rests."""
    found: dict[bool, str] = {}
    for case in loaded():
        if holds(row, case):
            acts = acts_in(row, case)
            if acts or about(row, case):
                found.setdefault(acts, case["id"])
        if len(found) == 2:
            break
    return found


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_a_row_is_shown_to_act_and_to_rest(row: Critical) -> None:
    found = shown(row)
    lacks = "rest, changing nothing" if True in found else "act, changing something"
    assert len(found) == 2, (
        f"{row.name} is never shown to {lacks}: tests/cases/crimson_tide needs a case for it, with "
        f"{row.name!r} in its title"
    )


def test_a_row_that_leaves_nothing_acts_in_no_case() -> None:
    assert [row for row in TABLE.values() if not row.leaves] == [LUCKY]
    assert [case["id"] for case in loaded() if holds(LUCKY, case) and acts_in(LUCKY, case)] == []


def _case(title: str, **unit: Any) -> dict[str, Any]:
    ship = {"id": "p1-1", "card": "uss-fletcher", "pose": [500_000, 500_000, 0], **unit}
    far = {"id": "p2-1", "card": "ijn-kagero", "pose": [900_000, 1_400_000, 360]}
    move = {"type": "crimson-tide.move", "unit": "p1-1", "path": [0]}
    script = [{"seat": "p1", "command": move}]
    setup = {"units": [ship, far]}
    return {"id": "none", "title": title, "rules": [], "setup": setup, "script": script}


def test_a_case_in_which_nobody_has_the_marker_shows_nothing() -> None:
    assert not holds(CREW, _case("Crew casualty"))
    marked = _case("Crew casualty", criticals=[CREW.number])
    assert holds(CREW, marked)
    assert about(CREW, marked)
    assert not about(CREW, _case("Nothing at all", criticals=[CREW.number]))


def test_without_a_row_its_rules_do_not_know_it() -> None:
    with without(CREW):
        assert criticals.CREW.number == -CREW.number
        assert TABLE[CREW.number] is CREW
    assert criticals.CREW is CREW
