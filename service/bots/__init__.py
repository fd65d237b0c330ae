"""Bots, and the client by which they play: nothing but the public HTTP API and its data.

    from service.bots import DecklogClient, Greedy, play, seated

Bots never import the rules: a position is what the service lists and shows to the seat. ``local``
plays the same bots on a game in this process, for tests and quick experiments.
"""

from __future__ import annotations

from .bot import Bot, Item, Position, RandomLegal, random_legal
from .captain import Captain
from .client import ApiError, DecklogClient
from .greedy import Greedy
from .local import LocalGame
from .match import Move, Outcome, play, seated, steps

__all__ = [
    "ApiError",
    "Bot",
    "Captain",
    "DecklogClient",
    "Greedy",
    "Item",
    "LocalGame",
    "Move",
    "Outcome",
    "Position",
    "RandomLegal",
    "play",
    "random_legal",
    "seated",
    "steps",
]
