"""Small changes that several events have in common."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from .....kernel.values import Hidden, Known, Seat
from ..state import Attack, State, Unit

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


def stacked(state: State, base: str, card: str) -> dict[str, tuple[str, ...]]:
    if base not in state.units:
        return state.stacks
    return {**state.stacks, base: (*state.stacks.get(base, ()), card)}


def tried(attack: Attack | None, what: str, **changes: Any) -> Attack | None:
    if attack is None:
        return None
    return replace(attack, tried=(*attack.tried, what), **changes)


def scored(state: State, seat: Seat, points: int) -> dict[Seat, int]:
    return {**state.scores, seat: state.scores[seat] + points}


def without(fleet: Known[str] | Hidden, card: str) -> Known[str] | Hidden:
    """A sealed fleet stays one envelope: even how many units are left is its owner's secret."""
    if isinstance(fleet, Hidden):
        return fleet
    cards = list(fleet.items)
    cards.remove(card)
    return Known(tuple(cards))
