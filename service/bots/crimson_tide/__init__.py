"""Bots for Crimson Tide: what they see is what the service shows and lists to their seat."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from domain.kernel.shown.bot import Bot

from .captain import Captain
from .lookout import Lookout

BOTS: Mapping[str, Callable[[], Bot]] = {"captain": Captain}
"""Every bot of this ruleset, by its name."""

__all__ = ["BOTS", "Captain", "Lookout"]
