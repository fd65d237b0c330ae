"""The picture as a whole."""

from __future__ import annotations

from collections.abc import Iterable

from .....kernel.shown.drawing import BADGE, MOVE, heading, last_said, legend, pip_signs, readable
from .....kernel.shown.scene import Group, Item, Scene, Way, Word
from .....kernel.shown.wording import join
from ...rules import events as ev
from ...rules.evolve import evolve
from ...rules.facts import dark
from ...rules.state import State
from .. import names
from ..sentences import says
from .action import drawn
from .layout import LEFT, TOP, Frame
from .panel import Panel
from .pieces import LETTERS, MARKERS, afloat, token
from .table import reach, sheet


def scene(state: State, before: State | None, events: tuple[ev.AnyEvent, ...], focus: str) -> Scene:
    """The battle with its last action; ``focus`` is the unit that stands out."""
    frame = Frame(state)
    items: list[Item] = [*sheet(state, frame), *reach(state, frame, focus)]
    acts = list(readable(drawn(before, events, state, frame)))
    items += [act for act in acts if act.name == MOVE]
    items += [afloat(state, u, frame, focus) for u in state.all_units if u.pose is not None]
    for unit in state.all_units:
        if unit.at is not None:
            place, drawn_at = frame.at(unit.at), frame.tokens[unit.id, unit.at]
            items.append(Way((place, drawn_at), "grid", "token-place"))
            items.append(token(state, unit, drawn_at, focus))
    items += [act for act in acts if act.name != MOVE]
    top = TOP
    for seat in reversed(state.seats):
        panel = Panel(state, seat, frame, top, focus)
        items.append(panel.group())
        top = panel.y + 24
    bottom = max(top, TOP + frame.height + 26)
    items += _heading(state, before, events)
    signs, height = _signs(bottom, frame)
    items.append(Group(tuple(signs), name="legend-all", title="what the signs mean"))
    title = f"Crimson Tide, {_name(state)}"
    return Scene(frame.total, bottom + height + 20, title, _when(state), tuple(items))


def _name(state: State) -> str:
    return state.title or names.scenario_name(state.scenario)


def _when(state: State) -> str:
    """The heading's second line."""
    phase = names.phase_name(state.step.phase)
    parts = [f"turn {state.turn}, {phase}" if state.turn else phase]
    terms, klick = state.terms, state.options.klick
    width, height = (length // klick for length in state.table)
    parts.append(f"table {width} by {height} klicks")
    parts += [f"last turn {terms.turns}"] if terms.turns else []
    parts += [f"target {terms.target}"] if terms.target else []
    if terms.light != "day":
        parts.append(f"{terms.light}, {'dark' if state.turn and dark(state) else 'light'} now")
    if state.awaiting is not None:
        parts.append("dice are awaited")
    if state.result is not None:
        winners = join(state.result.winners)
        parts.append(f"over: {state.result.reason}, {winners or 'nobody'} won")
    return "; ".join(parts) + "."


def _heading(state: State, before: State | None, events: tuple[ev.AnyEvent, ...]) -> Iterable[Item]:
    title = f"Crimson Tide: {_name(state)}"
    said = last_said(says, evolve, before, events)
    return heading(LEFT, title, _when(state), said, (90, 170))


def _signs(top: int, frame: Frame) -> tuple[list[Item], int]:
    """The legend: letters of types, hull points, markers."""
    kinds = "   ".join(f"{letters} {kind}" for kind, letters in LETTERS.items())
    points, end = pip_signs(LEFT, top + 24)
    items: list[Item] = [
        Word(LEFT, top + 14, kinds, 12, "faint"),
        *points,
        Word(end, top + 33, "figures at the edges are klicks; north is up", 12, "faint"),
    ]
    more, height = legend((LEFT, top + 40 + BADGE), MARKERS, frame.total - 2 * LEFT)
    return [*items, *more], height + 48
