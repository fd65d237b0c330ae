"""Abilities that move a unit outside its normal move."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from .....kernel.flow import Flow
from ... import board
from ... import events as ev
from ...abilities.effects import has, once, rule_of
from ...effects import Effect, Led, Missed, MovesOver, NoMove, Yields
from ...state import State, Unit
from ..facts import card_of, is_aircraft, is_ship, own, sinking
from ..sea_movement import closed, reachable, why_not_end
from ..stacking import has_room
from . import mines

BattleFlow = Flow[State, ev.AnyEvent]
Offers = Iterator[str]

AT = "@"
"""Joins the unit that is moved and its sector where it is not the ability's holder."""


def _used(state: State, unit: Unit, family: str) -> bool:
    return f"{unit.id}/{family}" in state.used or family in unit.spent


def _steps(state: State, unit: Unit) -> Iterator[str]:
    """Adjacent sectors where the unit may be: entry and stacking hold."""
    card = card_of(state, unit)
    for sector in board.NEIGHBOURS[unit.sector]:
        if not closed(state, card, sector) and has_room(state, unit.seat, sector, card, unit.id):
            yield sector


def _enemy_ships(state: State, unit: Unit) -> list[Unit]:
    enemies = own(state, state.other(unit.seat))
    return [u for u in enemies if u.sector and is_ship(state, u)]


def _nearer(state: State, unit: Unit) -> Offers:
    """Steps toward the nearest enemy Ship, any of them if several are equally near."""
    ranges = {u.sector: board.distance(unit.sector, u.sector) for u in _enemy_ships(state, unit)}
    if not ranges:
        return
    nearest = [sector for sector, far in ranges.items() if far == min(ranges.values())]
    for step in _steps(state, unit):
        if any(board.distance(step, sector) < ranges[sector] for sector in nearest):
            yield step


def _pinned(state: State, unit: Unit) -> bool:
    return bool(state.lasting_on(NoMove, unit.id))


def _chase(state: State, unit: Unit) -> Offers:
    """Chase: no enemy Ship within 3."""
    far = all(board.distance(unit.sector, u.sector) > 3 for u in _enemy_ships(state, unit))
    if far and not _used(state, unit, "chase") and not _pinned(state, unit):
        yield from _nearer(state, unit)


def _screen(state: State, unit: Unit) -> Offers:
    """Establish Screen: itself and one Cruiser or Destroyer in or next to its sector."""
    if not _used(state, unit, "establish-screen"):
        yield from _steps(state, unit)
    if any(e.source == unit.id for e in state.lasting(Led)):
        return
    for friend in own(state, unit.seat):
        able = card_of(state, friend).subtype in ("Cruiser", "Destroyer") and friend.id != unit.id
        near = able and friend.sector and board.distance(friend.sector, unit.sector) <= 1
        if near and not _used(state, friend, "establish-screen"):
            yield from (f"{friend.id}{AT}{sector}" for sector in _steps(state, friend))


def _lead(state: State, unit: Unit) -> Offers:
    """Lead the Attack: a move at the speed that its card gives."""
    ability = has(card_of(state, unit), "lead-the-attack")
    if ability is not None and not _used(state, unit, "lead-the-attack"):
        yield from reachable(state, unit, ability.n)


def _torpedo_run(state: State, unit: Unit) -> Offers:
    """Torpedo Run: itself and a Destroyer with it, to where they can use torpedoes."""
    led = [e for e in state.lasting(Led) if e.source == unit.id]
    here = next((e.attack for e in led), unit.sector)
    if "torpedo-run" in unit.spent and not led:
        return
    if not any(e.unit == unit.id for e in led) and not _pinned(state, unit):
        yield from (s for s in _steps(state, unit) if _in_torpedo_range(state, unit, s))
    if any(e.unit != unit.id for e in led):
        return
    for friend in own(state, unit.seat):
        beside = friend.sector == here and friend.id != unit.id
        able = card_of(state, friend).subtype == "Destroyer" and not _pinned(state, friend)
        if beside and able:
            for sector in _steps(state, friend):
                if _in_torpedo_range(state, friend, sector):
                    yield f"{friend.id}{AT}{sector}"


def _in_torpedo_range(state: State, unit: Unit, sector: str) -> bool:
    row = card_of(state, unit).attacks.get("torpedo", ())
    return any(
        board.distance(sector, enemy.sector) < len(row)
        and row[board.distance(sector, enemy.sector)] > 0
        for enemy in _enemy_ships(state, unit)
    )


