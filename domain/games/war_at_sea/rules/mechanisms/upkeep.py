"""Repairs, rearming and speed: abilities that are used outside attacks, some with a die."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from .....kernel.chance import Dice
from .....kernel.flow import Flow
from ... import board, purposes
from ... import events as ev
from ...abilities.effects import has, once, rule_of
from ...effects import EachDie, Effect, InRepair, MoreDice, NoAttack, NoMove, Shuns, SpeedChange
from ...state import State, Unit
from ..damage import ask
from ..facts import card_of, is_ship, own
from . import airfield, mines, replenish, squadrons

BattleFlow = Flow[State, ev.AnyEvent]
Uses = Iterator[tuple[str, str]]

GUNS = ("main", "secondary", "tertiary")
NEEDED = {"damage-control": 5, "sprint": 4, "repair": 2}
"""The face that an ability's die needs."""


def _used(state: State, unit: Unit, family: str) -> bool:
    return f"{unit.id}/{family}" in state.used or family in unit.spent


def _open(state: State, unit: Unit, family: str) -> bool:
    return has(card_of(state, unit), family) is not None and not _used(state, unit, family)


def damage_control(state: State, unit: Unit) -> Uses:
    """Damage Control: a die at the end of a turn, until one point is repaired."""
    if state.step == "end-of-turn" and unit.damage and _open(state, unit, "damage-control"):
        yield "damage-control", ""


def endurance(state: State, unit: Unit) -> Uses:
    """Excellent Endurance: before its owner has given a mission."""
    begun = any(u.placed for u in own(state, unit.seat)) or unit.seat in state.passed
    now = state.step == "air-mission" and unit.rearming and not begun
    if now and _open(state, unit, "excellent-endurance"):
        yield "excellent-endurance", ""


def sprint(state: State, unit: Unit) -> Uses:
    """Sprint: before it moves in its owner's Sea Movement step."""
    if state.step.startswith("sea-movement") and not unit.moved and _open(state, unit, "sprint"):
        yield "sprint", ""


def repair(state: State, unit: Unit) -> Uses:
    """Repair: with a damaged friendly Ship in its sector, before either has moved."""
    now = state.step in ("sea-movement.first", "sea-movement.second") and not unit.moved
    if now and _open(state, unit, "repair"):
        for ship in own(state, unit.seat):
            beside = ship.sector == unit.sector and ship.id != unit.id
            if beside and ship.damage and not ship.moved and is_ship(state, ship):
                yield "repair", ship.id


def raid(state: State, unit: Unit) -> Uses:
    """Surprise Raid: with 10 or more on the initiative dice, two enemy Ships."""
    if not state.step.startswith("sea-movement") or not has(card_of(state, unit), "surprise-raid"):
        return
    rule_ = rule_of("surprise-raid")
    marked = [e.unit for e in state.effects if e.rule == rule_ and e.source == unit.id]
    if state.thrown.get(unit.seat, 0) < 10 or len(marked) >= 2:
        return
    for ship in own(state, state.other(unit.seat)):
        if is_ship(state, ship) and ship.id not in marked:
            yield "surprise-raid", ship.id


def shadow(state: State, unit: Unit) -> Uses:
    """Shadow Battleship: an enemy Battleship at range 3 or more."""
    if state.step != "surface-attack.before" or not _open(state, unit, "shadow-battleship"):
        return
    for ship in own(state, state.other(unit.seat)):
        far = board.distance(unit.sector, ship.sector) >= 3 if ship.sector else False
        if far and card_of(state, ship).subtype == "Battleship":
            yield "shadow-battleship", ship.id


def divide(state: State, unit: Unit) -> Uses:
    """Divide the Defense: before the Air Defense phase, where there are enemy Ships."""
    if state.step != "air-mission.patrol" or not _open(state, unit, "divide-the-defense"):
        return
    if unit.sector and any(_hostile_ships(state, unit)):
        yield "divide-the-defense", ""


def _hostile_ships(state: State, unit: Unit) -> Iterator[Unit]:
    ships = own(state, state.other(unit.seat))
    return (u for u in ships if u.sector == unit.sector and is_ship(state, u))


