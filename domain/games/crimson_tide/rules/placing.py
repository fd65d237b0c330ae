"""SETUP: fleets are placed on the table, unit by unit in turn."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from ....kernel.chance import Dice
from ....kernel.flow import Flow
from ....kernel.rules import No, rule
from ....kernel.values import Known, Seat
from . import events as ev
from .asking import ask
from .cards import Card, cards
from .commands import PlaceUnit
from .edges import near, on_table, pose_on_table
from .facts import own
from .geography import ZONE, quadrant, why_not_stand
from .geometry.fixed import rdiv
from .geometry.hull import halves, radius
from .geometry.pose import Pose
from .sides import alternately
from .state import LAND_BASE, Pick, PointOfTable, Purpose, State, Storm

BattleFlow = Flow[State, ev.AnyEvent]

SPOTS = 4
"""How many ready places are offered for each unit."""

SQUALL_RADIUS = 6


def waiting(state: State, seat: Seat) -> tuple[Pick, ...]:
    """The seat's units that are not placed yet; nothing while the fleet is sealed."""
    fleet = state.fleets.get(seat)
    return fleet.items if isinstance(fleet, Known) and state.revealed else ()


def to_place(state: State, seat: Seat) -> list[str]:
    """Cards of the ships and submarines that still have to be placed."""
    return [p.card for p in waiting(state, seat) if cards()[p.card].kind != "aircraft"]


@rule("CT-SETUP-03", "CT-SETUP-04")
def placers(state: State) -> tuple[Seat, ...]:
    """Who may place now: the lower roller begins, a side that has none left is skipped."""
    return alternately(state, lambda seat: bool(to_place(state, seat)))


@rule("CT-AMB-86")
def has_no_room(state: State, seat: Seat) -> bool:
    """Whether no ready place is found for any unit that waits: the seat may leave them out."""
    alike = {(cards()[name].size, cards()[name].kind): name for name in to_place(state, seat)}
    return not any(True for name in alike.values() for _ in ready_places(state, seat, name))


def why_not_place(state: State, seat: Seat, name: str, pose: Pose) -> No | None:
    """Why a unit may not be set up there."""
    if name not in to_place(state, seat):
        return No("place.not-in-fleet", "CT-SETUP-03", "It is not waiting to be placed.", "/card")
    card = cards()[name]
    assert card.size is not None
    return why_not_stand(state, seat, card.size, pose, submarine=card.kind == "submarine")


def why_not_set_up(state: State, seat: Seat, command: PlaceUnit) -> No | None:
    """Why an order to set a unit up is refused: a position outside the table before all else."""
    width, length = state.table
    if not (0 <= command.x <= width and 0 <= command.y <= length):
        return No("place.off-table", "CT-SETUP-02", f"The table is {width} by {length} wu.")
    return why_not_place(state, seat, command.card, _pose(command))


def _pose(command: PlaceUnit) -> Pose:
    return Pose(command.x, command.y, command.heading)


@rule("CT-GEN-02")
def place(flow: BattleFlow, seat: Seat, command: PlaceUnit) -> None:
    """Put the unit on the table, its aircraft on its card."""
    _stand(flow, seat, command.card, _pose(command), "CT-SETUP-01")


def _stand(flow: BattleFlow, seat: Seat, name: str, pose: Pose, by: str) -> None:
    unit = next_id(flow.state, seat)
    flow.emit(ev.UnitPlaced(unit=unit, card=name, seat=seat, pose=pose, rules=(by,)))
    _base(flow, seat, name, unit, cards()[name].aircraft)


@rule("CT-AMB-113")
def by_scenario(flow: BattleFlow) -> bool:
    """Every unit is where the scenario has it begin: nobody rolls for that, nobody places one."""
    if not scenario_places(flow.state) or not any(waiting(flow.state, s) for s in flow.state.seats):
        return False
    for each in flow.state.terms.starts:
        if each.pose is not None:
            _stand(flow, each.seat, each.card, each.pose, "CT-AMB-113")
    base_on_land(flow)
    return True


def scenario_places(state: State) -> bool:
    """Whether the scenario brings the fleets and places them, all units of both sides."""
    return bool(state.terms.starts)


