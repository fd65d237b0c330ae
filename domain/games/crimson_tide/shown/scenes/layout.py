"""Where everything lies in the picture, in its own units."""

from __future__ import annotations

from .....kernel.shown.drawing import Point
from ...rules.facts import size_of
from ...rules.geometry.fixed import TURN
from ...rules.geometry.hull import base
from ...rules.geometry.pose import offset
from ...rules.state import LAND_BASE, PointOfTable, State, Unit

KLICK = 22
"""A klick in units of the picture."""

LEFT, TOP = 44, 96
PANEL_WIDTH = 480
GAP = 24
BASE_SLOT = 60


NEAR = 40
"""Pieces whose middles are nearer than this hide each other."""

SHIFTS = tuple(
    (reach * dx, reach * dy)
    for reach in (0, 44, 60, 76, 92)
    for dx, dy in ((1, 0), (-1, 0), (0, -1), (0, 1), (1, -1), (-1, -1), (1, 1), (-1, 1))
)
"""Where an aircraft is drawn instead, the nearest place first."""


def _clear(place: Point, taken: list[Point]) -> bool:
    return all(abs(place[0] - x) >= NEAR or abs(place[1] - y) >= NEAR for x, y in taken)


class Frame:
    """Turns places on the table into places of the picture, north up."""

    def __init__(self, state: State) -> None:
        self.klick = state.options.klick
        width, height = state.table
        self.width, self.height = self.length(width), self.length(height)
        self.panel = LEFT + self.width + GAP
        self.total = self.panel + PANEL_WIDTH + 16
        self.tokens = self._spread(state)

    def _spread(self, state: State) -> dict[tuple[str, PointOfTable], Point]:
        """Where aircraft are drawn: at their place, or beside it where another piece is."""
        taken = [self.at(u.pose.position) for u in state.all_units if u.pose is not None]
        found: dict[tuple[str, PointOfTable], Point] = {}
        for unit in state.all_units:
            if unit.at is not None:
                x, y = self.at(unit.at)
                free = ((x + dx, y + dy) for dx, dy in SHIFTS if _clear((x + dx, y + dy), taken))
                found[unit.id, unit.at] = place = next(free, (x, y))
                taken.append(place)
        return found

    def at(self, point: tuple[int, int]) -> Point:
        """A place on the table."""
        x, y = point
        return LEFT + x * KLICK // self.klick, TOP + self.height - y * KLICK // self.klick

    def length(self, wu: int) -> int:
        """A length on the table."""
        return wu * KLICK // self.klick

    def inside(self, point: Point) -> Point:
        """The point, or the nearest one of the table's edge."""
        x, y = point
        right, bottom = LEFT + self.width, TOP + self.height
        return min(max(x, LEFT), right), min(max(y, TOP), bottom)


def corners(state: State, unit: Unit, frame: Frame) -> tuple[Point, ...]:
    """The base in the picture: bow port, bow starboard, stern starboard, stern port."""
    assert unit.pose is not None
    return tuple(frame.at(corner) for corner in base(unit.pose, size_of(state, unit)))


def spot(state: State, frame: Frame, unit: str) -> Point | None:
    """The middle of a unit in the picture; of the ship that it is aboard."""
    known = state.units.get(unit)
    if known is None:
        return None
    if known.pose is not None:
        return frame.at(known.pose.position)
    if known.at is not None:
        return frame.tokens.get((unit, known.at), frame.at(known.at))
    if known.base and known.base != LAND_BASE:
        return spot(state, frame, known.base)
    return None


def ray(start: tuple[int, int], heading: int, length: int) -> tuple[int, int]:
    """The place that lies so far along a heading, in wu."""
    x, y = offset(heading % TURN, length)
    return start[0] + x, start[1] + y
