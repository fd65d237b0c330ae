"""Where a unit lies and which way it points, and how far a straight klick takes it."""

from __future__ import annotations

from .....kernel.rules import rule
from .....kernel.values import Part
from .fixed import ONE, TURN, rdiv
from .sines import direction

Point = tuple[int, int]
"""x grows to the east, y to the north, in wu."""

SUBSTEPS = 100
"""Into how many pieces a klick is cut to see what it runs into (CT-GEOM-11)."""


class Pose(Part, frozen=True):
    """The middle of a base in wu, and its heading in ticks (0 to 719, clockwise, 0 is +y)."""

    x: int
    y: int
    heading: int = 0

    @property
    def position(self) -> Point:
        return self.x, self.y


@rule("CT-GEOM-03")
def turned(pose: Pose, ticks: int) -> Pose:
    """The pose after a turn on the spot; positive ticks are to starboard."""
    return Pose(pose.x, pose.y, (pose.heading + ticks) % TURN)


@rule("CT-GEOM-10", "CT-MOVE-05", "CT-STEER-05")
def carried(pose: Pose, course: int, length: int) -> Pose:
    """The pose after a run of ``length`` wu along a course; a negative length runs backwards.

    Klicks are run one at a time, each from the rounded end of the one before.
    """
    x, y = offset(course, length)
    return Pose(pose.x + x, pose.y + y, pose.heading)


def offset(course: int, length: int) -> Point:
    """A run of ``length`` wu along a course, in whole wu."""
    sine, cosine = direction(course)
    return rdiv(length * sine, ONE), rdiv(length * cosine, ONE)


@rule("CT-GEOM-11")
def substeps(pose: Pose, course: int, length: int) -> tuple[Pose, ...]:
    """The 100 poses through which a klick passes; the last is that of :func:`carried`.

    ``length`` is a whole number of hundreds of wu, negative for a run backwards.
    """
    piece = length // SUBSTEPS
    return tuple(carried(pose, course, step * piece) for step in range(1, SUBSTEPS + 1))


def ticks_of_turn(pose: Pose, ticks: int) -> tuple[Pose, ...]:
    """The poses through which a turn passes, tick by tick; the last is its end (CT-GEOM-11)."""
    way = 1 if ticks > 0 else -1
    return tuple(turned(pose, way * tick) for tick in range(1, abs(ticks) + 1))