@rule("CT-SETUP-05")
def _base(flow: BattleFlow, seat: Seat, base: str, where: str, room: int | None = None) -> None:
    """The aircraft of one base are put on it.

    room  of a ship: there may be two of its name, where a partner has left one behind
    """
    waits = [pick.card for pick in waiting(flow.state, seat) if pick.base == base]
    for card in waits[:room]:
        unit = next_id(flow.state, seat)
        rules = ("CT-SETUP-05",)
        flow.emit(ev.AircraftBased(unit=unit, card=card, seat=seat, base=where, rules=rules))


def base_on_land(flow: BattleFlow) -> bool:
    """Land-based aircraft are put on the land bases before the first unit is placed."""
    before = len(flow.events)
    for seat in flow.state.seats:
        _base(flow, seat, LAND_BASE, LAND_BASE)
    return len(flow.events) > before


def next_id(state: State, seat: Seat) -> str:
    """The ID of the seat's next unit."""
    return f"{seat}-{1 + sum(1 for _ in own(state, seat))}"


@rule("CT-FSM-17")
def zone(state: State, seat: Seat, card: Card) -> tuple[PointOfTable, PointOfTable]:
    """The corners, least and greatest, between which the middle of a base may stand at set-up.

    Half its beam at least from every edge; a ship's nearest point within its zone, whatever way it
    heads, a submarine's middle in its half.
    """
    assert card.size is not None
    options = state.options
    width, length = options.width * options.klick, options.length * options.klick
    beam = halves(card.size)[1]
    deep = ZONE * options.klick + radius(card.size)
    deep = min(length // 2 if card.kind == "submarine" else deep, length - beam)
    left, right = quadrant(state, seat)
    at_edge = near(state, seat)
    ends = (
        (max(left, beam), beam if at_edge else length - deep),
        (min(right, width - beam), deep if at_edge else length - beam),
    )
    one, other = (on_table(options, end) for end in ends)
    return (min(one[0], other[0]), min(one[1], other[1])), (
        max(one[0], other[0]), max(one[1], other[1]),
    )  # fmt: skip


def ready_places(state: State, seat: Seat, name: str) -> Iterator[Pose]:
    """Some legal places for a unit: bow to the enemy, spread over the seat's zone."""
    spots = lattice(state, seat, cards()[name])
    free = (pose for pose in spots if why_not_place(state, seat, name, pose) is None)
    return islice(free, SPOTS)


def lattice(state: State, seat: Seat, card: Card) -> Iterator[Pose]:
    """Every spot of a lattice over the zone; the order differs from card to card."""
    options, klick = state.options, state.options.klick
    width, length = options.width * klick, options.length * klick
    at_edge = near(state, seat)
    left, right = quadrant(state, seat)
    rows = [6, 2, 10] if card.kind != "submarine" else [20, 12, 6, 2]
    columns = [
        x
        for number in range((width - klick) * 2 // 3 // klick)
        if left <= (x := klick + number * klick * 3 // 2) <= right
    ]
    start = sum(card.id.encode()) * 7
    for row in rows:
        y = row * klick if at_edge else length - row * klick
        for number in range(len(columns)):
            x = columns[(start + number * _stride(len(columns))) % len(columns)]
            yield pose_on_table(options, Pose(x, y, 0 if at_edge else 360))


def _stride(count: int) -> int:
    """A step that visits every one of ``count`` columns, far apart from one to the next."""
    return next(s for s in (11, 7, 5, 3, 1) if count % s)


@rule("CT-WEA-09")
def gather_storms(flow: BattleFlow) -> bool:
    """By agreement a die says whether squalls lie on the middle line."""
    state = flow.state
    if state.options.weather == "none" or "weather" in state.tended:
        return False
    flow.emit(ev.TaskDone(task="weather"))
    ask(flow, Purpose("weather"), "", Dice(1))
    return True


SQUALLS = {4: 1, 5: 2, 6: 3}
"""Squalls by the face of the die (CT-WEA-09)."""


def weather_rolled(flow: BattleFlow, purpose: Purpose, faces: tuple[tuple[int, ...], ...]) -> None:
    """Squalls are laid out evenly along the middle line."""
    face = faces[0][0]
    number = SQUALLS.get(face, 0)
    options = flow.state.options
    width, length = options.width * options.klick, options.length * options.klick
    radius = SQUALL_RADIUS * options.klick

    def spot(each: int) -> PointOfTable:
        return on_table(options, (rdiv(width * (2 * each + 1), 2 * number), rdiv(length, 2)))

    storms = tuple(Storm(f"storm-{each + 1}", spot(each), radius) for each in range(number))
    flow.emit(ev.StormsGathered(face=face, storms=storms, rules=("CT-WEA-09",)))
