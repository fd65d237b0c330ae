"""The last action: ways of pieces, lines of fire and their results, losses and claims."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from .....kernel.shown.drawing import Point, cross, shot, star, travelled
from .....kernel.shown.scene import Group, Word
from .....kernel.shown.wording import count
from ...rules import board
from ...rules import events as ev
from ...rules.evolve import evolve
from ...rules.state import State
from ..sentences import says
from .layout import PANEL, Slot, in_sectors, lines, middle, where

Slots = dict[str, Slot]


def drawn(
    before: State | None, events: Iterable[ev.AnyEvent], state: State, slots: Slots
) -> Iterator[Group]:
    """A group for each event that can be seen on the map, and for the attack that is open."""
    now = before
    for event in events:
        if now is not None:
            yield from _of(now, event, state, slots)
        now = evolve(now, event)
    if state.attack is not None:
        start = _at(state, state, slots, state.attack.attacker)
        end = _at(state, state, slots, state.attack.target)
        if start and end:
            title = f"attack under way: {state.attack.attacker} on {state.attack.target}"
            dice = count(state.attack.dice.total, "die", "dice")
            yield shot(start, end, dice, "attack-open", title, None, _by_panels(start, end))


def _of(now: State, event: ev.AnyEvent, state: State, slots: Slots) -> Iterator[Group]:
    title = says(now, event)
    match event:
        case ev.UnitMoved(unit=unit, path=path):
            yield from _way(now, state, slots, unit, path, title)
        case ev.UnitShifted(unit=unit, sector=sector) | ev.AircraftPlaced(unit=unit, sector=sector):
            yield from _way(now, state, slots, unit, (sector,), title)
        case ev.AircraftReturned(unit=unit):
            yield from _home(now, state, slots, unit, title)
        case ev.AttackResolved():
            yield from _shot(now, event, state, slots, title)
        case ev.UnitRemoved(unit=unit):
            at = _at(now, now, in_sectors(now), unit)
            if at:
                yield Group((cross(at, 12, "removed"),), name="last removal", title=title)
        case ev.ObjectiveClaimed(sector=sector, seat=seat):
            x, y = middle(sector)
            flag = Word(x, y - 18, f"claimed by {seat}", 12, "note", "middle")
            yield Group((star((x, y), 14), flag), name="last claim", title=title)
        case ev.HullLost(unit=unit, points=points):
            yield from _burst(now, state, slots, unit, f"-{points}", title)
        case ev.UnitDoomed(unit=unit):
            yield from _burst(now, state, slots, unit, "doomed", title)


def _at(now: State, state: State, slots: Slots, unit: str) -> Point | None:
    """Where a unit is drawn; where it was, if it is gone."""
    if unit in state.units:
        return where(state, slots, unit)
    return where(now, in_sectors(now), unit)


def _way(
    now: State, state: State, slots: Slots, unit: str, path: tuple[str, ...], title: str
) -> Iterator[Group]:
    """From where it was, by the middles of sectors, to where it is drawn now."""
    start = where(now, in_sectors(now), unit)
    points = [middle(sector) for sector in path if sector in board.NEIGHBOURS]
    end = slots.get(unit)
    if end is not None and points and state.units[unit].sector == path[-1]:
        points[-1] = end.at
    if start is not None:
        points.insert(0, start)
    if len(points) > 1:
        way, *more = lines(points[0], points[-1], *points[1:-1])
        yield travelled(way, title, *more)


def _home(now: State, state: State, slots: Slots, unit: str, title: str) -> Iterator[Group]:
    start, end = where(now, in_sectors(now), unit), _at(state, state, slots, unit)
    if start and end and start != end:
        way, *more = lines(start, end)
        yield travelled(way, title, *more)


def _shot(
    now: State, event: ev.AttackResolved, state: State, slots: Slots, title: str
) -> Iterator[Group]:
    start = _at(now, state, slots, event.attacker)
    end = _at(now, state, slots, event.target)
    if not start or not end:
        return
    struck = event.outcome not in ("miss", "no-effect")
    harm = f" -{event.damage}" if event.damage else ""
    name, way = f"shot shot-{event.outcome}", _by_panels(start, end)
    yield shot(start, end, f"{event.outcome}{harm}", name, title, struck, way)


def _by_panels(start: Point, end: Point) -> tuple[tuple[Point, ...], ...]:
    """The lines of a shot that begins or ends in a panel; none for one that goes straight."""
    return () if start[0] < PANEL and end[0] < PANEL else lines(start, end)


def _burst(
    now: State, state: State, slots: Slots, unit: str, text: str, title: str
) -> Iterator[Group]:
    at = _at(now, state, slots, unit)
    if at:
        note = Word(at[0], at[1] - 16, text, 12, "note", "middle")
        yield Group((star(at, 10), note), name="last damage", title=title)
