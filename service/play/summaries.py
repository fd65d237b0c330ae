"""Summaries made again from the log, where another program has stored them in another form."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial

import msgspec

from domain.kernel.forked import played
from domain.kernel.values import Seat

from ..deadlines import days_later, put_off
from ..dice.vault import Vault
from ..errors import PASSING
from ..evidence import service_events as platform
from ..evidence.chain import GENESIS, Seals
from ..evidence.changed import Part, joined
from ..evidence.records import (
    RULINGS,
    SERVICE,
    BatchRolled,
    BatchVoided,
    EndedByRuling,
    EpochStarted,
    Forfeited,
    GameAbandoned,
    GameCreated,
    RulesAgreed,
    RulesChanged,
    SeatTakenRecord,
    Takeback,
    opens_master,
)
from ..models import GameId, GameSummary, SeatSummary
from ..store import summaries, unplayed
from ..store.rows import Record, damaged, read_rows
from ..store.store import ALL, MadeAnew, Store
from ..store.summaries import Older
from ..views.rulesets import pinned
from .changes import agreed, gone_over, rules_named
from .live import LINKS, Reader
from .opening import begun, with_key
from .rulings import ruled
from .staging import AnyGame, forfeited, given_up, summarise
from .takebacks import went_back

LOG = logging.getLogger(__name__)


class UnloggedFields(msgspec.Struct):
    """Of a stored summary what no log has: everything else is made again."""

    class Filled(msgspec.Struct):
        """How a seat is, or was to be, filled."""

        seat: Seat
        held: str

    name: str
    seats: tuple[Filled, ...]
    updated_at: str = msgspec.field(name="updatedAt", default="")
    expires_at: str | msgspec.UnsetType | None = msgspec.field(
        name="expiresAt", default=msgspec.UNSET
    )

    def expiry(self, at: str, days: int) -> str | None:
        """When the game was to go, as it began at ``at``; after so many days where none is told."""
        if self.expires_at is msgspec.UNSET:
            return days_later(at, days)
        return self.expires_at and put_off(self.expires_at, self.updated_at, at)


KEPT = 1024
"""Summaries made anew that are remembered: beside a worker of another version, which stores its own
form each time, nothing is made twice."""

PAGE = 100
"""Rows of another form that are read at a time."""

Heard = Callable[[int, int], object]
"""Is told how many of how many have been gone over."""


def maker(store: Store, games: Mapping[str, AnyGame], vault: Vault) -> MadeAnew:
    """What makes a summary of another form anew when somebody asks for its game."""
    make = lru_cache(maxsize=KEPT)(partial(rebuilt_at, store, games, vault))

    def made(game: GameId, version: int, data: bytes) -> tuple[GameSummary, str] | None:
        try:
            return make(game, version, data)
        except PASSING:
            raise
        except Exception as error:  # whatever is wrong with it, the game is shown as it is kept
            LOG.debug("the summary of game %s is shown as it is: %s", game, error)
            return None

    return made


def renew(
    store: Store, games: Mapping[str, AnyGame], vault: Vault, heard: Heard = lambda *_: None
) -> int:
    """Make every summary of another form again; how many there were.

    A game that cannot be read now (no ruleset for it, a damaged record) keeps what it has.
    """
    count, done, after = summaries.count_of_another_form(store.recorder), 0, 0
    while rows := summaries.of_another_form(store.recorder, after, PAGE):
        for row in rows:
            renewed(store, games, vault, row)
            done += 1
            heard(done, count)
        after = rows[-1].place
    return done


def mark(store: Store, games: Mapping[str, AnyGame], vault: Vault) -> None:
    """Make those again on which no commit can stand. A migration has done that, but for games
    whose rules it did not have."""
    for row in summaries.without_a_mark(store.recorder):
        renewed(store, games, vault, row)


def renewed(store: Store, games: Mapping[str, AnyGame], vault: Vault, row: Older) -> bool:
    """Whether the row's summary was made again. Raises StoreUnavailable, StoreFull."""
    if not summaries.is_genuine(store.box, row.game, row.data):
        return False  # what no log has could not be told from what was changed
    try:
        summary, head = rebuilt_at(store, games, vault, row.game, row.version, row.data)
    except PASSING:
        raise
    except Exception as error:  # whatever is wrong with it, the others are made
        LOG.warning("the summary of game %s stays as it is: %s", row.game, error)
        return False
    summaries.renew(store.recorder, store.box, row.version, summary, head)
    now = store.ageing.at
    store.recorder.put((), unplayed.beginning(summary, now, now))
    return True


