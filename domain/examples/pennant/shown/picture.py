"""The picture: two ships with their tenders, the points beside them, the last shot between them."""

from __future__ import annotations

from collections.abc import Iterator

from domain.kernel.shown.drawing import (
    Marker,
    badge,
    boat,
    cross,
    heading,
    hull,
    last_said,
    readable,
    shot,
)
from domain.kernel.shown.scene import Group, Item, Paint, Scene, Word

from ..rules.events import AnyEvent, FireDeclared, FireResolved, TenderLost
from ..rules.state import BATTLE, State, evolve
from .words import board, says

WIDTH, HEIGHT, LEFT = 480, 300, 20
SHIPS = ((110, 180), (370, 180))
PAINTS: tuple[Paint, Paint] = ("first", "second")
BELOW = 50
"""How far a tender lies below its ship."""
SEALED = Marker("?", "colour chosen in secret")
COLOURS = {
    "bold": Marker("B", "bold: three dice, 6 hits"),
    "steady": Marker("S", "steady: two dice"),
}


def scene(state: State, before: State | None, events: tuple[AnyEvent, ...], focus: str) -> Scene:
    """The position with the last action; ``focus`` is a flag that is pointed out."""
    ships = tuple(_ship(state, place, focus) for place in range(len(state.seats)))
    said = last_said(says, evolve, before, events)
    over = heading(LEFT, "Pennant", _when(state), said, (40, 70))
    items: tuple[Item, ...] = (*ships, *readable(_action(state, before, events)), *over)
    return Scene(WIDTH, HEIGHT, "Pennant", _when(state), items)


def _when(state: State) -> str:
    """Points, turns, and what is waited for: the position in letters, as a line."""
    waits = ["dice are awaited"] if state.awaited is not None else []
    if state.result is not None:
        waits = [f"over: {' and '.join(state.result.winners) or 'nobody'} won"]
    return "; ".join([*board(state).split("\n"), *waits]) + "."


def _ship(state: State, place: int, focus: str) -> Group:
    seat, (x, y) = state.seats[place], SHIPS[place]
    paint: Paint = "focus" if focus == seat else PAINTS[place]
    items: list[Item] = [hull((x, y), 60, 14, paint)]
    if state.tenders[place]:
        items.append(boat((x, y + BELOW), 24, 8, PAINTS[place]))
    if state.colours:
        colour = state.colours[place]
        items.append(badge((x, y - 30), COLOURS[colour], colour, 10))
    elif state.choices[place] is not None:
        items.append(badge((x, y - 30), SEALED, "sealed", 10))
    if state.winners is None and state.step == BATTLE and place == state.mover:
        items.append(Word(x, y - 46, "to fire", 12, "strong", "middle", "to-fire"))
    items.append(Word(x, y + 90, f"{seat}: {state.points[place]}", 14, "text", "middle", "points"))
    title = f"the flag of {seat}, {state.points[place]} points"
    return Group(tuple(items), "unit", title, key=seat)


def _action(state: State, before: State | None, events: tuple[AnyEvent, ...]) -> Iterator[Group]:
    """A line for a shot, with what came of it; a cross where a tender went down."""
    now = before
    for event in events:
        title = says(now, event)
        match event:
            case FireDeclared(seat=seat, aim=aim):
                yield shot(*_line(state, seat), f"at the {aim}", "shot-open", title, None)
            case FireResolved(seat=seat, points=points, awaited=awaited):
                struck = points > 0 or awaited is not None
                yield shot(*_line(state, seat), f"{points} points", "shot", title, struck)
            case TenderLost(seat=seat):
                x, y = SHIPS[state.seats.index(seat)]
                yield Group((cross((x, y + BELOW), 20, "sunk"),), "last removal", title)
            case _:
                pass
        now = evolve(now, event)


def _line(state: State, seat: str) -> tuple[tuple[int, int], tuple[int, int]]:
    """From the ship that fires to the other one."""
    place = state.seats.index(seat)
    return SHIPS[place], SHIPS[1 - place]
