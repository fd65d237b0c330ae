"""When a secret is one and when it is none any more: what ``secrets`` and roles say of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from ..chance import PUBLIC_DOMAIN
from ..codec import full
from ..conformance import AnyGame, Nonconformance
from ..values import PUBLIC, Viewer
from .completeness import file_of
from .suppositions import SEALED

REVEALED = "revealed"
"""What an event means that shows a secret."""
FEW = 3
"""Answers that are tried to see whether one of them is sealed."""


class Both(NamedTuple):
    """The truth, and what the public sees of it."""

    state: Any
    view: Any


def hidden_in(game: AnyGame, event: Any, viewer: Viewer) -> set[str]:
    """The fields of an event that ``viewer`` is not shown as they are."""
    shown = game.seen(event, viewer)
    names: tuple[str, ...] = event.__struct_fields__
    return {name for name in names if getattr(shown, name) != getattr(event, name)}


def differing(one: Any, other: Any) -> set[str]:
    """The fields in which two states differ."""
    names: tuple[str, ...] = one.__struct_fields__
    return {name for name in names if getattr(one, name) != getattr(other, name)}


def for_something(game: AnyGame, state: Any) -> None:
    """Everybody sees all: then dice are thrown that not all see, or an answer will be sealed."""
    awaited = game.awaiting(state)
    if awaited is not None and awaited.domain != PUBLIC_DOMAIN:
        return
    for question in game.pending(state) if game.result(state) is None else ():
        for command in game.legal(state, question.seat).commands[:FEW]:
            if any(
                hidden_in(game, event, PUBLIC)
                for event in game.decide(state, question.seat, command)
            ):
                return
    raise Nonconformance(
        "Game.secrets says that something is or may be sealed, and all see all "
        f"({file_of(game.secrets)})"
    )


def follow(
    game: AnyGame, state: Any, view: Any, events: Sequence[Any], means: dict[type, bool]
) -> Any:
    """The public's view after events, each of which means something where it shows a secret.

    means  types of events that mean ``revealed``, and whether one had less sealed after it
    """
    for event in events:
        seen = game.seen(event, PUBLIC)
        after, shown = game.evolve(state, event), game.evolve(view, seen)
        roles = {each.role for each in game.meaning(state, event)}
        if REVEALED in roles and view is not None:
            less = _count(full(shown)) < _count(full(view))
            means[type(event)] = less or means.get(type(event), False)
        opened = [] if roles else _came_out(Both(state, view), Both(after, shown), seen)
        if opened:
            raise Nonconformance(
                f"event {event.NAME}: shows all that was sealed in {', '.join(opened)}, and means "
                f"nothing to readers; others mean {REVEALED} (Game.roles)"
            )
        state, view = after, shown
    return view


def _came_out(before: Both, after: Both, seen: Any) -> list[str]:
    """Fields of which all was sealed for the public, is no more, and was not put away unseen."""
    if before.view is None:
        return []
    names = differing(before.state, before.view) - differing(after.state, after.view)
    if not names:
        return []
    shown = [*_leaves(full(seen)), *_leaves(full(after.view))]
    return sorted(
        name
        for name in names
        if (sealed := _within(full(getattr(before.state, name)), full(getattr(before.view, name))))
        and all(each in shown for each in sealed)
    )


def _within(true: Any, view: Any) -> list[Any]:
    """What is in the sealed places of a view."""
    if isinstance(view, dict) and view.get("sight") == SEALED:
        return list(_leaves(true.get("items", ()))) if isinstance(true, dict) else []
    if isinstance(view, dict) and isinstance(true, dict):
        return [leaf for key in view for leaf in _within(true.get(key), view[key])]
    if isinstance(view, list) and isinstance(true, list):
        pairs = zip(true, view, strict=False)
        return [leaf for one, other in pairs for leaf in _within(one, other)]
    return []


def _leaves(value: Any) -> Iterator[Any]:
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list | tuple):
        for each in value:
            yield from _leaves(each)
    else:
        yield value


def _count(value: Any) -> int:
    """How many things are sealed in a view, as plain JSON."""
    if isinstance(value, dict):
        if value.get("sight") == SEALED:
            return int(value["count"])
        return sum(map(_count, value.values()))
    return sum(map(_count, value)) if isinstance(value, list | tuple) else 0
