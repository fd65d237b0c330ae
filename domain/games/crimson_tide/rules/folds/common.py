"""Small changes that several events have in common."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from .....kernel.values import Hidden, Known, Seat
from ..state import Pick, State, Unit

Folds = dict[type, Callable[[State, Any], State]]
"""Event type to the function that folds it."""


def changed(state: State, name: str, **changes: Any) -> dict[str, Unit]:
    units = state.units.copy()
    units[name] = replace(units[name], **changes)
    return units


def each_changed(state: State, names: tuple[str, ...], **changes: Any) -> dict[str, Unit]:
    units = state.units.copy()
    for name in names:
        units[name] = replace(units[name], **changes)
    return units


def scored(state: State, seat: Seat, points: int) -> dict[Seat, int]:
    return {**state.scores, seat: state.scores[seat] + points}


def without(fleet: Known[Pick] | Hidden, card: str, base: str = "") -> Known[Pick] | Hidden:
    """A fleet with one unit of this card fewer; of an aircraft's, the one for that base."""
    if isinstance(fleet, Hidden):
        return fleet
    picks = list(fleet.items)
    picks.remove(Pick(card, base))
    return Known(tuple(picks))
