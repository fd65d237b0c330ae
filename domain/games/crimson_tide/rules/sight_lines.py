"""LOS: what a ship or submarine sees of its target, and what stands between."""

from __future__ import annotations

from collections.abc import Iterator

from ....kernel.rules import rule
from .facts import ashore, card_of, in_order, is_ship, is_submarine, on_surface, size_of
from .geometry.discs import Disc, holds
from .geometry.hull import LARGEST, Side, middle_of, targeting_points
from .geometry.polygons import meets
from .geometry.pose import Point
from .geometry.sight import Blocker, Sight, sight
from .geometry.track import Box
from .ranges import PLAIN, footprint
from .state import Arc, Seen, State, Storm, Unit

_SIDES: dict[Arc | Side, Side] = {
    "forward": "bow",
    "bow": "bow",
    "aft": "stern",
    "stern": "stern",
    "starboard": "starboard",
    "port": "port",
}


@rule("CT-GEOM-19", "CT-AMB-18")
def firing_point(state: State, firer: Unit, arc: Arc | Side) -> Point:
    """The middle of the side of the base that the weapon uses."""
    assert firer.pose is not None
    return middle_of(firer.pose, size_of(state, firer), _SIDES[arc])


def view(state: State, firer: Unit, target: Unit, arc: Arc | Side) -> Seen:
    """The line of sight from a side to the target's center, bow and stern.

    Over land it is drawn from the firer's own center (CT-AMB-18).
    """
    assert firer.pose is not None
    assert target.pose is not None
    eye = firing_point(state, firer, arc)
    points = targeting_points(target.pose, card_of(state, target).size or PLAIN)
    units = tuple(bases(state, firer, target, fan(eye, points)))
    sea = sight(eye, points, (*units, *squalls(state, firer, target)))
    from_side = state.options.terrain_sight_from == "side"
    shore = sight(eye if from_side else firer.pose.position, points, coasts(state, target))
    if state.options.land_sight == "any-point" and _any_hidden(shore):
        return _seen(Sight("blocked", shore.center, shore.bow, shore.stern))
    return _seen(_worse(sea, shore))


@rule("CT-AMB-98")
def _any_hidden(found: Sight) -> bool:
    """Whether land cuts the line to any targeting point: that breaks the line of sight."""
    return bool(found.center or found.bow or found.stern)


def _seen(found: Sight) -> Seen:
    return Seen(found.kind, (found.center, found.bow, found.stern))


def _worse(one: Sight, other: Sight) -> Sight:
    """Both at once: a point is hidden if either hides it."""
    center, bow, stern = one.center or other.center, one.bow or other.bow, one.stern or other.stern
    end_seen = not (bow and stern)
    if center:
        return Sight("partially-blocked" if end_seen else "blocked", center, bow, stern)
    return Sight("clear" if end_seen else "impeded", center, bow, stern)


@rule("CT-GEOM-21", "CT-AMB-22", "CT-AMB-23")
def bases(state: State, firer: Unit, target: Unit, area: Box) -> Iterator[Blocker]:
    """Bases on the surface level in the way, of either side, with DESTROYED markers too.

    Between submerged units there are none; those clear of the upright box ``area`` are left out.
    """
    if firer.submerged and target.submerged:
        return
    for unit in in_order(state):
        pose = unit.pose
        if pose is None or not (area[0] <= pose.x <= area[2] and area[1] <= pose.y <= area[3]):
            continue
        if unit.id not in (firer.id, target.id) and afloat(state, unit):
            yield Blocker(unit.id, footprint(state, unit))


def fan(eye: Point, points: tuple[Point, ...]) -> Box:
    """The upright box that the middle of a base has to be in to touch a line of the fan."""
    xs, ys = [eye[0], *(p[0] for p in points)], [eye[1], *(p[1] for p in points)]
    return min(xs) - LARGEST, min(ys) - LARGEST, max(xs) + LARGEST, max(ys) + LARGEST


def afloat(state: State, unit: Unit) -> bool:
    """Whether it is a ship or a surfaced submarine: its base takes up room on the surface."""
    return on_surface(state, unit) and (is_ship(state, unit) or is_submarine(state, unit))


@rule("CT-AMB-90")
def coasts(state: State, target: Unit) -> Iterator[Blocker]:
    """Land that blocks lines of sight (CT-TERR-13); it blocks between submerged units too.

    A land target is not hidden by the piece that its middle stands on.
    """
    assert target.pose is not None
    spot = (target.pose.position,)
    stands = ashore(state, target)
    for each in state.land:
        if each.blocks and not (stands and meets(spot, each.corners)):
            yield Blocker(each.id, each.corners)


@rule("CT-WEA-05")
def squalls(state: State, firer: Unit, target: Unit) -> Iterator[Blocker]:
    """Storms that hold neither firer nor target; a line between submerged units passes below."""
    if firer.submerged and target.submerged:
        return
    for storm in state.storms:
        disc = disc_of(storm)
        if not any(holds(disc, _spot(unit)) for unit in (firer, target)):
            yield Blocker(storm.id, disc)


def disc_of(storm: Storm) -> Disc:
    return Disc(*storm.at, storm.radius)


def _spot(unit: Unit) -> Point:
    """A unit's position, or the point of its token."""
    if unit.at is not None:
        return unit.at
    assert unit.pose is not None
    return unit.pose.position


@rule("CT-AMB-88")
def storm_of(state: State, unit: Unit) -> Storm | None:
    """The storm that a unit is in, if any; the first of several (CT-GEOM-23).

    It passes over what is submerged: that is neither hidden by it nor hindered.
    """
    if unit.submerged:
        return None
    return next((s for s in state.storms if holds(disc_of(s), _spot(unit))), None)
