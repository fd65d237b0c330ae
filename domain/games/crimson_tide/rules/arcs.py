"""ARC: whether a weapon bears. Never asked before an attack is declared (CT-GEN-06)."""

from __future__ import annotations

from ....kernel.rules import rule
from .facts import card_of, size_of
from .geometry import arcs
from .geometry.hull import Side, targeting_points
from .geometry.polygons import meets
from .ranges import PLAIN, footprint
from .state import Arc, State, Unit


@rule("CT-GEOM-17", "CT-AMB-19")
def in_arc(state: State, firer: Unit, target: Unit, arc: Arc) -> bool:
    """Whether the target's middle lies in the firer's arc; by agreement, any targeting point.

    On the boundary of two arcs it lies in both, and the one declared stands.
    """
    assert firer.pose is not None
    assert target.pose is not None
    points = targeting_points(target.pose, card_of(state, target).size or PLAIN)
    counted = points[:1] if state.options.arc_test == "center" else points
    return any(arc in arcs.arcs(firer.pose, size_of(state, firer), point) for point in counted)


def in_channel(state: State, firer: Unit, target: Unit, side: Side) -> bool:
    """Whether any part of the target's base is in the torpedo channel of a side (CT-GEOM-18)."""
    assert firer.pose is not None
    strip = arcs.channel(firer.pose, size_of(state, firer), side)
    return meets(strip, footprint(state, target))
