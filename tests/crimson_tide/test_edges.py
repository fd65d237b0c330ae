"""Sides of the table as each seat sees them, wherever its edge runs."""

from __future__ import annotations

import pytest

from domain.games.crimson_tide.rules.edges import (
    HOMES,
    crossed,
    edge,
    home_of,
    in_drawing,
    in_own_half,
    on_table,
)
from domain.games.crimson_tide.rules.state import Options
from domain.games.crimson_tide.shown.scenes import whole
from domain.games.crimson_tide.shown.scenes.layout import Frame
from domain.kernel.codec import canonical
from tests.crimson_tide.table import MEDIUM, table, unit

WIDTH, LENGTH = 1_000_000, 1_500_000
"""Of the usual table, in wu."""

BEYOND = [
    ("p1", (500_000, -1), "own"),
    ("p1", (500_000, LENGTH + 1), "far"),
    ("p1", (-1, 700_000), "left"),
    ("p1", (WIDTH + 1, 700_000), "right"),
    ("p2", (500_000, -1), "far"),
    ("p2", (500_000, LENGTH + 1), "own"),
    ("p2", (-1, 700_000), "right"),
    ("p2", (WIDTH + 1, 700_000), "left"),
    ("p1", (-1, LENGTH), "left"),
    ("p1", (WIDTH + 1, 0), "right"),
    ("p1", (-1, -1), "own"),
    ("p1", (0, 0), ""),
    ("p2", (WIDTH, LENGTH), ""),
]


@pytest.mark.parametrize("home", HOMES)
@pytest.mark.parametrize(("seat", "drawn", "which"), BEYOND)
def test_which_edge_a_point_lies_beyond(
    home: str, seat: str, drawn: tuple[int, int], which: str
) -> None:
    state = table(home=home)
    assert crossed(state, seat, on_table(state.options, drawn)) == which


@pytest.mark.parametrize("home", HOMES)
def test_drawing_and_table_are_turned_into_each_other(home: str) -> None:
    options = Options(home=home)  # type: ignore[arg-type]
    for point in ((0, 0), (1, 2), (WIDTH, 0), (300_000, LENGTH)):
        assert in_drawing(options, on_table(options, point)) == point


@pytest.mark.parametrize("home", HOMES)
@pytest.mark.rule("CT-SETUP-07")
def test_edges_lie_on_the_table_and_halves_meet_on_the_middle_line(home: str) -> None:
    state = table(home=home)
    corners = {corner for seat in state.seats for corner in edge(state, seat)}
    x, y = state.table
    assert corners == {(0, 0), (x, 0), (0, y), (x, y)}
    for drawn, halves in (((5, 750_000), (True, True)), ((5, 750_001), (False, True))):
        point = on_table(state.options, drawn)
        assert tuple(in_own_half(state, seat, point) for seat in state.seats) == halves


@pytest.mark.parametrize("home", HOMES)
def test_the_picture_turns_with_the_table(home: str) -> None:
    state = table(unit("p1-1", MEDIUM, 10_000, 10_000), home=home)
    told = canonical(whole.scene(state, None, (), "")).decode()
    first, second = home_of(state, "p1"), home_of(state, "p2")
    assert first == home
    assert {first, second} in ({"south", "north"}, {"west", "east"})
    assert f"p1 (full), {first} edge" in told
    assert f"p2 (hollow), {second} edge" in told
    frame = Frame(state)
    assert (frame.width > frame.height) == (home in ("west", "east"))
