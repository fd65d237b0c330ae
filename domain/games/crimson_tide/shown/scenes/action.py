"""The last action: tracks of units, lines of fire and their results, torpedoes, damage, losses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from .....kernel.shown.drawing import Point, cross, shot, star, travelled
from .....kernel.shown.scene import Group, Word
from .....kernel.shown.wording import count
from ...rules import events as ev
from ...rules.evolve import evolve
from ...rules.state import State
from .. import names
from ..sentences import says
from .layout import Frame, spot


def drawn(
    before: State | None, events: Iterable[ev.AnyEvent], state: State, frame: Frame
) -> Iterator[Group]:
    """A group for each event that can be seen on the table, and for the attack that is open."""
    now = before
    for event in events:
        if now is not None:
            yield from _of(now, event, state, frame)
        now = evolve(now, event)
    if state.shot is not None:
        start, end = (spot(state, frame, u) for u in (state.shot.attacker, state.shot.target))
        if start and end:
            title = f"attack under way: {state.shot.attacker} on {state.shot.target}"
            dice = state.shot.dice.total
            text = count(dice, "die", "dice") if dice else state.shot.weapon
            yield shot(start, end, text, "attack-open", title, None)


def _of(now: State, event: ev.AnyEvent, state: State, frame: Frame) -> Iterator[Group]:
    title = says(now, event)
    match event:
        case ev.UnitMoved(unit=unit, track=track):
            start = spot(now, frame, unit)
            points = tuple(frame.at(pose.position) for pose in track)
            if start and points:
                yield travelled((start, *points), title)
        case ev.AircraftDeployed(unit=unit, at=at):
            start, end = spot(now, frame, unit), frame.at(at)
            yield travelled((start or (end[0], end[1] + 60), end), title)
        case ev.AircraftLanded(unit=unit):
            start, goal = spot(now, frame, unit), spot(state, frame, unit)
            if start and goal and start != goal:
                yield travelled((start, goal), title)
        case ev.StormsMoved(at=at):
            for storm in now.storms:
                if storm.id in at:
                    yield travelled((frame.at(storm.at), frame.at(at[storm.id])), title)
        case _:
            yield from _harm(now, event, state, frame, title)


def _harm(
    now: State, event: ev.AnyEvent, state: State, frame: Frame, title: str
) -> Iterator[Group]:
    """Attacks and what they, the sea and the shore do."""
    match event:
        case ev.AttackResolved():
            hull = f" -{event.hull}" if event.hull else ""
            name = f"shot shot-{event.outcome}"
            struck = event.outcome != "miss"
            yield from _line(now, state, frame, event.attacker, event.target,
                             event.outcome + hull, name, title, struck)  # fmt: skip
        case ev.AttackWasted():
            yield from _line(now, state, frame, event.attacker, event.target,
                             event.reason, "shot shot-wasted", title, False)  # fmt: skip
        case ev.TorpedoesLaunched(attacker=attacker, target=target, inbound=inbound):
            text = count(inbound.number, "torpedo", "torpedoes")
            yield from _line(now, state, frame, attacker, target, text, "torpedoes", title, None)
        case ev.TorpedoesChecked(target=unit, hits=hits):
            text = count(hits, "torpedo hit") if hits else "torpedoes missed"
            yield from _burst(now, state, frame, unit, text, title)
        case ev.CriticalRolled(target=unit, faces=faces, result=result):
            text = names.critical_result(faces, result)
            yield from _burst(now, state, frame, unit, text, title)
        case ev.HullLost(unit=unit, hull=hull):
            yield from _burst(now, state, frame, unit, f"-{hull} {event.cause}", title)
        case ev.RanAground(unit=unit):
            yield from _burst(now, state, frame, unit, "aground", title)
        case ev.UnitsCollided(unit=unit):
            yield from _burst(now, state, frame, unit, "collision", title)
        case ev.FireBurned(unit=unit):
            yield from _burst(now, state, frame, unit, "fire", title)
        case ev.UnitDestroyed(unit=unit):
            yield from _burst(now, state, frame, unit, "destroyed", title)
        case ev.UnitCrippled(unit=unit):
            yield from _burst(now, state, frame, unit, "crippled", title)
        case ev.UnitRemoved(unit=unit):
            at = spot(now, frame, unit)
            if at:
                yield Group((cross(at, 14, "removed"),), name="last removal", title=title)
        case ev.ObjectiveGained(objective=id_, seat=seat):
            for objective in now.objectives:
                if objective.id == id_:
                    yield from _note(frame.at(objective.at), f"scored by {seat}", "claim", title)
        case _:
            return


def _line(
    now: State, state: State, frame: Frame, attacker: str, target: str,
    text: str, name: str, title: str, struck: bool | None,
) -> Iterator[Group]:  # fmt: skip
    start = spot(state, frame, attacker) or spot(now, frame, attacker)
    end = spot(state, frame, target) or spot(now, frame, target)
    if start and end:
        yield shot(start, end, text, name, title, struck)


def _burst(
    now: State, state: State, frame: Frame, unit: str, text: str, title: str
) -> Iterator[Group]:
    at = spot(state, frame, unit) or spot(now, frame, unit)
    if at:
        yield from _note(at, text, "damage", title)


def _note(at: Point, text: str, name: str, title: str) -> Iterator[Group]:
    note = Word(at[0], at[1] - 18, text, 13, "note", "middle")
    yield Group((star(at, 12), note), name=f"last {name}", title=title)
