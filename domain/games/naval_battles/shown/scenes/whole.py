"""The picture as a whole."""

from __future__ import annotations

from collections.abc import Iterator

from .....kernel.shown.drawing import cut, heading, last_said, legend, readable, wrapped
from .....kernel.shown.scene import Box, Group, Item, Scene, Word
from .....kernel.shown.wording import count, join
from ...rules import events as ev
from ...rules.evolve import evolve
from ...rules.scenarios import SCENARIOS, is_linked
from ...rules.state import State
from .. import names
from ..sentences import says
from .action import Places, drawn
from .cards import HAND_HEIGHT, HAND_WIDTH, LETTERS, MARKERS, backs, face
from .fleet import LEFT, TOTAL, Fleet

TOP = 100


def scene(state: State, before: State | None, events: tuple[ev.AnyEvent, ...], focus: str) -> Scene:
    """The table with its last action; ``focus`` is a ship to be pointed out."""
    items, places, top, width = _table(state, focus)
    items += _gone(state, before, events, places)
    items += readable(drawn(before, events, state, places))
    items += _heading(state, before, events)
    signs, height = _signs(top)
    items.append(Group(tuple(signs), name="legend-all", title="what the signs mean"))
    title = f"Naval Battles, {_name(state)}"
    return Scene(width, top + height + 20, title, _when(state), tuple(items))


def _table(state: State, focus: str) -> tuple[list[Item], Places, int, int]:
    """Two fleets face each other, with the piles between them; more lie in two columns."""
    items: list[Item] = []
    places: Places = {}
    facing = len(state.seats) == 2
    piles, first = ([], TOP) if facing else _piles(state, TOP)
    columns = [first] if facing else [first, first]
    for number, seat in enumerate(state.seats):
        column = columns.index(min(columns))
        corner = LEFT + column * TOTAL, columns[column]
        fleet = Fleet(state, seat, corner, focus, front_first=not facing or number > 0)
        items.append(fleet.group())
        places |= fleet.places
        columns[column] = fleet.y + 24
        if facing and number == 0:
            piles, columns[0] = _piles(state, columns[0])
    return [*items, *piles], places, max(columns), TOTAL * len(columns)


def _name(state: State) -> str:
    known = SCENARIOS.get(state.scenario)
    name = known.name if known is not None else state.scenario
    return f"{name}, battle {state.battle}" if is_linked(state.scenario) else name


def _piles(state: State, top: int) -> tuple[list[Item], int]:
    """Deck and discards, between the first fleet and the others; cards that are being used."""
    items: list[Item] = []
    x = LEFT
    if state.deck.count:
        title = f"deck of {count(state.deck.count, 'card')}"
        items.append(backs(state.deck.count, (x, top), "deck", title))
        x += 190
    if state.discards:
        items.append(Word(x, top + 30, f"discards {len(state.discards)}", 12, "strong"))
        items.append(face(state, state.discards[-1], (x + 84, top), "discard"))
        x += 84 + HAND_WIDTH + 20
    lines = list(_asides(state))
    for number, line in enumerate(lines):
        items.append(Word(x, top + 14 + 15 * number, cut(line, 130), 12, "text", name="aside"))
    if not items:
        return [], top
    return items, top + max(HAND_HEIGHT, 15 * len(lines)) + 20


def _asides(state: State) -> Iterator[str]:
    """What is going on besides: surprises, raids to be aimed, dice about to be rolled."""
    for surprise in state.surprises:
        yield f"{names.card_name(state, surprise.card)} against {surprise.target}"
    if state.aim is not None:
        card = names.card_name(state, state.aim.card)
        yield f"{card}: {count(state.aim.left, 'raid')} to be aimed"
    if state.roll is not None:
        planned = f", {state.roll.planned} Planning" if state.roll.planned else ""
        yield f"{state.roll.seat} is about to roll for {state.roll.kind}{planned}"
    if state.removing:
        yield f"up to {count(state.removing, 'damage card')} may be removed"
    if state.tied:
        yield f"tied for the first turn: {join(state.tied)}"


def _gone(
    state: State, before: State | None, events: tuple[ev.AnyEvent, ...], places: Places
) -> Iterator[Item]:
    """Ships that were sunk just now lie between the fleets, so that the hit can be seen."""
    x = TOTAL - 20
    for event in events:
        if isinstance(event, ev.ShipSunk) and event.ship not in places:
            x -= 160
            y = TOP - 34
            places[event.ship] = (x + 75, y + 14)
            yield Box(x, y, 150, 28, "card", "sunk-card", 5)
            yield Word(x + 75, y + 19, cut(names.ship_name(event.ship), 22), 12, "strong", "middle")


def _when(state: State) -> str:
    """The heading's second line."""
    when = "set-up"
    if state.turn:
        when = f"turn {state.turn} (round {state.round}) of {state.active}"
    parts = [when, names.step_name(state.step)]
    if state.first:
        parts.append(f"{state.first} began")
    if state.calm:
        parts.append(f"{count(state.calm, 'round')} without damage")
    if state.awaiting is not None:
        parts.append("dice are awaited")
    if state.result is not None:
        winners = join(state.result.winners)
        parts.append(f"over: {state.result.reason}, {winners or 'nobody'} won")
    return "; ".join(parts) + "."


def _heading(state: State, before: State | None, events: tuple[ev.AnyEvent, ...]) -> Iterator[Item]:
    said = last_said(says, evolve, before, events)
    return heading(LEFT, f"Naval Battles: {_name(state)}", _when(state), said, (80, 150))


def _signs(top: int) -> tuple[list[Item], int]:
    """The legend: letters of types, markers."""
    kinds = "   ".join(f"{sign} {kind.replace('-', ' ')}" for kind, sign in LETTERS.items())
    lines = wrapped(kinds, 150)
    items: list[Item] = [
        Word(LEFT, top + 14 + 16 * number, line, 12, "faint") for number, line in enumerate(lines)
    ]
    more, height = legend((LEFT, top + 16 * len(lines) + 8), MARKERS, TOTAL - 2 * LEFT)
    return [*items, *more], height + 16 * len(lines) + 8
