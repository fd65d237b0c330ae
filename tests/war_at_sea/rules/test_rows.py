"""The farthest range of an attack: nothing that a unit may declare finds dice beyond it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import get_args

import pytest

from domain.games.war_at_sea.rules.cards import Card, Kind, catalogue_of
from domain.games.war_at_sea.rules.editions import EDITIONS, Edition
from domain.games.war_at_sea.rules.rows import farthest, value_at
from domain.games.war_at_sea.rules.state import Unit

KINDS: tuple[Kind, ...] = get_args(Kind)
RANGES = range(12)


def _in_reach(card: Card, weapon: Kind, others: list[Card]) -> Iterator[int]:
    """Every range at which the card has dice, sound or damaged, with or without its abilities."""
    every = tuple(ref.family for ref in card.abilities)
    for damage in (0, 1):
        unit = Unit(id="p1-1", card=card.id, seat="p1", damage=damage)
        for declared in {(), every, *((family,) for family in every)}:
            for on in others if every else others[:1]:
                for reach in RANGES:
                    if value_at(unit, card, weapon, reach, declared, on) > 0:
                        yield reach


@pytest.mark.parametrize("edition", EDITIONS)
def test_no_attack_has_dice_beyond_its_farthest_range(edition: Edition) -> None:
    cards = list(catalogue_of(edition, "print").values())
    kinds = list({(card.type, card.subtype): card for card in cards}.values())
    for card in cards:
        for weapon in KINDS:
            found = max(_in_reach(card, weapon, kinds), default=-1)
            assert found == farthest(card, weapon), (card.id, weapon)
