"""Faults of our own making: each is planted into a world's process, and has to be found.

Each is a mistake that somebody could make, of one or two lines, in a place where only the order of
things shows it. ``python -m tests.simulation --bug NAME --many 100`` looks for it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import Any

import msgspec

import service.deadlines as deadlines
import service.desk as desk
import service.evidence.dicecheck  # noqa: F401  (read before dice are harmed)
import service.following.follower as follower
import service.following.thread as following
import service.http.quotas as quotas
import service.play.deciding as deciding
import service.play.engine as engine
import service.play.live as live
import service.play.seating as seating
import service.play.unplayed as unplayed
import service.store.ageing as ageing
import service.store.expiry as expiry
import service.store.idempotency as idempotency
import service.views.reader as reader
import service.views.views as views
import service.webhooks.courier as courier
from domain.kernel.codec import canonical
from domain.kernel.engine import Engine
from domain.kernel.values import Hidden
from service.errors import DiceRefused
from service.play.staging import ReadyRequest
from service.store.bulk import Statement
from service.store.store import Commit, Store

from . import database

NOTHING: Statement = ("UPDATE meta SET value = value WHERE name = ?", ("x",))


def put(owner: Any, name: str, value: Any) -> Any:
    """Put it in the place of what has the name; what that was."""
    real = getattr(owner, name)
    setattr(owner, name, value)
    return real


# --- once, and only once -------------------------------------------------------------------------


def no_key() -> None:
    """A command's idempotency key is never kept."""

    def insertion(box: Any, key: Any, *rest: Any) -> Statement:
        return NOTHING if key[0].startswith("command/") else made(box, key, *rest)

    made = put(idempotency, "insertion", insertion)


def no_key_in_group() -> None:
    """The key of the second request of a group commit is not kept."""

    def put_(self: Any, ready: Any) -> None:
        for place, (job, staged) in enumerate(ready):
            if place == 1 and isinstance(staged, ReadyRequest) and job.key:
                kept = tuple(s for s in staged.commit.statements if "INTO idempotency" not in s[0])
                commit = msgspec.structs.replace(staged.commit, statements=kept)
                ready[place] = (job, msgspec.structs.replace(staged, commit=commit))
        real(self, ready)

    real = put(engine.Engine, "_put", put_)


def double_apply() -> None:
    """After a conflict a command is decided on whatever the game is then, and without its key."""
    again = [False]

    def one_by_one(self: Any, jobs: Any, retries: int) -> None:
        again[0] = True
        try:
            real(self, jobs, retries)
        finally:
            again[0] = False

    def check_version(live_: Any, seat: str, expected: int) -> None:
        if not again[0]:
            check(live_, seat, expected)

    def remembered(self: Any, key: Any, fingerprint: bytes) -> bytes | None:
        found: bytes | None = None if again[0] else find(self, key, fingerprint)
        return found

    def insertion(*given: Any) -> Statement:
        return NOTHING if again[0] else made(*given)

    real = put(engine.Engine, "_one_by_one", one_by_one)
    check = put(deciding, "check_version", check_version)
    find = put(engine.WorkingGames, "remembered", remembered)
    made = put(idempotency, "insertion", insertion)


def not_overtaken() -> None:
    """A request that is refused does not look whether its own effect was stored meanwhile."""
    put(engine.WorkingGames, "overtaken", lambda self, key, fingerprint: None)


def key_shared() -> None:
    """Another request under a key that is known gets the answer of the first."""

    def answer_of(box: Any, key: Any, remembered: Any, fingerprint: bytes) -> bytes:
        answer: bytes = real(box, key, remembered, remembered[0])
        return answer

    real = put(idempotency, "answer_of", answer_of)


def any_version() -> None:
    """A command may name any version that the game has had."""
    put(deciding, "check_version", lambda live_, seat, expected: None)


# --- durable before it is told -------------------------------------------------------------------