def rebuilt_at(
    store: Store,
    games: Mapping[str, AnyGame],
    vault: Vault,
    game: GameId,
    version: int,
    data: bytes,
) -> tuple[GameSummary, str]:
    """As :func:`rebuilt`, of exactly that version. Raises ServiceError, MsgspecError."""
    summary, head = rebuilt(store, games, vault, game, data, version)
    if summary.version != version:
        raise damaged(game, summary.version + 1, "missing")
    return summary, head


def rebuilt(
    store: Store,
    games: Mapping[str, AnyGame],
    vault: Vault,
    game_id: str,
    data: bytes,
    upto: int = ALL,
) -> tuple[GameSummary, str]:
    """The summary of a game as its log gives it, and the log's head.

    data  what was stored in its place, in whatever form
    upto  the last event that counts
    Raises ServiceError, MsgspecError.
    """
    rows = store.rows(game_id, 0, upto)
    if not rows:
        raise damaged(game_id, 1, "missing")
    created = first_record(game_id, rows[0][2])
    master = store.master(game_id)
    seals = Seals(master, bytes.fromhex(created.params.g))
    records = read_rows(game_id, rows, seals, 0, GENESIS)
    fork = created.setup.fork is not None
    game = _played(games, created, records, fork=fork)
    told = msgspec.json.decode(data, type=UnloggedFields)
    # A taken seat was to be filled before, one way or the other.
    held = {each.seat: "open" if each.held == "taken" else each.held for each in told.seats}
    at = records[0].body.at
    days = store.unplayed_days if created.setup.fork is None else store.fork_days
    summary = begun(game, game_id, created, told.name, held, at, told.expiry(at, days))
    summary = carried(summary, game, Reader(game, game_id, vault, master), records)
    if told.expires_at is msgspec.UNSET and summary.expires_at is not None:
        # Nobody was told until now: it is kept for as long from now on.
        late = max(summary.expires_at, days_later(store.ageing.at, days) or "")
        summary = msgspec.structs.replace(summary, expires_at=late)
    return summary, records[-1].hash


def _played(
    games: Mapping[str, AnyGame], created: GameCreated, records: Sequence[Record], *, fork: bool
) -> AnyGame:
    """By all rules that the log names."""
    parts, edition = [(1, created.rules)], created.setup.edition
    parts += [(change.since, change.new) for change in _changes(records)]
    found = [
        (first, pinned(games, rules_named(used, edition), to_read=True)) for first, used in parts
    ]
    back = any(record.body.type == Takeback.TYPE for record in records)
    told = tuple(Part(first, played(rules, fork=fork)) for first, rules in found)
    return joined(told, went_back=back)


def _changes(records: Iterable[Record]) -> Iterator[RulesChanged]:
    for record in records:
        if record.body.type == RulesChanged.TYPE:
            yield platform.decode_as(RulesChanged, record.truth)


def first_record(game_id: str, state: bytes) -> GameCreated:
    """What begins a game, from its row. Raises Damaged where that is anything else."""
    body = msgspec.json.decode(state)["body"]
    record = platform.decode(body["type"], msgspec.json.encode(body["data"]))
    if not isinstance(record, GameCreated):
        raise damaged(game_id, 1, "no beginning of a game")
    return record


