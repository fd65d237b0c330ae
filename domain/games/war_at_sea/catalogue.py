"""What War at Sea ships besides rules: units, abilities, scenarios, maps and rule texts."""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec

from ...kernel.codec import full
from ...kernel.game import Catalogue, Entry
from ...kernel.rulebook import RuleText, load_rulebook
from .abilities.played import implemented
from .abilities.vocabulary import Family, families
from .cards import CARDS, Card, card, missing, pieces, squadrons
from .charts import charts
from .scenarios import PACKAGE, scenarios


def _plain(value: Any) -> dict[str, Any]:
    built: dict[str, Any] = msgspec.to_builtins(value)
    return built


def _unit(each: Card) -> Entry:
    figures = _plain(each)
    provenance = figures.pop("provenance")
    figures.pop("id"), figures.pop("name")
    printed = _plain(card(each.id, "2007"))
    differs = {key: printed[key] for key in figures if printed[key] != figures[key]}
    beside = {key: value for key, value in _on_print(each).items() if value != figures[key]}
    if differs:
        figures["printed2007"] = differs
    if beside:
        figures["print"] = beside
    lacking = missing(each)
    return Entry(
        id=each.id,
        name=each.name,
        playable=not lacking,
        missing=lacking,
        data=figures,
        provenance=provenance,
    )


def _on_print(each: Card) -> dict[str, Any]:
    """The figures of the card itself, which the rulebook may contradict (RUL-110)."""
    known = _plain(card(each.id, "2009", "print"))
    return {key: value for key, value in known.items() if key not in APART}


APART = ("id", "name", "provenance")
"""What stands apart from a unit's figures."""


def _piece(each: Card) -> Entry:
    whence = "an ability of another unit" if each.id in squadrons() else "a scenario"
    text = f"It comes with {whence}; no fleet can hold it."
    return msgspec.structs.replace(_unit(each), text=text, playable=False)


@cache
def units() -> tuple[Entry, ...]:
    """All cards, with what keeps one from being playable yet; then what no fleet can hold.

    A piece that a scenario (the convoy Ship) or an ability (a scoutplane) brings is in no fleet:
    it is not ``playable``.
    """
    return (
        *(_unit(each) for each in CARDS.values()),
        *(_piece(each) for each in pieces().values()),
    )


@cache
def abilities() -> tuple[Entry, ...]:
    """Every ability family: text, effects in the closed vocabulary, and examples."""
    return tuple(
        Entry(
            id=slug,
            name=family.name,
            text=family.text,
            playable=slug in implemented(),
            data=_plain(family),
        )
        for slug, family in families().items()
    )


@cache
def scenario_entries() -> tuple[Entry, ...]:
    """The scenarios with their limits, targets and rules."""
    return tuple(Entry(s.id, s.name, s.text, data=full(s)) for s in scenarios().values())


@cache
def maps() -> tuple[Entry, ...]:
    """The charts: islands with their artwork, shoals and objectives."""
    return tuple(Entry(c.id, c.name, data=full(c)) for c in charts().values())


@cache
def rules() -> tuple[RuleText, ...]:
    """The rulebook, every rule and ruling in our words, and the rules that only cards have."""
    book = load_rulebook(PACKAGE)
    known = {rule.id for rule in book}
    cards_own = {f.id: _card_rule(slug, f) for slug, f in families().items() if f.id not in known}
    return book + tuple(cards_own.values())


def _card_rule(slug: str, family: Family) -> RuleText:
    return RuleText(
        id=family.id,
        title=family.name,
        text=family.text,
        editions=("2007", "2009"),
        source="unit cards",
        status="done" if slug in implemented() else "deferred",
        area="CARD",
    )


CATALOGUE = Catalogue(units, abilities, scenario_entries, maps, rules)
