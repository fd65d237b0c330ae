"""A ruleset as its forks are played (``forking.py``), with what shows them."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

from .forking import fork_engine
from .game import Game
from .shown.roles import nothing


@cache
def fork_rules(game: Game[Any, Any, Any]) -> Game[Any, Any, Any]:
    """The ruleset as its forks are played."""
    decided = fork_engine(game)
    forked = decided.events[-1]

    def says(state: Any, event: Any) -> str:
        if isinstance(event, forked):
            return "The game goes on from a position of another one: what if."
        return game.says(state, event)

    return replace(decided, says=says, roles={**game.roles, forked: nothing})


def played(game: Game[Any, Any, Any], *, fork: bool) -> Game[Any, Any, Any]:
    """The ruleset as a game of it is played."""
    return fork_rules(game) if fork else game
