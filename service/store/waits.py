"""How long those who ask a database wait for a connection to it."""

from __future__ import annotations

from typing import NamedTuple


class Waits(NamedTuple):
    """How the connections of a database keep up.

    waiting  who waits for one now
    waited   how often somebody had to wait
    seconds  that all of them have waited
    """

    waiting: int = 0
    waited: int = 0
    seconds: float = 0.0
