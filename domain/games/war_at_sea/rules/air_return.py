"""RETN: Aircraft go back to a base."""

from __future__ import annotations

from typing import NamedTuple

from msgspec.structs import replace

from ....kernel.flow import Flow
from ....kernel.memo import noted
from ....kernel.question import must_act
from ....kernel.rules import No, rule
from ....kernel.values import Seat
from . import commands as c
from . import darkness
from . import events as ev
from .board import NEIGHBOURS
from .cards import Card
from .damage import leave, remove
from .deployment import bases, room_at
from .effects import Landed
from .facts import card_of, limits_of, own, why_not_own
from .families import deeds
from .families.effects import bears
from .fleets import homeless, may_base
from .mechanisms import homes, squadrons
from .mechanisms.airfield import held
from .state import AIRBASE, State, Unit
from .turns import owner

BattleFlow = Flow[State, ev.AnyEvent]

RETURNED = "landed"
"""The task that is done once the first Aircraft lands, where an ability asks about it."""


def proceed(flow: BattleFlow) -> bool:
    """What comes before the first landing: counters off, arrivals, recovery in the dark."""
    seat = owner(flow.state)
    if "return" not in flow.state.tended and _has_aircraft(flow.state, seat):
        begin(flow, seat)
        return True
    return squadrons.arrivals(flow, seat) or darkness.recover(flow, seat)


def _has_aircraft(state: State, seat: Seat) -> bool:
    """Whether the step is about anything: Aircraft, or cards that still lie in a stack of its."""
    left = any(_seat_of(state, carrier) != state.other(seat) for carrier in state.stacks)
    return left or any(card_of(state, unit).type == "Aircraft" for unit in own(state, seat))


def _seat_of(state: State, carrier: str) -> Seat:
    return state.units[carrier].seat if carrier in state.units else ""


@rule("WAS-RETN-03", "WAS-RETN-04", "RUL-74")
def begin(flow: BattleFlow, seat: Seat) -> None:
    """First the counters of the turn come off, so that a counter given now stays a whole turn."""
    state = flow.state
    laden = [u for u in own(state, seat) if u.rearming and not squadrons.delayed(state, u)]
    rearmed = tuple(unit.id for unit in laden if not held(state, unit))
    flow.emit(ev.ReturnBegan(seat=seat, rearmed=rearmed, rules=("WAS-RETN-03",)))
    for carrier, cards in _aboard(state, seat).items():
        flow.emit(ev.StackKept(carrier=carrier, cards=cards, rules=("WAS-AIR-14",)))
    squadrons.recall(flow, seat)


def _aboard(state: State, seat: Seat) -> dict[str, tuple[str, ...]]:
    """2009: cards that stay stacked with their Carrier, for their Aircraft have not left it."""
    stacks: dict[str, tuple[str, ...]] = {}
    for unit in own(state, seat) if state.rulebook.cards_stacked else ():
        if unit.base in state.units and not unit.sector:
            stacks[unit.base] = (*stacks.get(unit.base, ()), unit.card)
    return stacks


@rule("WAS-RETN-01", "WAS-AIRA-14")
def flying(state: State, seat: Seat) -> list[Unit]:
    """Aircraft that must still be returned: those on the map, and those of a lost Carrier."""
    return [u for u in own(state, seat) if u.base and (u.sector or _stranded(state, u))]


def _stranded(state: State, unit: Unit) -> bool:
    """2007: left aboard a Carrier that has been lost (RUL-71)."""
    ashore = unit.base == AIRBASE or unit.base in NEIGHBOURS
    return not ashore and unit.base not in state.units


@rule("WAS-RETN-10")
def movable(state: State, seat: Seat) -> list[Unit]:
    """2009: Aircraft whose mission was the airbase may go to a Carrier now (RUL-74)."""
    if not state.rulebook.airbase_mission:
        return []
    return [u for u in own(state, seat) if u.base == AIRBASE and u.placed and not u.sector]


@rule("WAS-AIR-13", "WAS-AIR-16")
def exiled(state: State, unit: Unit) -> bool:
    """2007: survivors of a lost Carrier must land at the airbase; 2009: any base will do."""
    if state.rulebook.survivors_anywhere:
        return False
    return _stranded(state, unit)


