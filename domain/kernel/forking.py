"""How forks of a game are decided (``fork.py``)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, TypeVar

import msgspec

from .chance import PUBLIC_DOMAIN, Awaited
from .engine import Engine
from .event import carried
from .fork import forked_event
from .setup import Setup

G = TypeVar("G", bound=Engine[Any, Any, Any])


def fork_engine(engine: G) -> G:
    """What decides the engine's forks: they begin with a position, and everything is open."""
    forked = forked_event(engine.state, engine.position)

    def opening(setup: Setup) -> tuple[Any, ...]:
        if setup.fork is None:
            raise ValueError("this is no fork")
        fields = {"state": setup.fork.state}
        fields = carried(forked, setup.fork.schema, fields, engine.upcasters)
        return (msgspec.convert(fields, forked),)

    def evolve(state: Any, event: Any) -> Any:
        return event.state if isinstance(event, forked) else engine.evolve(state, event)

    def awaiting(state: Any) -> Awaited | None:
        awaited = engine.awaiting(state)
        if awaited is None or awaited.domain == PUBLIC_DOMAIN:
            return awaited
        return msgspec.structs.replace(awaited, domain=PUBLIC_DOMAIN)

    return replace(
        engine,
        events=(*engine.events, forked),
        opening=opening,
        evolve=evolve,
        awaiting=awaiting,
        redact=lambda event, viewer: event,
        secrets=lambda state: False,
        domains=lambda setup: (PUBLIC_DOMAIN,),
    )
