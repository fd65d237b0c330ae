"""FLEET: what a fleet may hold, and which Aircraft may be based where."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from ....kernel.flow import Flow
from ....kernel.rules import Refused, rule
from ....kernel.values import Known, Seat
from . import board, convoy, history, terms
from . import commands as c
from . import events as ev
from .cards import CARDS, Card, missing
from .facts import card_named, charts_of, limits_of, side_of
from .families.effects import ashore_only, permits_basing
from .mechanisms import homes
from .state import AIRBASE, Options, State

BattleFlow = Flow[State, ev.AnyEvent]
Rooms = Mapping[str, int]
AGREED = Options()


@rule("WAS-SETUP-04", "WAS-SETUP-05", "WAS-FLEET-13", "WAS-FLEET-36", "WAS-FLEET-51", "WAS-SCEN-03")
def check_alliance(alliance: str, cards: Sequence[Card], options: Options = AGREED) -> None:
    """Every unit belongs to the fleet's alliance; nations of one side mix freely."""
    for number, each in enumerate(cards):
        if not history.may_serve(each, alliance, options):
            raise Refused(
                "fleet.wrong-alliance",
                "WAS-FLEET-36",
                f"{each.name} serves {each.alliance}; this fleet is of the {alliance}.",
                f"/cards/{number}",
            )


@rule("WAS-FLEET-34", "WAS-FLEET-15", "WAS-FLEET-37", "WAS-FLEET-40", "WAS-SCEN-01")
def check_cost(most: int, cards: Sequence[Card]) -> None:
    """The fleet's cost, Aircraft included, is at most the scenario's points."""
    cost = sum(each.cost for each in cards)
    if cost > most:
        raise Refused(
            "fleet.over-points", "WAS-FLEET-34", f"It costs {cost}; at most {most} is allowed."
        )


@rule("WAS-FLEET-35", "WAS-FLEET-01", "WAS-FLEET-38", "WAS-SCEN-41", "WAS-SCEN-60")
def check_size(most: int, cards: Sequence[Card]) -> None:
    """At most so many units, all types counted; copies of one unit are allowed."""
    if len(cards) > most:
        raise Refused(
            "fleet.too-many-units", "WAS-FLEET-35", f"It has {len(cards)} units; at most {most}."
        )


@rule("WAS-AIR-03", "WAS-AIR-04", "WAS-AIR-05", "WAS-RETN-06", "WAS-AIR-20", "WAS-AIR-21")
def may_base(aircraft: Card, carrier: Card | None, *, flags: bool = False) -> bool:
    """Whether an Aircraft may use a Carrier; ``None`` is the land airbase, open to all.

    Patrol Bombers never do. Land Based and Land Fighter units do only where a Carrier's own
    ability names them (Stuka Operations): an ability on each side, and the permission is the rule
    that UP gives for that pair (WAS-AIR-21). ``flags``: historical restrictions are on, and the
    nations must fit too; such a permission beats them (RUL-95).
    """
    if carrier is None:
        return True
    if carrier.basing < 1:
        return False
    if permits_basing(carrier, aircraft):
        return True
    if aircraft.subtype == "Patrol Bomber" or (flags and not history.same_flag(aircraft, carrier)):
        return False
    return not ashore_only(aircraft)


def homeless(
    aircraft: Sequence[Card],
    rooms: Rooms,
    carriers: Mapping[str, Card | None],
    *,
    flags: bool = False,
    berths: frozenset[str] = frozenset(),
    extra: int = 0,
) -> int:
    """How many of the Aircraft cannot be based, whatever the owner does.

    rooms     free places by base
    carriers  the Carrier's card by base, ``None`` for the airbase
    flags     whether historical restrictions are on
    berths    Carriers that take one Aircraft by Embark B-25
    extra     places at the airbase for Aircraft that overstack

    Aircraft with a home of their own need none of these. A largest matching of Aircraft to places
    (augmenting paths): exact, and tiny here. The airbase takes any Aircraft.
    """
    planes = homes.without_extra(aircraft, extra)
    if len(planes) <= rooms[AIRBASE]:
        return 0
    places = [(base, number) for base, room in rooms.items() for number in range(max(0, room))]
    taken: dict[int, int] = {}

    def open_to(plane: Card, base: str, number: int) -> bool:
        berth = number == 0 and base in berths and homes.takes(carriers[base], plane)
        return berth or may_base(plane, carriers[base], flags=flags)

    def settle(plane: int, tried: set[int]) -> bool:
        for place, (base, number) in enumerate(places):
            if place in tried or not open_to(planes[plane], base, number):
                continue
            tried.add(place)
            if place not in taken or settle(taken[place], tried):
                taken[place] = plane
                return True
        return False

    return sum(not settle(plane, set()) for plane in range(len(planes)))


