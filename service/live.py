"""A game in play, in memory: the true state and all that the next event needs. Immutable."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from itertools import groupby
from typing import Any

import msgspec

from domain.kernel.codec import Codec
from domain.kernel.game import Game
from domain.kernel.options import Pending
from domain.kernel.values import Seat

from . import platform
from .dice.vault import DiceBook, PlayerLinks, Vault
from .errors import NotFound
from .evidence.chain import GENESIS, Seals
from .evidence.records import SERVICE, BatchRolled, GameCreated, SeatTakenRecord
from .models import GameSummary
from .store.rows import Record, damaged, read_rows
from .store.store import Store
from .views import CHUNK, Told, installed, not_found, tell

AnyGame = Game[Any, Any, Any]

TURNS = 32
"""How many commands back a command that was overtaken may still be judged."""


class Turn(msgspec.Struct, frozen=True):
    """One stored command (or a seat taken): its last event, its giver, what was asked after."""

    last: int
    seat: Seat
    asked: tuple[Pending, ...]


class Live(msgspec.Struct, frozen=True):
    """A game at its latest version.

    summary  what everybody may know; its version is the game's
    head     hash of the latest event
    state    the truth
    links    newest known link of each seat's own dice chain
    turns    the latest commands, oldest first
    """

    game: AnyGame
    summary: GameSummary
    head: str
    state: Any
    seals: Seals
    book: DiceBook
    links: PlayerLinks
    turns: tuple[Turn, ...]

    @property
    def id(self) -> str:
        return self.summary.id

    @property
    def version(self) -> int:
        return self.summary.version

    @property
    def next_batch(self) -> int:
        return self.summary.next_batch

    @property
    def seats(self) -> tuple[Seat, ...]:
        return tuple(seat.seat for seat in self.summary.seats)


def reopen_book(vault: Vault, created: GameCreated, master: bytes) -> DiceBook:
    """The dice of a stored game."""
    params = created.params
    game, rules, scenario = map(bytes.fromhex, (params.game, params.rules, params.scenario))
    return vault.reopen(master, game, rules, scenario, params.seats, params.length)


def first_links(book: DiceBook, created: GameCreated) -> PlayerLinks:
    """The tips that the seats gave at creation."""
    links = PlayerLinks.none(book.g, book.length, created.params.seats)
    for place, tip in enumerate(created.seat_tips):
        if tip:
            links = links.register(place, bytes.fromhex(tip))
    return links


def load(store: Store, games: Mapping[str, AnyGame], vault: Vault, game_id: str) -> Live:
    """The game from its events, each of them checked.

    Raises NotFound, RulesetMissing, Damaged, StoreUnavailable.
    """
    stored = store.game(game_id)
    if stored is None:
        raise not_found(game_id)
    game = installed(games, stored.summary.rules.ruleset)
    seals = Seals(stored.master, bytes.fromhex(stored.summary.params))
    reader = _Reader(game, game_id, vault, stored.master)
    after, head = 0, GENESIS
    while rows := store.rows(game_id, after, CHUNK):
        records = read_rows(game_id, rows, seals, after, head)
        after, head = after + len(records), records[-1].hash
        reader.take(records)
    if after != stored.summary.version:
        raise damaged(game_id, after + 1, "missing")
    return reader.live(stored.summary, head, seals)


class _Reader:
    """Folds a game's records, and keeps what the next command will need."""

    def __init__(self, game: AnyGame, game_id: str, vault: Vault, master: bytes) -> None:
        self._game = game
        self._id = game_id
        self._codec: Codec[Any] = Codec(game)
        self._vault = vault
        self._master = master
        self._book: DiceBook | None = None
        self._links: PlayerLinks | None = None
        self._state: Any = None
        self._seats: tuple[Seat, ...] = ()
        self._turns: deque[tuple[str, int, Seat, Any]] = deque(maxlen=TURNS)

    def take(self, records: list[Record]) -> None:
        told = [tell(self._codec, record) for record in records]
        for (cause, _), group in groupby(told, key=_turn_key):
            events = list(group)
            for one in events:
                self._step(one)
            giver = _giver(events)
            before = self._turns[-1] if self._turns else ("", 0, "", None)
            if (before[0], before[2]) == (cause, giver) and (cause or giver == SERVICE):
                self._turns.pop()  # it goes on: a command cut by a chunk, or the opening
            if self._state is not None:
                self._turns.append((cause, events[-1].seq, giver, self._state))

    def _step(self, told: Told) -> None:
        if told.event is not None:
            self._state = self._game.evolve(self._state, told.event)
            return
        body = told.record.body
        record = platform.decode(body.type, body.data)
        match record:
            case GameCreated():
                self._book = reopen_book(self._vault, record, self._master)
                self._links = first_links(self._book, record)
                self._seats = record.setup.seats
            case SeatTakenRecord() if record.tip and self._links is not None:
                place = self._seats.index(record.seat)
                self._links = self._links.register(place, bytes.fromhex(record.tip))
            case BatchRolled() if self._links is not None:
                self._links = accept_links(self._links, record)

    def live(self, summary: GameSummary, head: str, seals: Seals) -> Live:
        if self._book is None or self._links is None or self._state is None:
            raise NotFound(f"The game {self._id} has no beginning.")
        pending = self._game.pending
        turns = tuple(Turn(last, seat, pending(state)) for _, last, seat, state in self._turns)
        return Live(self._game, summary, head, self._state, seals, self._book, self._links, turns)


def accept_links(links: PlayerLinks, batch: BatchRolled) -> PlayerLinks:
    """The links that a stored batch opened."""
    for place, link in enumerate(batch.player_links):
        if link:
            links = links.accept(place, batch.t, bytes.fromhex(link))
    return links


def _turn_key(told: Told) -> tuple[str, int]:
    """Events of one command belong together; an event without a command stands alone."""
    cause = told.record.body.cause.id
    return (cause, 0) if cause else ("", told.seq)


def _giver(events: list[Told]) -> Seat:
    """The seat that gave the command; the service's own events in it do not count."""
    return next((e.record.body.actor for e in events if e.record.body.actor != SERVICE), SERVICE)
