"""Abilities that move a unit outside its normal move."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from .....kernel.flow import Flow
from .. import board
from .. import events as ev
from ..effects import Effect, Led, Missed, MovesOver, NoMove, Yields
from ..facts import card_of, is_aircraft, is_ship, own, sinking
from ..families import deeds
from ..families.effects import has, of_family, once, rule_of
from ..families.shots import effects_of, number
from ..sea_movement import closed, reachable, why_not_end
from ..stacking import has_room
from ..state import State, Unit
from . import mines

BattleFlow = Flow[State, ev.AnyEvent]
Offers = Iterator[str]

AT = "@"
"""Joins the unit that is moved and its sector where it is not the ability's holder."""


Mover = Callable[[State, Unit, str], Offers]
"""Where an ability moves whom, (state, unit, family)."""


def _used(state: State, unit: Unit, family: str) -> bool:
    return state.has_used(unit.id, family) or family in unit.spent


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


def _chase(state: State, unit: Unit, family: str) -> Offers:
    """Chase: no enemy Ship within 3."""
    word = of_family(family, deeds.Shift)
    beyond = word.beyond if word else 0
    far = all(board.distance(unit.sector, u.sector) > beyond for u in _enemy_ships(state, unit))
    if far and not _used(state, unit, family) and not _pinned(state, unit):
        yield from _nearer(state, unit)


def _screen(state: State, unit: Unit, family: str) -> Offers:
    """Establish Screen: itself and one Cruiser or Destroyer in or next to its sector."""
    if not _used(state, unit, family):
        yield from _steps(state, unit)
    if any(e.source == unit.id for e in state.lasting(Led)):
        return
    for friend in own(state, unit.seat):
        able = card_of(state, friend).subtype in ("Cruiser", "Destroyer") and friend.id != unit.id
        near = able and friend.sector and board.distance(friend.sector, unit.sector) <= 1
        if near and not _used(state, friend, family):
            yield from (f"{friend.id}{AT}{sector}" for sector in _steps(state, friend))


def _lead(state: State, unit: Unit, family: str) -> Offers:
    """Lead the Attack: a move at the speed that its card gives."""
    ability, word = has(card_of(state, unit), family), of_family(family, deeds.Shift)
    if ability is not None and word is not None and not _used(state, unit, family):
        yield from reachable(state, unit, number(word.sectors, ability.n))


def _torpedo_run(state: State, unit: Unit, family: str) -> Offers:
    """Torpedo Run: itself and a Destroyer with it, to where they can use torpedoes."""
    led = [e for e in state.lasting(Led) if e.source == unit.id]
    here = next((e.start for e in led), unit.sector)
    if family in unit.spent and not led:
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


def _slip(state: State, unit: Unit, family: str) -> Offers:
    """Dangerous Quarry: a Ship's ASW attack has missed it."""
    if sinking(state, unit) or _used(state, unit, family):
        return
    if state.lasting_on(Missed, unit.id):
        yield from _steps(state, unit)


def _drive(state: State, unit: Unit, family: str) -> Offers:
    """Drive Off: a Destroyer or Torpedo Boat that it attacked goes one sector away."""
    if _used(state, unit, family):
        return
    for name in dict.fromkeys(unit.struck):
        prey = state.units.get(name)
        small = prey is not None and card_of(state, prey).subtype in ("Destroyer", "Torpedo Boat")
        if prey is not None and small:
            far = board.distance(unit.sector, prey.sector)
            for sector in _steps(state, prey):
                if board.distance(unit.sector, sector) > far:
                    yield f"{prey.id}{AT}{sector}"


def _picket(state: State, unit: Unit, family: str) -> Offers:
    """Radar Picket: a friendly Fighter from a quiet sector to any with an enemy Aircraft."""
    if _used(state, unit, family):
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


def _general(state: State, unit: Unit, family: str) -> Offers:
    """General Pursuit: up to three own Ships, each toward its nearest enemy Ship."""
    if family in unit.spent and not state.has_used(unit.id, family):
        return
    led = [e.unit for e in state.lasting(Led) if e.rule == rule_of(family)]
    word = of_family(family, deeds.Shift)
    if word is None or len(led) >= word.units or why_not_end(state, unit.seat):
        return
    for ship in own(state, unit.seat):
        free = ship.id not in led and not _pinned(state, ship)
        if free and ship.sector and is_ship(state, ship):
            yield from (f"{ship.id}{AT}{sector}" for sector in _nearer(state, ship))


SHIFTS: dict[deeds.How, Mover] = {
    "screen": _screen,
    "own-speed": _lead,
    "all-nearer": _general,
    "nearer": _chase,
    "torpedo-range": _torpedo_run,
    "to-hostile-aircraft": _picket,
    "away": _slip,
    "push": _drive,
}
"""How abilities move units."""


def uses(ways: tuple[deeds.How, ...], state: State, unit: Unit) -> Iterator[tuple[str, str]]:
    """Moves that those of the unit's abilities permit now that work in one of these ways."""
    if not unit.sector:
        return
    found = effects_of(card_of(state, unit), deeds.Shift)
    for how in ways:
        for family in (ref.family for ref, word in found if word.how == how):
            for on in SHIFTS[how](state, unit, family):
                yield family, on


def _price(unit: Unit, family: str, turn: int) -> tuple[Effect, ...]:
    """General Pursuit ends the normal moves, and costs the next initiative."""
    rule_ = rule_of(family)
    return (
        MovesOver(seat=unit.seat, source=unit.id, rule=rule_, until=turn),
        Yields(seat=unit.seat, source=unit.id, rule=rule_, until=turn + 1),
    )


def shift(flow: BattleFlow, unit: Unit, family: str, on: str) -> None:
    """Move the unit, or the other one that ``on`` names."""
    name, _, sector = on.rpartition(AT)
    rules, turn = (rule_of(family),), flow.state.turn
    word = of_family(family, deeds.Shift)
    assert word is not None
    everybody = word.how == "all-nearer"
    if once(family) == "game" and family not in unit.spent:
        flow.emit(
            ev.AbilityUsed(
                unit=unit.id,
                ability=family,
                once="game",
                effects=_price(unit, family, turn) if everybody else (),
                bars=unit.seat if everybody else "",
                rules=rules,
            )
        )
    if name or word.how == "torpedo-range":
        led = Led(
            unit=name or unit.id, start=unit.sector, source=unit.id, rule=rules[0], until=turn
        )
        flow.emit(ev.EffectBegan(effect=led, rules=rules))
    moved = name or unit.id
    flow.emit(
        ev.UnitShifted(unit=moved, sector=sector, ability=family, seat=unit.seat, rules=rules)
    )
    mines.entered(flow, moved, (sector,))
