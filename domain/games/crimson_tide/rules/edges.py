"""Whose edge is where: the one place that names a side of the table (CT-SETUP-07, CT-GEOM-02).

Rules and charts think of a table as its players do: so far along the first seat's edge from its
left end, so far from that edge. :attr:`Options.home` says along which side of the table that edge
runs; the whole drawing turns along with it, and the second seat's edge is always the far one.
"""

from __future__ import annotations

from typing import get_args

from ....kernel.rules import rule
from ....kernel.values import Seat
from .geometry.fixed import RIGHT_ANGLE, TURN
from .geometry.pose import Pose
from .options import Home, Options
from .state import PointOfTable, State

HOMES: tuple[Home, ...] = get_args(Home)
"""The sides of the table, each a quarter turn to starboard from the one before."""


def on_table(options: Options, point: PointOfTable) -> PointOfTable:
    """Where a point of the drawing lies on the table, in wu."""
    width, length = options.width * options.klick, options.length * options.klick
    x, y = point
    match options.home:
        case "south":
            return x, y
        case "west":
            return y, width - x
        case "north":
            return width - x, length - y
        case "east":
            return length - y, x


def in_drawing(options: Options, point: PointOfTable) -> PointOfTable:
    """Where a point of the table lies in the drawing, in wu."""
    width, length = options.width * options.klick, options.length * options.klick
    x, y = point
    match options.home:
        case "south":
            return x, y
        case "west":
            return width - y, x
        case "north":
            return width - x, length - y
        case "east":
            return y, length - x


def heading(options: Options, ticks: int) -> int:
    """The heading on the table of one in the drawing."""
    return (ticks + RIGHT_ANGLE * HOMES.index(options.home)) % TURN


def pose_on_table(options: Options, pose: Pose) -> Pose:
    """Where a base of the drawing stands on the table."""
    return Pose(*on_table(options, pose.position), heading(options, pose.heading))


def near(state: State, seat: Seat) -> bool:
    """Whether the near edge of the drawing is the seat's: it is the first side's."""
    return state.side(seat) == state.seats[0]


@rule("CT-SETUP-07")
def edge(state: State, seat: Seat) -> tuple[PointOfTable, PointOfTable]:
    """The ends of the seat's edge of the table."""
    width, length = _size(state.options)
    y = 0 if near(state, seat) else length
    return on_table(state.options, (0, y)), on_table(state.options, (width, y))


def home_of(state: State, seat: Seat) -> Home:
    """The side of the table along which the seat's edge runs."""
    first = HOMES.index(state.options.home)
    return HOMES[first if near(state, seat) else (first + 2) % len(HOMES)]


def in_own_half(state: State, seat: Seat, point: PointOfTable) -> bool:
    """Whether a point is on the seat's side of the middle line, or on it.

    Twice the distance against the length: the middle line may lie between two wu.
    """
    beyond = 2 * in_drawing(state.options, point)[1] - _size(state.options)[1]
    return beyond <= 0 if near(state, seat) else beyond >= 0


def crossed(state: State, seat: Seat, point: PointOfTable) -> str:
    """Which edge a point lies beyond, as ``seat`` sees them: own, far, left, right; none: empty.

    Beyond two at a corner it is the own or the far edge that counts.
    """
    width, length = _size(state.options)
    x, y = in_drawing(state.options, point)
    if not near(state, seat):
        x, y = width - x, length - y
    if y < 0 or y > length:
        return "own" if y < 0 else "far"
    if x < 0 or x > width:
        return "left" if x < 0 else "right"
    return ""


def _size(options: Options) -> PointOfTable:
    """The far corner of the drawing."""
    return options.width * options.klick, options.length * options.klick
