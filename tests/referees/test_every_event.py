"""The referee judges each event of War at Sea, or says that it is bound by nothing it can judge."""

from __future__ import annotations

from collections.abc import Collection

from domain.games.war_at_sea import GAME
from service.referees.war_at_sea import RULES

FREE = frozenset({
    "ability-declined", "aircraft-stayed", "attack-given-up", "carrier-doomed", "claim-declined",
    "customs-brought", "deployer-chosen", "edges-chosen", "effect-ended", "light-changed",
    "mines-laid", "mines-swept", "side-chooser-found", "smoke-cleared", "smoke-laid",
    "squalls-moved", "stack-kept", "stalemate-called", "weather-rolled",
})  # fmt: skip
"""Announcements, and what lies on the map: no points, no units."""


def unjudged(rules: Collection[str]) -> set[str]:
    """Events that are judged by nothing and not listed, and entries that are not true."""
    return {event.NAME for event in GAME.events} - set(rules) ^ FREE


def test_every_event_is_judged_or_listed() -> None:
    assert unjudged(RULES) == set(), "RULES of service/referees/war_at_sea.py"


def test_an_event_that_nobody_judges_is_named() -> None:
    assert unjudged(set(RULES) - {"unit-removed"}) == {"unit-removed"}
    assert unjudged({*RULES, "smoke-laid"}) == {"smoke-laid"}