def told_early() -> None:
    """A request is answered before its commit is durable."""

    def put_(self: Any, ready: Any) -> None:
        if len(ready) == 1 and isinstance(ready[0][1], ReadyRequest):
            job, staged = ready[0]
            self._deliver([engine.Reply(job.handle, staged.answer, None)], {})
        real(self, ready)

    real = put(engine.Engine, "_put", put_)


def half_commit() -> None:
    """Events are stored, and what belongs to them in a transaction of its own."""

    def put_(self: Store, commits: Sequence[Commit]) -> None:
        for commit in commits:
            self.recorder.put([(commit.game, *row) for row in commit.rows], ())
        self.recorder.put((), [s for commit in commits for s in commit.statements])

    put(Store, "put", put_)


def swapped() -> None:
    """The answers of two requests of one group are exchanged."""

    def settle(self: Any, ready: Any, refused: Any) -> None:
        ready = list(ready)
        if len(ready) > 1 and all(isinstance(staged, ReadyRequest) for _, staged in ready[:2]):
            (one, first), (two, second) = ready[:2]
            answers = first.answer, second.answer
            if all(isinstance(each, deciding.Receipt) for each in answers):
                ready[0] = (one, msgspec.structs.replace(first, answer=answers[1]))
                ready[1] = (two, msgspec.structs.replace(second, answer=answers[0]))
        real(self, ready, refused)

    real = put(engine.Engine, "_settle", settle)


def _after_power(spoil: Callable[[Any, list[bytes]], None]) -> None:
    """When the power is cut ``spoil`` gets the disk, and how it was before the last
    commits, the latest last."""
    kept: list[bytes] = []

    def whole(self: Any, work: Any) -> bool:
        before = self.connection.serialize()
        done: bool = real(self, work)
        if done:
            kept.append(before)
            del kept[:-3]
        return done

    def power_cut(self: Any) -> None:
        cut(self)
        if kept:
            spoil(self, kept)
            kept.clear()

    real = put(database.Disk, "whole", whole)
    cut = put(database.Disk, "power_cut", power_cut)


def unsynced() -> None:
    """SQLite does not wait for its disk: the last commits are torn, though they were told."""
    _after_power(lambda disk, kept: disk.connection.deserialize(kept[0]))


def half_applied() -> None:
    """Of the last commits the disk has the events, and not what belongs to the last of them."""

    def spoil(disk: Any, kept: list[bytes]) -> None:
        rows = disk.ask("SELECT * FROM stored_events")
        disk.connection.deserialize(kept[-1])
        disk.connection.executemany("INSERT OR IGNORE INTO stored_events VALUES (?,?,?,?,?)", rows)

    _after_power(spoil)


# --- what is in memory, and what is stored -------------------------------------------------------


def stale_cache() -> None:
    """After a commit that failed the game in memory stays as it would have been."""

    def fail(self: Any, ready: Any, refused: Any, error: Exception) -> None:
        for _, staged in ready:
            if isinstance(staged, ReadyRequest):
                self._keep(staged.live)
        real(self, ready, refused, error)

    real = put(engine.Engine, "_fail", fail)


def never_looks() -> None:
    """The game in memory is taken for the latest, whoever else writes."""
    put(engine.WorkingGames, "_latest", lambda self, game: None)


def stale_summary() -> None:
    """A summary is shown from memory where other workers write."""

    def summary(self: Any, game: str) -> Any:
        known = self.peek(game)
        return known.summary if known else None

    put(engine.Engine, "summary", summary)


def gap() -> None:
    """Fresh events are put behind older ones in memory, whatever lies between."""

    def carry(self: Any, told: Any) -> None:
        self._recent = (*self._recent, *told)[-views.RECENT :]

    put(views.GameViews, "carry", carry)


