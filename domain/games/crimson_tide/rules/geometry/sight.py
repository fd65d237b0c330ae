"""Lines of sight: which of a target's three points can be seen, and what hides the others."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, NamedTuple

from .....kernel.rules import rule
from .....kernel.values import Value
from .discs import Disc, cuts
from .polygons import Polygon, Segment, crosses
from .pose import Point

SightClass = Literal["clear", "impeded", "partially-blocked", "blocked"]


class Blocker(NamedTuple):
    """Something that may stand in the way: a unit's base, a piece of land, a storm."""

    id: str
    shape: Polygon | Disc


class Sight(Value, frozen=True):
    """A line of sight: its class, and what hides each targeting point (empty: it is visible)."""

    kind: SightClass
    center: str = ""
    bow: str = ""
    stern: str = ""


@rule("CT-LOS-01", "CT-LOS-04", "CT-LOS-05", "CT-LOS-06", "CT-LOS-07")
def sight(eye: Point, points: tuple[Point, Point, Point], blockers: Iterable[Blocker]) -> Sight:
    """From the middle of the firing side to a target's center, bow and stern.

    Clear: center and an end. Impeded: center only. Partially blocked: an end only. Blocked: none.
    Of several blockers the first in the order given is named.
    """
    standing = tuple(b for b in blockers if _near(eye, points, b.shape))
    center, bow, stern = (_hidden_by((eye, point), standing) for point in points)
    end_seen = not (bow and stern)
    if center:
        return Sight("partially-blocked" if end_seen else "blocked", center, bow, stern)
    return Sight("clear" if end_seen else "impeded", center, bow, stern)


def _hidden_by(line: Segment, blockers: tuple[Blocker, ...]) -> str:
    return next((b.id for b in blockers if hides(b.shape, line)), "")


@rule("CT-TERR-13", "CT-WEA-01")
def hides(shape: Polygon | Disc, line: Segment) -> bool:
    """Whether a base, a piece of land or a storm cuts a line of sight."""
    return cuts(shape, line) if isinstance(shape, Disc) else crosses(line, shape)


def _near(eye: Point, points: tuple[Point, Point, Point], shape: Polygon | Disc) -> bool:
    """Whether the upright boxes of the fan of lines and of the shape meet: all others are out."""
    xs, ys = [eye[0], *(p[0] for p in points)], [eye[1], *(p[1] for p in points)]
    if isinstance(shape, Disc):
        low_x, high_x = shape.x - shape.radius, shape.x + shape.radius
        low_y, high_y = shape.y - shape.radius, shape.y + shape.radius
    else:
        low_x, high_x = min(p[0] for p in shape), max(p[0] for p in shape)
        low_y, high_y = min(p[1] for p in shape), max(p[1] for p in shape)
    return low_x <= max(xs) and min(xs) <= high_x and low_y <= max(ys) and min(ys) <= high_y
