"""The eight ways to turn and mirror the table: whatever happens must happen the same way there."""

from __future__ import annotations

from typing import NamedTuple

from domain.games.crimson_tide.rules.geometry.polygons import Polygon
from domain.games.crimson_tide.rules.geometry.pose import Point, Pose


class Symmetry(NamedTuple):
    """So many quarter turns to starboard about the origin, after a mirroring in the y axis."""

    quarters: int
    mirrored: bool

    def point(self, point: Point) -> Point:
        x, y = (-point[0], point[1]) if self.mirrored else point
        for _ in range(self.quarters):
            x, y = y, -x
        return x, y

    def heading(self, heading: int) -> int:
        return (self.ticks(heading) + 180 * self.quarters) % 720

    def ticks(self, ticks: int) -> int:
        """A turn: its way round is other in a mirror."""
        return -ticks if self.mirrored else ticks

    def pose(self, pose: Pose) -> Pose:
        return Pose(*self.point(pose.position), self.heading(pose.heading))

    def polygon(self, polygon: Polygon) -> Polygon:
        return tuple(self.point(point) for point in polygon)

    def side(self, side: str) -> str:
        """Port and starboard change places in a mirror."""
        swapped = {"port": "starboard", "starboard": "port"}
        return swapped.get(side, side) if self.mirrored else side


SYMMETRIES = tuple(
    Symmetry(quarters, mirrored) for quarters in range(4) for mirrored in (False, True)
)
