"""Bots of this game by name, the best one first; found through :attr:`Game.bots`."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from .....kernel.shown.bot import Bot
from .admiral import Admiral

BOTS: Mapping[str, Callable[[], Bot]] = {"admiral": Admiral}

__all__ = ["BOTS", "Admiral"]
