"""The map: its sectors and charts, and what the two editions say about island sectors."""

from __future__ import annotations

from collections import Counter

import pytest

from domain.games.war_at_sea.rules import board
from domain.games.war_at_sea.rules.board import Edge, Sighting
from domain.games.war_at_sea.rules.charts import shipped_charts
from domain.games.war_at_sea.rules.deployment import zone_of
from domain.games.war_at_sea.rules.editions import Edition
from tests.support.battle import table

OPEN: frozenset[str] = frozenset()


def test_there_are_72_sectors_in_staggered_rows() -> None:
    assert Counter(board.row(s) for s in board.SECTORS) == {
        r: 7 if r % 2 else 6 for r in range(1, 12)
    }


@pytest.mark.rule("WAS-MAP-02")
def test_an_inner_sector_has_six_neighbours() -> None:
    assert set(board.NEIGHBOURS["5.4"]) == {"5.3", "5.5", "4.3", "4.4", "6.3", "6.4"}
    assert [s for s in board.SECTORS if board.adjacent("5.4", s)] == sorted(board.NEIGHBOURS["5.4"])


def test_neighbours_by_number_are_as_counted_in_the_inventory() -> None:
    numbers = Counter(len(n) for n in board.NEIGHBOURS.values())
    assert numbers == {6: 40, 5: 10, 4: 10, 3: 8, 2: 4}


@pytest.mark.rule("WAS-MAP-03", "RUL-10")
def test_squall_directions_go_round_the_sector_and_opposites_undo_each_other() -> None:
    assert board._beyond("5.4") == ("6.4", "5.5", "4.4", "4.3", "5.3", "6.3")
    for sector, beyond in board.BEYOND.items():
        for direction, there in enumerate(beyond):
            assert not there or board.BEYOND[there][(direction + 3) % 6] == sector


@pytest.mark.rule("WAS-MAP-03")
@pytest.mark.parametrize(
    ("corner", "stuck"), [("1.1", {3, 6}), ("11.7", {3, 6}), ("1.7", {1, 4}), ("11.1", {1, 4})]
)
def test_in_a_corner_some_directions_lead_off_the_map_both_ways(
    corner: str, stuck: set[int]
) -> None:
    off = {d for d, there in enumerate(board._beyond(corner), 1) if not there}
    assert {d for d in off if (d + 2) % 6 + 1 in off} == stuck


def test_the_shortest_walk_is_as_long_as_the_range() -> None:
    """Inventory I6: half-sectors never shorten a way."""
    for start in board.SECTORS:
        steps, frontier = {start: 0}, [start]
        while frontier:
            here = frontier.pop(0)
            for there in board.NEIGHBOURS[here]:
                if there not in steps:
                    steps[there] = steps[here] + 1
                    frontier.append(there)
        assert steps == {s: board.distance(start, s) for s in board.SECTORS}


@pytest.mark.rule("WAS-ABIL-10")
def test_within_counts_every_range_from_0() -> None:
    assert set(board.within("1.1", 1)) == {"1.1", "1.2", "2.1"}
    assert board.within("6.3", 0) == ("6.3",)
    assert len(board.within("5.4", 2)) == 19


@pytest.mark.rule("WAS-MAP-08", "WAS-MAP-09")
def test_each_side_has_an_edge_row_and_a_half_and_the_middle_is_nobodys() -> None:
    edges: tuple[Edge, Edge] = ("south", "north")
    south, north = (set(board.half(e)) for e in edges)
    assert [len(board.edge_row(e)) for e in edges] == [7, 7]
    assert set(board.SECTORS) - south - north == set(board.middle_row())
    assert {board.mirror(s) for s in south} == north
    assert set(board.edge_row("south")) < south
    assert [board.opposite(e) for e in edges] == ["north", "south"]


@pytest.mark.rule("WAS-MAP-10")
def test_the_middle_row_has_two_end_and_two_centre_sectors() -> None:
    assert board.middle_row() == ("6.1", "6.2", "6.3", "6.4", "6.5", "6.6")


@pytest.mark.parametrize("face", range(1, 7))
def test_a_zone_is_fair_open_and_has_three_objectives(face: int) -> None:
    chart = board.zone(face)
    closed = {*chart.islands, *chart.shoals}
    assert len(chart.objectives) == 3
    assert not closed & {*chart.objectives}
    assert {board.mirror(s): art for s, art in chart.islands.items()} == chart.islands
    assert {board.mirror(s) for s in chart.shoals} == {*chart.shoals}
    assert {board.mirror(s) for s in chart.objectives} == {*chart.objectives}
    assert not any(board.row(s) in (1, 2, 10, 11) for s in closed)
    open_sea = {s for s in board.SECTORS if s not in closed}
    reached = {"1.1"}
    while more := {n for s in reached for n in board.NEIGHBOURS[s]} & open_sea - reached:
        reached |= more
    assert reached == open_sea


@pytest.mark.rule("WAS-MAP-25")
def test_the_convoy_map_has_one_island_where_the_die_says() -> None:
    found = shipped_charts("convoy")
    convoy = table("2009", scenario="convoy")
    assert [zone_of(convoy, face) for face in range(1, 7)] == [(face, ()) for face in range(1, 7)]
    assert [list(c.islands) for c in found] == [[s] for s in board.middle_row()]
    assert [c.objectives + c.shoals for c in found] == [()] * 6


@pytest.mark.rule("WAS-LOS-15", "RUL-58")
@pytest.mark.parametrize(("a", "b"), [("6.1", "6.1"), ("6.1", "5.1"), ("5.1", "6.1")])
def test_2007_an_island_sector_shuts_in_and_out_and_inside(a: str, b: str) -> None:
    assert board.line_of_sight("zone-2", OPEN, a, b, "2007") == Sighting(
        False, "6.1", "island-sector", "WAS-LOS-15"
    )


@pytest.mark.rule("WAS-LOS-16")
def test_2009_units_in_one_island_sector_see_each_other_and_nobody_else() -> None:
    assert board.line_of_sight("zone-2", OPEN, "6.1", "6.1", "2009") == board.CLEAR
    assert board.line_of_sight("zone-2", OPEN, "6.1", "5.1", "2009") == Sighting(
        False, "6.1", "island-sector", "WAS-LOS-16"
    )


@pytest.mark.rule("WAS-LOS-17")
@pytest.mark.parametrize("edition", ["2007", "2009"])
def test_shoals_never_block(edition: Edition) -> None:
    assert board.line_of_sight("zone-3", OPEN, "5.1", "7.2", edition).clear


@pytest.mark.rule("WAS-MAP-17", "WAS-LOS-05")
def test_the_sector_of_an_island_does_not_block_where_its_artwork_ends() -> None:
    assert "6.5" in board.between("4.5", "8.5")
    assert board.line_of_sight("zone-1", OPEN, "4.5", "8.5", "2009").clear


def test_weather_is_looked_into_and_out_of_but_not_through() -> None:
    squall = frozenset({"6.3"})
    sees = [
        board.line_of_sight("zone-1", squall, a, b, "2009").clear
        for a, b in (("5.4", "6.3"), ("6.3", "6.1"), ("6.2", "6.4"))
    ]
    assert sees == [True, True, False]


@pytest.mark.rule("WAS-MAP-22")
def test_a_sight_line_runs_from_dot_to_dot() -> None:
    assert board.sight_line("2.1", "1.1") == ((20, 20), (40, 60))
