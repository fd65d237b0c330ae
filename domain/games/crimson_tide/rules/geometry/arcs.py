"""Where weapons bear: the four gunnery arcs, and the channels of torpedoes."""

from __future__ import annotations

from typing import Literal

from .....kernel.rules import rule
from .fixed import ONE, TURN, rdiv
from .hull import Side, Size, base, halves
from .polygons import Polygon
from .pose import Point, Pose
from .sines import direction

Arc = Literal["forward", "aft", "starboard", "port"]

CHANNEL_LENGTH = 4_500_000
"""How far a channel is drawn, in wu: far beyond the range of any torpedo."""

_OUTWARD: dict[Side, int] = {
    "bow": 0,
    "starboard": TURN // 4,
    "stern": TURN // 2,
    "port": 3 * TURN // 4,
}


@rule("CT-GEOM-16", "CT-ARC-01", "CT-ARC-02", "CT-ARC-03", "CT-AMB-20", "CT-AMB-82")
def arcs(pose: Pose, size: Size, target: Point) -> tuple[Arc, ...]:
    """The arcs that a point lies in: one, or the two on whose common boundary it lies.

    The boundaries run at 45 degrees through the corners of the base. A point on the center line
    between them, which only a unit on the same spot can be, lies in none.
    """
    sine, cosine = direction(pose.heading)
    dx, dy = target[0] - pose.x, target[1] - pose.y
    ahead = dx * sine + dy * cosine
    abeam = dx * cosine - dy * sine
    length, width = halves(size)
    corner = (length - width) * ONE
    found: list[Arc] = []
    if ahead - abs(abeam) >= corner:
        found.append("forward")
    if -ahead - abs(abeam) >= corner:
        found.append("aft")
    if abs(ahead) - abs(abeam) <= corner and abeam:
        found.append("starboard" if abeam > 0 else "port")
    return tuple(found)


@rule("CT-GEOM-18", "CT-ARC-05")
def channel(pose: Pose, size: Size, side: Side) -> Polygon:
    """The strip at right angles to a side of the base, as wide as that side."""
    port_bow, starboard_bow, starboard_stern, port_stern = base(pose, size)
    near, far = {
        "bow": (port_bow, starboard_bow),
        "starboard": (starboard_bow, starboard_stern),
        "stern": (starboard_stern, port_stern),
        "port": (port_stern, port_bow),
    }[side]
    sine, cosine = direction((pose.heading + _OUTWARD[side]) % TURN)
    x, y = rdiv(CHANNEL_LENGTH * sine, ONE), rdiv(CHANNEL_LENGTH * cosine, ONE)
    return near, (near[0] + x, near[1] + y), (far[0] + x, far[1] + y), far
