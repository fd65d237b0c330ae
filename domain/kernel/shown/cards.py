"""Which card a unit is of, for games whose units are cards."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Protocol


class Carded(Protocol):
    """A unit in play, or one that has left it."""

    @property
    def card(self) -> str: ...


class Lost(Carded, Protocol):
    """A unit that has left play."""

    @property
    def id(self) -> str: ...


class Fleets(Protocol):
    """A state with units in play, and with those that have left it."""

    @property
    def units(self) -> Mapping[str, Carded]: ...

    @property
    def lost(self) -> Iterable[Lost]: ...


def card_of(state: Fleets | None, unit: str) -> str:
    """The card of a unit, also when it has left play; empty where nothing is known of it."""
    if state is None:
        return ""
    if unit in state.units:
        return state.units[unit].card
    return next((lost.card for lost in state.lost if lost.id == unit), "")