def leak() -> None:
    """An event that is still in memory, and is asked for alone, is shown as it is."""

    def quick_seen(self: Any, viewer: str, after: int, limit: int, latest: int) -> Any:
        found, recent = real(self, viewer, after, limit, latest), self._recent
        if found and len(found) == 1 and recent and recent[-1].seq == found[0].seq:
            event = recent[-1].event
            if event is not None:
                return [msgspec.structs.replace(found[0], event=event, data=event)]
        return found

    real = put(views.GameViews, "quick_seen", quick_seen)


def _leaks(shown: Callable[[Any, Any], Any]) -> None:
    """A game's own ``redact`` shows something of what it hides: ``shown`` of the event, and of what
    should be seen of it."""
    real = Engine.seen

    def seen(self: Any, event: Any, viewer: str) -> Any:
        honest = real(self, event, viewer)
        return honest if honest == event else shown(event, honest)

    put(Engine, "seen", seen)


def open_secret() -> None:
    """A game's own ``redact`` forgets to hide."""
    _leaks(lambda event, honest: event)


def sized_secret() -> None:
    """An envelope is as thick as what lies in it."""

    def shown(event: Any, honest: Any) -> Any:
        sized = {
            name: Hidden(len(canonical(getattr(event, name))))
            for name in honest.__struct_fields__
            if isinstance(getattr(honest, name), Hidden)
        }
        return msgspec.structs.replace(honest, **sized)

    _leaks(shown)


# --- quotas --------------------------------------------------------------------------------------


def own_quota() -> None:
    """Each worker counts by itself, though there is a Redis."""

    async def spend(self: Any, key: str) -> Any:
        return self.take(key)

    put(quotas.SharedBuckets, "spend", spend)


# --- who follows ---------------------------------------------------------------------------------


def deaf() -> None:
    """The store is never asked for news: a hint that is lost stays lost."""
    put(desk, "HINTED_SECONDS", 1e9)
    put(desk, "WATCH_SECONDS", 1e9)


def unsettled() -> None:
    """The log is read up to its newest place, whoever is still writing below it."""

    def settled(self: Any) -> int:
        return int(self.query("SELECT coalesce(max(place), 0) FROM stored_events")[0][0])

    put(database.SimDatabase, "settled", settled)


def unguarded() -> None:
    """Every worker follows the log, and a step is not guarded by where it began."""

    def moved(name: str, place: Any, reached: int) -> Statement:
        sql = "UPDATE followers SET place = ? WHERE name = ? AND run = ?"
        return (sql, (reached, name, place.run))

    put(follower, "_moved", moved)
    put(database.SimDatabase, "lead", lambda self, office: True)


def sleeps() -> None:
    """The log is followed until something fails once."""

    def round_(self: Any) -> None:
        if not getattr(self, "tired", False):
            self.tired = True
            real(self)
            self.tired = False

    real = put(following.Following, "_round", round_)


def post_forgotten() -> None:
    """A message that its receiver did not take counts as delivered."""

    def verdict(delivery: Any, outcome: Any, now: Any) -> tuple[str, str]:
        found: tuple[str, str] = real(delivery, msgspec.structs.replace(outcome, status=204), now)
        return found

    real = put(courier, "verdict", verdict)


# --- seats, dice, clocks -------------------------------------------------------------------------


def seat_twice() -> None:
    """An invitation opens a seat that was taken with it."""

    def check_right(game: str, seat: Any, taking: Any, recorder: Any) -> str:
        return "" if seat.held == "taken" else real(game, seat, taking, recorder)

    real: Callable[..., str] = put(seating, "check_right", check_right)


def batch_again() -> None:
    """After a commit that failed the next command counts its batches from one too low."""
    failed = [False]

    def fail(self: Any, *given: Any) -> None:
        failed[0] = True
        real(self, *given)

    def number(live_: Any, *rest: Any) -> Any:
        if failed[0] and live_.next_batch > 1:
            summary = msgspec.structs.replace(live_.summary, next_batch=live_.next_batch - 1)
            live_, failed[0] = msgspec.structs.replace(live_, summary=summary), False
        return resolve(live_, *rest)

    real = put(engine.Engine, "_fail", fail)
    resolve = put(deciding, "_resolve", number)


