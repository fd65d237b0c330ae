"""A ruleset as its forks are played (``fork.py``)."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import msgspec

from .chance import PUBLIC_DOMAIN, Awaited
from .event import carried
from .fork import forked_event
from .game import Game
from .setup import Setup
from .shown.roles import nothing


@cache
def fork_rules(game: Game[Any, Any, Any]) -> Game[Any, Any, Any]:
    """The ruleset as its forks are played."""
    forked = forked_event(game.state, game.position)

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
