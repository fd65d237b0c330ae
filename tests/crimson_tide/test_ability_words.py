"""Every word of every special ability is exchanged, and a numbered case notices.

A figure is one more and one less, a weapon or a ground is another, a word is left out: a case in
which somebody has the ability comes out otherwise.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any, NamedTuple, get_args

import pytest
from msgspec.structs import fields, replace

from domain.games.crimson_tide.rules import abilities as told
from domain.games.crimson_tide.rules.abilities import Family
from domain.games.crimson_tide.rules.ability_words import AnyWord
from domain.games.crimson_tide.rules.cards import cards
from domain.games.crimson_tide.rules.state import Hardness, Weapon
from tests.crimson_tide.ablation import loaded, record

OTHERS: dict[str, tuple[Any, ...]] = {
    "weapon": get_args(Weapon),
    "ground": get_args(Hardness),
}


class Change(NamedTuple):
    """An ability with one word exchanged."""

    family: Family
    told: str


def changes() -> Iterator[Change]:
    for family in told.abilities().values():
        for n, effect in enumerate(family.effects):
            for name, other in exchanged(effect):
                words = (*family.effects[:n], replace(effect, **{name: other}))
                made = replace(family, effects=words + family.effects[n + 1 :])
                tag = effect.__struct_config__.tag
                yield Change(made, f"{family.id}: {tag}.{name} {getattr(effect, name)} -> {other}")
            left = family.effects[:n] + family.effects[n + 1 :]
            yield Change(replace(family, effects=left), f"{family.id}: no {type(effect).__name__}")


def exchanged(effect: AnyWord) -> Iterator[tuple[str, Any]]:
    for each in fields(effect):
        value = getattr(effect, each.name)
        if type(value) is int:
            yield from ((each.name, value + step) for step in (-1, 1))
        else:
            yield from ((each.name, o) for o in OTHERS.get(each.name, ()) if o != value)


@contextmanager
def made(change: Change) -> Iterator[None]:
    """Until this is left, the ability is the changed one."""
    known = told.abilities()
    kept = known[change.family.id]
    known[change.family.id] = change.family
    told._told.cache_clear()
    try:
        yield
    finally:
        known[change.family.id] = kept
        told._told.cache_clear()


@cache
def usual(family: str) -> tuple[tuple[dict[str, Any], str], ...]:
    """The cases in which somebody has the ability, with what comes of each."""
    who = [card.id for card in cards().values() if any(a.family == family for a in card.abilities)]
    texts = ((case, json.dumps(case)) for case in loaded())
    held = (c for c, text in texts if any(f'"{name}"' in text for name in (family, *who)))
    first = sorted(held, key=lambda case: family not in json.dumps(case))
    return tuple((case, outcome(case)) for case in first)


def outcome(case: dict[str, Any]) -> str:
    try:
        return repr(record(case))
    except Exception as broken:  # that it breaks down is another thing, too
        return f"{type(broken).__name__}: {broken}"


def noticed(change: Change) -> str:
    known = usual(change.family.id)
    with made(change):
        return next((case["id"] for case, before in known if outcome(case) != before), "")


OWED = {
    "escort: escorts.klicks 8 -> 7",
    "extended-range: reach.beyond 4 -> 3",
    "extended-range: reach.beyond 4 -> 5",
    "long-lance: reach.beyond 1 -> 0",
    "long-lance: reach.beyond 1 -> 2",
    "long-lance: reach.to 4 -> 3",
    "long-lance: reach.to 4 -> 5",
}
"""Words that no case shows yet: the list may only shrink."""


@pytest.mark.parametrize("change", list(changes()), ids=lambda change: change.told)
def test_a_case_notices_another_word(change: Change) -> None:
    found = noticed(change)
    if change.told in OWED:
        assert not found, f"{found} shows it: strike it off the list of those owed"
        return
    assert found, (
        f"{change.told}: no case of tests/cases/crimson_tide comes out otherwise; it wants one in "
        "which somebody has the ability, on each side of the figure"
    )


def test_what_is_owed_is_a_word() -> None:
    assert {change.told for change in changes()} >= OWED