def spent_chain() -> None:
    """Chains are not renewed before they are spent."""
    put(live.DiceKeeper, "renewal", lambda self, epoch, next_batch: None)


def absent_refused() -> None:
    """Whoever has not renewed his chain may give no command, instead of being absent from dice."""

    def check_link(live_: Any, order: Any) -> Any:
        place = live_.seats.index(order.seat)
        if place in live_.links.spent and order.link is None:
            raise DiceRefused("Make a new chain.", code="dice.exhausted")
        return real(live_, order)

    real = put(deciding, "check_link", check_link)


def absent_counted() -> None:
    """What an absent seat sent last goes into its dice again, after its chain was spent."""

    def check_link(live_: Any, order: Any) -> Any:
        told = real(live_, order)
        if told.credit is None and live_.links.spent:
            return told._replace(credit=_Old(live_))
        return told

    real = put(deciding, "check_link", check_link)


class _Old:
    """A credit of links that nobody has sent for these dice."""

    def __init__(self, live_: Any) -> None:
        self.links = live_.links

    def entries(self, t: int) -> list[bytes | None]:
        return [
            b"\x01" * 32 if n in self.links.spent else None for n in range(len(self.links.known))
        ]

    def spent(self, t: int) -> Any:
        return self.links


def early() -> None:
    """The clock answers for whoever is asked, as soon as it looks at the game."""

    def overdue(summary: Any, at: str, away: Any = ()) -> Any:
        return next((q for q in summary.to_move if q.seat in summary.due), None)

    put(deciding, "first_overdue", overdue)
    put(reader.Reader, "due", _all_due)


async def _all_due(self: Any, at: str, limit: int) -> Any:
    return await self._read(self._store.due, deadlines.later(at, 20), limit)


# --- what grows old ------------------------------------------------------------------------------


def played_abandoned() -> None:
    """Whoever sees to games that nobody plays does not look whether somebody has."""

    def see(bench: Any, game: str) -> Any:
        known = bench.live(game)
        if known.summary.expires_at is None and known.summary.status == "playing":
            goes = deadlines.days_later(known.summary.updated_at, 1)
            summary = msgspec.structs.replace(known.summary, expires_at=goes)
            return unplayed.ended(msgspec.structs.replace(known, summary=summary), bench.at)
        return real(bench, game)

    real = put(unplayed, "see", see)


def never_abandoned() -> None:
    """A game that nobody plays is looked at, and is there for ever."""
    put(unplayed, "see", unplayed._later)


def document_early() -> None:
    """Documents are deleted whenever somebody looks for old ones."""
    put(expiry, "_documents_before", lambda at: ("DELETE FROM customs", ()))


def documents_for_ever() -> None:
    """Documents are never deleted."""
    put(expiry, "_documents_before", lambda at: NOTHING)


def fork_early() -> None:
    """A what-if game is deleted as soon as somebody looks for old ones."""
    put(expiry.Expiry, "_is_older", lambda self, *given: True)


def key_early() -> None:
    """Keys are forgotten whenever the store's time goes on."""

    def go_on(self: Any) -> None:
        self._kept = timedelta()
        real(self)

    real = put(ageing.StoreTime, "go_on", go_on)


BUGS: dict[str, Callable[[], None]] = {
    each.__name__: each
    for each in (
        no_key, no_key_in_group, double_apply, not_overtaken, key_shared, any_version,
        told_early, half_commit, swapped, stale_cache, never_looks, stale_summary, gap, leak,
        open_secret, sized_secret, deaf, unsettled, unguarded, sleeps, post_forgotten, seat_twice,
        batch_again, spent_chain, absent_refused, absent_counted, early, own_quota,
        unsynced, half_applied, played_abandoned, never_abandoned, document_early,
        documents_for_ever, fork_early, key_early,
    )
}  # fmt: skip
