"""How a game between bots came out, over HTTP or in this process."""

from __future__ import annotations

from typing import NamedTuple

from .bot import Json


class Outcome(NamedTuple):
    """How a match came out. ``result`` is None when it was stopped before the end."""

    result: Json | None
    scores: dict[str, int]
    version: int
    commands: int
