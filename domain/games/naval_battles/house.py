"""A deck that the players bring: what the rules say against it (NB-RUL-07)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from ...kernel.custom import Custom
from ...kernel.form import Fault
from ...kernel.rules import rule
from .cards import SHOTS, land_air_raid, reinforcements, steps_of
from .deck import STANDARD, ActionCard, Deck

FEWEST = 42
"""Cards that six hands of seven hold."""
MOST = 400
ATTACKS = 3
"""At least one card in so many must be an attack, or a battle would hardly end."""
CALIBERS = {"main": (11, 12, 13, 14, 15, 16, 18), "secondary": (4, 5, 6, 8)}
"""Inches of the mounts that ships have (NB-SHIP-12)."""


@rule("NB-RUL-07")
def judge(deck: Deck) -> Iterator[Fault]:
    """Enough cards, enough attacks, each card once and with the figures that its kind needs."""
    total = sum(card.count for card in deck.cards)
    if not FEWEST <= total <= MOST:
        hint = f"Six hands take {FEWEST} cards; at most {MOST} are allowed."
        yield _fault("deck.size", "/cards", f"The deck has {total} cards.", hint)
    attacks = sum(card.count for card in deck.cards if steps_of(card.family) == ("attack",))
    if attacks * ATTACKS < total:
        hint = f"Make one card in {ATTACKS} an attack at least."
        yield _fault("deck.too-peaceful", "/cards", f"{attacks} of {total} are attacks.", hint)
    seen: set[str] = set()
    for number, card in enumerate(deck.cards):
        at = f"/cards/{number}"
        if card.id in seen:
            hint = "Give each kind one entry, with its count."
            yield _fault("deck.card-twice", f"{at}/id", f"{card.id!r} is there twice.", hint)
        seen.add(card.id)
        yield from _card(card, at)


def _card(card: ActionCard, at: str) -> Iterator[Fault]:
    shot = SHOTS.get(card.family)
    if (card.damage > 0) != (shot is not None):
        hint = "Salvos, torpedoes and depth charges score damage; other cards do not."
        yield _fault("deck.damage", f"{at}/damage", f"Damage {card.damage} is wrong here.", hint)
    known = CALIBERS.get(shot.mount, ()) if shot is not None else ()
    if bool(card.calibers) != bool(known) or any(each not in known for each in card.calibers):
        hint = f"Name some of {', '.join(map(str, known))}." if known else "Name no caliber."
        text = "These calibers do not fit the kind of card."
        yield _fault("deck.calibers", f"{at}/calibers", text, hint)
    raid = card.family == land_air_raid.FAMILY
    complete = card.raids > 0 and len(card.needs) == 3 and card.needs_submarine > 1
    if raid and not complete:
        hint = "Give raids, needs for rows 1 to 3, and needsSubmarine of 2 or more."
        yield _fault("deck.raid", at, "A land-based air raid lacks figures.", hint)
    if not raid and (card.raids or card.needs or card.needs_submarine):
        hint = "Only land-based air raids have raids and needs."
        yield _fault("deck.raid", at, "These figures belong to air raids.", hint)
    if (card.points > 0) != (card.family == reinforcements.FAMILY):
        hint = "Reinforcements bring points; other cards have none."
        yield _fault("deck.points", f"{at}/points", f"Points {card.points} are wrong here.", hint)


def _fault(code: str, pointer: str, text: str, hint: str) -> Fault:
    return Fault(code, pointer, text, "NB-RUL-07", hint)


def examples() -> tuple[dict[str, Any], ...]:
    """The shipped deck, to start from."""
    cards = [msgspec.structs.replace(card, evidence="") for card in STANDARD.cards]
    shipped = Deck(tuple(cards), "The shipped deck")
    document: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(shipped))
    return (document,)


CUSTOMS: tuple[Custom[Any], ...] = (
    Custom(
        "deck",
        "A deck of action cards",
        "The action cards of a game: how many of each kind, with which figures.",
        Deck,
        judge,
        examples,
    ),
)
