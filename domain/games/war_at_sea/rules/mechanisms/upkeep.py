"""Repairs, rearming and speed: abilities that are used outside attacks, some with a die."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import TypeVar

from .....kernel.chance import Dice
from .....kernel.flow import Flow
from .. import board, purposes
from .. import events as ev
from ..cards import Kind
from ..damage import ask
from ..effects import EachDie, Effect, InRepair, MoreDice, NoAttack, NoMove, Shuns, SpeedChange
from ..facts import card_of, is_ship, own
from ..families import deeds, words
from ..families.effects import bears, declared_by, is_a, of_family, once, rule_of
from ..families.vocabulary import families
from ..state import State, Unit
from . import airfield, mines, replenish, squadrons

BattleFlow = Flow[State, ev.AnyEvent]
Uses = Iterator[tuple[str, str]]
W = TypeVar("W", bound=words.Effect)

GUNS: tuple[Kind, ...] = ("main", "secondary", "tertiary")


def _used(state: State, unit: Unit, family: str) -> bool:
    return state.has_used(unit.id, family) or family in unit.spent


def _open(state: State, unit: Unit, word: type[W]) -> tuple[str, W] | None:
    """The unit's ability with such a word, if it is not used up."""
    found = bears(card_of(state, unit), word)
    if found is None or _used(state, unit, found[0].family):
        return None
    return found[0].family, found[1]


def damage_control(state: State, unit: Unit) -> Uses:
    """Damage Control: a die at the end of a turn, until one point is repaired."""
    open_ = _open(state, unit, deeds.Repairs)
    if open_ and unit.damage:
        yield open_[0], ""


def endurance(state: State, unit: Unit) -> Uses:
    """Excellent Endurance: before its owner has given a mission."""
    begun = any(u.placed for u in own(state, unit.seat)) or unit.seat in state.passed
    open_ = _open(state, unit, deeds.Refits) if unit.rearming and not begun else None
    if open_:
        yield open_[0], ""


def sprint(state: State, unit: Unit) -> Uses:
    """Sprint: before it moves in its owner's Sea Movement step."""
    open_ = None if unit.moved else _open(state, unit, deeds.Sprint)
    if open_:
        yield open_[0], ""


def repair(state: State, unit: Unit) -> Uses:
    """Repair: with a damaged friendly Ship in its sector, before either has moved."""
    open_ = None if unit.moved else _open(state, unit, deeds.RepairsOther)
    for ship in own(state, unit.seat) if open_ else ():
        beside = ship.sector == unit.sector and ship.id != unit.id
        if open_ and beside and ship.damage and not ship.moved and is_ship(state, ship):
            yield open_[0], ship.id


def raid(state: State, unit: Unit) -> Uses:
    """Surprise Raid: with so much on the initiative dice, a number of enemy Ships."""
    found = bears(card_of(state, unit), deeds.Surprise)
    if found is None:
        return
    ref, word = found
    raids = [e for e in state.lasting(MoreDice) if (e.rule, e.source) == (ref.rule, unit.id)]
    marked = [e.unit for e in raids]
    if state.thrown.get(unit.seat, 0) < word.initiative or len(marked) >= word.ships:
        return
    for ship in own(state, state.other(unit.seat)):
        if is_ship(state, ship) and ship.id not in marked:
            yield ref.family, ship.id


def shadow(state: State, unit: Unit) -> Uses:
    """Shadow Battleship: an enemy Battleship far enough away."""
    open_ = _open(state, unit, deeds.Shadows)
    if open_ is None:
        return
    family, word = open_
    for ship in own(state, state.other(unit.seat)):
        far = board.distance(unit.sector, ship.sector) >= word.nearest if ship.sector else False
        if far and is_a(card_of(state, ship), word.prey):
            yield family, ship.id


def divide(state: State, unit: Unit) -> Uses:
    """Divide the Defense: before the Air Defense phase, where there are enemy Ships."""
    open_ = _open(state, unit, deeds.Divides)
    if open_ and unit.sector and any(_hostile_ships(state, unit)):
        yield open_[0], ""


def _hostile_ships(state: State, unit: Unit) -> Iterator[Unit]:
    ships = own(state, state.other(unit.seat))
    return (u for u in ships if u.sector == unit.sector and is_ship(state, u))


def effects(state: State, unit: Unit, family: str, on: str) -> tuple[Effect, ...]:
    """What the use of an ability sets going, this turn."""
    return tuple(
        effect
        for word in families()[family].effects
        for effect in _set_going(state, unit, rule_of(family), on, word)
    )


