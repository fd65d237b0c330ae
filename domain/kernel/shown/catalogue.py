"""What a ruleset ships for people to look up: units, abilities, scenarios, maps, rules."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import msgspec

from ..values import Value
from .rulebook import RuleText


class Entry(Value, frozen=True):
    """One thing of the catalogue: a unit, a card, an ability, a scenario, a map.

    playable    whether it may be used now
    missing     the abilities that are not implemented yet, and so its reason
    data        its figures, as the game defines them
    provenance  where the figures come from
    """

    id: str
    name: str
    text: str = ""
    playable: bool = True
    missing: tuple[str, ...] = ()
    data: dict[str, Any] = msgspec.field(default_factory=dict)
    provenance: dict[str, Any] = msgspec.field(default_factory=dict)


@dataclass(frozen=True)
class Catalogue:
    """What a ruleset ships besides rules. Functions: nothing is loaded before it is asked for."""

    units: Callable[[], tuple[Entry, ...]] = tuple
    abilities: Callable[[], tuple[Entry, ...]] = tuple
    scenarios: Callable[[], tuple[Entry, ...]] = tuple
    maps: Callable[[], tuple[Entry, ...]] = tuple
    rules: Callable[[], tuple[RuleText, ...]] = tuple
