"""What the picture of the last action has of an event: arrows, lines of fire, marks."""

from __future__ import annotations

from typing import Any

from ..game import Game
from ..shown.drawing import HEADING
from ..shown.scene import Item

AnyGame = Game[Any, Any, Any]

MARKED: frozenset[str] = frozenset({"moved", "damaged", "lost", "left"})
"""Roles that a picture shows as they happen: a board that looks otherwise afterwards does not tell
it. Who is fired at is on the board as long as the attack is open."""


def marks(game: AnyGame, before: Any, event: Any) -> frozenset[str]:
    """Those of the roles of an event; none of one that has no state before it."""
    if before is None:
        return frozenset()
    return frozenset(each.role for each in game.meaning(before, event) if each.unit) & MARKED


def drawn(game: AnyGame, before: Any, event: Any, after: Any) -> bool:
    """Whether the picture of the last action has anything of it but its sentence."""
    if before is None or after is None:
        return False
    return shapes(game, after, before, (event,)) != shapes(game, after, before, ())


def seen_after(game: AnyGame, before: Any, event: Any, after: Any) -> bool:
    """Whether the board looks otherwise after it, whatever its heading says."""
    if before is None or after is None:
        return False
    return shapes(game, after, after, ()) != shapes(game, before, before, ())


def shapes(game: AnyGame, state: Any, before: Any, events: tuple[Any, ...]) -> tuple[Item, ...]:
    """What is drawn, without the lines over it."""
    assert game.scene is not None
    items = game.scene(state, before, events, "").items
    return tuple(item for item in items if item.name not in HEADING)
