"""A game in play, in memory: the true state and all that the next event needs. Immutable."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Mapping
from functools import cached_property
from typing import Any, NamedTuple

import msgspec
from msgspec import UNSET

from domain.kernel.game import Game
from domain.kernel.options import Pending
from domain.kernel.setup import Setup
from domain.kernel.values import Seat

from ..deadlines import later, put_off
from ..dice import nwd1
from ..dice.links import PlayerLinks
from ..dice.nwd1 import Beacon
from ..dice.vault import DiceBook, Epoch, Vault
from ..evidence import service_events as platform
from ..evidence.beacon import NETWORKS, entry_of, time_of
from ..evidence.chain import GENESIS, STATE, Envelope, Seals
from ..evidence.changed import Reading
from ..evidence.records import (
    ENDS,
    FOLDED,
    RULINGS,
    SERVICE,
    BatchRolled,
    BatchVoided,
    BeaconSeen,
    ChainRenewed,
    EpochStarted,
    Forfeited,
    GameCreated,
    LinksClosed,
    LinksGiven,
    OrdersLocked,
    Paused,
    Resumed,
    RulesChanged,
    RulesUsed,
    SeatTakenRecord,
    Takeback,
    TipRenewed,
)
from ..evidence.records import Record as PlatformRecord
from ..models import GameSummary
from ..store.rows import Record, damaged, read_rows
from ..store.store import Store
from ..views.rulesets import playing
from ..views.views import CHUNK, event_of, not_found

AnyGame = Game[Any, Any, Any]

_TIP = re.compile("[0-9a-f]{64}")

LINKS = frozenset(
    {LinksGiven.TYPE, LinksClosed.TYPE, BeaconSeen.TYPE, OrdersLocked.TYPE, TipRenewed.TYPE}
)
"""Types of events about links of dice: in no command they stand by themselves, and end no turn."""

BETWEEN = RULINGS | LINKS | {EpochStarted.TYPE, RulesChanged.TYPE, Forfeited.TYPE}
"""Types of events by which the service itself ends a turn."""

TURNS = 32
"""How many commands back a command that was overtaken may still be judged."""


DICE = "dice"
"""Stands for the giver of links: no seat's turn has come by them, and no order is out of date."""


class Turn(msgspec.Struct, frozen=True):
    """One stored command (or a seat taken): its last event, its giver, what was asked after."""

    last: int
    seat: Seat
    asked: tuple[Pending, ...]


class Locked(msgspec.Struct, frozen=True):
    """An order that is locked: it is carried out when the links of its dice are closed.

    seq     of the event that says so
    since   when links of the batch that is waited for were first taken
    closed  how many batches have all links that they will have, and of grade A3 their beacon
    round   of the beacon for which the batch waits, once its links are closed; 0: it does not
    comes   when that round comes
    beacons those that have come, batch after batch
    """

    seq: int
    order: OrdersLocked
    since: str
    closed: int = 0
    round: int = 0
    comes: str = ""
    beacons: tuple[Beacon, ...] = ()

    @property
    def wanted(self) -> int:
        """The batch for which links are taken."""
        return self.order.t + self.closed

    @property
    def due(self) -> str:
        """When those that have not come are absent; or the round comes that is waited for."""
        return self.comes or later(self.since, self.order.seconds)

    def stood(self, paused: str, at: str) -> Locked:
        """The clocks go on: while they stood it was nobody's time."""
        stopped = max(paused, self.since)
        return msgspec.structs.replace(self, since=put_off(self.since, stopped, at))

    def next(self, at: str, closing: LinksClosed, beacon: str = "") -> Locked:
        """The links of the batch are closed: it is carried out, or waits for a round of a beacon.

        beacon  that of the game, by the hash of its chain; "": none
        """
        if closing.round is UNSET or not beacon:
            return msgspec.structs.replace(self, since=at, closed=self.closed + 1)
        comes = time_of(NETWORKS[beacon], closing.round)
        return msgspec.structs.replace(self, since=at, round=closing.round, comes=comes)

    def seen(self, at: str, record: BeaconSeen) -> Locked:
        """The round has come."""
        beacons = (*self.beacons, entry_of(record.round, record.signature))
        return Locked(self.seq, self.order, at, self.closed + 1, beacons=beacons)

    def beacon(self, t: int) -> Beacon | None:
        """The round that is in a batch of the order; of grade A2 none."""
        place = t - self.order.t
        return self.beacons[place] if 0 <= place < len(self.beacons) else None


