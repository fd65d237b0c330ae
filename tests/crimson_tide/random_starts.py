"""Random scenarios that say where each unit begins, from a seed."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from domain.games.crimson_tide.rules.cards import Card, catalogue
from domain.games.crimson_tide.rules.fleets import fits
from domain.games.crimson_tide.rules.state import LAND_BASE

STRIDE = 5_000
"""Thousandths of a klick from spot to spot: two of the largest bases, however they head."""
ACROSS, ALONG = range(STRIDE, 36_000, STRIDE), range(STRIDE, 56_000, STRIDE)


def brings(seed: int) -> bool:
    """Whether the scenario of a seed places the units: of two players, or of teams."""
    return seed >= 20 and (seed % 8 == 7 or seed % 16 == 5)


def document(seed: int, least: int) -> dict[str, Any]:
    """A scenario on the open sea: so many ships a side at least, aircraft, perhaps a convoy."""
    dice = random.Random(f"start {seed}")
    spots = [[x, y] for x in ACROSS for y in ALONG]
    dice.shuffle(spots)
    convoy = dice.choice((0, 0, 3))
    sides = {side: list(_side(side, least, spots, dice)) for side in ("first", "second")}
    whose = dice.choice(("first", "second", "both")) if convoy else "first"
    escorts = [side for side in sides if whose in (side, "both")]
    ships = [_afloat(e, "convoy-ship", spots.pop(), dice) for e in escorts for _ in range(convoy)]
    made = {"id": "random", "name": "Random", "text": "Anything.", "turns": dice.randint(3, 6)}
    made |= {"convoy": convoy, "convoySide": whose}
    return made | {"start": [*sides["first"], *ships, *sides["second"]]}


def _side(
    side: str, least: int, spots: list[list[int]], dice: random.Random
) -> Iterator[dict[str, Any]]:
    cards = list(catalogue().values())
    ships = dice.sample([c for c in cards if c.kind != "aircraft"], dice.randint(least, least + 3))
    for ship in ships:
        yield _afloat(side, ship.id, spots.pop(), dice)
        fitting = [c for c in cards if c.kind == "aircraft" and fits(c, ship)]
        for card in dice.choices(fitting, k=dice.randint(0, ship.aircraft)) if fitting else ():
            yield _based(side, card, ship.id)
    for card in dice.sample([c for c in cards if c.kind == "aircraft"], dice.randint(0, 2)):
        yield _based(side, card, LAND_BASE)


def _afloat(side: str, card: str, at: list[int], dice: random.Random) -> dict[str, Any]:
    return {"side": side, "card": card, "at": at, "heading": dice.randrange(720)}


def _based(side: str, card: Card, base: str) -> dict[str, Any]:
    return {"side": side, "card": card.id, "base": base}
