"""TERR: land, shallows and treacherous waters; and where a base may be set up."""

from __future__ import annotations

from collections.abc import Iterable

from ....kernel.memo import latest
from ....kernel.rules import No, rule
from ....kernel.values import Seat
from .ability_words import NoGroundingTest
from .edges import edge, in_drawing, in_own_half
from .facts import card_of, effect, in_order, size_of
from .geometry.distance import Squared, squared_distance, within
from .geometry.hull import LARGEST, Size, base
from .geometry.polygons import Polygon, meets, overlap
from .geometry.pose import Pose
from .geometry.track import Hazard, Obstacle, Table, Waters, hazard, obstacle, off_table
from .ranges import footprint
from .sight_lines import afloat
from .state import Hardness, Land, PointOfTable, State, Unit

TREACHEROUS = 4
"""Klicks from land within which waters are treacherous: half of range 1."""

ZONE = 8
"""Klicks from a player's edge within which ships are set up: range 1."""

GROUNDS_ON: dict[Size, int] = {"capital": 3, "large": 2, "medium": 1, "small": 0}
"""The greatest face on which a unit of each size runs aground; 0: it is never tested."""

DICE: dict[Hardness, int] = {"soft": 4, "hard": 8, "impassable": 12}


@rule("CT-TERR-11")
def grounding_dice(hardness: Hardness) -> int:
    """Attack dice that land of this hardness rolls against a hull."""
    return DICE[hardness]


@rule("CT-TERR-06")
def grounds_on(size: Size) -> int:
    """The test fails on this face and below."""
    return GROUNDS_ON[size]


def waters(state: State, unit: Unit, tested: bool, ram: bool = False) -> Waters:
    """What a unit has to heed: the table, other bases on its level, land, and perils if tested.

    ram  submerged, it does not keep clear of what is submerged as well
    """
    ships = _other_bases(state, unit, ram, in_order(state))
    perils = tuple(_peril(state, each) for each in state.land) if tested else ()
    return Waters(Table(*state.table), (*ships, *_coasts(state.land)), perils)


def waters_around(state: State, unit: Unit, klicks: int, ram: bool = False) -> Waters:
    """The same without perils, for a run of so many klicks: bases out of its reach left out.

    A base whose middle is farther off than the run and two of the largest bases is not even looked
    at, so that a unit in open water costs next to nothing.
    """
    assert unit.pose is not None
    x, y = unit.pose.position
    reach = klicks * state.options.klick + LARGEST
    ships = _other_bases(state, unit, ram, _within(in_order(state), x, y, reach + LARGEST))
    coasts = tuple(
        coast
        for coast in _coasts(state.land)
        if coast.box[0] - reach <= x <= coast.box[2] + reach
        and coast.box[1] - reach <= y <= coast.box[3] + reach
    )
    return Waters(Table(*state.table), ships + coasts)


def _within(units: Iterable[Unit], x: int, y: int, reach: int) -> list[Unit]:
    """Those whose middle is not farther off than ``reach`` to either side, nor up or down."""
    return [
        unit
        for unit in units
        if (pose := unit.pose) is not None and abs(pose.x - x) <= reach and abs(pose.y - y) <= reach
    ]


@latest
def _coasts(land: tuple[Land, ...]) -> tuple[Obstacle, ...]:
    """Remembered for the last chart: land does not change in a battle."""
    return tuple(obstacle(each.id, each.corners) for each in land if not each.shallow)


@rule("CT-SUB-09", "CT-COLL-02")
def _other_bases(
    state: State, unit: Unit, ram: bool, among: Iterable[Unit]
) -> tuple[Obstacle, ...]:
    """Those on the unit's level, in the order given; the submerged meet only on purpose."""
    if unit.submerged and not ram:
        return ()
    return tuple(
        obstacle(other.id, footprint(state, other))
        for other in among
        if other.id != unit.id and (other.submerged if unit.submerged else afloat(state, other))
    )


@rule("CT-TERR-01", "CT-AMB-84")
def _peril(state: State, piece: Land) -> Hazard:
    """Shallows are treacherous themselves, land as far as 4 klicks around."""
    reach = 0 if piece.shallow else TREACHEROUS * state.options.klick
    return hazard(piece.id, piece.corners, reach)


