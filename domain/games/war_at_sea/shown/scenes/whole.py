"""The picture as a whole."""

from __future__ import annotations

from collections.abc import Iterable

from .....kernel.shown.drawing import BADGE, MOVE, heading, last_said, legend, pip_signs, readable
from .....kernel.shown.scene import Group, Item, Scene, Word
from .....kernel.shown.wording import count, join
from ...rules import events as ev
from ...rules.board import NEIGHBOURS
from ...rules.darkness import dark
from ...rules.evolve import evolve
from ...rules.facts import chart_of
from ...rules.state import State
from .. import names
from ..sentences import says
from .action import drawn
from .layout import LEFT, MAP_HEIGHT, MAP_WIDTH, TOP, WIDTH, in_sectors
from .panel import Panel
from .pieces import LETTERS, MARKERS, piece
from .table import MINE, sheet


def scene(state: State, before: State | None, events: tuple[ev.AnyEvent, ...], focus: str) -> Scene:
    """The battle with its last action; ``focus`` is a unit to be pointed out."""
    items: list[Item] = []
    laid = bool(state.zone)
    if laid:
        items += sheet(state)
    slots = in_sectors(state)
    top = TOP
    for seat in reversed(state.seats) if _south(state) else state.seats:
        panel = Panel(state, seat, top, focus)
        items.append(panel.group())
        slots |= panel.slots
        top = panel.y + 24
    acts = list(readable(drawn(before, events, state, slots))) if laid else []
    items += [act for act in acts if act.name == MOVE]
    for unit in state.all_units:
        if laid and unit.sector in NEIGHBOURS:
            items.append(piece(state, unit, slots[unit.id], focus))
    items += [act for act in acts if act.name != MOVE]
    bottom = max(top, TOP + MAP_HEIGHT + 16 if laid else top)
    items += _heading(state, before, events)
    signs, height = _signs(bottom)
    items.append(Group(tuple(signs), name="legend-all", title="what the signs mean"))
    title = f"War at Sea, {names.scenario_name(state.scenario, state.custom_scenario)}"
    return Scene(WIDTH, bottom + height + 20, title, _when(state), tuple(items))


def _south(state: State) -> bool:
    """Whether the first seat plays from the south edge: then the other is above it."""
    return state.edges.get(state.seats[0]) != "north"


def _when(state: State) -> str:
    """The heading's second line."""
    parts = [f"{state.edition} edition"]
    phase = names.phase_name(state.step.phase)
    parts.append(f"turn {state.turn}, {phase}" if state.turn else "set-up")
    if state.zone:
        parts.append(names.chart_name(chart_of(state), state.zone))
    if state.light:
        now = "dark now" if state.turn and dark(state) else "light now"
        parts.append(f"{state.light}, {now}")
    if state.weather >= 0:
        parts.append(count(state.weather, "squall"))
    if state.active:
        parts.append(f"{names.unit_name(state, state.active)} attacks")
    if state.awaiting is not None:
        parts.append("dice are awaited")
    if state.result is not None:
        winners = join(state.result.winners)
        parts.append(f"over: {state.result.reason}, {winners or 'nobody'} won")
    return "; ".join(parts) + "."


def _heading(state: State, before: State | None, events: tuple[ev.AnyEvent, ...]) -> Iterable[Item]:
    title = f"War at Sea: {names.scenario_name(state.scenario, state.custom_scenario)}"
    said = last_said(says, evolve, before, events)
    return heading(LEFT, title, _when(state), said, (90, 170))


def _signs(top: int) -> tuple[list[Item], int]:
    """The legend: letters of types, hull points, markers."""
    kinds = "   ".join(f"{letters} {kind}" for kind, letters in LETTERS.items())
    points, end = pip_signs(LEFT, top + 24)
    text = "full pieces: first seat, hollow: second; star: objective or hit"
    items: list[Item] = [
        Word(LEFT, top + 14, f"{kinds}   SS Submarine", 12, "faint"),
        *points,
        Word(end, top + 33, text, 12, "faint"),
    ]
    more, height = legend((LEFT, top + 40 + BADGE), {**MARKERS, "mine": MINE}, MAP_WIDTH + 400)
    return [*items, *more], height + 48