def effects(state: State, unit: Unit, family: str, on: str) -> tuple[Effect, ...]:
    """What the use of an ability sets going, this turn."""
    rule_, turn, me = rule_of(family), state.turn, unit.id
    match family:
        case "repair":
            tied = [NoMove(name, 0, me, rule_, turn) for name in (me, on)]
            silent = [NoAttack(name, 0, me, rule_, turn, gun) for name in (me, on) for gun in GUNS]
            return (*tied, *silent, InRepair(on, 0, me, rule_, turn))
        case "surprise-raid":
            return (MoreDice(on, -1, me, rule_, turn, "antiair"),)
        case "shadow-battleship":
            return (Shuns(on, 0, me, rule_, turn),)
        case "divide-the-defense":
            wavering = [
                EachDie(ship.id, -1, me, rule_, turn, "antiair")
                for ship in _hostile_ships(state, unit)
            ]
            bombs = EachDie(me, -1, me, rule_, turn, "bomb")
            return (*wavering, bombs, NoAttack(me, 0, me, rule_, turn, "torpedo"))
    return ()


FAMILIES = frozenset(
    {
        "damage-control",
        "divide-the-defense",
        "excellent-endurance",
        "repair",
        "shadow-battleship",
        "sprint",
        "surprise-raid",
    }
)
"""Abilities that are used by :func:`use`."""

WITH_DIE = ("damage-control", "sprint")
"""Abilities whose use asks for a die at once."""


def use(flow: BattleFlow, unit: Unit, family: str, on: str) -> None:
    """Use one of these abilities."""
    how_often = "" if family == "damage-control" else once(family)
    rules = (rule_of(family),)
    flow.emit(
        ev.AbilityUsed(
            unit=unit.id,
            ability=family,
            on=on,
            effects=effects(flow.state, unit, family, on),
            once=how_often,
            rules=rules,
        )
    )
    if family in WITH_DIE:
        ask(flow, purposes.Used(unit.id, family), unit.seat, Dice(1))
    elif family == "excellent-endurance":
        airfield.refit(flow, unit, rules)


def rolled(flow: BattleFlow, name: str, family: str, face: int) -> None:
    """The die of an ability that was used."""
    _ROLLED[family](flow, flow.state.units[name], face)


def _result(flow: BattleFlow, unit: Unit, family: str, face: int, word: str) -> bool:
    good = face >= NEEDED[family]
    rule_, turn = rule_of(family), flow.state.turn
    faster = (SpeedChange(unit.id, 1, unit.id, rule_, turn),) if family == "sprint" else ()
    flow.emit(
        ev.AbilityRolled(
            unit=unit.id,
            ability=family,
            face=face,
            result=word if good else "",
            effects=faster if good else (),
            rules=(rule_,),
        )
    )
    return good


def _controlled(flow: BattleFlow, unit: Unit, face: int) -> None:
    if _result(flow, unit, "damage-control", face, "repaired"):
        rules = (rule_of("damage-control"),)
        flow.emit(ev.AbilityUsed(unit=unit.id, ability="damage-control", once="game", rules=rules))
        flow.emit(ev.HullRepaired(unit=unit.id, points=1, cause="damage-control", rules=rules))


def _sprinted(flow: BattleFlow, unit: Unit, face: int) -> None:
    _result(flow, unit, "sprint", face, "speed")


def _repaired(flow: BattleFlow, unit: Unit, face: int) -> None:
    if _result(flow, unit, "repair", face, "repaired"):
        rules = (rule_of("repair"),)
        flow.emit(ev.HullRepaired(unit=unit.id, points=1, cause="repair", rules=rules))


_ROLLED: dict[str, Callable[[BattleFlow, Unit, int], None]] = {
    "damage-control": _controlled,
    "sprint": _sprinted,
    "repair": _repaired,
    "sweep-mines": mines.swept,
    replenish.FAMILY: replenish.rolled,
    squadrons.UNCERTAIN: squadrons.arrived,
}


def repairs(flow: BattleFlow) -> bool:
    """The end of the turn: the die for a Ship that was tied up, if both are still in play."""
    for effect in flow.state.lasting(InRepair):
        if f"{effect.unit}/repair" in flow.state.tended:
            continue
        ship = flow.state.units.get(effect.unit)
        if ship is not None and ship.damage and effect.source in flow.state.units:
            ask(flow, purposes.Used(effect.unit, "repair"), ship.seat, Dice(1))
            return True
    return False
