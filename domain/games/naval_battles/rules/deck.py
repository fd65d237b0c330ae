"""The action cards: the shipped deck of 102, decks that players bring, and looking cards up."""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, Literal

from msgspec import Meta

from ....kernel.data import ShownKeys, load_toml
from ....kernel.rules import rule
from ....kernel.values import Value
from .ships import PACKAGE

SHOWN_KEYS: ShownKeys = {"deck.toml": {"cards.evidence": None}}
"""Where the rulebook gives a figure of a card."""

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

Id = Annotated[
    str,
    Meta(
        description="Stable name of the card.",
        pattern="^[a-z0-9]+(-[a-z0-9]+)*$",
        max_length=60,
        examples=["main-14-18-4"],
    ),
]
Title = Annotated[str, Meta(description="Its usual name.", min_length=1, max_length=60)]
What = Annotated[Family, Meta(description="The effect of the card, by its family.")]
Copies = Annotated[int, Meta(description="Copies in the deck.", ge=1, le=50)]
Inches = Annotated[int, Meta(ge=1, le=20)]
Calibers = Annotated[
    tuple[Inches, ...], Meta(description="Salvos: inches of mounts that may fire it.")
]
Damage = Annotated[
    int,
    Meta(description="Salvos, torpedoes, depth charges: damage points of a hit.", ge=0, le=20),
]
Raids = Annotated[int, Meta(description="Land-based air raids: how many raids.", ge=0, le=6)]
Face = Annotated[int, Meta(ge=2, le=12)]
Needs = Annotated[
    tuple[Face, ...],
    Meta(description="Land-based air raids: numbers needed against rows 1, 2, 3.", max_length=3),
]
NeedsSubmarine = Annotated[
    int, Meta(description="Land-based air raids: number needed against a submarine.", ge=0, le=12)
]
Points = Annotated[
    int, Meta(description="Reinforcements: victory points of ships it brings.", ge=0, le=25)
]
Evidence = Annotated[
    str, Meta(description="The place in the rulebook that gives a figure of it.", max_length=200)
]


class ActionCard(Value, frozen=True):
    """One kind of action card; equal copies are interchangeable and share the ID."""

    id: Id
    name: Title
    family: What
    count: Copies
    calibers: Calibers = ()
    damage: Damage = 0
    raids: Raids = 0
    needs: Needs = ()
    needs_submarine: NeedsSubmarine = 0
    points: Points = 0
    evidence: Evidence = ""


Cards = Annotated[
    tuple[ActionCard, ...],
    Meta(
        description="The kinds of cards, in the order in which a draw counts.",
        min_length=1,
        max_length=200,
    ),
]
Name = Annotated[str, Meta(description="The name of the deck.", max_length=80)]


class Deck(Value, frozen=True):
    """A whole deck of action cards."""

    cards: Cards
    name: Name = ""


Table = dict[str, ActionCard]


@rule("NB-DECK-01")
def load_deck() -> Deck:
    """The shipped deck of 102 cards."""
    return load_toml(PACKAGE, "deck.toml", Deck)


STANDARD = load_deck()


@lru_cache(maxsize=64)
def table(deck: Deck) -> Table:
    """Cards of a deck by ID, in its order."""
    return {card.id: card for card in deck.cards}


STANDARD_TABLE: Table = table(STANDARD)


def full_deck(cards: Table) -> tuple[str, ...]:
    """Every copy of every card, in the deck's order."""
    return tuple(card.id for card in cards.values() for _ in range(card.count))


def sorted_cards(cards: Table, ids: tuple[str, ...]) -> tuple[str, ...]:
    """``ids`` in the deck's order: the order in which a draw counts and a hand is shown."""
    place = {name: number for number, name in enumerate(cards)}
    return tuple(sorted(ids, key=lambda name: place.get(name, len(place))))
