"""A command's events with the dice that fall on the way: the same for the service and its judge.

A command opens one batch for each domain that it needs dice of, where the first of them are asked
for; later dice of that domain fall in the same batch, because nobody chooses anything in between.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Protocol

import msgspec

from domain.kernel.chance import PUBLIC_DOMAIN, Awaited
from domain.kernel.chances import Chances
from domain.kernel.codec import canonical
from domain.kernel.event import Event
from domain.kernel.values import CHANCE, Seat

from .vault import Batch

MOST_ROLLS = 10_000
"""More rolls than this for one command mean that a game's rules never stop asking."""

OpenBatch = Callable[[str], Batch]
"""Opens the command's batch of a domain; called once for each domain that dice are asked of."""


class Deciding(Protocol):
    """What is asked of rules when dice fall; a game has it, and an engine that answers texts."""

    @property
    def ruleset(self) -> str: ...
    @property
    def awaiting(self) -> Callable[[Any], Awaited | None]: ...
    @property
    def chances(self) -> Callable[[Any], Chances | None]: ...
    @property
    def decide(self) -> Callable[[Any, Seat, Any], Sequence[Any]]: ...
    @property
    def states(self) -> Callable[[Sequence[Any], Any], Sequence[Any]]: ...


class Resolved(NamedTuple):
    """What a command led to.

    items   its events in order, and each batch before the first event that its faces led to
    states  the truth after each of the events
    texts   each of the events as canonical JSON; none of what an engine outside decided
    """

    items: tuple[Event | Batch, ...]
    states: tuple[Any, ...]
    texts: tuple[bytes, ...]

    @property
    def state(self) -> Any:
        """The truth after them."""
        return self.states[-1]

    @property
    def events(self) -> list[Event]:
        return [item for item in self.items if not isinstance(item, Batch)]

    @property
    def batches(self) -> list[Batch]:
        """The batches in order of their numbers."""
        return [item for item in self.items if isinstance(item, Batch)]


def resolve(game: Deciding, before: Any, first: Sequence[Event], open_batch: OpenBatch) -> Resolved:
    """``first``, then dice and what they lead to, until nothing is awaited.

    before  the state that ``first`` was decided on; None for an opening
    Raises Refused and what ``open_batch`` raises; DiceError for a roll that NWD-1 does not define.
    """
    events, texts = _stored(first)
    items: list[Event | Batch] = list(events)
    opened: dict[str, Batch] = {}
    states = list(game.states(events, before))
    for _ in range(MOST_ROLLS):
        state = states[-1]
        awaited = game.awaiting(state)
        if awaited is None:
            return Resolved(tuple(items), tuple(states), tuple(texts))
        if awaited.domain not in opened:
            batch = opened[awaited.domain] = open_batch(awaited.domain)
            items.append(batch)
        batch = opened[awaited.domain]
        faces = batch.answer(awaited)
        batch.note(odds_of(game, state, awaited))
        more, written = _stored(game.decide(state, CHANCE, faces))
        items.extend(more)
        texts.extend(written)
        states.extend(game.states(more, state))
    raise ValueError(f"{game.ruleset} asks for dice without end")


def _stored(events: Sequence[Event]) -> tuple[Sequence[Event], list[bytes]]:
    """The events as they will be read: what is folded and told now is what it is ever after.

    Nearly all are that as they come from the rules; then where they led is known already. With
    each goes its canonical JSON, which whoever stores it need not make again. What an engine
    outside answered is text as it was read, and is not written anew.
    """
    if not all(isinstance(event, msgspec.Struct) for event in events):
        return events, []
    texts = [canonical(event) for event in events]
    pairs = zip(events, texts, strict=True)
    read = [msgspec.json.decode(text, type=type(event)) for event, text in pairs]
    if all(map(_alike, events, read)):
        return events, texts
    return read, [canonical(event) for event in read]


def _alike(event: Event, read: Event) -> bool:
    """Whether nobody can tell the two apart: equal, and each dict in the same order."""
    return event == read and _AS_IT_IS.encode(event) == _AS_IT_IS.encode(read)


_AS_IT_IS = msgspec.json.Encoder()


def odds_of(game: Deciding, state: Any, awaited: Awaited) -> Chances | None:
    """The odds of an open roll as they are recorded with it; none of dice that one seat sees."""
    return game.chances(state) if awaited.domain == PUBLIC_DOMAIN else None