@rule("WAS-FLEET-39", "RUL-09", "WAS-SCEN-02", "WAS-FLEET-18", "WAS-AIR-06", "WAS-AIR-22",
      "WAS-SCEN-42")  # fmt: skip
def check_basing(airbase: int, cards: Sequence[Card], *, flags: bool = False) -> None:
    """Every Aircraft of the fleet can be based at set-up."""
    aircraft = [each for each in cards if each.type == "Aircraft"]
    rooms, carriers = {AIRBASE: airbase}, {AIRBASE: None}
    holders: dict[str, Card | None] = dict(carriers)
    for number, each in enumerate(cards):
        if each.basing:
            rooms[f"{each.id}/{number}"] = each.basing
            holders[f"{each.id}/{number}"] = each
    berths = homes.open_berths(holders)
    over = homeless(aircraft, rooms, holders, flags=flags, berths=berths, extra=homes.EXTRA)
    if over:
        raise Refused(
            "fleet.no-base",
            "RUL-09",
            f"{over} of its Aircraft can be based neither on a Carrier nor at the airbase"
            f" (room for {airbase}).",
        )


@rule("WAS-FLEET-31", "WAS-ABIL-01")
def check_playable(cards: Sequence[Card]) -> None:
    """A unit with an ability that is not implemented yet is refused, and the ability is named."""
    for number, each in enumerate(cards):
        lacking = missing(each)
        if lacking:
            raise Refused(
                "fleet.unit-not-playable",
                "WAS-FLEET-31",
                f"{each.name} is not playable yet: {', '.join(lacking)} is not implemented.",
                f"/cards/{number}",
            )


def check_row(state: State, seat: Seat, cards: Sequence[Card]) -> None:
    """By agreement (RUL-06), no more Ships than the edge row holds."""
    if state.options.overstacked_deployment != "rejected":
        return
    row = _sectors(state, seat, "ships") * limits_of(state).ships
    there = len(convoy.ships(state, seat)) + sum(each.type == "Ship" for each in cards)
    if there > row:
        raise Refused("fleet.too-many-ships", "RUL-06", f"{there} Ships; the edge row holds {row}.")


def check_boats(state: State, seat: Seat, cards: Sequence[Card]) -> None:
    """No more Submarines than can be set up, whichever chart and edge the side gets.

    Ships overstack when their row is full (RUL-06); Submarines do not, so that more of them would
    leave one without a place.
    """
    boats = sum(each.type == "Submarine" for each in cards)
    if boats < 2:
        return
    places = _sectors(state, seat, "submarines") * limits_of(state).submarines
    if boats > places:
        raise Refused(
            "fleet.too-many-submarines", "RUL-07",
            f"It has {boats} Submarines; {places} can be set up for certain.",
        )  # fmt: skip


def _sectors(state: State, seat: Seat, kind: str) -> int:
    """Open sectors of a set-up area, on the chart and at the edge where they are fewest."""
    side = side_of(state, seat)
    area = side.area if side is not None else None
    edges = (side.edge,) if side is not None and side.edge else board.EDGES
    return min(
        len(board.set_up(chart, edge, area)[kind]) for chart in charts_of(state) for edge in edges
    )


def check_fleet(state: State, seat: Seat, names: Sequence[str]) -> None:
    """Refuse a fleet that the scenario does not allow this seat."""
    for number, name in enumerate(names):
        if name not in CARDS:
            raise Refused(
                "fleet.unknown-unit", "WAS-FLEET-12", f"There is no unit {name!r}.",
                f"/cards/{number}",
            )  # fmt: skip
    cards = [card_named(state, name) for name in names]
    limits, options = limits_of(state), state.options
    check_alliance(state.alliances[seat], cards, options)
    history.check_year(options.year, cards)
    if options.history:
        history.check_history(state.edition, cards)
    check_playable(cards)
    check_size(terms.units(state, seat), cards)
    check_cost(convoy.points(state, seat), cards)
    check_row(state, seat, cards)
    check_boats(state, seat, cards)
    check_basing(limits.airbase, cards, flags=options.history)


@rule("WAS-SETUP-23")
def submit(flow: BattleFlow, seat: Seat, command: c.SubmitFleet) -> None:
    """Lock a fleet, with the Ships that the scenario gives it. Raises Refused."""
    check_fleet(flow.state, seat, command.cards)
    cards = (*command.cards, *convoy.ships(flow.state, seat))
    flow.emit(ev.FleetLocked(seat=seat, cards=Known(cards), rules=("WAS-SETUP-23",)))


def remaining(cards: Sequence[str]) -> Counter[str]:
    """Cards by name, for fleets that hold several of one."""
    return Counter(cards)