def _slip(state: State, unit: Unit) -> Offers:
    """Dangerous Quarry: a Ship's ASW attack has missed it."""
    if sinking(state, unit) or _used(state, unit, "dangerous-quarry"):
        return
    if state.lasting_on(Missed, unit.id):
        yield from _steps(state, unit)


def _drive(state: State, unit: Unit) -> Offers:
    """Drive Off: a Destroyer or Torpedo Boat that it attacked goes one sector away."""
    if _used(state, unit, "drive-off"):
        return
    for name in dict.fromkeys(unit.struck):
        prey = state.units.get(name)
        small = prey is not None and card_of(state, prey).subtype in ("Destroyer", "Torpedo Boat")
        if prey is not None and small:
            far = board.distance(unit.sector, prey.sector)
            for sector in _steps(state, prey):
                if board.distance(unit.sector, sector) > far:
                    yield f"{prey.id}{AT}{sector}"


def _picket(state: State, unit: Unit) -> Offers:
    """Radar Picket: a friendly Fighter from a quiet sector to any with an enemy Aircraft."""
    if _used(state, unit, "radar-picket"):
        return
    enemies = own(state, state.other(unit.seat))
    hostile = {u.sector for u in enemies if u.sector in board.NEIGHBOURS and is_aircraft(state, u)}
    for plane in own(state, unit.seat):
        card = card_of(state, plane)
        aloft = card.subtype == "Fighter" and plane.sector in board.NEIGHBOURS
        if aloft and plane.sector not in hostile:
            for sector in sorted(hostile):
                if has_room(state, plane.seat, sector, card, plane.id):
                    yield f"{plane.id}{AT}{sector}"


def _general(state: State, unit: Unit) -> Offers:
    """General Pursuit: up to three own Ships, each toward its nearest enemy Ship."""
    if PURSUIT in unit.spent and f"{unit.id}/{PURSUIT}" not in state.used:
        return
    led = [e.unit for e in state.lasting(Led) if e.rule == rule_of(PURSUIT)]
    if len(led) >= PURSUERS or why_not_end(state, unit.seat):
        return
    for ship in own(state, unit.seat):
        free = ship.id not in led and not _pinned(state, ship)
        if free and ship.sector and is_ship(state, ship):
            yield from (f"{ship.id}{AT}{sector}" for sector in _nearer(state, ship))


PURSUIT, PURSUERS = "general-pursuit", 3

SHIFTS: dict[str, Callable[[State, Unit], Offers]] = {
    "establish-screen": _screen,
    "lead-the-attack": _lead,
    PURSUIT: _general,
    "chase": _chase,
    "torpedo-run": _torpedo_run,
    "radar-picket": _picket,
    "dangerous-quarry": _slip,
    "drive-off": _drive,
}
"""Abilities that move units, each in a step of its own."""


def uses(families: tuple[str, ...], state: State, unit: Unit) -> Iterator[tuple[str, str]]:
    """Moves that those of the unit's abilities permit now."""
    if not unit.sector:
        return
    card = card_of(state, unit)
    for family in families:
        if has(card, family):
            for on in SHIFTS[family](state, unit):
                yield family, on


def _price(unit: Unit, family: str, turn: int) -> tuple[Effect, ...]:
    """General Pursuit ends the normal moves, and costs the next initiative."""
    if family != PURSUIT:
        return ()
    rule_ = rule_of(family)
    return (
        MovesOver(unit.id, 0, unit.id, rule_, turn),
        Yields(unit.id, 0, unit.id, rule_, turn + 1),
    )


def shift(flow: BattleFlow, unit: Unit, family: str, on: str) -> None:
    """Move the unit, or the other one that ``on`` names."""
    name, _, sector = on.rpartition(AT)
    rules, turn = (rule_of(family),), flow.state.turn
    if once(family) == "game" and family not in unit.spent:
        flow.emit(
            ev.AbilityUsed(
                unit=unit.id,
                ability=family,
                once="game",
                effects=_price(unit, family, turn),
                bars=unit.seat if family == PURSUIT else "",
                rules=rules,
            )
        )
    if name or family == "torpedo-run":
        led = Led(name or unit.id, 0, unit.id, rules[0], turn, unit.sector)
        flow.emit(ev.EffectBegan(effect=led, rules=rules))
    moved = name or unit.id
    flow.emit(
        ev.UnitShifted(unit=moved, sector=sector, ability=family, seat=unit.seat, rules=rules)
    )
    mines.entered(flow, moved, (sector,))
