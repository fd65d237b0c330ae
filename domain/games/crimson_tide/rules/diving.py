"""SUB: which submarines are submerged is settled at the beginning of each turn."""

from __future__ import annotations

from ....kernel.flow import Flow
from ....kernel.rules import No, rule
from ....kernel.values import Known, Seat
from . import events as ev
from .commands import Dive
from .facts import in_order, is_submarine, own
from .geometry.polygons import overlap
from .initiative import owner
from .ranges import footprint
from .state import State, Unit

BattleFlow = Flow[State, ev.AnyEvent]


def submarines(state: State, seat: Seat) -> list[Unit]:
    """The seat's submarines in play."""
    return [unit for unit in own(state, seat) if is_submarine(state, unit)]


def as_they_are(state: State, seat: Seat) -> tuple[str, ...]:
    """The choice that changes nothing: the seat's submarines that are submerged now."""
    return tuple(unit.id for unit in submarines(state, seat) if unit.submerged)


def choosing(state: State) -> tuple[Seat, ...]:
    """The seats that still have to say which of their submarines are submerged."""
    if "dives" in state.tended:
        return ()
    return tuple(s for s in divers(state) if s not in state.dives and submarines(state, s))


def divers(state: State) -> tuple[Seat, ...]:
    """The seats that settle their dives in this step."""
    side = owner(state)
    return state.members(side) if side else state.seats


def why_not_choose(state: State, seat: Seat, command: Dive) -> No | None:
    """Why a choice is refused: it names what is no submarine of the seat's, or one twice."""
    mine, named = [unit.id for unit in submarines(state, seat)], command.submerged
    for number, name in enumerate(named):
        if name not in mine or name in named[:number]:
            hint = f"Your submarines: {', '.join(mine)}."
            return No("dive.no-submarine", "CT-SUB-02", hint, f"/submerged/{number}")
    return None


@rule("CT-SUB-03", "CT-AMB-36", "CT-FSM-09", "CT-SETUP-08")
def choose(flow: BattleFlow, seat: Seat, command: Dive) -> None:
    """Settle the state of all one's submarines, secretly."""
    mine = (unit.id for unit in submarines(flow.state, seat))
    chosen = tuple(name for name in mine if name in command.submerged)
    flow.emit(ev.DivesChosen(seat=seat, submerged=Known(chosen), rules=("CT-SUB-03",)))


@rule("CT-SUB-02", "CT-DET-03", "CT-DET-04", "CT-AMB-41", "CT-AMB-42")
def reveal(flow: BattleFlow) -> bool:
    """When all have chosen, the markers are placed; who dives from the surface is lost sight of."""
    state = flow.state
    seats = divers(state)
    if "dives" in state.tended or not any(submarines(state, seat) for seat in seats):
        return False
    choices = [state.dives[seat] for seat in seats if seat in state.dives]
    chosen = [name for known in choices if isinstance(known, Known) for name in known.items]
    under = (*chosen, *_kept_down(state, seats, chosen))
    vanished = tuple(name for name in under if _lost_sight_of(state.units[name]))
    rules = ("CT-SUB-02", "CT-DET-03") if vanished else ("CT-SUB-02",)
    flow.emit(ev.DivesRevealed(seats=seats, submerged=under, vanished=vanished, rules=rules))
    return True


def _lost_sight_of(unit: Unit) -> bool:
    return unit.detected and not unit.submerged


@rule("CT-AMB-79", "CT-AMB-89")
def _kept_down(state: State, seats: tuple[Seat, ...], under: list[str]) -> tuple[str, ...]:
    """Submarines that would come up into another base: they stay submerged this turn.

    Those that come up are asked in the engine's order, so the first of two under each other rises.
    """
    afloat = [
        footprint(state, unit)
        for unit in in_order(state)
        if unit.pose is not None and not unit.submerged and unit.id not in under
    ]
    kept: list[str] = []
    for unit in in_order(state):
        rises = unit.submerged and unit.seat in seats and unit.id not in under
        if not rises:
            continue
        hull = footprint(state, unit)
        if any(overlap(hull, other) for other in afloat):
            kept.append(unit.id)
        else:
            afloat.append(hull)
    return tuple(kept)