def _may_use(state: State, unit: Unit, carrier: Card | None) -> bool:
    if carrier is not None and exiled(state, unit):
        return False
    return may_base(card_of(state, unit), carrier, flags=state.options.history)


class Landing(NamedTuple):
    """What a side has to land and where: worked out once for all that is asked about a state.

    up        Aircraft that must be returned
    shifting  Aircraft at the airbase that may still go to a Carrier
    holders   its bases: the airbase, and every Carrier with its card
    rooms     free places by base
    extra     places at the airbase beyond its limit, for Aircraft that overstack
    airbase   free places at the airbase and ``extra`` ones once all that are shifting have left it
    over      how many Aircraft no base has room for
    """

    up: list[Unit]
    shifting: list[Unit]
    holders: dict[str, Card | None]
    rooms: dict[str, int]
    extra: int
    airbase: tuple[int, int]
    over: int = 0


@noted
def landing(state: State, seat: Seat) -> Landing:
    """The Aircraft that a side has to land, and its bases."""
    shifting, holders, limit = movable(state, seat), bases(state, seat), limits_of(state).airbase
    extra = homes.ashore(state, seat)[1]
    taken, extra_then = homes.ashore(state, seat, [unit.id for unit in shifting])
    rooms = {base: room_at(state, seat, base) for base in holders}
    airbase = limit - taken, extra_then
    found = Landing(flying(state, seat), shifting, holders, rooms, extra, airbase)
    return found._replace(over=excess(state, found))


@rule("RUL-73")
def excess(state: State, side: Landing, planned: tuple[str, str] | None = None) -> int:
    """How many Aircraft no base has room for, after ``planned`` (unit, base) if given.

    Aircraft that may still leave the airbase for a Carrier count as if they would.
    """
    free, extra = side.airbase
    rooms = {**side.rooms, AIRBASE: free}
    up = side.up + side.shifting
    if planned is not None:
        beyond = _beyond_limit(state, planned, extra)
        extra -= beyond
        rooms[planned[1]] -= not beyond
        up = [unit for unit in up if unit.id != planned[0]]
        if rooms[planned[1]] < 0:
            return len(up) + 1
    anywhere = [card_of(state, u) for u in up if not exiled(state, u)]
    shore_only = len(up) - len(anywhere)
    room = min(shore_only, max(0, rooms[AIRBASE]))
    rooms[AIRBASE] -= room
    flags = state.options.history
    unhoused = homeless(anywhere, rooms, side.holders, flags=flags, extra=extra)
    return shore_only - room + unhoused


def _beyond_limit(state: State, planned: tuple[str, str], extra: int) -> bool:
    """Whether it lands at the airbase without taking one of its usual places."""
    unit, base = planned
    return base == AIRBASE and extra > 0 and homes.overstacks(card_of(state, state.units[unit]))


def why_not_end(state: State, seat: Seat) -> No | None:
    """Why a seat may not end its step: everybody lands."""
    return must_act("WAS-RETN-01") if flying(state, seat) else None


def why_not_return(state: State, seat: Seat, command: c.Return) -> No | None:
    """Why a seat may not return an Aircraft to a base."""
    barred = why_not_own(state, seat, command.unit)
    if barred is not None:
        return barred
    return why_not_land(state, state.units[command.unit], command.base, landing(state, seat))


@rule("WAS-RETN-08", "WAS-RETN-09", "WAS-RETN-12", "WAS-STACK-10", "RUL-75")
def why_not_land(state: State, unit: Unit, base: str, side: Landing) -> No | None:
    """Why an Aircraft may not land at a base. Carriers are limited by capacity, not by stacking.

    side  what :func:`landing` says of its side
    """
    if unit not in side.up and not (base != AIRBASE and unit in side.shifting):
        return No("return.not-flying", "WAS-RETN-01", "It is at a base.", "/unit")
    if homes.tied(card_of(state, unit)):
        return homes.why_not_back(state, unit, base)
    holders = side.holders
    if base not in holders:
        return No("return.no-base", "WAS-RETN-08", f"Its bases are {', '.join(holders)}.", "/base")
    if not _may_use(state, unit, holders[base]):
        rule_ = "WAS-AIR-13" if exiled(state, unit) else "WAS-RETN-06"
        return No("return.wrong-base", rule_, "It cannot use that base.", "/base")
    if side.rooms[base] < 1 and not _beyond_limit(state, (unit.id, base), side.extra):
        return No("return.base-full", "WAS-RETN-08", "That base is full.", "/base")
    if excess(state, side, (unit.id, base)) > side.over:
        return No(
            "return.strands-aircraft", "RUL-73", "Another Aircraft needs that place.", "/base"
        )
    return None


