"""Storms are discs: who is in one, and which lines of sight run through one (CT-GEOM-23)."""

from __future__ import annotations

from .....kernel.rules import rule
from .....kernel.values import Value
from .distance import point_to_segment
from .polygons import Segment
from .pose import Point


class Disc(Value, frozen=True):
    """A disc: its center and radius in wu."""

    x: int
    y: int
    radius: int


@rule("CT-GEOM-23")
def holds(disc: Disc, point: Point) -> bool:
    """Whether a point is at most the radius from the center."""
    dx, dy = point[0] - disc.x, point[1] - disc.y
    return dx * dx + dy * dy <= disc.radius * disc.radius


def cuts(disc: Disc, segment: Segment) -> bool:
    """Whether a part of the segment is nearer to the center than the radius; grazing is not."""
    distance = point_to_segment((disc.x, disc.y), segment)
    return distance.num < disc.radius * disc.radius * distance.den
