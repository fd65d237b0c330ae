"""What Crimson Tide ships besides rules: units, abilities, scenarios, charts and rule texts."""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec

from ....kernel.codec import full
from ....kernel.rules import rule
from ....kernel.shown.catalogue import Catalogue, Entry
from ....kernel.shown.rulebook import RuleText, load_rulebook
from ..rules.abilities import abilities
from ..rules.cards import Card, cards, catalogue
from ..rules.charts import charts
from ..rules.scenarios import scenarios
from .figures import FORMS


def _plain(value: Any) -> dict[str, Any]:
    built: dict[str, Any] = msgspec.to_builtins(value)
    return built


@rule("CT-CARD-01", "CT-CARD-03")
def _unit(card: Card) -> Entry:
    """A card as the catalogue shows it; what is only printed for information comes along."""
    figures = _plain(card) | {"cost": card.points}
    basis = figures.pop("basis")
    figures.pop("id"), figures.pop("name")
    text = "" if card.id in catalogue() else "It comes with a scenario; no fleet can hold it."
    return Entry(
        id=card.id,
        name=f"{card.name} {card.hull_number}".strip(),
        text=text,
        playable=card.id in catalogue(),
        data=figures,
        provenance=basis,
    )


@cache
def units() -> tuple[Entry, ...]:
    """All cards; those that only scenarios bring are in no fleet."""
    return tuple(_unit(card) for card in cards().values())


@cache
def ability_entries() -> tuple[Entry, ...]:
    """Every special ability with its text, and whether it is the booklet's or ours."""
    return tuple(
        Entry(
            id=each.id,
            name=each.name,
            text=each.text,
            data=_plain(each),
            provenance={"source": each.source},
        )
        for each in abilities().values()
    )


@cache
def scenario_entries() -> tuple[Entry, ...]:
    """The scenarios with their limits and rules."""
    return tuple(Entry(s.id, s.name, s.text, data=full(s)) for s in scenarios().values())


@cache
def maps() -> tuple[Entry, ...]:
    """The charts: land, shallows, storms and objectives."""
    return tuple(Entry(c.id, c.name, c.text, data=full(c)) for c in charts().values())


@cache
def rules() -> tuple[RuleText, ...]:
    """The rulebook, every rule and ruling in our words."""
    return load_rulebook(__name__.rsplit(".", 2)[0])


CATALOGUE = Catalogue(units, ability_entries, scenario_entries, maps, rules, FORMS)
"""All of it, as the kernel knows it."""
