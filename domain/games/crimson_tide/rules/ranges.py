"""RNGE: how far apart things are. Never asked before an attack is declared (CT-GEN-06)."""

from __future__ import annotations

from ....kernel.rules import rule
from .facts import card_of
from .geometry import distance
from .geometry.hull import Size, base
from .geometry.polygons import Polygon
from .state import PointOfTable, State, Unit

PLAIN: Size = "small"
"""The base of a land target whose card names no size."""


def footprint(state: State, unit: Unit) -> Polygon:
    """What distances to a unit are taken from: its base, or the point of an aircraft's token."""
    if unit.at is not None:
        return (unit.at,)
    assert unit.pose is not None
    return base(unit.pose, card_of(state, unit).size or PLAIN)


@rule("CT-GEN-03")
def band(state: State, a: Unit, b: Unit) -> int:
    """The range band of two units, from 1; 5 and 6 are for powerful guns only."""
    return distance.band(footprint(state, a), footprint(state, b), state.options.klick)


def near(state: State, a: Unit, b: Unit | PointOfTable, klicks: int) -> bool:
    """Whether a unit is at most so many klicks from another unit or a point (CT-RNGE-03)."""
    there = footprint(state, b) if isinstance(b, Unit) else (b,)
    return distance.within(footprint(state, a), there, klicks * state.options.klick)
