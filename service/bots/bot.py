"""Bots by name: those of a game, those that lie beside this file, and one that plays any game."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from domain.kernel.game import Game
from domain.kernel.shown.bot import Bot, Item, Json, Position

__all__ = ["RANDOM", "Bot", "Item", "Json", "Position", "RandomLegal", "bots_of", "random_legal"]

RANDOM = "random"
"""The name of the bot that plays any game."""

MakeBot = Callable[[str], Bot]
"""Makes a bot from a seed; most leave nothing to chance and do not look at it."""


def random_legal(items: Sequence[Item], rng: random.Random) -> Item:
    """Any of the items, each as likely. Concessions are not among them, so nobody gives up."""
    if not items:
        raise ValueError("there is nothing to choose from")
    return items[rng.randrange(len(items))]


def chosen(make: MakeBot, position: Position, strength: str, seed: str) -> Item:
    """What a bot gives at a strength: an "easy" one takes anything, one time in three."""
    rng = random.Random(seed)
    if strength == "easy" and rng.randrange(3) == 0:
        return random_legal(position.items, rng)
    return make(seed).choose(position)


class RandomLegal:
    """Plays anything that is legal; the same seed plays the same."""

    def __init__(self, seed: int | str = 0) -> None:
        self._rng = random.Random(seed)

    def choose(self, position: Position) -> Item:
        return random_legal(position.items, self._rng)


def bots_of(game: Game[Any, Any, Any]) -> Mapping[str, MakeBot]:
    """Every bot that plays the game, by its name; the one to take where none is named first.

    A game brings pure bots itself (:attr:`Game.bots`). One that reckons with floats or draws lots
    cannot live in ``domain``: it is in the package here that is named like the ruleset, as
    ``BOTS``. The random one is always there.
    """
    own: dict[str, MakeBot] = {name: _seedless(make) for name, make in game.bots.items()}
    package = f"{__package__}.{game.ruleset.replace('-', '_')}"
    if find_spec(package) is not None:
        beside: Mapping[str, Callable[[], Bot]] = getattr(import_module(package), "BOTS", {})
        own |= {name: _seedless(make) for name, make in beside.items()}
    return {**own, RANDOM: RandomLegal}


def _seedless(make: Callable[[], Bot]) -> MakeBot:
    return lambda seed: make()
