"""From what a request asks to what will be stored: records, rows and side rows, all in memory.

Nothing here writes. What is staged becomes true when the engine has put it, together with whatever
else waited at that moment.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from msgspec import UNSET

from domain.kernel.codec import canonical
from domain.kernel.event import Event
from domain.kernel.game import Game
from domain.kernel.options import Pending
from domain.kernel.setup import Result
from domain.kernel.values import PUBLIC, Seat
from projections.moments import Status
from projections.stream import TrueEvent

from ..deadlines import due_after, put_off, still
from ..dice.links import PlayerLinks
from ..dice.resolve import Resolved
from ..dice.vault import Batch
from ..evidence import chain
from ..evidence.chain import NO_CAUSE, Cause, Chain
from ..evidence.receipts import Accepted
from ..evidence.records import (
    FOLDED,
    SERVICE,
    BatchRolled,
    LinksClosed,
    Record,
    Takeback,
    keeps_secret,
    opens_master,
    seen,
)
from ..models import GameSummary, LinksAwaited, SeatSummary, StepTold
from ..store.bulk import Statement
from ..store.rows import write_row
from ..store.store import Change, Commit
from ..store.stored import Row
from .live import TURNS, Live, Locked, Step, Turn

AnyGame = Game[Any, Any, Any]


class ReadyRequest(msgspec.Struct, frozen=True):
    """A request that is ready to be stored.

    live    the game as it will be
    commit  what to store
    told    the new events, for those who look on
    answer  what the caller gets, made when the commit is durable
    accepted  what the caller is owed a receipt for, if anything
    """

    live: Live
    commit: Commit
    told: tuple[TrueEvent, ...]
    answer: Any
    accepted: Accepted | None = None


class DecidedEvent(msgspec.Struct, frozen=True):
    """A game event on its way to be stored.

    text    its canonical JSON
    secret  whether secrets are kept before or after it
    common  the state after it, where none are and the game goes on; else None
    """

    event: Event
    text: bytes
    secret: bool
    common: Any


def steps(game: AnyGame, before: Any, done: Resolved) -> list[DecidedEvent | Batch]:
    """What a command led to from ``before`` (None: the opening), event by event."""
    found: list[DecidedEvent | Batch] = []
    led = zip(done.texts, done.states, strict=True)
    secret = before is not None and game.secrets(before)
    for item in done.items:
        if isinstance(item, Batch):
            found.append(item)
            continue
        text, state = next(led)
        secret_after = game.secrets(state)
        kept, secret = secret or secret_after, secret_after
        common = None if kept or game.result(state) is not None else state
        found.append(DecidedEvent(item, text, kept, common))
    return found


class RecordWriter:
    """Writes the records of one commit onto the end of a game's chain.

    opens      whether the master is opened by them
    went_back  whether the last of them takes back a step
    ordered    whether an order led to one of them
    """

    def __init__(self, game: AnyGame, chain_: Chain, seats: Sequence[Seat], at: str) -> None:
        self._game = game
        self._chain = chain_
        self._seats = seats
        self._at = at
        self.before = (chain_.seq, chain_.head)
        self._waiting: list[tuple[Record | DecidedEvent, Seat, Cause]] = []
        self.rows: list[Row] = []
        self.told: list[TrueEvent] = []
        self.own: dict[Seat, int] = {}
        self.opens = False

    @property
    def went_back(self) -> bool:
        return bool(self.told) and isinstance(self.told[-1].event, Takeback)

    @property
    def ordered(self) -> bool:
        return any(each.head.cause.id for each in self.told)

    @property
    def head(self) -> str:
        return self._chain.head

    @property
    def seq(self) -> int:
        return self._chain.seq

    def platform(self, record: Record, cause: Cause = NO_CAUSE, actor: Seat = SERVICE) -> None:
        """Queue one of the service's own events."""
        self._waiting.append((record, actor, cause))

    def command(
        self,
        items: Sequence[DecidedEvent | Batch],
        cause: Cause,
        actor: Seat,
        links: PlayerLinks | None = None,
    ) -> None:
        """Queue what a command led to, or the opening: game events and batches of dice.

        links  what the seats had given for its dice; None in the opening
        """
        for item in items:
            if isinstance(item, Batch):
                if links is not None and (absent := links.absent(item.t)):
                    seats = tuple(self._seats[place] for place in absent)
                    self.platform(LinksClosed(item.t, seats), cause)
                self.platform(BatchRolled.of(item), cause)
            else:
                self._waiting.append((item, actor, cause))

    def write(self, state: Any) -> None:
        """Make the records queued so far; the last one seals the digest of ``state``, if given."""
        last = len(self._waiting) - 1
        for place, (entry, actor, cause) in enumerate(self._waiting):
            digest = chain.state_payload(state) if place == last and state is not None else None
            if isinstance(entry, Record):
                self._platform(entry, actor, cause, digest)
            else:
                self._game_event(entry, actor, cause, digest)
        self._waiting.clear()

    def _platform(self, record: Record, actor: Seat, cause: Cause, digest: bytes | None) -> None:
        self.opens = self.opens or opens_master(record.TYPE, record.SCHEMA)
        truth, public, sealed = canonical(record), canonical(seen(record, PUBLIC)), {}
        if keeps_secret(record):
            sealed = chain.payloads_by(
                lambda viewer: canonical(seen(record, viewer)), public, self._seats
            )
        if digest is not None:
            sealed[chain.STATE] = digest
        beside = b"" if truth == public else truth
        link = self._add(record.TYPE, record.SCHEMA, actor, cause, public, beside, sealed)
        event = record if isinstance(record, FOLDED) else None
        self.told.append(TrueEvent(link.envelope, link.hash, event, truth))

    def _game_event(
        self, step: DecidedEvent, actor: Seat, cause: Cause, digest: bytes | None
    ) -> None:
        event, truth, game = step.event, step.text, self._game
        public = chain.public_data(game, event, truth)
        sealed = chain.payloads(game, event, public, self._seats) if step.secret else {}
        if digest is not None:
            sealed[chain.STATE] = digest
        type_ = f"{game.ruleset}.{event.NAME}"
        beside = b"" if truth == public else truth
        if beside and not step.secret:
            raise ValueError(f"{type_} hides something while the game says that there is no secret")
        link = self._add(type_, event.SCHEMA, actor, cause, public, beside, sealed)
        self.told.append(TrueEvent(link.envelope, link.hash, event, b"", step.common))

    def _add(
        self,
        type_: str,
        schema: int,
        actor: Seat,
        cause: Cause,
        data: bytes,
        truth: bytes,
        sealed: dict[str, bytes],
    ) -> chain.Link:
        link = self._chain.add(
            type=type_, schema=schema, at=self._at, actor=actor, cause=cause, data=data,
            payloads=sealed,
        )  # fmt: skip
        self.own[actor] = self._chain.seq
        self.rows.append(write_row(self._chain.seq, type_, schema, link, truth))
        return link


