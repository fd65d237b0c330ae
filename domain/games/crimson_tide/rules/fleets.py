"""FLEET: what a fleet may hold, and which aircraft fit on which base."""

from __future__ import annotations

from collections import Counter

from ....kernel.flow import Flow
from ....kernel.rules import Refused, rule
from ....kernel.values import Known, Seat
from . import events as ev
from .abilities import has
from .ability_words import LandsTroops
from .cards import Card, cards, catalogue
from .commands import SubmitFleet
from .facts import CONVOY_SHIP
from .seating import shares
from .sides import next_of
from .state import LAND_BASE, Pick, State

BattleFlow = Flow[State, ev.AnyEvent]


def fits(aircraft: Card, holder: Card) -> bool:
    """Whether a ship can carry an aircraft: carriers squadrons, other ships floatplanes."""
    if holder.aircraft_kinds == "carrier":
        return aircraft.basing == "carrier or land"
    return holder.aircraft_kinds == "reconnaissance" and aircraft.basing == "ship or land"


@rule("CT-FLEET-03", "CT-FLEET-04", "CT-FLEET-05", "CT-SCN-02")
def check_fleet(state: State, seat: Seat, picks: tuple[Pick, ...]) -> None:
    """Refuse a fleet that the rules do not allow."""
    _check_cards(state, picks)
    cost = sum(cards()[pick.card].points for pick in picks)
    most = state.terms.points[seat]
    if cost > most:
        raise Refused(
            "fleet.over-points", "CT-FLEET-03", f"It costs {cost}; the limit is {most}.", "/units"
        )
    if len(picks) > state.terms.units:
        raise Refused(
            "fleet.too-many", "CT-FLEET-04", f"At most {state.terms.units} units.", "/units"
        )
    _check_bases(state, picks)
    _check_landing(state, seat, picks)


@rule("CT-FLEET-07")
def _check_cards(state: State, picks: tuple[Pick, ...]) -> None:
    """Named ships and submarines are there once; aircraft as often as one likes."""
    for number, pick in enumerate(picks):
        if pick.card not in catalogue():
            raise Refused(
                "fleet.unknown-card", "CT-FLEET-01", f"There is no card {pick.card!r}.",
                f"/units/{number}/card",
            )  # fmt: skip
    for name, number in Counter(pick.card for pick in picks).items():
        if number > 1 and cards()[name].kind != "aircraft":
            raise Refused("fleet.named-twice", "CT-FLEET-07", f"There is one {name}.", "/units")
    nations = {cards()[pick.card].nation for pick in picks}
    if state.options.nations == "one" and len(nations) > 1:
        raise Refused("fleet.mixed-nations", "CT-FLEET-07", "One nation by agreement.", "/units")


@rule("CT-FLEET-06")
def _check_bases(state: State, picks: tuple[Pick, ...]) -> None:
    """Every aircraft has a base with room for it; nothing else has a base."""
    taken = Counter(pick.base for pick in picks if pick.base)
    for number, pick in enumerate(picks):
        if cards()[pick.card].kind != "aircraft":
            if pick.base:
                raise Refused(
                    "fleet.no-base-needed", "CT-FLEET-06", "Only aircraft have a base.",
                    f"/units/{number}/base",
                )  # fmt: skip
            continue
        _check_base(picks, number)
    for base, number in taken.items():
        if number > room(state, base):
            raise Refused(
                "fleet.base-full", "CT-FLEET-06", f"{base} holds {room(state, base)}.", "/units"
            )


def _check_base(picks: tuple[Pick, ...], number: int) -> None:
    pick, pointer = picks[number], f"/units/{number}/base"
    if pick.base == LAND_BASE:
        return
    if pick.base not in {each.card for each in picks}:
        raise Refused(
            "fleet.unknown-base", "CT-FLEET-06", "Name a ship of the fleet or the land base.",
            pointer,
        )  # fmt: skip
    if not fits(cards()[pick.card], cards()[pick.base]):
        raise Refused("fleet.wrong-base", "CT-FLEET-06", f"{pick.base} cannot carry it.", pointer)


@rule("CT-CARD-04")
def room(state: State, base: str) -> int:
    """How many aircraft a base holds: the land base by the scenario, a ship by its card."""
    return state.terms.airbase if base == LAND_BASE else cards()[base].aircraft


@rule("CT-SCN-09")
def _check_landing(state: State, seat: Seat, picks: tuple[Pick, ...]) -> None:
    """Who has troops to land brings a ship that can."""
    if seat != state.terms.lander:
        return
    if not any(has(cards()[pick.card], LandsTroops) for pick in picks):
        raise Refused(
            "fleet.no-landing-ship", "CT-SCN-09", "Take a ship with Land Troops.", "/units"
        )


@rule("CT-FLEET-01")
def lock(flow: BattleFlow, seat: Seat, command: SubmitFleet) -> None:
    """Lock a fleet, sealed from all other seats."""
    check_fleet(flow.state, seat, command.units)
    flow.emit(ev.FleetLocked(seat=seat, units=Known(command.units), rules=("CT-FLEET-01",)))


def builders(state: State) -> tuple[Seat, ...]:
    """The seats that have no fleet yet; nobody where the scenario brings the fleets."""
    if state.terms.starts:
        return ()
    return tuple(s for s in state.seats if s not in state.fleets and s not in state.gone)


@rule("CT-FLEET-02")
def reveal(flow: BattleFlow) -> bool:
    """Once all fleets are locked they are shown at the same moment; nobody can change his.

    The fleet of a seat that has left is its partner's.
    """
    state = flow.state
    if state.revealed or builders(state):
        return False
    if state.terms.starts:
        flow.emit(ev.FleetsRevealed(fleets=of_scenario(state), rules=("CT-AMB-113",)))
        return True
    fleets: dict[Seat, tuple[Pick, ...]] = {}
    for seat in state.seats:
        known = state.fleets.get(seat)
        picks = known.items if isinstance(known, Known) else ()
        admiral = next_of(state, seat) if seat in state.gone else seat
        fleets[admiral] = (*fleets.get(admiral, ()), *_with_convoy(state, seat, picks))
    flow.emit(ev.FleetsRevealed(fleets=fleets, rules=("CT-FLEET-02",)))
    return True


def of_scenario(state: State) -> dict[Seat, tuple[Pick, ...]]:
    """The fleets that the scenario brings, its convoy among them."""
    return {
        seat: tuple(Pick(each.card, each.base) for each in state.terms.starts if each.seat == seat)
        for seat in state.seats
    }


@rule("CT-SCN-11")
def _with_convoy(state: State, seat: Seat, picks: tuple[Pick, ...]) -> tuple[Pick, ...]:
    """A fleet of the escort with its share of the merchant ships that come without cost."""
    if state.side(seat) not in state.terms.escorts:
        return picks
    extra = shares(state.seats, seat, state.terms.convoy)
    return (*picks, *(Pick(CONVOY_SHIP) for _ in range(extra)))
