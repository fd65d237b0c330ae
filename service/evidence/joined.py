"""A game that nobody joined cannot be won: when its end goes to nobody."""

from __future__ import annotations

from collections.abc import Collection

from domain.kernel.values import Seat


def goes_to_nobody(
    waiting: Collection[Seat], taken: Collection[Seat], winners: Collection[Seat]
) -> bool:
    """Whether a result with these winners is none, because the other side of it was never there.

    waiting  the seats that waited for a player when the game was created
    taken    those of them that somebody took
    Where no seat waited the game is its creator's alone, as a practice battle is, and counts.
    """
    empty = set(waiting) - set(taken)
    if not empty:
        return False
    return not taken or (bool(winners) and empty.issuperset(winners))
