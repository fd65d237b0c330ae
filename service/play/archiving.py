"""A finished game leaves the table of events: it is judged, written beside, read back, and only
then deleted there.

Whoever is killed before the one transaction leaves a file that nobody asks for, and the game where
it was; after it, a game that is read out of that file.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from datetime import datetime, timedelta

import msgspec

from domain.kernel.values import TRUTH

from .. import container
from ..clock import stamp
from ..errors import Damaged
from ..evidence import bundle
from ..evidence.records import RulesUsed
from ..evidence.shelf import CARRIED
from ..evidence.verdict import UPHELD
from ..evidence.verify import verify
from ..models import GameId, GameSummary
from ..store import acts, archive, summaries
from ..store.acts import Act
from ..store.archive import Archived
from ..store.bulk import Statement
from ..store.rows import head_at
from ..store.source import Source
from ..store.store import Conflict, Store
from ..store.stored import Parts, Row, StoredCommand
from ..views.export import evidence_of
from ..views.rulesets import playing
from ..views.views import not_found
from .staging import AnyGame

PAGE = 256
"""Games that are looked at with one question."""

SERVICE = "the service"
"""Who has archived a game, where no operator has."""


class Unarchivable(Exception):
    """Why a game stays where it is, in a sentence."""


def broken(error: Exception) -> str:
    """Why a game stays whose judge broke down: a fault of ours, of which the log has the trace."""
    return f"Its judge broke down: {type(error).__name__}."


class Judged(msgspec.Struct, frozen=True):
    """The evidence of a game, and the verdict on it in words."""

    data: bytes
    upheld: bool
    verdict: str


class Deposit(msgspec.Struct, frozen=True):
    """A game that was archived: its events, their bytes in the table, and those of its file."""

    game: GameId
    events: int
    bytes: int
    size: int


class _Own:
    """The engines that the store itself keeps, as a judge finds them."""

    name = "the store"

    def __init__(self, source: Source) -> None:
        self._source = source

    def find(self, used: RulesUsed) -> Iterator[bytes]:
        archive_ = self._source.engine(used.digest)
        if archive_ is not None:
            yield archive_


def judged(source: Source, games: Mapping[str, AnyGame], game: GameId) -> Judged:
    """The evidence of a finished game, judged as ``decklog verify`` does; the store vouches for the
    engines by which it has decided itself.

    Raises NotFound, Damaged, RulesetMissing, EvidenceUnavailable.
    """
    stored = source.game(game)
    if stored is None:
        raise not_found(game)
    data = evidence_of(source, playing(games, stored.summary, to_read=True), game, TRUTH)
    own = [each for each in _engines(data) if source.engine(each) is not None]
    verdict = verify(data, games, engines=(CARRIED, _Own(source)), trusted=own)
    upheld = verdict.code == UPHELD and verdict.scope == "complete"
    return Judged(data, upheld, verdict.text())


def _engines(data: bytes) -> Collection[str]:
    """The digests of the rules that a bundle names."""
    files = container.unpack(data)
    manifest = msgspec.json.decode(files[bundle.MANIFEST], type=bundle.Manifest)
    return bundle.engines_named(manifest, files[bundle.EVENTS]) or ()


_FINISHED = (
    "SELECT place, game, version, summary FROM games WHERE status = 'finished' AND place > ? "
    "AND NOT EXISTS (SELECT 1 FROM archived a WHERE a.game = games.game) ORDER BY place LIMIT ?"
)
_LAST = "SELECT originator_id FROM stored_events ORDER BY {} DESC LIMIT 1"


def before(now: datetime, days: int) -> str:
    """A game that ended before this time is old enough."""
    return stamp(now - timedelta(days=days))


def candidates(store: Store, ended_before: str) -> Iterator[GameSummary]:
    """Finished games in which nothing has happened since, the first made first: not a damaged one,
    not one whose master is still to be opened, and not the one that has the newest event of all
    (``newest_of``)."""
    newest, place = newest_of(store), 0
    while rows := store.recorder.query(_FINISHED, (place, PAGE)):
        for _, game, version, data in rows:
            try:
                summary = summaries.decode(store.box, game, version, data)
            except (Damaged, msgspec.ValidationError):
                continue
            if summary.opened and summary.updated_at < ended_before and game != newest:
                yield summary
        place = rows[-1][0]


def newest_of(store: Store) -> GameId:
    """The game with the newest event of all, "" in an empty store: it stays until another one goes
    on, for SQLite would give its place to the next event."""
    found = store.recorder.query(_LAST.format(store.recorder.place))
    return found[0][0] if found else ""


def still_there(store: Store, game: GameId) -> bool:
    """Whether a game is there, and not in a file."""
    found = store.recorder.query("SELECT 1 FROM games WHERE game = ?", (game,))
    return bool(found) and store.archive.row(store.recorder, game) is None


def put_away(store: Store, found: Judged, game: GameId, operator: str, why: str) -> Deposit:
    """Archive a game that was judged. Raises Unarchivable, ServiceError."""
    if not found.upheld:
        raise Unarchivable(f"It was not upheld: {found.verdict.splitlines()[0]}")
    stored = store.game(game)
    if stored is None:
        raise not_found(game)
    places = _places(store, game, stored.summary.version)
    store.archive.needed(store.recorder)
    size, sha256 = store.archive.write(game, found.data)
    at = acts.time_of(store.recorder)
    row = Archived(
        game, stored.summary.version, stored.head, places[0], places[-1], archive.packed(places),
        size, sha256, at,
    )  # fmt: skip
    rows = _compared(store, row, stored.master)
    events = sum(len(state) for _, _, state in rows)
    done = Deposit(game, len(places), events, size)
    told = msgspec.Raw(msgspec.json.encode(done))
    if not _exchanged(store, row, Act(at, operator, "archive", game, why, told)):
        raise Unarchivable("It has changed meanwhile, or has the newest event of all.")
    return done


def _places(store: Store, game: GameId, version: int) -> list[int]:
    asked = (
        f"SELECT {store.recorder.place} FROM stored_events WHERE originator_id = ? "
        "ORDER BY originator_version"
    )
    places = [place for (place,) in store.recorder.query(asked, (game,))]
    if len(places) != version or places != sorted(places):
        raise Unarchivable("Its events are not all in the table, or not in their order.")
    return places


def _compared(store: Store, row: Archived, master: bytes) -> list[Row]:
    """The rows of the table, once all that the store has is found in the file as it was read back.

    Raises Unarchivable.
    """
    kept = archive.parts_of(row.game, store.archive.bundle(row))
    rows = [(seq, topic, bytes(state)) for seq, topic, state in store.rows(row.game)]
    commands = [_plain(order) for order in store.commands(row.game)]
    for what, one, other in zip(Parts._fields, kept, Parts(rows, commands, master), strict=True):
        if one != other:
            raise Unarchivable(f"The {what} in its evidence are not those of the store.")
    if head_at(row.game, rows[-1:]) != row.head:
        raise Unarchivable("Its last event is not the one that its row is of.")
    return rows


def _plain(order: StoredCommand) -> StoredCommand:
    """An order whose bytes are bytes, whatever the database gives."""
    return msgspec.structs.replace(
        order, command=bytes(order.command), signature=bytes(order.signature)
    )


def _exchanged(store: Store, row: Archived, act: Act) -> bool:
    """The row in, the events out, in one transaction; False where the game is not as it was.

    The newest event of all stays: SQLite would give its place to the next one.
    """
    place = store.recorder.place
    asked = (
        "UPDATE games SET version = version WHERE game = ? AND version = ? "
        f"AND status = 'finished' AND EXISTS (SELECT 1 FROM stored_events WHERE {place} > ?)"
    )
    guard: Statement = (asked, (row.game, row.version, row.last))
    gone = [
        ("DELETE FROM stored_events WHERE originator_id = ?", (row.game,)),
        ("DELETE FROM commands WHERE game = ?", (row.game,)),
        ("DELETE FROM signatures WHERE game = ?", (row.game,)),
    ]
    try:
        return store.recorder.exchange(
            [guard], [*archive.insertion(row), acts.insertion(act), *gone]
        )
    except Conflict:  # another worker was quicker
        return False


def clear_deleted(store: Store) -> int:
    """Take away the files of games that were deleted: whoever was to do it may have been killed."""
    count = 0
    for (game,) in store.recorder.query("SELECT game FROM tombstones"):
        count += store.archive.remove(game)
    return count
