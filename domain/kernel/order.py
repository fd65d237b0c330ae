"""The order in which things are told that have none of their own.

A dict in a state or an event has no order: JSON objects have none, and a state is its canonical
form. Where an order means something it is a tuple; all else is told by name, as people count:
``p1-2`` before ``p1-10``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from operator import itemgetter
from typing import Any, Protocol, TypeVar

from .values import Seat


class Owned(Protocol):
    """What belongs to a seat."""

    @property
    def seat(self) -> Seat: ...


T = TypeVar("T")
OwnedT = TypeVar("OwnedT", bound=Owned)

_DIGITS = re.compile("([0-9]+)")


def natural(name: str) -> tuple[tuple[str | int, ...], str]:
    """Sorts names by their letters and by their numbers as numbers."""
    parts = enumerate(_DIGITS.split(name))
    return tuple(int(part) if place % 2 else part for place, part in parts), name


@lru_cache(maxsize=1024)
def _sorted(names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(sorted(names, key=natural))


@lru_cache(maxsize=1024)
def _picker(names: tuple[str, ...]) -> Callable[[Mapping[str, T]], tuple[T, ...]]:
    """What takes the values of these names in their order; states ask for it after every event."""
    return _taking(_sorted(names))


def _taking(keys: Sequence[Any]) -> Callable[[Any], tuple[Any, ...]]:
    """What takes the things at these keys, as fast as can be: one key gives a tuple too."""
    if len(keys) > 1:
        return itemgetter(*keys)
    return lambda things: tuple([things[key] for key in keys])


@lru_cache(maxsize=1024)
def _members(groups: tuple[str, ...]) -> tuple[tuple[str, Callable[[Any], tuple[Any, ...]]], ...]:
    """For each group, what takes its members out of as many things."""
    places = {group: [n for n, each in enumerate(groups) if each == group] for group in groups}
    return tuple((group, _taking(numbers)) for group, numbers in places.items())


def grouped(things: Sequence[T], groups: Iterable[str]) -> dict[str, tuple[T, ...]]:
    """The things by the group that is given for each, in their order."""
    return {group: take(things) for group, take in _members(tuple(groups))}


def listed(things: Mapping[str, T]) -> tuple[T, ...]:
    """The values in order of their names."""
    return _picker(tuple(things))(things)


def seated(things: Mapping[str, OwnedT]) -> dict[Seat, tuple[OwnedT, ...]]:
    """The values of each seat that has any, in order of their names."""
    every = listed(things)
    return grouped(every, [each.seat for each in every])


def ordered(things: Mapping[str, T]) -> list[tuple[str, T]]:
    """Names and values in order of the names."""
    return [(name, things[name]) for name in _sorted(tuple(things))]
