"""A game's events as the folds take them in, and as one viewer gets to know them.

Whoever has the log hands them over as :class:`TrueEvent`, in truth and in order. Everything that a
viewer sees is made from the viewer's own, redacted events.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

import msgspec

from domain.kernel.game import Game
from domain.kernel.shown.roles import Role
from domain.kernel.values import Seat, Viewer

from .follow import Document

AnyGame = Game[Any, Any, Any]


class Cause(Protocol):
    """What led to an event."""

    @property
    def id(self) -> str:
        """Of the command; "" for the opening."""
        ...


class Named(Protocol):
    """Which stored event it is.

    seq   dense from 1: the game's version after it
    type  stored name; ``schema`` is the version of its stored form
    """

    @property
    def seq(self) -> int: ...
    @property
    def type(self) -> str: ...
    @property
    def schema(self) -> int: ...


class Head(Named, Protocol):
    """What a log says of each event, whatever happened in it; whoever has the log has such values.

    at     RFC 3339 UTC with milliseconds
    actor  a seat, or "service"
    """

    @property
    def at(self) -> str: ...
    @property
    def actor(self) -> Seat: ...
    @property
    def cause(self) -> Cause: ...


class TrueEvent(msgspec.Struct, frozen=True, gc=False):
    """One event, in truth. Thousands are made for one answer: the head is not copied.

    hash    of the stored event; where reading goes on after it
    event   the game's event; None for one of the service's own
    own     the data of one of the service's own, as canonical JSON
    common  the true state after it, where that is at hand and everybody's: the game goes on, and
            nobody has a secret before the event or after it. None elsewhere, and every viewer's
            state is folded
    """

    head: Head
    hash: str
    event: Any
    own: bytes = b""
    common: Any = None

    @property
    def seq(self) -> int:
        return self.head.seq


class OwnSeen(NamedTuple):
    """One of the service's own events as a viewer may know it: plain JSON, and its sentence."""

    data: dict[str, Any]
    text: str


SeeOwn = Callable[[TrueEvent, Viewer], OwnSeen]
"""How one of the service's own events looks to a viewer."""


class SeenEvent(Document, frozen=True):
    """One event as a viewer may know it.

    seq        dense from 1; equal to the game's version after it
    schema     version of the stored form
    at         RFC 3339 UTC with milliseconds
    actor      a seat, or "service"
    caused_by  id of the command that led to it; "" for the opening
    event      the game event, redacted for the viewer; None for a platform event
    data       what to show: ``event``, or the platform event's data
    rules      rule IDs that decided
    text       the event as an English sentence
    roles      what it means in words that all games share; none for a platform event
    hash       of the stored event in truth, sealed: the same for every viewer
    """

    seq: int
    hash: str
    type: str
    schema: int
    at: str
    actor: str
    caused_by: str
    event: Any
    data: Any
    rules: tuple[str, ...]
    text: str
    roles: tuple[Role, ...] = ()


class Observer(NamedTuple):
    """Who looks at which game."""

    game: AnyGame
    viewer: Viewer
    see_own: SeeOwn

    def seen(self, told: TrueEvent) -> Any:
        """The game's event as the viewer may know it; None for one of the service's own."""
        return None if told.event is None else self.game.seen(told.event, self.viewer)

    def in_full(self, before: Any, told: TrueEvent, event: Any) -> SeenEvent:
        """The event in words, where ``event`` is what the viewer knows and ``before`` the state."""
        if event is None:
            data, text = self.see_own(told, self.viewer)
            return _written(told, told.head.schema, None, data, (), text, ())
        game = self.game
        text, roles = game.says(before, event), game.meaning(before, event)
        return _written(told, event.SCHEMA, event, event, event.rules, text, roles)


def _written(
    told: TrueEvent,
    schema: int,
    event: Any,
    data: Any,
    rules: tuple[str, ...],
    text: str,
    roles: tuple[Role, ...],
) -> SeenEvent:
    head = told.head
    return SeenEvent(
        seq=head.seq,
        hash=told.hash,
        type=head.type,
        schema=schema,
        at=head.at,
        actor=head.actor,
        caused_by=head.cause.id,
        event=event,
        data=data,
        rules=rules,
        text=text,
        roles=roles,
    )


class ViewedEvent:
    """One event as a viewer knows it, with the viewer's state before and after it.

    known  the game's event; None for one of the service's own
    """

    __slots__ = ("_eyes", "_seen", "_told", "after", "before", "known")

    def __init__(
        self, eyes: Observer, told: TrueEvent, known: Any, before: Any, after: Any
    ) -> None:
        self._eyes, self._told = eyes, told
        self._seen: SeenEvent | None = None
        self.known = known
        self.before = before
        self.after = after

    @property
    def seq(self) -> int:
        return self._told.head.seq

    @property
    def type(self) -> str:
        """Its stored name."""
        return self._told.head.type

    @property
    def cause(self) -> str:
        """Id of the command that led to it; "" for the opening."""
        return self._told.head.cause.id

    @property
    def roles(self) -> tuple[Role, ...]:
        """What it means in words that all games share."""
        return () if self.known is None else self._eyes.game.meaning(self.before, self.known)

    @property
    def event(self) -> SeenEvent:
        """The event in full; it is put into words when it is first asked for."""
        if self._seen is None:
            self._seen = self._eyes.in_full(self.before, self._told, self.known)
        return self._seen
