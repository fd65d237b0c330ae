"""The bot of War at Sea: it reckons with rough sums in floats, so it does not live in the rules."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from domain.kernel.shown.bot import Bot

from .greedy import Greedy

BOTS: Mapping[str, Callable[[], Bot]] = {"greedy": Greedy}

__all__ = ["BOTS", "Greedy"]
