"""The plain values that every game uses: seats, viewers, and things that are known or hidden."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

import msgspec

Seat = str
"""Who acts: a player's seat such as ``"p1"``, or :data:`CHANCE`."""

Viewer = str
"""Who looks on: a seat, :data:`PUBLIC`, or :data:`TRUTH`."""

CHANCE: Seat = "chance"
"""The seat that answers every request for dice or cards. A rule never rolls; it asks this seat."""

PUBLIC: Viewer = "public"
"""An onlooker who is entitled to nothing that any player hides."""

TRUTH: Viewer = "truth"
"""The whole truth: what the store folds, and what an auditor may open after the game."""

Choose = Callable[[int], int]
"""Randomness that comes in from outside: a number from 0 up to, but not with, the one given."""

T = TypeVar("T")


class Value(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename="camel"):
    """Base of every kernel and game value: immutable, comparable, one JSON form (camelCase)."""


class Hidden(Value, frozen=True, tag_field="sight", tag="hidden"):
    """Something that exists but this viewer may not see; ``count`` is its public size.

    A secret whose size is itself secret (a sealed fleet list) has ``count`` 1: one envelope.
    """

    count: int


class Known(Value, Generic[T], frozen=True, tag_field="sight", tag="known"):
    """The same thing, seen: ``items`` in their proper order."""

    items: tuple[T, ...]

    @property
    def count(self) -> int:
        return len(self.items)


class StepKey(Value, frozen=True, order=True, cache_hash=True):
    """The key of a step in an order of play: its phase, and its part of the phase.

    phase  stable key of the phase
    part   ``""`` where a phase has no parts, or for a step before them

    As text it is for sentences and labels; a reader of one of the two reads the field.
    """

    phase: str
    part: str = ""

    def __str__(self) -> str:
        return f"{self.phase}.{self.part}" if self.part else self.phase


class Part(Value, frozen=True, omit_defaults=True):
    """A piece of a state. Its canonical form leaves defaults out, so that a field which a later
    version adds does not change the digest of a state that was recorded before.
    """
