"""English that sentences of every game need: lists and numbers of things."""

from __future__ import annotations

from collections.abc import Iterable


def join(words: Iterable[str]) -> str:
    """``a``, ``a and b``, ``a, b and c``."""
    every = tuple(words)
    if len(every) < 2:
        return "".join(every)
    return f"{', '.join(every[:-1])} and {every[-1]}"


def count(number: int, noun: str, many: str = "") -> str:
    """``1 die``, ``6 dice``; with an s where ``many`` is not given: ``6 cards``."""
    return f"{number} {noun if number == 1 else many or noun + 's'}"