def carried(
    summary: GameSummary, game: AnyGame, reader: Reader, records: Iterable[Record]
) -> GameSummary:
    """After each thing that was done, as the engine did it then."""
    batches, abandoned = 0, False
    lost: Forfeited | None = None
    for done in _done(records):
        reader.take(done)
        batches += sum(record.body.type in NUMBERED for record in done)
        summary = summarise(
            game,
            _ruled(_gone_over(_seated(summary, done), done), done),
            reader.state,
            version=done[-1].body.seq,
            head=done[-1].hash,
            next_batch=1 + batches,
            at=done[-1].body.at,
            links=reader.links,
            actor=_actor(game, done),
            own={record.body.actor: record.body.seq for record in done},
            locked=reader.locked,
            step=reader.step,
            opened=any(opens_master(each.body.type, each.body.schema) for each in done),
        )
        # The master is opened after the end, and that begins nothing anew.
        abandoned = abandoned or any(each.body.type in WITHOUT_RESULT for each in done)
        if abandoned:
            summary = given_up(summary)
        for each in done:
            if each.body.type == Forfeited.TYPE:
                lost = platform.decode_as(Forfeited, each.truth)
        if lost is not None:
            summary = forfeited(summary, lost.seats, lost.result)
    return summary


def _done(records: Iterable[Record]) -> Iterator[list[Record]]:
    """What was stored at once: the beginning, a seat that was taken, a command."""
    group: list[Record] = []
    for record in records:
        body = record.body
        after = group[-1].body if group else body
        alone = {body.type, after.type} & ALONE or (
            {body.type, after.type} & LINKS and not body.cause.id
        )
        if group and (body.cause.id != after.cause.id or alone):
            yield group
            group = []
        group.append(record)
    if group:
        yield group


NUMBERED = (BatchRolled.TYPE, BatchVoided.TYPE)
"""Types of events that use up the number of a batch."""

WITHOUT_RESULT = (GameAbandoned.TYPE, EndedByRuling.TYPE)
"""Types of ends that no rule of the game has led to."""

ALONE = RULINGS | {
    SeatTakenRecord.TYPE, EpochStarted.TYPE, RulesAgreed.TYPE, RulesChanged.TYPE,
    GameAbandoned.TYPE, Forfeited.TYPE, Takeback.TYPE,
}  # fmt: skip
"""Types of events that were stored by themselves, though no cause says so."""


def _is_seat(record: Record) -> bool:
    return record.body.type == SeatTakenRecord.TYPE


def _actor(game: AnyGame, done: Iterable[Record]) -> Seat:
    """The seat whose command it was, else the service."""
    prefix = game.ruleset + "."
    return next((r.body.actor for r in done if r.body.type.startswith(prefix)), SERVICE)


def _gone_over(summary: GameSummary, done: Iterable[Record]) -> GameSummary:
    """With what its seats agreed to, the rules that it has by that, and what was taken back."""
    for record in done:
        if record.body.type == RulesAgreed.TYPE:
            summary = agreed(summary, platform.decode_as(RulesAgreed, record.truth))
        elif record.body.type == Takeback.TYPE:
            summary = went_back(summary)
        elif record.body.type == RulesChanged.TYPE:
            summary = gone_over(summary, platform.decode_as(RulesChanged, record.truth))
    return summary


def _ruled(summary: GameSummary, done: Iterable[Record]) -> GameSummary:
    """With what the operator ruled."""
    for record in done:
        if record.body.type in RULINGS:
            ruling = platform.decode(record.body.type, record.truth)
            summary = ruled(summary, ruling, record.body.at)
    return summary


def _seated(summary: GameSummary, done: Iterable[Record]) -> GameSummary:
    for record in filter(_is_seat, done):
        summary = seated(summary, platform.decode_as(SeatTakenRecord, record.truth))
    return summary


def seated(summary: GameSummary, taken: SeatTakenRecord) -> GameSummary:
    """The summary after a seat was taken."""
    seats = tuple(
        with_key(SeatSummary(seat=seat.seat, held="taken", dice_tip=taken.tip), taken.key)
        if seat.seat == taken.seat
        else seat
        for seat in summary.seats
    )
    return msgspec.structs.replace(summary, seats=seats)
