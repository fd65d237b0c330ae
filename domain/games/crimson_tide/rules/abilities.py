"""The special abilities as data: what they are called, what they do, which rules they change."""

from __future__ import annotations

from functools import cache
from typing import TypeVar

from ....kernel.data import ShownKeys, load_toml
from ....kernel.rules import rule
from ....kernel.values import Value
from .ability_words import Amount, AnyWord
from .cards import PACKAGE, Card, cards

W = TypeVar("W", bound=AnyWord)

SHOWN_KEYS: ShownKeys = {"abilities.toml": {"ability.text": "", "ability.source": ""}}
"""What an ability does is in its effects; its sentence and its source are for people."""


class Family(Value, frozen=True):
    """One special ability; ``negative`` ones have to be applied, whatever happens (CT-SA-05).

    effects  what it does, in the words of ability_words.py
    source   a section of the booklet, or ``ours`` with the section that leaves room for it
    """

    id: str
    name: str
    text: str
    rules: tuple[str, ...]
    source: str
    effects: tuple[AnyWord, ...]
    negative: bool = False


class _File(Value, frozen=True):
    """``abilities.toml``."""

    ability: tuple[Family, ...]


@cache
def abilities() -> dict[str, Family]:
    """Every special ability by its ID."""
    return {each.id: each for each in load_toml(PACKAGE, "abilities.toml", _File).ability}


@cache
def _told(card: str, harming_only: bool) -> tuple[tuple[AnyWord, int], ...]:
    """All that the abilities on a card say, each time with the card's number."""
    return tuple(
        (effect, each.n)
        for each in cards()[card].abilities
        if abilities()[each.family].negative or not harming_only
        for effect in abilities()[each.family].effects
    )


@rule("CT-SA-10")
def found(card: str, word: type[W], harming_only: bool = False) -> tuple[tuple[W, int], ...]:
    """What the abilities on a card say with this word, each time with the card's number.

    harming_only  only negative abilities are asked: the others are out of order
    """
    told = _told(card, harming_only)
    return tuple((effect, n) for effect, n in told if isinstance(effect, word))


def has(card: Card, word: type[W]) -> bool:
    """Whether any ability of a card has this word, working or not."""
    return bool(found(card.id, word))


def amount(given: Amount, n: int) -> int:
    """An amount of a word, where the card's number is ``n``."""
    return n if given == "n" else given


__all__ = ["Family", "abilities", "amount", "found", "has"]
