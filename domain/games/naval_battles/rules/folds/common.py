"""Small changes that several events have in common."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from .....kernel.values import Hidden, Known, Seat
from ..deck import STANDARD_TABLE, Table, sorted_cards, table
from ..state import Attack, Hand, Ship, State

Folds = dict[type, Callable[[State, Any], State]]
"""Event type to the function that folds it."""


def cards_of(state: State) -> Table:
    """The action cards of this game by ID."""
    return STANDARD_TABLE if state.house is None else table(state.house)


def changed(state: State, name: str, **changes: Any) -> dict[str, Ship]:
    ships = state.ships.copy()
    ships[name] = replace(ships[name], **changes)
    return ships


def joined(state: State, hand: Hand, cards: Hand) -> Hand:
    """A hand with more cards; it can be seen only where both parts can."""
    if isinstance(hand, Known) and isinstance(cards, Known):
        return Known(sorted_cards(cards_of(state), (*hand.items, *cards.items)))
    return Hidden(hand.count + cards.count)


def less(hand: Hand, cards: tuple[str, ...]) -> Hand:
    """A hand without the cards that were played from it."""
    if isinstance(hand, Hidden):
        return Hidden(hand.count - len(cards))
    left = list(hand.items)
    for card in cards:
        left.remove(card)
    return Known(tuple(left))


def played(state: State, seat: Seat, *cards: str) -> dict[Seat, Hand]:
    """All hands after a seat has played cards."""
    return {**state.hands, seat: less(state.hands[seat], cards)}


def without(state: State, number: int) -> tuple[Attack, ...]:
    """The open attacks without one that is finished."""
    return tuple(attack for attack in state.attacks if attack.number != number)


def attack_changed(state: State, number: int, **changes: Any) -> tuple[Attack, ...]:
    return tuple(
        replace(attack, **changes) if attack.number == number else attack
        for attack in state.attacks
    )
