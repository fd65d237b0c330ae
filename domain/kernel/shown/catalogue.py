"""What a ruleset ships for people to look up: units, abilities, scenarios, maps, rules."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

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


Kind = Literal["unit", "ability", "scenario", "map"]
"""Kinds of entries."""


@dataclass(frozen=True)
class Form:
    """The types of an entry's figures and of where they come from, for who reads them.

    data        whose fields the figures are, but for those of ``without``
    beside      fields that are added, or that take the place of others
    provenance  None where nothing is told of it
    """

    data: type[Value]
    without: tuple[str, ...] = ()
    beside: type[Value] | None = None
    provenance: type[Value] | None = None


@dataclass(frozen=True)
class Catalogue:
    """What a ruleset ships besides rules. Functions: nothing is loaded before it is asked for.

    forms  of the entries of each kind; readers are told nothing of the figures of any other
    """

    units: Callable[[], tuple[Entry, ...]] = tuple
    abilities: Callable[[], tuple[Entry, ...]] = tuple
    scenarios: Callable[[], tuple[Entry, ...]] = tuple
    maps: Callable[[], tuple[Entry, ...]] = tuple
    rules: Callable[[], tuple[RuleText, ...]] = tuple
    forms: Mapping[Kind, Form] = field(default_factory=dict, hash=False)
