"""From the log of all games to messages: who is asked now, what happened, which games are over.

It follows the log as a projection does, its place and the messages in one transaction: a stop loses
none, and none is made twice.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Literal, NamedTuple

import msgspec

from domain.kernel.options import Pending
from domain.kernel.shown.roles import Part, Role
from domain.kernel.values import PUBLIC, Seat
from projections.follow import Entry

from ..clock import Clock, stamp
from ..errors import Damaged, RulesetMissing
from ..evidence.records import ENDS, PREFIX
from ..following.log import FollowedEntry
from ..models import Answer
from ..store.bulk import Statement
from ..store.rows import parts, read_body
from ..store.store import Store
from ..views.views import ViewCache
from . import rows

log = logging.getLogger(__name__)

MessageType = Literal["your-turn", "happened", "game-over", "test"]
TYPES = ("your-turn", "game-over")
"""Those that are asked for by name; what happens is asked for by its roles."""


class MessageData(Answer, frozen=True):
    """The subject of a message, and no more: the game itself is read with a token.

    seq   of the event after which it is so: the game's version then
    seat  that is asked; "" where the message is not about one
    """

    game: str
    seq: int
    seat: Seat


class HappenedData(MessageData, frozen=True):
    """The event that happened, and no more: it is read with a token.

    game   id of the game
    seq    of the event: the game's version then
    seat   owner of the unit; "" where it is about none, or about units of several
    roles  of the event, as far as the webhook asks for them
    """

    roles: tuple[Part, ...]


class YourTurnMessage(Answer, frozen=True):
    """A seat is asked something that it was not asked before; or was asked already when the webhook
    was made.
    """

    type: Literal["your-turn"]
    timestamp: str
    data: MessageData


class HappenedMessage(Answer, frozen=True):
    """An event that everybody sees has one of the roles that the webhook asks for.

    timestamp  when the message was made, RFC 3339 UTC
    """

    type: Literal["happened"]
    timestamp: str
    data: HappenedData


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


FORMS: dict[str, type[YourTurnMessage | HappenedMessage | GameOverMessage | TestMessage]] = {
    "your-turn": YourTurnMessage,
    "happened": HappenedMessage,
    "game-over": GameOverMessage,
    "test": TestMessage,
}


def body_of(type_: str, at: str, data: MessageData) -> bytes:
    """The text that is signed and sent, the same at each attempt."""
    return msgspec.json.encode(FORMS[type_](type=type_, timestamp=at, data=data))  # type: ignore[arg-type]


class News(NamedTuple):
    """Something that webhooks may want to be told, whoever they are of.

    roles  of the event, as everybody may know it; none where it is not about an event's meaning
    stands  whether it is so at this moment: whoever begins to listen is told, too
    """

    type: str
    seq: int
    seat: Seat = ""
    roles: tuple[Role, ...] = ()
    stands: bool = False


def told(hook: rows.Hook, news: News) -> MessageData | None:
    """What the webhook is told of it; None where that is nothing."""
    if news.seq <= hook.since and not news.stands:
        return None
    if news.type == "happened":
        return _happened(hook, news)
    concerned = not hook.seat or news.seat in ("", hook.seat)
    if news.type not in hook.wishes.types or not concerned:
        return None
    return MessageData(game=hook.game, seq=news.seq, seat=news.seat)


def _happened(hook: rows.Hook, news: News) -> HappenedData | None:
    """Whose unit it is makes no difference: what everybody sees is told to whoever asks."""
    wanted = hook.wishes.roles
    matching = [role for role in news.roles if role.role in wanted]
    if not matching:
        return None
    seats = {role.seat for role in matching}
    parts = {role.role for role in matching}
    return HappenedData(
        game=hook.game,
        seq=news.seq,
        seat=seats.pop() if len(seats) == 1 else "",
        roles=tuple(part for part in wanted if part in parts),
    )


def standing(version: int, asked: Iterable[Seat]) -> tuple[News, ...]:
    """What is so at a version, for a webhook that is made then: who is asked."""
    return tuple(News("your-turn", version, seat, stands=True) for seat in asked)


def deliveries(hook: rows.Hook, news: Iterable[News], at: str) -> Iterator[Statement]:
    """What the webhook is told of it."""
    for each in news:
        data = told(hook, each)
        if data is not None:
            yield _delivery(hook, each.type, data, at)


def _of_event(entry: Entry, roles: tuple[Role, ...]) -> Iterator[News]:
    """What one event tells, with what it means."""
    if roles:
        yield News("happened", entry.seq, roles=roles)
    if entry.type in ENDS:
        yield News("game-over", entry.seq)


class Messages:
    """The consumer of the log that writes deliveries."""

    name = "webhooks"
    version = 1

    def __init__(self, store: Store, views: ViewCache, clock: Clock) -> None:
        self._store = store
        self._views = views
        self._clock = clock

    def take(self, followed: Iterable[FollowedEntry]) -> list[Statement]:
        """The deliveries for these events."""
        by_game: dict[str, list[FollowedEntry]] = {}
        for each in followed:
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
        self, game: str, hooks: Sequence[rows.Hook], followed: Sequence[FollowedEntry]
    ) -> Iterator[Statement]:
        try:
            meant = any(hook.wishes.roles for hook in hooks)
            news = list(self.news(game, followed, meant=meant))
        except (Damaged, RulesetMissing) as error:
            log.warning("no messages of game %s: %s", game, error)
            return
        at = stamp(self._clock.now())
        for each in news:
            for hook in hooks:
                yield from deliveries(hook, (each,), at)

    def news(
        self, game: str, followed: Sequence[FollowedEntry], *, meant: bool = True
    ) -> Iterator[News]:
        """What may be told of these events of a game, in its order.

        meant  whether somebody asks what they mean
        """
        meanings = self._meanings(game, followed) if meant else {}
        for command, group in groupby(followed, key=lambda each: each.command):
            events = [each.entry for each in group]
            for entry in events:
                yield from _of_event(entry, meanings.get(entry.seq, ()))
            if command:
                yield from self._after(game, command, events)

    def _meanings(
        self, game: str, followed: Sequence[FollowedEntry]
    ) -> dict[int, tuple[Role, ...]]:
        """What the events mean to everybody, by their numbers: as the public's stream has it.

        The log has it of each event alone; whose unit it is often stands in the position before.
        The service's own events mean nothing, and are told of a game whose rules are nowhere.
        """
        if all(each.entry.type.startswith(PREFIX) for each in followed):
            return {}
        views, numbers = self._views.of(game), [each.entry.seq for each in followed]
        mark = views.start(PUBLIC, numbers[0] - 1)
        return {step.seq: step.roles for step in views.steps(PUBLIC, mark, numbers[-1])[0]}

    def _after(self, game: str, command: str, events: Sequence[Entry]) -> Iterator[News]:
        """Who is asked after a command; nobody yet where its end is in the next batch."""
        first, last = events[0].seq, events[-1].seq
        if self._cause(game, last + 1) == command:
            return
        while self._cause(game, first - 1) == command:
            first -= 1
        actors = {entry.actor for entry in events}
        for seat in self._newly_asked(game, first - 1, last, actors):
            yield News("your-turn", last, seat)

    def _cause(self, game: str, seq: int) -> str:
        """The command that led to an event; "" where there is none, or no such event."""
        found = self._store.rows(game, seq - 1, 1) if seq else []
        return read_body(parts(found[0][2])[0]).cause.id if found else ""

    def _newly_asked(self, game: str, before: int, after: int, actors: set[Seat]) -> list[Seat]:
        """Seats that are asked now and were not before; or otherwise, by what others did."""
        old = {asked.seat: asked for asked in self.asked(game, before)}
        return [
            asked.seat
            for asked in self.asked(game, after)
            if asked.seat not in old or (asked != old[asked.seat] and asked.seat not in actors)
        ]

    def asked(self, game: str, version: int) -> tuple[Pending, ...]:
        """The questions that are open at a version, as everybody may know them."""
        views = self._views.of(game)
        state = views.at(PUBLIC, version) if version else None
        return () if state is None else views.game.pending(state)


def _delivery(hook: rows.Hook, type_: str, data: MessageData, at: str) -> Statement:
    name = named(hook.id, type_, str(data.seq), data.seat)
    body = body_of(type_, at, data)
    return rows.delivery_insertion(hook.id, name, f"msg_{name}", type_, data.seq, body, at)


def named(*what: str) -> str:
    """An id that follows from what it is for."""
    return hashlib.sha256("/".join(what).encode()).hexdigest()[:32]
