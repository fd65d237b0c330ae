"""What if: a game that begins at a position of another game, played on with open cards.

A fork is made by whoever looks into a position, for all its seats; there is nobody to hide anything
from. So its events are seen by all, and all its dice are open. Its first event is the position; it
stands in the set-up, which dice and evidence are bound to.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any

import msgspec

from .chance import PUBLIC_DOMAIN, Awaited
from .event import Event, carried
from .shown.roles import nothing
from .values import Value, Viewer

if TYPE_CHECKING:
    from .game import Game
    from .setup import Setup

NAME = "forked"
"""Name of a fork's first event, in every ruleset."""

Choose = Callable[[int], int]
"""A number from 0 up to, but not with, the one given."""


class Fork(Value, frozen=True, omit_defaults=True):
    """Where a game was forked off.

    game, version  of the parent
    viewer   through whose eyes the position was taken; ``"truth"`` when the parent was over
    seed     of what was made up in place of what the viewer could not see, and of the fork's dice
    state    the position as canonical JSON, complete
    schema   the number of the position's form: :attr:`Game.position` when the fork was made
    label, faces  the dice that were awaited there, and how they were made to fall, if they were
    """

    game: str
    version: int
    viewer: Viewer
    seed: str
    state: dict[str, Any]
    label: str = ""
    faces: tuple[tuple[int, ...], ...] = ()
    schema: int = 1


@cache
def fork_rules(game: Game[Any, Any, Any]) -> Game[Any, Any, Any]:
    """The ruleset as its forks are played."""
    forked = _forked(game)

    def opening(setup: Setup) -> tuple[Any, ...]:
        if setup.fork is None:
            raise ValueError("this is no fork")
        fields = {"state": setup.fork.state}
        fields = carried(forked, setup.fork.schema, fields, game.upcasters)
        return (msgspec.convert(fields, forked),)

    def evolve(state: Any, event: Any) -> Any:
        return event.state if isinstance(event, forked) else game.evolve(state, event)

    def says(state: Any, event: Any) -> str:
        if isinstance(event, forked):
            return "The game goes on from a position of another one: what if."
        return game.says(state, event)

    def awaiting(state: Any) -> Awaited | None:
        awaited = game.awaiting(state)
        if awaited is None or awaited.domain == PUBLIC_DOMAIN:
            return awaited
        return msgspec.structs.replace(awaited, domain=PUBLIC_DOMAIN)

    return replace(
        game,
        events=(*game.events, forked),
        opening=opening,
        evolve=evolve,
        says=says,
        roles={**game.roles, forked: nothing},
        awaiting=awaiting,
        redact=lambda event, viewer: event,
        secrets=lambda state: False,
        domains=lambda setup: (PUBLIC_DOMAIN,),
    )


def played(game: Game[Any, Any, Any], *, fork: bool) -> Game[Any, Any, Any]:
    """The ruleset as a game of it is played."""
    return fork_rules(game) if fork else game


def _forked(game: Game[Any, Any, Any]) -> type[Any]:
    """The event of the ruleset that holds a position of it."""
    return msgspec.defstruct(
        "Forked",
        [("state", game.state | None, None)],
        bases=(Event,),
        namespace={
            "NAME": NAME,
            "SCHEMA": game.position,
            "__doc__": "The position that a fork goes on from.",
        },
        module=__name__,
        frozen=True,
        omit_defaults=True,
        rename="camel",
    )
