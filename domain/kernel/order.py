"""The order in which things are told that have none of their own.

A dict in a state or an event has no order: JSON objects have none, and a state is its canonical
form. Where an order means something it is a tuple; all else is told by name, as people count:
``p1-2`` before ``p1-10``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import TypeVar

T = TypeVar("T")

_DIGITS = re.compile("([0-9]+)")


def natural(name: str) -> tuple[tuple[str | int, ...], str]:
    """Sorts names by their letters and by their numbers as numbers."""
    parts = enumerate(_DIGITS.split(name))
    return tuple(int(part) if place % 2 else part for place, part in parts), name


@lru_cache(maxsize=1024)
def _sorted(names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(sorted(names, key=natural))


def listed(things: Mapping[str, T]) -> tuple[T, ...]:
    """The values in order of their names."""
    return tuple([things[name] for name in _sorted(tuple(things))])


def ordered(things: Mapping[str, T]) -> list[tuple[str, T]]:
    """Names and values in order of the names."""
    return [(name, things[name]) for name in _sorted(tuple(things))]
