"""What is so after the events of the set-up, of chance and of the deck."""

from __future__ import annotations

from msgspec.structs import replace

from .....kernel.order import ordered
from .....kernel.values import Hidden, Known, StepKey
from .. import events as ev
from ..deck import sorted_cards
from ..state import Hand, Ship, State
from .common import Folds, cards_of, joined, less


def opened(event: ev.GameOpened) -> State:
    seats = event.seats
    return State(
        edition=event.edition,
        scenario=event.scenario,
        options=event.options,
        seats=seats,
        step=StepKey("nations"),
        house=event.house,
        sunk=dict.fromkeys(seats, ()),
        earlier=dict.fromkeys(seats, 0),
        hands=dict.fromkeys(seats, Known(())),
        prepared=dict.fromkeys(seats, ()),
    )


def _nation(state: State, e: ev.NationTaken) -> State:
    return replace(state, nations={**state.nations, e.seat: e.nation})


def _committed(state: State, e: ev.FleetCommitted) -> State:
    return replace(state, committed={**state.committed, e.seat: e.ships})


def _first(state: State, e: ev.FirstPlayerRolled) -> State:
    tied = () if e.first else _highest(e.faces)
    return replace(state, first=e.first, tied=tied)


def _highest(faces: dict[str, int]) -> tuple[str, ...]:
    best = max(faces.values())
    return tuple(seat for seat, face in ordered(faces) if face == best)


def _laid_out(state: State, e: ev.FleetLaidOut) -> State:
    ships = state.ships.copy()
    for number, row in enumerate(e.rows, 1):
        ships.update((name, Ship(name, e.seat, row=number)) for name in row)
    ships.update((name, Ship(name, e.seat, active=name in e.active)) for name in e.submarines)
    committed = {seat: fleet for seat, fleet in state.committed.items() if seat != e.seat}
    reserves = {**state.reserves, e.seat: e.reserve}
    lacking = {**state.lacking, e.seat: e.lacking} if e.lacking else state.lacking
    return replace(state, ships=ships, committed=committed, reserves=reserves, lacking=lacking)


def _deck(state: State, e: ev.DeckLaid) -> State:
    if not e.renewed:
        return replace(state, deck=e.cards)
    cards = sorted_cards(cards_of(state), state.discards)
    return replace(state, deck=e.cards, discards=(), renewed=cards, drawn={})


def _awaited(state: State, e: ev.DiceAwaited) -> State:
    roll = e.roll if e.roll is not None else state.roll
    return replace(state, awaiting=e.awaited, purpose=e.purpose, roll=roll, rolls=state.rolls + 1)


def _thrown(state: State, e: ev.DiceThrown) -> State:
    return replace(state, awaiting=None, purpose=None)


def _drawn(state: State, e: ev.CardsDrawn) -> State:
    hands = {**state.hands, e.seat: joined(state, state.hands[e.seat], e.cards)}
    drawn = _counted(state, e) if state.renewed else state.drawn
    return replace(state, hands=hands, deck=_taken(state.deck, e.cards), drawn=drawn)


def _counted(state: State, e: ev.CardsDrawn) -> dict[str, int]:
    return {**state.drawn, e.seat: state.drawn.get(e.seat, 0) + e.cards.count}


def _taken(deck: Hand, cards: Hand) -> Hand:
    if isinstance(cards, Known) and isinstance(deck, Known):
        return less(deck, cards.items)
    return Hidden(deck.count - cards.count)


HOW: Folds = {
    ev.NationTaken: _nation,
    ev.FleetCommitted: _committed,
    ev.FirstPlayerRolled: _first,
    ev.FleetLaidOut: _laid_out,
    ev.DeckLaid: _deck,
    ev.DiceAwaited: _awaited,
    ev.DiceThrown: _thrown,
    ev.CardsDrawn: _drawn,
}
"""Event type to its fold."""