def summarise(
    game: AnyGame,
    summary: GameSummary,
    state: Any,
    *,
    version: int,
    head: str,
    next_batch: int,
    at: str,
    links: PlayerLinks,
    actor: Seat,
    own: Mapping[Seat, int],
    opened: bool = False,
    locked: Locked | None = None,
    step: Step | None = None,
) -> GameSummary:
    """The summary after new events; ``actor`` is the seat that commanded them, if one did.

    own     by actor: the number of the newest of them that is its own
    opened  whether the master is opened by them
    locked  the order that waits for links after them
    step    that they are, where it may be taken back as far as it is their doing
    """
    result, asked = game.result(state), game.pending(state)
    status = status_of(summary, over=result is not None)
    if status != summary.status:
        summary = msgspec.structs.replace(summary, status=status)
    return msgspec.structs.replace(
        summary,
        version=version,
        head=head,
        next_batch=next_batch,
        renewals=links.epoch.number,
        first_batch=links.epoch.base + 1,
        chain_params=links.epoch.params(links.g).hex() if links.epoch.nonce else UNSET,
        seats=tuple(
            _gone_on(seat, links, place, own.get(seat.seat, seat.last))
            for place, seat in enumerate(summary.seats)
        ),
        to_move=asked,
        due=due_after(summary, asked, actor, at),
        paused=still(summary, asked, actor),
        scores=dict(game.scores(state)),
        sides=tuple(
            msgspec.structs.replace(side, score=game.score_of(state, side.seats))
            for side in summary.sides
        ),
        result=result,
        expires_at=_expiry(summary, actor, at),
        updated_at=at,
        opened=summary.opened or opened,
        locked=locked and awaited(locked, links, [seat.seat for seat in summary.seats]),
        beacon_round=locked.round if locked is not None else 0,
        takeback=None if result is not None else _offered(summary, step, asked),
    )


