"""Where everything lies in the picture, in its own units."""

from __future__ import annotations

from typing import NamedTuple

from .....kernel.shown.drawing import Point
from ...rules import board
from ...rules.state import AIRBASE, State, Unit

CELL = 120
LEFT, TOP = 34, 96
MAP_WIDTH, MAP_HEIGHT = 7 * CELL, board.ROWS * CELL
PANEL = LEFT + MAP_WIDTH + 24
PANEL_WIDTH = 470
WIDTH = PANEL + PANEL_WIDTH + 16
SCALE = 3
"""The map is measured in 1/40 of a sector's side."""

SLOT_WIDTH, SLOT_HEIGHT = 42, 44
"""What a piece of 100 per cent takes with its name, markers and hull points."""

LARGEST = 150
HEAD = 16
"""The strip of a sector that holds its name and its markers."""

BASE_SLOT = 60


GATE = PANEL - 12
"""Between map and panels: here lines turn into the row of a piece that lies in a panel."""

ENTRY = PANEL + 20
"""As far as a line goes into a panel: before the first piece of a row, beside no text."""

BESIDE = (BASE_SLOT * 5 // 9, 20)
"""Where the arrow that points at a later piece of a row begins and ends, left of its middle."""


class Slot(NamedTuple):
    """Where a piece is drawn: its middle, and its size in per cent."""

    at: Point
    size: int = 100


def on_map(point: Point) -> Point:
    """A point of the map's own measure, north up."""
    return LEFT + SCALE * point[0], TOP + MAP_HEIGHT - SCALE * point[1]


def middle(sector: str) -> Point:
    """The middle of a sector."""
    return on_map(board.centre(sector))


def corner(sector: str) -> Point:
    """Its upper left corner."""
    x, y = middle(sector)
    return x - CELL // 2, y - CELL // 2


def in_sectors(state: State) -> dict[str, Slot]:
    """The slot of each unit that is in a sector: Ships above, then Submarines, then Aircraft."""
    crowds: dict[str, list[Unit]] = {}
    for unit in state.all_units:
        if unit.sector in board.NEIGHBOURS:
            crowds.setdefault(unit.sector, []).append(unit)
    return {
        unit.id: slot
        for sector, crowd in crowds.items()
        for unit, slot in zip(crowd, _slots(sector, len(crowd)), strict=True)
    }


def _slots(sector: str, many: int) -> list[Slot]:
    """As large as they can be: smaller for a crowd."""
    columns = 1
    while columns * columns < many:
        columns += 1
    rows = -(-many // columns)
    x, y = corner(sector)
    wide, high = CELL // columns, (CELL - HEAD) // rows
    size = min(100 * wide // SLOT_WIDTH, 100 * high // SLOT_HEIGHT, LARGEST)
    return [
        Slot((x + wide * column + wide // 2, y + HEAD + high * row + high // 2), size)
        for row, column in (divmod(number, columns) for number in range(many))
    ]


def where(state: State, slots: dict[str, Slot], unit: str) -> Point | None:
    """The middle of a unit in the picture; of its Carrier's while it is aboard."""
    if unit in slots:
        return slots[unit].at
    known = state.units.get(unit)
    if known is None:
        return None
    if known.sector in board.NEIGHBOURS:
        return middle(known.sector)
    if known.base in board.NEIGHBOURS:
        return middle(known.base)
    if known.base and known.base != AIRBASE and known.base != unit:
        return where(state, slots, known.base)
    return None


def lines(start: Point, end: Point, *between: Point) -> tuple[tuple[Point, ...], ...]:
    """What is drawn from one piece to another: straight on the map, but not over a panel's text.

    A piece in a panel is reached by the row in which it lies; past the row's other pieces the line
    is left out, and a short one points at the piece.
    """
    if start[0] < PANEL and end[0] < PANEL:
        return ((start, *between, end),)
    own = *_out(start), *between, *reversed(_out(end))
    return (own, *_pointer(end))


def _out(at: Point) -> tuple[Point, ...]:
    """From a piece to where lines run freely."""
    return (at,) if at[0] < PANEL else ((ENTRY, at[1]), (GATE, at[1]))


def _pointer(at: Point) -> tuple[tuple[Point, ...], ...]:
    begin, stop = ((at[0] - each, at[1]) for each in BESIDE)
    return ((begin, stop),) if begin[0] > ENTRY else ()
