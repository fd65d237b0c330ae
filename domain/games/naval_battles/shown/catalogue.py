"""What Naval Battles ships besides rules: ships, action cards, ways to play, and rule texts."""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec

from ....kernel.shown.catalogue import Catalogue, Entry
from ....kernel.shown.rulebook import RuleText, load_rulebook
from ..rules.cards import steps_of
from ..rules.deck import STANDARD
from ..rules.scenarios import SCENARIOS
from ..rules.ships import SHIPS
from .figures import FORMS


def _plain(value: Any, *without: str) -> dict[str, Any]:
    built: dict[str, Any] = msgspec.to_builtins(value)
    return {key: item for key, item in built.items() if key not in without}


@cache
def units() -> tuple[Entry, ...]:
    """The ship cards, nation by nation."""
    return tuple(
        Entry(
            ship.id,
            ship.name,
            data=_plain(ship, "id", "name", "provenance"),
            provenance=ship.provenance,
        )
        for ship in SHIPS.values()
    )


@cache
def abilities() -> tuple[Entry, ...]:
    """The action cards with their counts and figures; ``text`` is the rule of the family."""
    texts = {rule.id: rule.text for rule in rules()}
    return tuple(
        Entry(
            card.id,
            card.name,
            texts[_TEXT[card.family]],
            data=_plain(card, "id", "name", "evidence") | {"steps": list(steps_of(card.family))},
            provenance={"evidence": card.evidence} if card.evidence else {"status": "ours"},
        )
        for card in STANDARD.cards
    )


_TEXT = {
    "main-salvo": "NB-MAIN-03",
    "secondary-salvo": "NB-SEC-03",
    "secondary-salvo-double": "NB-SEC-05",
    "torpedo-spread": "NB-TORP-05",
    "depth-charges": "NB-DC-01",
    "land-air-raid": "NB-LBAR-05",
    "surprise-attack": "NB-SURP-02",
    "near-miss": "NB-NM-03",
    "armor-plating": "NB-AP-01",
    "escort-ship": "NB-ESC-01",
    "planning": "NB-PLAN-01",
    "small-target": "NB-ST-01",
    "evasive-action": "NB-EA-01",
    "retreat": "NB-RET-02",
    "reinforcements": "NB-REIN-02",
}
"""The rule that says best what a family of cards does."""


@cache
def scenarios() -> tuple[Entry, ...]:
    """A battle, linked games, teams."""
    return tuple(
        Entry(each.id, each.name, each.text, data=_plain(each)) for each in SCENARIOS.values()
    )


@cache
def rules() -> tuple[RuleText, ...]:
    """The rulebook: every rule and ruling in our words."""
    return load_rulebook(__name__.rsplit(".", 2)[0])


CATALOGUE = Catalogue(
    units=units, abilities=abilities, scenarios=scenarios, rules=rules, forms=FORMS
)