def _offered(summary: GameSummary, step: Step | None, asked: Sequence[Pending]) -> StepTold | None:
    """The step, if its seat may take it back: nobody else was asked, before it or since."""
    if step is None or summary.status != "playing" or summary.frozen:
        return None
    alone = {each.seat for each in (*step.asked, *asked)} == {step.seat} and step.asked and asked
    signs = any(seat.order_key for seat in summary.seats if seat.seat == step.seat)
    if not alone or signs or (step.again and summary.deadline):
        return None
    return StepTold(seat=step.seat, command=step.command, first=step.first)


def awaited(locked: Locked, links: PlayerLinks, seats: Sequence[Seat]) -> LinksAwaited:
    """What a locked order waits for."""
    missing = () if locked.round else links.missing(locked.wanted)
    return LinksAwaited(
        seat=locked.order.seat, batch=locked.wanted, due=locked.due,
        missing=tuple(seats[place] for place in missing),
    )  # fmt: skip


def _expiry(summary: GameSummary, actor: Seat, at: str) -> str | None:
    """When the game goes: each event puts a fork's end off, and a game that is played has none."""
    if summary.expires_at is None or (summary.fork is None and actor != SERVICE):
        return None
    return put_off(summary.expires_at, summary.updated_at, at)


def _gone_on(seat: SeatSummary, links: PlayerLinks, place: int, last: int) -> SeatSummary:
    """The seat with its dice chain as it stands and its last event: itself, where all is so."""
    known, upto = links.known[place], links.upto(place)
    tip = known.tip.hex() if known else ""
    if (seat.dice_tip, seat.last, seat.links_upto) == (tip, last, upto):
        return seat
    return msgspec.structs.replace(seat, dice_tip=tip, last=last, links_upto=upto)


def given_up(summary: GameSummary) -> GameSummary:
    """The summary of a game that ends without a result, whatever the reason."""
    return msgspec.structs.replace(_ended(summary), abandoned=True)


def forfeited(summary: GameSummary, seats: tuple[Seat, ...], result: Result) -> GameSummary:
    """The summary of a game that seats have forfeited: its result is by no rule of it."""
    return msgspec.structs.replace(_ended(summary), forfeited=seats, result=result)


def _ended(summary: GameSummary) -> GameSummary:
    """By nothing that the rules did: nobody is asked, and nothing is waited for, any more."""
    return msgspec.structs.replace(
        summary, status="finished", to_move=(), due={}, expires_at=None, paused=None, locked=None,
        beacon_round=0, takeback=None,
    )  # fmt: skip


def stays_over(summary: GameSummary, before: GameSummary) -> GameSummary:
    """The summary after the master is opened: a game that no rule has ended stays over."""
    if before.abandoned:
        return given_up(summary)
    if before.forfeited and before.result is not None:
        return forfeited(summary, before.forfeited, before.result)
    return summary


def status_of(summary: GameSummary, *, over: bool) -> Status:
    if over:
        return "finished"
    waiting = any(seat.held in ("invited", "open") for seat in summary.seats)
    return "open" if waiting else "playing"


def gone_on(
    live: Live, scribe: RecordWriter, seat: Seat, at: str, batches: int = 0, *, actor: Seat = "",
    step: Step | None = None,
) -> Live:  # fmt: skip
    """The game after what was written: ``live`` has its new state and links already.

    seat     whose turn the new events are
    batches  that were rolled
    actor    of the new events; ``seat`` where nobody else is named
    step     that they are, where it may be taken back
    """
    next_batch = live.next_batch + batches
    summary = summarise(
        live.game, live.summary, live.state,
        version=scribe.seq, head=scribe.head, next_batch=next_batch, at=at, links=live.links,
        actor=actor or seat, own=scribe.own, opened=scribe.opens, locked=live.locked,
        step=step,
    )  # fmt: skip
    turns = (*live.turns, Turn(scribe.seq, seat, summary.to_move))[-TURNS:]
    return msgspec.structs.replace(
        live, summary=summary, head=scribe.head, turns=turns, step=step,
        again=scribe.went_back or (live.again and not scribe.ordered),
    )  # fmt: skip


def commit_of(live: Live, scribe: RecordWriter, statements: Sequence[Statement]) -> Commit:
    """What is to be stored of a game that is there already, and what it stands on."""
    change = Change(*scribe.before, live.summary, live.head)
    return Commit(live.id, tuple(scribe.rows), tuple(statements), change)
