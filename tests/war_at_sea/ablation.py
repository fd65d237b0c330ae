"""Whether an ability acts in a case or an example: it is played twice, once without the ability.

An ability *acts* where something comes out otherwise without it: an event, a command that is
accepted or refused, the table at the end, or what may be done there. It *rests* where somebody has
it and nothing comes out otherwise. Which of the two is so is never taken from what a case says.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from typing import Any

import msgspec

from domain.games.war_at_sea.rules import cards, facts
from domain.games.war_at_sea.rules.families import effects
from domain.games.war_at_sea.rules.families.vocabulary import families
from domain.games.war_at_sea.rules.families.words import Printed
from tests.support import cases
from tests.support.battle import catalogues
from tests.support.outcomes import outcome

from .suite import SUITE


@cache
def loaded() -> tuple[dict[str, Any], ...]:
    """Every numbered case of the game."""
    return tuple(cases.load(SUITE.folder))


@cache
def holders() -> dict[str, frozenset[str]]:
    """The cases in which somebody has a family: IDs of cases by family."""
    found: dict[str, set[str]] = {}
    for case in loaded():
        for name in set(re.findall(r'"([a-z0-9-]+)"', json.dumps(case))) & cards.CARDS.keys():
            for ref in cards.CARDS[name].abilities:
                found.setdefault(ref.family, set()).add(case["id"])
    return {family: frozenset(names) for family, names in found.items()}


@contextmanager
def without(family: str) -> Iterator[None]:
    """Until this is left, no card has the ability."""
    kept = []
    for catalogue in catalogues():
        held = {name: card for name, card in catalogue.items() if effects.has(card, family)}
        kept.append((catalogue, held))
        catalogue.update({name: _stripped(card, family) for name, card in held.items()})
    facts._in_role.cache_clear()
    try:
        yield
    finally:
        for catalogue, held in kept:
            catalogue.update(held)
        facts._in_role.cache_clear()


def _stripped(card: cards.Card, family: str) -> cards.Card:
    """The card without the ability; ``printed`` says that the antiair row shows what it does."""
    left = tuple(ref for ref in card.abilities if ref.family != family)
    if any(isinstance(effect, Printed) for effect in families()[family].effects):
        row = (card.dice("antiair", 0), *[cards.NO_ATTACK] * 3)
        return msgspec.structs.replace(
            card, abilities=left, attacks={**card.attacks, "antiair": row}
        )
    return msgspec.structs.replace(card, abilities=left)


def matters(family: str, play: Callable[[], Any]) -> bool:
    """Whether what is played comes out otherwise without the family."""
    usual = play()
    with without(family):
        return bool(play() != usual)


def acts_in(family: str, case: Mapping[str, Any]) -> bool:
    """Whether the family makes a difference to a numbered case."""
    return matters(family, lambda: record(case))


def record(case: Mapping[str, Any]) -> list[Any]:
    """All that comes out of a case, but for marks of what is dealt with."""
    try:
        found = outcome(SUITE, case, counts=lambda event: not _says_where(event))
        return [_unmarked(each) if isinstance(each, dict) else each for each in found]
    finally:
        facts._in_role.cache_clear()


def _unmarked(state: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in state.items() if name != "tended"}


def _says_where(event: Mapping[str, Any]) -> bool:
    """Steps that are entered, and marks that are set, for abilities alone: what happens counts."""
    entered = event["type"] == "step-began" and event["step"]["part"] in ("before", "after")
    return entered or event["type"] == "task-done"
