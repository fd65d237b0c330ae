"""The end of Air Defense: Fighters that are sent on, and those that attack a second time."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from .....kernel.flow import Flow
from .....kernel.rules import rule
from .. import board
from .. import events as ev
from ..attacks import declare
from ..darkness import astray
from ..dice import why_not_dice
from ..effects import Downed, EachDie
from ..facts import card_of, is_aircraft, own
from ..families import deeds
from ..families.effects import once, rule_of
from ..families.shots import effects_of
from ..stacking import has_room
from ..state import State, Unit
from ..targets import why_not_at

BattleFlow = Flow[State, ev.AnyEvent]

AT = "@"
"""Joins a directed Fighter and the Aircraft that it is sent at."""


def uses(state: State, unit: Unit) -> Iterator[tuple[str, str]]:
    """What the unit may do now."""
    if not unit.sector:
        return
    card = card_of(state, unit)
    for ref, word in effects_of(card, deeds.Directs):
        if not state.has_used(unit.id, ref.family):
            for on in _sendable(state, unit, word.within):
                yield ref.family, on
    for ref, _ in effects_of(card, deeds.AttacksAgain):
        for on in _second(state, unit, ref.family):
            yield ref.family, on


def _fights(unit: Unit) -> bool:
    """Whether an Aircraft is still fighting: neither aborted nor destroyed."""
    return not unit.aborted and not unit.doomed


@rule("WAS-ABIL-24")
def _sendable(state: State, unit: Unit, within: int) -> Iterator[str]:
    """Fighters that have brought an Aircraft down, with all that each may be sent at."""
    downed = dict.fromkeys(e.unit for e in state.lasting(Downed))
    for name in downed:
        fighter = state.units.get(name)
        if fighter is None or fighter.seat != unit.seat or not _fights(fighter):
            continue
        if fighter.sector not in board.NEIGHBOURS or astray(state, fighter):
            continue
        if board.distance(unit.sector, fighter.sector) <= within:
            yield from (f"{name}{AT}{prey.id}" for prey in _next_door(state, fighter))


def _next_door(state: State, fighter: Unit) -> Iterator[Unit]:
    """Enemy Aircraft that it may attack from an adjacent sector, if there is room."""
    card = card_of(state, fighter)
    for sector in board.NEIGHBOURS[fighter.sector]:
        if has_room(state, fighter.seat, sector, card, fighter.id):
            yield from _prey(state, replace(fighter, sector=sector))


def _prey(state: State, fighter: Unit) -> Iterator[Unit]:
    """Enemy Aircraft in its sector that still fight and that no rule keeps it from attacking."""
    card = card_of(state, fighter)
    for enemy in own(state, state.other(fighter.seat)):
        if enemy.sector != fighter.sector or not is_aircraft(state, enemy) or not _fights(enemy):
            continue
        barred = why_not_at(state, fighter, card, "antiair", enemy, again=True)
        if barred is None and why_not_dice(state, fighter, "antiair", enemy) is None:
            yield enemy


def _second(state: State, unit: Unit, family: str) -> Iterator[str]:
    """Swarm Tactics: it has attacked, and is the last friendly Aircraft there that still fights."""
    if "antiair" not in unit.done or state.has_used(unit.id, family) or not _fights(unit):
        return
    others = (u for u in own(state, unit.seat) if u.sector == unit.sector and u.id != unit.id)
    if any(is_aircraft(state, u) and _fights(u) for u in others) or astray(state, unit):
        return
    yield from (enemy.id for enemy in _prey(state, unit) if enemy.id not in unit.struck)


@rule("WAS-AIRD-23")
def send(flow: BattleFlow, unit: Unit, family: str, on: str) -> None:
    """The Fighter is repositioned and attacks at once, before anybody else is."""
    name, _, prey = on.partition(AT)
    rules = (rule_of(family),)
    harder = EachDie(
        unit=name, attack="antiair", die=-1, source=unit.id, rule=rules[0], until=flow.state.turn
    )
    flow.emit(
        ev.AbilityUsed(
            unit=unit.id, ability=family, on=on, effects=(harder,), once=once(family), rules=rules
        )
    )
    sector = flow.state.units[prey].sector
    flow.emit(ev.UnitShifted(unit=name, sector=sector, ability=family, seat=unit.seat, rules=rules))
    units = flow.state.units
    declare(flow, units[name], "antiair", units[prey], ())


def swarm(flow: BattleFlow, unit: Unit, family: str, on: str) -> None:
    """The second antiair attack."""
    rules = (rule_of(family),)
    flow.emit(ev.AbilityUsed(unit=unit.id, ability=family, on=on, once="turn", rules=rules))
    units = flow.state.units
    declare(flow, units[unit.id], "antiair", units[on], ())
