"""Whether an ability acts in a case or an example: it is played twice, once without the ability.

An ability *acts* where something comes out otherwise without it: an event, an accepted command, the
table at the end, or what may be done there. It *rests* where the engine asked about it for a card
that has it and nothing comes out otherwise. Nothing is taken from names or titles.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from types import FrameType
from typing import Any

import msgspec

from domain.games.war_at_sea.abilities import effects, shots, words
from domain.games.war_at_sea.abilities.vocabulary import families
from domain.games.war_at_sea.abilities.words import Printed
from domain.games.war_at_sea.cards import Card, Kind
from domain.games.war_at_sea.rules import facts
from domain.kernel.codec import full
from domain.kernel.rules import Refused
from tests.support import cases
from tests.support.battle import SEATS, Battle, catalogues, passing_cards


def held(case: Mapping[str, Any]) -> set[str]:
    """Families on the cards that the case names, wherever it names them."""
    text = json.dumps(case)
    return {
        ref.family
        for catalogue in catalogues()
        for card in catalogue.values()
        if f'"{card.id}"' in text
        for ref in card.abilities
    }


def stripped(card: Card, family: str) -> Card:
    """The card without the ability, and without figures that only the ability explains."""
    left = tuple(ref for ref in card.abilities if ref.family != family)
    bare = msgspec.structs.replace(card, abilities=left)
    if any(isinstance(effect, Printed) for effect in families()[family].effects):
        row: dict[Kind, tuple[int, int, int, int]] = {"antiair": (card.dice("antiair", 0), -1, -1, -1)}
        return msgspec.structs.replace(bare, attacks=card.attacks | row)
    return bare


@contextmanager
def without(family: str) -> Iterator[None]:
    """Until this is left, no card has the ability."""
    kept = []
    for catalogue in catalogues():
        holders = {n: c for n, c in catalogue.items() if effects.has(c, family)}
        kept.append((catalogue, holders))
        catalogue.update({n: stripped(c, family) for n, c in holders.items()})
    facts._in_role.cache_clear()
    try:
        yield
    finally:
        for catalogue, holders in kept:
            catalogue.update(holders)
        facts._in_role.cache_clear()


def record(case: Mapping[str, Any]) -> list[Any]:
    """All that comes out of a case: which entries are accepted, the events, the end.

    A command that was possible only with the ability is refused without it; the rest of the script
    is not played then. Why a command is refused does not count, only that it is.
    """
    try:
        with passing_cards():
            return _record(case)
    finally:
        facts._in_role.cache_clear()


def _record(case: Mapping[str, Any]) -> list[Any]:
    played = cases.begin(case)
    if played.battle is None:
        return ["no battle"]
    battle = played.battle
    taken = []
    for entry in case.get("script", ()):
        try:
            taken.append(cases.answer(battle, entry) is None)
        except AssertionError:
            return [taken, "no dice are awaited"]
    return [taken, [cases.event(each) for each in battle.events], _end(battle)]


def _end(battle: Battle) -> list[Any]:
    offers = [[msgspec.to_builtins(each) for each in battle.offers(seat)] for seat in SEATS]
    return [full(battle.state), list(battle.asked()), offers]


class Asked:
    """Sees, while it is entered, about which abilities on cards the engine asks."""

    def __init__(self) -> None:
        self.families: set[str] = set()

    def __enter__(self) -> Asked:
        self._before = sys.getprofile()
        sys.setprofile(self._see)
        return self

    def __exit__(self, *_: object) -> None:
        sys.setprofile(self._before)

    def _see(self, frame: FrameType, event: str, _: Any) -> None:
        if event != "call":
            return
        seen = frame.f_locals
        if frame.f_code is _HAS:
            self.families |= {r.family for r in seen["card"].abilities if r.family == seen["family"]}
        elif frame.f_code is _HOLDS:
            self.families.add(seen["ref"].family)
        elif frame.f_code is _EFFECTS_OF:
            self.families |= set(_with_word(seen["card"], seen["word"]))


_HAS, _HOLDS = shots.has.__code__, shots._holds.__code__
_EFFECTS_OF = shots.effects_of.__code__


def _with_word(card: Card, word: type[Any]) -> Iterator[str]:
    """Families of the card with such a word; words about attacks are judged one by one instead."""
    if not issubclass(word, shots.When) or word is words.ForbidTarget:
        for ref in card.abilities:
            if any(isinstance(e, word) for e in families()[ref.family].effects):
                yield ref.family


def shown(case: Mapping[str, Any]) -> dict[str, bool]:
    """For each family that the case shows: whether it acts (true) or rests (false)."""
    with Asked() as asked:
        usual = record(case)
    found = {}
    for family in held(case):
        with without(family):
            other = record(case)
        if other != usual:
            found[family] = True
        elif family in asked.families:
            found[family] = False
    return found