def give_back(flow: BattleFlow, seat: Seat, command: c.Return) -> None:
    """A seat returns an Aircraft."""
    land(flow, flow.state.units[command.unit], command.base)


@rule("WAS-RETN-02", "WAS-RETN-05", "WAS-RETN-13", "WAS-AIRM-11")
def land(flow: BattleFlow, unit: Unit, base: str) -> None:
    """Back at a base: a Rearming counter at the airbase, none on a Carrier or for who stayed."""
    flew = unit in flying(flow.state, unit.seat)
    loiters = bears(card_of(flow.state, unit), deeds.Loiters) is not None
    rearming = flew and base == AIRBASE and not loiters
    if flew and base in flow.state.units and _crowded(flow, base):
        rearming = True
    if RETURNED not in flow.state.tended and _replenishing(flow.state, unit.seat):
        flow.emit(ev.TaskDone(task=RETURNED))
    flow.emit(
        ev.AircraftReturned(
            unit=unit.id,
            base=base,
            rearming=rearming,
            rules=("WAS-RETN-02" if rearming else "WAS-RETN-05",),
        )
    )


def _replenishing(state: State, seat: Seat) -> bool:
    """Whether it matters that an Aircraft has landed: only to Replenish Aircraft."""
    return any(bears(card_of(state, unit), deeds.Replenishes) for unit in own(state, seat))


def _crowded(flow: BattleFlow, base: str) -> bool:
    """Poor Facilities: of two Aircraft that land, the second must rearm."""
    state = flow.state
    poor = bears(card_of(state, state.units[base]), deeds.PoorFacilities)
    if poor is None:
        return False
    landed = sum(landed_.base == base for landed_ in state.lasting(Landed))
    rule_ = poor[0].rule
    effect = Landed(base=base, source=base, rule=rule_, until=state.turn)
    flow.emit(ev.EffectBegan(effect=effect, rules=(rule_,)))
    return landed % 2 == 1


def landing_places(state: State, unit: Unit, side: Landing) -> tuple[str, ...]:
    """Bases of its side that it might land at: candidates for the legal list."""
    if homes.tied(card_of(state, unit)):
        return homes.homes(state, unit)
    return tuple(side.holders)


def why_not_eliminate(state: State, seat: Seat, command: c.Eliminate) -> No | None:
    """Why a seat may not give up an Aircraft."""
    barred = why_not_own(state, seat, command.unit)
    return barred or why_not_give_up(state, state.units[command.unit], landing(state, seat))


@rule("WAS-RETN-14", "WAS-AIR-09")
def why_not_give_up(state: State, unit: Unit, side: Landing) -> No | None:
    """Why an Aircraft may not be given up: only unavoidable excess may, never by choice.

    Which ones is for the owner to choose: one ashore makes room as well as one in the air.
    """
    if card_of(state, unit).type != "Aircraft":
        return No("return.not-flying", "WAS-RETN-14", "Only Aircraft are given up.", "/unit")
    if side.over < 1 or _over_without(state, unit) >= side.over:
        return No("return.has-room", "RUL-73", "There is room for it; return it.", "/unit")
    return None


def _over_without(state: State, unit: Unit) -> int:
    units = {name: u for name, u in state.units.items() if name != unit.id}
    return landing(replace(state, units=units), unit.seat).over


def eliminate(flow: BattleFlow, seat: Seat, command: c.Eliminate) -> None:
    """The owner gives up an Aircraft that no base can take; the enemy scores it (RUL-73)."""
    unit = flow.state.units[command.unit]
    if flow.state.options.airbase_excess_scores:
        remove(flow, unit, "no-room")
    else:
        leave(flow, unit, "no-room", "RUL-73")


@rule("WAS-RETN-07", "WAS-DMG-12")
def end(flow: BattleFlow) -> None:
    """All Aircraft are based: the owner's Aborted counters come off."""
    flow.note(ev.ReturnEnded(seat=owner(flow.state), rules=("WAS-RETN-07",)))
