"""What decides names its rule, and what came to nothing says why: event by event, for any game."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import Any

from tests.support.suites import AnyGame

AGREED = frozenset({"WAS-VP-05"})
"""Rules of one edition that players may agree on in another (RUL-77)."""


def faults(game: AnyGame, state: Any, events: Iterable[Any]) -> Iterator[str]:
    """What lacks in ``events``, which follow on ``state``; each is looked at where it happened."""
    for event in events:
        yield from _of(game, state, event)
        state = game.evolve(state, event)


def _of(game: AnyGame, state: Any, event: Any) -> Iterator[str]:
    tables, kind = game.tables, type(event)
    assert tables is not None
    if not event.rules and kind not in tables.unruled:
        yield f"{event.NAME} names no rule: {event}"
    for each in event.rules:
        if each not in _ids(game.catalogue.rules):
            yield f"{event.NAME} names {each}, which is no rule of {game.title}"
    for each in foreign(game, state, event.rules):
        yield f"{event.NAME} names {each}, which does not hold in {state.edition}"
    why = tables.vain[kind](state, event) if kind in tables.vain else None
    said = "" if why is None else game.says(state, event)
    if why is not None and not (why and why in said):
        yield f"{event.NAME} came to nothing and does not say why: {said!r}"


def foreign(game: AnyGame, state: Any, rules: Iterable[str]) -> list[str]:
    """Rules that do not hold in the game's edition: nothing in it rests on them."""
    edition, holds = getattr(state, "edition", ""), _editions(game.catalogue.rules)
    given = (each for each in rules if edition and each not in AGREED)
    return [each for each in given if edition not in holds.get(each, edition)]


@cache
def _editions(texts: Callable[[], tuple[Any, ...]]) -> dict[str, tuple[str, ...]]:
    return {text.id: text.editions for text in texts()}


@cache
def _ids(texts: Callable[[], tuple[Any, ...]]) -> frozenset[str]:
    return frozenset(text.id for text in texts())
