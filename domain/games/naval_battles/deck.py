"""The action cards: the shipped deck of 102, and how a deck is looked up in a game."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

from ...kernel.data import load_toml
from ...kernel.rules import rule
from ...kernel.values import Value
from .ships import PACKAGE

Family = Literal[
    "main-salvo",
    "secondary-salvo",
    "secondary-salvo-double",
    "torpedo-spread",
    "depth-charges",
    "land-air-raid",
    "surprise-attack",
    "near-miss",
    "armor-plating",
    "escort-ship",
    "planning",
    "small-target",
    "evasive-action",
    "retreat",
    "reinforcements",
]


class ActionCard(Value, frozen=True):
    """One kind of action card; equal copies are interchangeable and share the ID.

    family     what it does: a file in ``cards/``
    count      copies in the deck
    calibers   salvos: inches that may fire it
    damage     damage points scored on a hit; 0: none
    raids      air raids it launches
    needs      number needed against rows 1, 2, 3
    needs_submarine  number needed against a submarine
    points     reinforcements: victory points of ships
    evidence   where the rulebook gives a figure of it; empty: ours
    """

    id: str
    name: str
    family: Family
    count: int
    calibers: tuple[int, ...] = ()
    damage: int = 0
    raids: int = 0
    needs: tuple[int, ...] = ()
    needs_submarine: int = 0
    points: int = 0
    evidence: str = ""


class Deck(Value, frozen=True):
    """A whole deck, in the order in which a draw counts."""

    card: tuple[ActionCard, ...]


Table = dict[str, ActionCard]


@rule("NB-DECK-01")
def load_deck() -> Deck:
    """The shipped deck of 102 cards."""
    return load_toml(PACKAGE, "deck.toml", Deck)


STANDARD = load_deck()


@lru_cache(maxsize=64)
def table(deck: Deck) -> Table:
    """Cards of a deck by ID, in its order."""
    return {card.id: card for card in deck.card}


STANDARD_TABLE: Table = table(STANDARD)


def full_deck(cards: Table) -> tuple[str, ...]:
    """Every copy of every card, in the deck's order."""
    return tuple(card.id for card in cards.values() for _ in range(card.count))


def sorted_cards(cards: Table, ids: tuple[str, ...]) -> tuple[str, ...]:
    """``ids`` in the deck's order: the order in which a draw counts and a hand is shown."""
    place = {name: number for number, name in enumerate(cards)}
    return tuple(sorted(ids, key=lambda name: place.get(name, len(place))))
