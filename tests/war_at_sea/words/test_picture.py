"""The table as text: in 100 columns, every unit where it is, nothing that a viewer may not see."""

from __future__ import annotations

import random
import re

import pytest

from domain.games.war_at_sea import GAME
from domain.games.war_at_sea.rules import board
from domain.games.war_at_sea.rules.effects import Shelled
from domain.games.war_at_sea.rules.state import Lost
from domain.games.war_at_sea.shown.picture import WIDTH
from domain.games.war_at_sea.shown.picture import board as picture
from domain.kernel.conformance import play
from domain.kernel.setup import Setup
from domain.kernel.values import PUBLIC, StepKey
from tests.support.battle import table, unit

STATE = table(
    "2009",
    unit("p1-1", "bismarck", "6.2", damage=4),
    unit("p1-2", "shokaku", "1.3", damage=1, pending=1),
    unit("p1-3", "b5n2-kate", base="p1-2", rearming=True),
    unit("p1-4", "i-19", "6.2"),
    unit("p2-1", "hms-hood", "7.3", doomed=True),
    unit("p2-2", "f4f-wildcat", "6.2", aborted=True, strafing=True),
    zone=5,
    turn=3,
    step=StepKey("air-attack", "first"),
    scores={"p1": 57, "p2": 0},
    claimed={"4.5": "p1"},
    smoke={"7.3": 4},
    lost=(Lost("p2-3", "uss-fletcher-dd-445", "p2", 2, "destroyed", 7),),
)


def cell(text: str, sector: str) -> list[str]:
    """The lines of one sector of the picture."""
    lines = text.splitlines()
    top = next(n for n, line in enumerate(lines) if re.search(rf"\|{re.escape(sector)}\b", line))
    start = lines[top].index(f"|{sector}") + 1
    found = []
    for line in lines[top:]:
        if line.lstrip().startswith("+"):
            break
        found.append(line[start : start + 12].strip())
    return [each for each in found if each]


def test_units_stand_where_they_are() -> None:
    text = picture(STATE)
    assert cell(text, "6.2")[1:] == ["p1-1 p1-4v", "p2-2^"]
    assert cell(text, "1.3")[1:] == ["p1-2"]
    assert cell(text, "7.3") == ["7.3 smoke", "p2-1"]


def test_what_is_off_the_map_over_an_airbase_or_shelled_is_in_the_list() -> None:
    state = table(
        "2009",
        unit("p1-1", "rheinubung-bismarck"),
        unit("p1-2", "a6m2-zeke", board.AIRFIELDS["north"]),
        unit("p2-1", "p-40e-warhawk", rearming=True),
        unit("p2-2", "p-40e-warhawk", rearming=True),
        turn=3,
        effects=(
            Shelled(unit="p2-1", counters=2, source="p1-9", rule="WAS-CARD-bombard", until=6),
        ),
    )
    lines = {line.split()[0]: line for line in picture(state).splitlines() if line.strip()}
    assert "off the map" in lines["p1-1"]
    assert "the north land airbase" in lines["p1-2"]
    assert lines["p2-1"].endswith("rearming, 3 counters")
    assert lines["p2-2"].endswith("rearming")


@pytest.mark.parametrize("zone", range(1, 7))
def test_the_chart_is_drawn(zone: int) -> None:
    chart = board.zone(zone)
    text = picture(table("2009", zone=zone))
    for sector in board.SECTORS:
        wanted = sector
        wanted += " island" if sector in chart.islands else ""
        wanted += " shoals" if sector in chart.shoals else ""
        wanted += " *" if sector in chart.objectives else ""
        assert cell(text, sector) == [wanted]


def test_rows_are_staggered_from_north_to_south() -> None:
    """A sector touches two of the row below: it begins half a sector farther east or west."""
    lines = picture(STATE).splitlines()
    at = {
        sector: (number, line.index(f"|{sector} "))
        for number, line in enumerate(lines)
        for sector in ("11.1", "10.1", "9.1")
        if f"|{sector} " in line
    }
    assert at["11.1"][0] < at["10.1"][0] < at["9.1"][0]
    assert at["11.1"][1] == at["9.1"][1] < at["10.1"][1]


@pytest.mark.parametrize(
    ("unit_id", "shown"),
    [
        ("p1-1", ["Bismarck, Battleship", "6.2", "1/5", "crippled"]),
        ("p1-2", ["Shokaku, Carrier", "1.3", "damaged, 1 pending"]),
        ("p1-3", ['B5N2 "Kate", Torpedo Bomber', "on Shokaku (p1-2)", "rearming"]),
        ("p1-4", ["I-19, Submarine", "6.2"]),
        ("p2-1", ["HMS Hood, Battleship", "7.3", "destroyed"]),
        ("p2-2", ["F4F Wildcat, Fighter", "6.2", "aborted, strafing"]),
    ],
)
def test_each_unit_has_its_line(unit_id: str, shown: list[str]) -> None:
    (line,) = (x for x in picture(STATE).splitlines() if x.startswith(f"  {unit_id} "))
    assert all(part in line for part in shown), line


def test_the_sides() -> None:
    text = picture(STATE)
    assert "turn 3, air-attack.first" in text
    assert "p1, Axis, south edge, 57 points, objectives 4.5" in text
    assert "p2, Allies, north edge, 0 points" in text
    assert "lost: USS Fletcher (DD 445) (p2-3, turn 2)" in text


def test_a_sealed_fleet_stays_sealed() -> None:
    opening = GAME.opening(Setup("war-at-sea", "2009", "standard", ("p1", "p2")))
    state = GAME.fold(opening)
    pictures = {"p1": [], PUBLIC: [], "p2": []}  # type: dict[str, list[str]]
    for fleet in GAME.legal(state, "p2").commands[:2]:
        events = (*opening, *GAME.decide(state, "p2", fleet))
        for viewer, seen in pictures.items():
            seen.append(picture(GAME.fold(GAME.seen(event, viewer) for event in events)))
    assert pictures["p1"][0] == pictures["p1"][1]
    assert pictures[PUBLIC][0] == pictures[PUBLIC][1]
    assert "the rest of the fleet is sealed" in pictures[PUBLIC][0]
    assert pictures["p2"][0] != pictures["p2"][1]
    assert "to deploy: " in pictures["p2"][0]


@pytest.mark.parametrize("edition", ["2007", "2009"])
def test_whole_battles_fit(edition: str) -> None:
    choose = random.Random(11).randrange
    for number, played in enumerate(
        play(GAME, Setup("war-at-sea", edition, "standard", ("p1", "p2")), choose)
    ):
        if number % 10 == 0:
            text = picture(played.state)
            assert max(map(len, text.splitlines())) <= WIDTH == 100
            assert all(
                len(cell(text, u.sector)) > 1 for u in played.state.units.values() if u.sector
            )
        if played.state.turn > 6:
            break
