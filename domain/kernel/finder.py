"""Games are found by entry point: ours use the same door as a third party's."""

from __future__ import annotations

from functools import cache
from importlib.metadata import entry_points
from typing import Any

from .game import Game

GROUP = "decklog.games"


@cache
def games() -> dict[str, Game[Any, Any, Any]]:
    """Every installed ruleset by its name, in order of name.

    Raises ValueError when an entry point's name is not the name of the ruleset it leads to.
    """
    found: dict[str, Game[Any, Any, Any]] = {}
    for point in sorted(entry_points(group=GROUP), key=lambda p: p.name):
        game = point.load()
        if game.ruleset != point.name:
            raise ValueError(f"entry point {point.name!r} leads to ruleset {game.ruleset!r}")
        found[point.name] = game
    return found


def home_of(game: Game[Any, Any, Any]) -> str:
    """The package, or the one module, that a game lives in: its entry point's, else its state's.

    A package is a game's own that has the game's name.
    """
    if game.ruleset in _homes():
        return _homes()[game.ruleset]
    module, own = game.state.__module__, game.ruleset.replace("-", "_")
    parts = module.split(".")
    return ".".join(parts[: parts.index(own) + 1]) if own in parts else module


@cache
def _homes() -> dict[str, str]:
    """What each entry point leads into; read once, since the names of all that is installed are."""
    return {point.name: point.module for point in entry_points(group=GROUP)}
