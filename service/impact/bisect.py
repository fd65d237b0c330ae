"""The first of many rules under which a game goes otherwise, found by halving."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Generic, NamedTuple, TypeVar

T = TypeVar("T")


class Found(NamedTuple, Generic[T]):
    """Where it begins.

    first    of the candidates; None where the last one is as before
    before   the last that is as before; None where that is what all are compared with
    between  candidates between the two that could not be tried: it may have begun with one of them
    tried    how many were tried
    """

    first: T | None
    before: T | None
    between: tuple[T, ...]
    tried: int


def first(candidates: Sequence[T], differs: Callable[[T], bool | None]) -> Found[T]:
    """The first candidate that differs, if one that differs is followed by such only.

    differs  None for a candidate that cannot be tried
    """
    known: dict[int, bool | None] = {}

    def asked(at: int) -> bool | None:
        if at not in known:
            known[at] = differs(candidates[at])
        return known[at]

    high = next((n for n in reversed(range(len(candidates))) if asked(n) is not None), -1)
    if high < 0 or not asked(high):
        return Found(None, candidates[high] if high >= 0 else None, (), len(known))
    low = -1
    while (middle := _middle(low, high, asked)) is not None:
        if asked(middle):
            high = middle
        else:
            low = middle
    before = candidates[low] if low >= 0 else None
    return Found(candidates[high], before, tuple(candidates[low + 1 : high]), len(known))


def _middle(low: int, high: int, asked: Callable[[int], bool | None]) -> int | None:
    """The candidate nearest to the middle between two that can be tried; None where none can."""
    middle = (low + high) // 2
    inner = sorted(range(low + 1, high), key=lambda at: abs(at - middle))
    return next((at for at in inner if asked(at) is not None), None)