class Step(msgspec.Struct, frozen=True):
    """The command that came last, where it led to events of the game alone and nobody had a secret.

    first   number of its first event
    before  the state in which it was given, and what was asked then
    again   whether a step was taken back before it, and no order came between
    """

    first: int
    command: str
    seat: Seat
    before: Any
    asked: tuple[Pending, ...]
    again: bool = False


class Live(msgspec.Struct, frozen=True):
    """A game at its latest version.

    summary  what everybody may know; its version is the game's
    head     hash of the latest event
    state    the truth
    links    what is known of each seat's own dice chain: the links that it has given ahead, too
    turns    the latest commands, oldest first
    lost     what may have followed its last event is lost: before it goes on it gets new dice
    waits    its master is opened only when the public log has its end
    locked   the order that waits for links, if one does
    missed   by seat: from how many batches it was absent, where it could have helped it
    step     that may be taken back, as far as it is the step's own doing
    again    whether a step was taken back and no order came since
    """

    game: AnyGame
    summary: GameSummary
    head: str
    state: Any
    seals: Seals
    dice: DiceKeeper
    links: PlayerLinks
    turns: tuple[Turn, ...]
    seats: tuple[Seat, ...]
    lost: bool = False
    waits: bool = False
    locked: Locked | None = None
    missed: Mapping[Seat, int] = {}
    step: Step | None = None
    again: bool = False

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
    def last_link(self) -> int:
        """The last batch that a command could open now: a seat sends its link for this one."""
        return self.next_batch + self.summary.link_credit - 1


class DiceKeeper:
    """The dice of a game, opened when they are needed: a chain of 4,096 links takes 4 ms.

    Raises Damaged where the stored master does not make the chains that were committed to.
    """

    def __init__(self, vault: Vault, game_id: str, created: GameCreated, master: bytes) -> None:
        self._vault = vault
        self._id = game_id
        self._created = created
        self.master = master

    @property
    def domains(self) -> frozenset[str]:
        """The domains that dice may fall in."""
        return frozenset(self._created.tips)

    @property
    def setup(self) -> Setup:
        """That of the game: its first event fixes the dice for it."""
        return self._created.setup

    @property
    def beacon(self) -> str:
        """The public beacon of the game's dice, by the hash of its chain; "": none."""
        return self._created.beacon or ""

    @property
    def forfeit(self) -> int:
        """Number of absences at which a seat forfeits; 0: none does."""
        return self._created.forfeit or 0

    @property
    def rules(self) -> RulesUsed:
        """The rules that the game began with."""
        return self._created.rules

    @cached_property
    def book(self) -> DiceBook:
        params, tips = self._created.params, self._created.tips
        game, rules, scenario = map(bytes.fromhex, (params.game, params.rules, params.scenario))
        book = self._vault.reopen(
            self.master, game, rules, scenario, params.seats, params.length, tuple(tips)
        )
        committed = nwd1.server_commitment(book.g, {d: bytes.fromhex(tips[d]) for d in tips})
        domain = min(tips)
        made = book.tip(domain).hex()
        if (committed.hex(), made) != (self._created.commitment, tips[domain]):
            raise damaged(self._id, 1, "its dice are not the ones that were committed to")
        return book

    def renewal(self, epoch: Epoch, next_batch: int) -> Epoch | None:
        """The next epoch, if the chains do not last for whatever the next command may need."""
        length, domains = self._created.params.length, len(self._created.tips)
        if epoch.lasts(next_batch, length, domains):
            return None
        return epoch.renewed(next_batch - 1)


