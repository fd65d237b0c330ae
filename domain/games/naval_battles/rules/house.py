"""A deck that the players bring: what the rules say against it (NB-RUL-07)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from ....kernel.custom import Custom
from ....kernel.form import Fault
from ....kernel.rules import rule
from .cards import SHOTS, depth_charges, land_air_raid, reinforcements
from .deck import STANDARD, ActionCard, Deck
from .ships import SHIPS

FEWEST = 42
"""Cards that six hands of seven hold."""
MOST = 400
WEAPONS = 3
"""One card in so many at least must be able to harm a surface ship, or a battle hardly ends."""
DIE = 6
"""The highest face of the die that an air raid rolls."""
HEAVIEST_FLAK = max(-ship.anti_aircraft for ship in SHIPS.values())
"""What the best anti-aircraft guns of any ship add to the number of a raid against it."""
CALIBERS = {"main": (11, 12, 13, 14, 15, 16, 18), "secondary": (4, 5, 6, 8)}
"""Inches of the mounts that ships have (NB-SHIP-12)."""


@rule("NB-RUL-07")
def judge(deck: Deck) -> Iterator[Fault]:
    """Enough cards, enough weapons, each card once and with the figures that its kind needs.

    One raid at least must be good against any ship of a first row and any submarine: it needs no
    ship, so that whoever draws it can go on, whatever is left of the fleets. The rows behind close
    up when those before them are gone.
    """
    total = sum(card.count for card in deck.cards)
    if not FEWEST <= total <= MOST:
        hint = f"Six hands take {FEWEST} cards; at most {MOST} are allowed."
        yield _fault("deck.size", "/cards", f"The deck has {total} cards.", hint)
    weapons = sum(card.count for card in deck.cards if _harms(card))
    if weapons * WEAPONS < total:
        text = f"{weapons} of {total} cards can harm a surface ship."
        hint = f"Make one card in {WEAPONS} a salvo, a torpedo spread or an air raid at least."
        yield _fault("deck.too-peaceful", "/cards", text, hint)
    if not any(_sure(card) for card in deck.cards):
        text = "With this deck the last ships of a battle may be out of everybody's reach."
        hint = (
            f"Put in a land-based air raid that needs {DIE - HEAVIEST_FLAK} at most against row 1 "
            f"and {DIE} at most against submarines."
        )
        yield _fault("deck.no-last-resort", "/cards", text, hint)
    seen: set[str] = set()
    for number, card in enumerate(deck.cards):
        at = f"/cards/{number}"
        if card.id in seen:
            hint = "Give each kind one entry, with its count."
            yield _fault("deck.card-twice", f"{at}/id", f"{card.id!r} is there twice.", hint)
        seen.add(card.id)
        yield from _card(card, at)


def _harms(card: ActionCard) -> bool:
    """Whether it can harm a surface ship: depth charges cannot, nor a Surprise Attack."""
    if card.family == land_air_raid.FAMILY:
        return any(needed <= DIE for needed in card.needs)
    return card.family in SHOTS and card.family != depth_charges.CARD.family


def _sure(card: ActionCard) -> bool:
    """Whether it is a raid by which any ship of a first row and any submarine can be sunk."""
    if card.family != land_air_raid.FAMILY or not card.needs:
        return False
    return card.needs[0] + HEAVIEST_FLAK <= DIE and 0 < card.needs_submarine <= DIE


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