def _set_going(
    state: State, unit: Unit, rule_: str, on: str, word: words.Effect
) -> Iterator[Effect]:
    turn, me = state.turn, unit.id
    match word:
        case deeds.RepairsOther():
            both = (me, on)
            yield from (NoMove(unit=name, source=me, rule=rule_, until=turn) for name in both)
            for name, gun in product(both, GUNS):
                yield NoAttack(unit=name, attack=gun, source=me, rule=rule_, until=turn)
            yield InRepair(unit=on, source=me, rule=rule_, until=turn)
        case deeds.Surprise():
            fewer = word.dice
            yield MoreDice(unit=on, attack="antiair", dice=fewer, source=me, rule=rule_, until=turn)
        case deeds.Shadows():
            yield Shuns(unit=on, source=me, rule=rule_, until=turn)
        case deeds.Divides():
            for ship in _hostile_ships(state, unit):
                yield EachDie(
                    unit=ship.id, attack="antiair", die=word.die,
                    source=me, rule=rule_, until=turn,
                )  # fmt: skip
            bombs = word.die
            yield EachDie(unit=me, attack="bomb", die=bombs, source=me, rule=rule_, until=turn)
            yield NoAttack(unit=me, attack="torpedo", source=me, rule=rule_, until=turn)


UPKEEP: tuple[type[words.Effect], ...] = (
    deeds.Repairs, deeds.Divides, deeds.Refits, deeds.RepairsOther, deeds.Shadows, deeds.Sprint,
    deeds.Surprise,
)  # fmt: skip
"""Words whose abilities are used by :func:`use`."""


def use(flow: BattleFlow, unit: Unit, family: str, on: str) -> None:
    """Use one of these abilities."""
    repairs_ = of_family(family, deeds.Repairs)
    rules = (rule_of(family),)
    flow.emit(
        ev.AbilityUsed(
            unit=unit.id,
            ability=family,
            on=on,
            effects=effects(flow.state, unit, family, on),
            once="" if repairs_ else once(family),
            rules=rules,
        )
    )
    if repairs_ or of_family(family, deeds.Sprint):
        ask(flow, purposes.Used(unit.id, family), unit.seat, Dice(1))
    elif of_family(family, deeds.Refits):
        airfield.refit(flow, unit, rules)


def rolled(flow: BattleFlow, name: str, family: str, face: int) -> None:
    """The die of an ability that was used."""
    unit = flow.state.units[name]
    for word in families()[family].effects:
        match word:
            case deeds.Repairs():
                _controlled(flow, unit, family, word, face)
            case deeds.Sprint():
                _result(flow, unit, family, "speed" if face >= word.needed else "", face)
            case deeds.RepairsOther():
                _repaired(flow, unit, family, word, face)
            case deeds.SweepsMines():
                mines.swept(flow, unit, family, word, face)
            case deeds.Replenishes():
                replenish.rolled(flow, unit, family, word, face)
            case deeds.ArrivesByDie():
                squadrons.arrived(flow, unit, family, word, face)


def _result(flow: BattleFlow, unit: Unit, family: str, result: str, face: int) -> None:
    rule_, turn = rule_of(family), flow.state.turn
    faster = (SpeedChange(unit=unit.id, change=1, source=unit.id, rule=rule_, until=turn),)
    flow.emit(
        ev.AbilityRolled(
            unit=unit.id,
            ability=family,
            face=face,
            result=result,
            effects=faster if result == "speed" else (),
            rules=(rule_,),
        )
    )


def _controlled(flow: BattleFlow, unit: Unit, family: str, word: deeds.Repairs, face: int) -> None:
    good, rules = face >= word.needed, (rule_of(family),)
    _result(flow, unit, family, "repaired" if good else "", face)
    if good:
        flow.emit(ev.AbilityUsed(unit=unit.id, ability=family, once="game", rules=rules))
        flow.emit(ev.HullRepaired(unit=unit.id, points=1, cause=family, rules=rules))


def _repaired(
    flow: BattleFlow, unit: Unit, family: str, word: deeds.RepairsOther, face: int
) -> None:
    good, rules = face >= word.needed, (rule_of(family),)
    _result(flow, unit, family, "repaired" if good else "", face)
    if good:
        flow.emit(ev.HullRepaired(unit=unit.id, points=1, cause=family, rules=rules))


def tied_up(state: State) -> tuple[Unit, str] | None:
    """The next Ship that was tied up for repair, if both are still in play, and by which family."""
    for effect in state.lasting(InRepair):
        family = next(f for f in declared_by(deeds.RepairsOther) if rule_of(f) == effect.rule)
        if f"{effect.unit}/{family}" in state.tended:
            continue
        ship = state.units.get(effect.unit)
        if ship is not None and ship.damage and effect.source in state.units:
            return ship, family
    return None


def repairs(flow: BattleFlow) -> bool:
    """The end of the turn: the die for a Ship that was tied up."""
    found = tied_up(flow.state)
    if found is None:
        return False
    ship, family = found
    ask(flow, purposes.Used(ship.id, family), ship.seat, Dice(1))
    return True
