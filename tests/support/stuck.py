"""Rules that come to no end when somebody chooses ``steady``, and catch what they can."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from domain.kernel.game import Game

from . import pennant


def slow(rules: Callable[..., Any]) -> Callable[..., Any]:
    """The rules, but for that choice."""

    def decide(state: Any, seat: str, command: Any) -> Any:
        while getattr(command, "colour", "") == "steady":
            try:
                sum(range(1_000))
            except Exception:
                continue
        return rules(state, seat, command)

    return decide


GAME: Game[Any, Any, Any] = replace(pennant.GAME, decide=slow(pennant.GAME.decide))
