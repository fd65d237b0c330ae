"""Chance by a test's own source: what the service draws comes in the order of requests."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable

FOLLOWING = "decklog-following"
"""The thread that follows the log: it draws at times of its own."""


def drawing(source: Callable[[int], bytes]) -> Callable[[int], bytes]:
    """What takes the place of ``secrets.token_bytes``, which the service's entropy asks."""
    honest = secrets.token_bytes

    def draw(size: int = 32) -> bytes:
        if threading.current_thread().name == FOLLOWING:
            return honest(size)
        return source(size)

    return draw