@rule("CT-TERR-02", "CT-TERR-03", "CT-TERR-04", "CT-TERR-07", "CT-AMB-25", "CT-AMB-26")
def must_test(state: State, unit: Unit, klicks: int, allowed: int) -> bool:
    """Whether a move of so many klicks is tested in treacherous waters: at full speed, once a turn.

    Full speed is half of what is allowed or more, compared as it is: 3 klicks of 7 are less. By
    agreement that half is rounded down, or is of the printed movement. Small ships and shallow
    drafts go anywhere.
    """
    if unit.tested or not klicks or not grounds_on(size_of(state, unit)):
        return False
    if state.options.half_speed == "printed":
        card = card_of(state, unit)
        allowed = card.submerged_movement if unit.submerged else card.movement
    elif state.options.half_speed == "rounded":
        allowed -= allowed % 2
    return 2 * klicks >= allowed and effect(unit, NoGroundingTest) is None


@rule("CT-TERR-12", "CT-AMB-27")
def peril_at(state: State, shape: Polygon) -> Land:
    """The shallows that a base is in, or else the nearest land: what it would run on."""
    for piece in state.land:
        if piece.shallow and meets(shape, piece.corners):
            return piece
    dry = [piece for piece in state.land if not piece.shallow]
    nearest, best = dry[0], squared_distance(shape, dry[0].corners)
    for piece in dry[1:]:
        found: Squared = squared_distance(shape, piece.corners)
        if found.nearer_than(best):
            nearest, best = piece, found
    return nearest


# --- setting up ----------------------------------------------------------------------------------


@rule("CT-SETUP-01", "CT-SETUP-02", "CT-SETUP-06")
def why_not_stand(state: State, seat: Seat, size: Size, pose: Pose, submarine: bool) -> No | None:
    """Why a base may not be set up there: zone, table, land and other bases."""
    shape = base(pose, size)
    beyond = _why_beyond(state, shape)
    if beyond is not None:
        return beyond
    if submarine and not in_own_half(state, seat, pose.position):
        return No("place.outside-zone", "CT-SETUP-06", "Submarines: anywhere in your own half.")
    if not submarine and not _near_own_edge(state, seat, shape):
        hint = f"At most {ZONE} klicks from your edge, measured from the closest point."
        return No("place.outside-zone", "CT-SETUP-02", hint)
    if not in_quadrant(state, seat, pose.position):
        hint = "Its middle has to be in your own quadrant of your side's edge."
        return No("place.outside-quadrant", "CT-AMB-106", hint)
    return _why_taken(state, shape)


def why_not_begin(state: State, size: Size, pose: Pose) -> No | None:
    """Why no scenario may have a base begin there: the table, land and other bases."""
    shape = base(pose, size)
    return _why_beyond(state, shape) or _why_taken(state, shape)


def _why_beyond(state: State, shape: Polygon) -> No | None:
    if any(off_table(corner, Table(*state.table)) for corner in shape):
        return No("place.off-table", "CT-SETUP-02", "The whole base has to lie on the table.")
    return None


def _why_taken(state: State, shape: Polygon) -> No | None:
    if any(overlap(shape, piece.corners) for piece in state.land if not piece.shallow):
        return No("place.on-land", "CT-SETUP-02", "The base may not overlap land.")
    if any(afloat(state, u) and overlap(shape, footprint(state, u)) for u in state.all_units):
        return No("place.overlap", "CT-SETUP-02", "The base may not overlap another.")
    return None


def _near_own_edge(state: State, seat: Seat, shape: Polygon) -> bool:
    return within(shape, edge(state, seat), ZONE * state.options.klick)


@rule("CT-AMB-106")
def quadrant(state: State, seat: Seat) -> tuple[int, int]:
    """From where to where along the edge a seat sets up, in wu of the drawing.

    Partners have equal parts, from the left as the first side sees it, so that the first of either
    side face each other. A border between two wu is rounded into neither part. By agreement each
    sets up along the whole edge.
    """
    width = state.options.width * state.options.klick
    partners = state.members(seat)
    if state.options.quadrants == "open":
        return 0, width
    place = partners.index(seat)
    return -(-place * width // len(partners)), (place + 1) * width // len(partners)


def in_quadrant(state: State, seat: Seat, point: PointOfTable) -> bool:
    """Whether a point is in a seat's quadrant, or on its border."""
    left, right = quadrant(state, seat)
    return left <= in_drawing(state.options, point)[0] <= right
