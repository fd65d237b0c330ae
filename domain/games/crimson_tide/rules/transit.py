"""TRANS: aircraft return to a base, or are lost for want of one."""

from __future__ import annotations

from ....kernel.chance import Dice
from ....kernel.flow import Flow
from ....kernel.rules import No, rule
from ....kernel.values import Seat
from . import events as ev
from .air_missions import why_no_flights
from .asking import ask
from .commands import LandAircraft
from .damage import remove
from .facts import card_of, dark, flying, own, sinking, why_not_own
from .fleets import fits
from .initiative import owner
from .sides import friendly, of_side
from .state import LAND_BASE, Purpose, State, Unit

BattleFlow = Flow[State, ev.AnyEvent]

AFTER_SHIP, AFTER_LAND, DAMAGED = 1, 2, 2
"""Rearming markers after landing on a ship, at the land base, and damaged on a carrier."""

SURFACE_WEAPONS = ("primary", "secondary", "tertiary", "torpedo", "asw")


@rule("CT-CV-05", "CT-TRANS-08", "CT-SCN-04")
def room_left(state: State, seat: Seat, base: str) -> int:
    """How many more aircraft a base can take now; those on missions take up no room.

    Partners have one land base, with room for as many of each of them.
    """
    there = sum(unit.base == base and not flying(unit) for unit in of_side(state, seat))
    ashore = state.terms.airbase * len(state.members(seat))
    holds = ashore if base == LAND_BASE else _capacity(state, base)
    return holds - there


def _capacity(state: State, base: str) -> int:
    return card_of(state, state.units[base]).aircraft


@rule("CT-TRANS-03", "CT-CV-04", "CT-FSM-08", "CT-AMB-47", "CT-AMB-03", "CT-CV-07")
def why_not_land(state: State, unit: Unit, base: str) -> No | None:
    """Why an aircraft may not land there."""
    if not flying(unit):
        return No("land.not-flying", "CT-TRANS-01", "It is not on the table.", "/unit")
    if base != LAND_BASE:
        no = _why_not_on(state, unit, base)
        if no is not None:
            return no
    if room_left(state, unit.seat, base) < 1:
        return No("land.no-room", "CT-CV-05", "There is no room left.", "/base")
    return None


def _why_not_on(state: State, unit: Unit, base: str) -> No | None:
    ship = state.units.get(base)
    if ship is None or ship.pose is None or not friendly(state, unit.seat, ship.seat):
        hint = "Name a ship of your side or the land base."
        return No("land.no-base", "CT-TRANS-03", hint, "/base")
    if not fits(card_of(state, unit), card_of(state, ship)):
        return No("land.wrong-base", "CT-TRANS-03", "That ship cannot carry it.", "/base")
    if sinking(state, ship):
        return No("land.destroyed", "CT-TRANS-03", "That ship is destroyed.", "/base")
    fired = any(slot.partition(".")[0] in SURFACE_WEAPONS for slot in ship.used)
    if fired and card_of(state, ship).is_carrier:
        return No("land.carrier-fired", "CT-CV-04", "The carrier has fired its weapons.", "/base")
    return why_no_flights(state, ship)


def bases(state: State, seat: Seat) -> list[str]:
    """The land base, and the ships of the seat's side that carry aircraft."""
    side = of_side(state, seat)
    ships = [u.id for u in side if u.pose is not None and card_of(state, u).aircraft]
    return [LAND_BASE, *ships]


def aloft(state: State, seat: Seat) -> list[Unit]:
    """The seat's aircraft on the table."""
    return [unit for unit in own(state, seat) if flying(unit)]


def can_land(state: State, seat: Seat) -> bool:
    """Whether any aircraft of the seat still has a base to go to."""
    return any(
        why_not_land(state, unit, base) is None
        for unit in aloft(state, seat)
        for base in bases(state, seat)
    )


def why_not_bring_home(state: State, seat: Seat, command: LandAircraft) -> No | None:
    """Why an order to land is refused."""
    no = why_not_own(state, seat, command.unit)
    return no or why_not_land(state, state.units[command.unit], command.base)


@rule("CT-TRANS-01", "CT-TRANS-06", "CT-NIGHT-07", "CT-AMB-74")
def land(flow: BattleFlow, seat: Seat, command: LandAircraft) -> None:
    """Bring an aircraft home; at night a carrier landing takes a die."""
    state, base = flow.state, command.base
    unit = state.units[command.unit]
    on_carrier = base != LAND_BASE and card_of(state, state.units[base]).is_carrier
    if dark(state) and on_carrier:
        ask(flow, Purpose("recovery", unit.id, base), unit.seat, Dice(1))
    else:
        _down(flow, unit, base, AFTER_LAND if base == LAND_BASE else AFTER_SHIP)


@rule("CT-TRANS-02", "CT-AMB-49")
def _down(flow: BattleFlow, unit: Unit, base: str, markers: int) -> None:
    """One rearming marker on a ship, two on land: the place of landing decides."""
    flow.emit(ev.AircraftLanded(unit=unit.id, base=base, rearming=markers, rules=("CT-TRANS-02",)))


@rule("CT-NIGHT-06")
def recovery_rolled(flow: BattleFlow, purpose: Purpose, faces: tuple[tuple[int, ...], ...]) -> None:
    """1 or 2: it crashes; 3 or 4: damaged, out for two turns; 5 or 6: safe."""
    unit, face = flow.state.units[purpose.unit], faces[0][0]
    outcome = "crashed" if face <= 2 else "damaged" if face <= 4 else "safe"
    flow.emit(
        ev.RecoveryRolled(
            unit=unit.id, base=purpose.other, face=face, outcome=outcome, rules=("CT-NIGHT-06",)
        )
    )
    if outcome == "crashed":
        remove(flow, unit, "crashed")
    else:
        _down(flow, unit, purpose.other, DAMAGED if outcome == "damaged" else AFTER_SHIP)


@rule("CT-TRANS-05", "CT-TRANS-07", "CT-AMB-50", "CT-STRAFE-06")
def finish(flow: BattleFlow) -> bool:
    """Whoever has no base left is lost; then ABORTED markers come off and strafing ends."""
    if "transit" in flow.state.tended:
        return False
    side = owner(flow.state)
    for seat in flow.state.members(side):
        for unit in aloft(flow.state, seat):
            remove(flow, unit, "no-base")
    flow.emit(ev.TransitEnded(seat=side, rules=("CT-TRANS-05",)))
    return True