def first_links(created: GameCreated) -> PlayerLinks:
    """The tips that the seats gave at creation."""
    params = created.params
    links = PlayerLinks.none(bytes.fromhex(params.g), params.length, params.seats)
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
    game = playing(games, stored.summary)
    seals = stored.seals
    reader = Reader(game, game_id, vault, stored.master)
    after, head = 0, GENESIS
    version = stored.summary.version
    # Not beyond the summary that was read: where others write, more may have come since.
    while rows := store.rows(game_id, after, min(CHUNK, version - after)):
        records = read_rows(game_id, rows, seals, after, head)
        after, head = after + len(records), records[-1].hash
        reader.take(records)
    if after != version:
        raise damaged(game_id, after + 1, "missing")
    if stored.head and stored.head != head:
        raise damaged(game_id, version, "not the one that its row is of")
    live = reader.live(stored.summary, head, seals)
    waits = store.publishes and stored.summary.fork is None
    return msgspec.structs.replace(live, lost=stored.lost, waits=waits)


class _Begun(NamedTuple):
    """A command as it begins: :class:`Step`, if nothing comes of it that stands in the way."""

    first: int
    command: str
    seat: Seat
    before: Any
    again: bool


class Reader:
    """Folds a game's records, and keeps what the next command will need.

    locked  the order that waits for links, if one does
    again   whether a step was taken back and no order came since
    """

    def __init__(self, game: AnyGame, game_id: str, vault: Vault, master: bytes) -> None:
        self._game = game
        self._id = game_id
        self._reading = Reading(game)
        self._vault = vault
        self._master = master
        self._dice: DiceKeeper | None = None
        self._links: PlayerLinks | None = None
        self._seats: tuple[Seat, ...] = ()
        self._tips = False
        self._state: Any = None
        self._turns: deque[tuple[int, Seat, Any]] = deque(maxlen=TURNS)
        self._cause = ""
        self._giver = SERVICE
        self._last = 0
        self._paused = ""
        self._missed: Mapping[Seat, int] = {}
        self._begun: _Begun | None = None
        self.locked: Locked | None = None
        self.again = False

    @property
    def state(self) -> Any:
        """After the records so far; None before the game's first event."""
        return self._state

    @property
    def links(self) -> PlayerLinks:
        """What is known of the seats' chains. Raises Damaged before there is a game."""
        if self._links is None:
            raise damaged(self._id, 1, "no beginning of a game")
        return self._links

    @property
    def step(self) -> Step | None:
        """The command that came last, as :class:`Live` has it."""
        begun, game = self._begun, self._game
        if begun is None or not begun.command or begun.before is None:
            return None
        if game.secrets(begun.before) or game.secrets(self._state):
            return None
        return Step(
            begun.first, begun.command, begun.seat, begun.before, game.pending(begun.before),
            begun.again,
        )  # fmt: skip

    def take(self, records: list[Record]) -> None:
        events = [event_of(self._reading, record) for record in records]
        states = iter(self._game.states([e for e in events if e is not None], self._state))
        for record, event in zip(records, events, strict=True):
            body = record.body
            if body.cause.id != self._cause or not body.cause.id:
                self._begin(body)
            if event is None or isinstance(event, FOLDED) or set(body.sealed) - {STATE}:
                self._begun = None
            self.again = isinstance(event, Takeback) or (self.again and not body.cause.id)
            if event is not None:
                self._state = next(states)
                self._giver = body.actor
            elif body.type != BatchRolled.TYPE or self._tips:
                self._platform(platform.decode(body.type, record.truth))
                self._lock(body, record)
            self._last = body.seq

    def _lock(self, body: Envelope, record: Record) -> None:
        """An order is locked, the links of a batch are closed, or what was locked is void; or the
        clocks stand, and go on."""
        if body.type == OrdersLocked.TYPE:
            order = platform.decode_as(OrdersLocked, record.truth)
            self.locked = Locked(body.seq, order, body.at)
        elif body.type == LinksClosed.TYPE and not body.cause.id and self.locked is not None:
            closing = platform.decode_as(LinksClosed, record.truth)
            self._missed = missed_after(self._missed, closing)
            self.locked = self.locked.next(
                body.at, closing, self._dice.beacon if self._dice else ""
            )
        elif body.type == BeaconSeen.TYPE and self.locked is not None:
            self.locked = self.locked.seen(body.at, platform.decode_as(BeaconSeen, record.truth))
        elif body.type == Paused.TYPE:
            self._paused = body.at
        elif body.type == Resumed.TYPE and self.locked is not None:
            self.locked = self.locked.stood(self._paused, body.at)
        elif body.type in {EpochStarted.TYPE, BatchVoided.TYPE} | ENDS:
            self.locked = None

    def _begin(self, body: Envelope) -> None:
        """A new command, a seat taken, a new start, or one more event of the opening, which ends
        no turn."""
        if body.cause.id or body.actor != SERVICE or body.type in BETWEEN:
            self._end_turn()
        self._cause = body.cause.id
        self._begun = _Begun(body.seq, body.cause.id, body.actor, self._state, self.again)
        if self.locked is not None and body.cause.id == self.locked.order.command:
            self.locked = None
        self._giver = DICE if body.type in LINKS and not body.cause.id else body.actor

    def _end_turn(self) -> None:
        if self._state is not None:
            self._turns.append((self._last, self._giver, self._state))

    def _platform(self, record: PlatformRecord) -> None:
        match record:
            case GameCreated():
                self._dice = DiceKeeper(self._vault, self._id, record, self._master)
                self._links = first_links(record)
                self._seats = record.setup.seats
                self._tips = any(record.seat_tips)
            case SeatTakenRecord() if record.tip and self._links is not None:
                place = self._seats.index(record.seat)
                self._links = self._links.register(place, bytes.fromhex(record.tip))
                self._tips = True
            case TipRenewed() if self._links is not None:
                place = self._seats.index(record.seat)
                self._links = self._links.register(place, bytes.fromhex(record.tip))
            case LinksGiven() if self._links is not None:
                place = self._seats.index(record.seat)
                self._links = self._links.give(place, record.upto, bytes.fromhex(record.link))
            case ChainRenewed() if self._links is not None:
                self._links = self._links.renewed(self._links.epoch.renewed(record.first - 1))
            case EpochStarted() if self._links is not None:
                nonce = bytes.fromhex(record.nonce)
                self._links = self._links.renewed(
                    self._links.epoch.started(record.first - 1, nonce)
                )
            case BatchRolled() if self._links is not None:
                self._links = accept_links(self._links, record)

    def live(self, summary: GameSummary, head: str, seals: Seals) -> Live:
        if self._dice is None or self._links is None or self._state is None:
            raise damaged(self._id, 1, "no beginning of a game")
        self._end_turn()
        pending = self._game.pending
        turns = tuple(Turn(last, seat, pending(state)) for last, seat, state in self._turns)
        dice, links, seats = self._dice, self._links, self._seats
        step, again = self.step, self.again
        return Live(
            self._game, summary, head, self._state, seals, dice, links, turns, seats,
            locked=self.locked, missed=self._missed, step=step, again=again,
        )  # fmt: skip


def missed_after(before: Mapping[Seat, int], closing: LinksClosed) -> Mapping[Seat, int]:
    """The absences with those of one closing of links more, unless nobody could give one."""
    if closing.unlogged is not UNSET:
        return before
    return {**before, **{seat: before.get(seat, 0) + 1 for seat in closing.absent}}


def is_tip(text: str) -> bool:
    """Whether a dice tip is 32 bytes in lower-case hex."""
    return _TIP.fullmatch(text) is not None


def accept_links(links: PlayerLinks, batch: BatchRolled) -> PlayerLinks:
    """The links that a stored batch opened."""
    for place, link in enumerate(batch.player_links):
        if link:
            links = links.take(place, batch.t, bytes.fromhex(link))
    return links
