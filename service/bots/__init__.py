"""Bots, and the client by which they play: nothing but the public HTTP API and its data.

    from service.bots import DecklogClient, RandomLegal, play, seated

Bots never import the rules: a position is what the service lists and shows to the seat. ``local``
plays the same bots on a game in this process, for tests and quick experiments.
"""

from __future__ import annotations

from .bot import RANDOM, Bot, Item, Position, RandomLegal, bots_of, random_legal
from .client import ApiError, DecklogClient
from .heads import Head, Heads, OtherRecord
from .local import LocalGame
from .match import Move, Outcome, play, seated, steps
from .signer import Signer

__all__ = [
    "RANDOM",
    "ApiError",
    "Bot",
    "DecklogClient",
    "Head",
    "Heads",
    "Item",
    "LocalGame",
    "Move",
    "OtherRecord",
    "Outcome",
    "Position",
    "RandomLegal",
    "Signer",
    "bots_of",
    "play",
    "random_legal",
    "seated",
    "steps",
]
