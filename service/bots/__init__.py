"""Bots, and the client by which they play: nothing but the public HTTP API and its data.

    from service.bots import DecklogClient, RandomLegal, play, seated

Bots never import the rules: a position is what the service lists and shows to the seat. ``local``
plays the same bots on a game in this process, for tests and quick experiments.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .bot import RANDOM, Bot, Item, Position, RandomLegal, bots_of, random_legal
    from .client import ApiError, DecklogClient
    from .heads import Head, Heads, OtherRecord
    from .local import LocalGame
    from .match import Move, play, seated, steps
    from .outcome import Outcome
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

_HOMES = {
    "bot": ("RANDOM", "Bot", "Item", "Position", "RandomLegal", "bots_of", "random_legal"),
    "client": ("ApiError", "DecklogClient"),
    "heads": ("Head", "Heads", "OtherRecord"),
    "local": ("LocalGame",),
    "match": ("Move", "play", "seated", "steps"),
    "outcome": ("Outcome",),
    "signer": ("Signer",),
}
"""Who serves has to know which bots there are and needs no client of HTTP: each is imported when
it is asked for."""


def __getattr__(name: str) -> Any:
    for module, names in _HOMES.items():
        if name in names:
            return getattr(import_module(f".{module}", __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
