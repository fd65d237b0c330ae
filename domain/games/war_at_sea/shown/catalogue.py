"""What War at Sea ships besides rules: units, abilities, scenarios, maps and rule texts."""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec

from ....kernel.codec import full
from ....kernel.shown.catalogue import Catalogue, Entry
from ....kernel.shown.rulebook import RuleText, load_rulebook
from ..rules.cards import CARDS, AbilityRef, Card, Provenance, card, missing, pieces, squadrons
from ..rules.charts import charts
from ..rules.editions import EDITIONS
from ..rules.families.played import implemented
from ..rules.families.vocabulary import Family, families
from ..rules.scenarios import scenarios
from .figures import APART, FORMS


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
            provenance=known_from(slug),
        )
        for slug, family in families().items()
    )


@cache
def known_from(slug: str) -> dict[str, Any]:
    """How an ability was checked: as well as on the best known of the cards that have it.

    ``figures`` of a card leaves its abilities to transcriptions, so it counts by how many of these
    there are (units/README.md); ``card`` says that the ability was read off the card as well.
    """
    told = [card.provenance for card in CARDS.values() if slug in map(_family, card.abilities)]
    known = [{"verified": _verified(each), "sources": _words_from(each)} for each in told]
    return min(known, key=lambda each: CHECKED.index(each["verified"]), default=NOBODYS)


NOBODYS: dict[str, Any] = {"verified": "ours", "sources": ("ours",)}
CHECKED = ("card", "pair", "single", "ours")
"""How an ability may have been checked, the best first."""


def _family(ref: AbilityRef) -> str:
    return ref.family


def _words_from(told: Provenance) -> tuple[str, ...]:
    """The sources of what a card's abilities are."""
    return tuple(each for each in told.sources if told.verified != "figures" or each != "S1")


def _verified(told: Provenance) -> str:
    if told.verified != "figures":
        return told.verified
    return "pair" if len(_words_from(told)) > 1 else "single"


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
    book = load_rulebook(__name__.rsplit(".", 2)[0])
    known = {rule.id for rule in book}
    cards_own = {f.id: _card_rule(slug, f) for slug, f in families().items() if f.id not in known}
    return book + tuple(cards_own.values())


def _card_rule(slug: str, family: Family) -> RuleText:
    return RuleText(
        id=family.id,
        title=family.name,
        text=family.text,
        editions=EDITIONS,
        source="unit cards",
        status="done" if slug in implemented() else "deferred",
        area="CARD",
    )


CATALOGUE = Catalogue(units, abilities, scenario_entries, maps, rules, FORMS)
