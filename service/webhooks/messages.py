"""From the log of all games to messages: who is asked now, and which games are over.

It follows the log as a projection does, its place and the messages in one transaction: a stop loses
none, and none is made twice.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Literal

import msgspec

from domain.kernel.options import Pending
from domain.kernel.values import PUBLIC, Seat

from ..clock import Clock, stamp
from ..errors import Damaged, RulesetMissing
from ..evidence.records import ENDS
from ..following.log import FollowedEntry
from ..models import Answer
from ..store.bulk import Statement
from ..store.rows import parts, read_body
from ..store.store import Store
from ..views.views import ViewCache
from . import rows

log = logging.getLogger(__name__)

MessageType = Literal["your-turn", "game-over", "test"]
TYPES = ("your-turn", "game-over")


class MessageData(Answer, frozen=True):
    """The subject of a message, and no more: the game itself is read with a token.

    seq   of the event after which it is so: the game's version then
    seat  that is asked; "" where the message is not about one
    """

    game: str
    seq: int
    seat: Seat


class YourTurnMessage(Answer, frozen=True):
    """A seat is asked something that it was not asked before."""

    type: Literal["your-turn"]
    timestamp: str
    data: MessageData


class GameOverMessage(Answer, frozen=True):
    """The game has ended."""

    type: Literal["game-over"]
    timestamp: str
    data: MessageData


class TestMessage(Answer, frozen=True):
    """Was asked for, to try the receiver."""

    type: Literal["test"]
    timestamp: str
    data: MessageData


FORMS: dict[str, type[YourTurnMessage | GameOverMessage | TestMessage]] = {
    "your-turn": YourTurnMessage,
    "game-over": GameOverMessage,
    "test": TestMessage,
}


def body_of(type_: str, at: str, data: MessageData) -> bytes:
    """The text that is signed and sent, the same at each attempt."""
    return msgspec.json.encode(FORMS[type_](type=type_, timestamp=at, data=data))  # type: ignore[arg-type]


class Messages:
    """The consumer of the log that writes deliveries."""

    name = "webhooks"
    version = 1

    def __init__(self, store: Store, views: ViewCache, clock: Clock) -> None:
        self._store = store
        self._views = views
        self._clock = clock

    def take(self, told: Iterable[FollowedEntry]) -> list[Statement]:
        """The deliveries for these events."""
        by_game: dict[str, list[FollowedEntry]] = {}
        for each in told:
            by_game.setdefault(each.entry.game, []).append(each)
        if not by_game:
            return []
        found: list[Statement] = []
        for game, hooks in groupby(
            sorted(rows.listening(self._store.recorder, by_game), key=lambda hook: hook.game),
            key=lambda hook: hook.game,
        ):
            found += self._of_game(game, list(hooks), by_game[game])
        return found

    def kept(self) -> None:
        """Nothing is in memory."""

    def forget(self) -> None:
        """Nothing is in memory."""

    def _of_game(
        self, game: str, hooks: Sequence[rows.Hook], told: Sequence[FollowedEntry]
    ) -> Iterator[Statement]:
        try:
            happened = list(self._happened(game, told))
        except (Damaged, RulesetMissing) as error:
            log.warning("no messages of game %s: %s", game, error)
            return
        at = stamp(self._clock.now())
        for type_, seq, seat in happened:
            for hook in hooks:
                wanted = type_ in hook.types.split() and seq > hook.since
                if wanted and (not hook.seat or seat in ("", hook.seat)):
                    yield _delivery(hook, type_, seq, seat, at)

    def _happened(
        self, game: str, told: Sequence[FollowedEntry]
    ) -> Iterator[tuple[str, int, Seat]]:
        """Type, seq and seat of each message, in the order of the game."""
        for command, group in groupby(told, key=lambda each: each.command):
            events = list(group)
            last = events[-1].entry
            if command and self._cause(game, last.seq + 1) == command:
                continue  # its end is in the next batch
            first = events[0].entry.seq
            while command and self._cause(game, first - 1) == command:
                first -= 1
            if command:
                actors = {each.entry.actor for each in events}
                for seat in self._newly_asked(game, first - 1, last.seq, actors):
                    yield "your-turn", last.seq, seat
            for each in events:
                if each.entry.type in ENDS:
                    yield "game-over", each.entry.seq, ""

    def _cause(self, game: str, seq: int) -> str:
        """The command that led to an event; "" where there is none, or no such event."""
        found = self._store.rows(game, seq - 1, 1) if seq else []
        return read_body(parts(found[0][2])[0]).cause.id if found else ""

    def _newly_asked(self, game: str, before: int, after: int, actors: set[Seat]) -> list[Seat]:
        """Seats that are asked now and were not before; or otherwise, by what others did."""
        old = {asked.seat: asked for asked in self._asked(game, before)}
        return [
            asked.seat
            for asked in self._asked(game, after)
            if asked.seat not in old or (asked != old[asked.seat] and asked.seat not in actors)
        ]

    def _asked(self, game: str, version: int) -> tuple[Pending, ...]:
        views = self._views.of(game)
        state = views.at(PUBLIC, version) if version else None
        return () if state is None else views.game.pending(state)


def _delivery(hook: rows.Hook, type_: str, seq: int, seat: Seat, at: str) -> Statement:
    name = named(hook.id, type_, str(seq), seat)
    body = body_of(type_, at, MessageData(game=hook.game, seq=seq, seat=seat))
    return rows.delivery_insertion(hook.id, name, f"msg_{name}", type_, seq, body, at)


def named(*what: str) -> str:
    """An id that follows from what it is for."""
    return hashlib.sha256("/".join(what).encode()).hexdigest()[:32]
