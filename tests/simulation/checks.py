"""What has to be true of a world: of every answer, and of the rows at the end."""

from __future__ import annotations

import bisect
import random
from collections import Counter
from collections.abc import Collection, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import msgspec

from domain.kernel.options import Pending
from domain.kernel.values import PUBLIC
from projections.finder import found as installed_projections
from projections.stream import Observer, TrueEvent
from service.evidence.chain import GENESIS, Seals
from service.evidence.changed import Reading
from service.evidence.records import (
    ENDS,
    BatchRolled,
    DeadlinePassed,
    EpochStarted,
    SeatTakenRecord,
)
from service.evidence.verdict import UPHELD
from service.evidence.verify import verify
from service.following.follower import compare
from service.following.log import read_log
from service.following.meaning import Meanings
from service.http.streams import ndjson_frame
from service.store.box import Box
from service.store.expiry import EXPIRED
from service.store.rows import read_rows
from service.views.export import evidence_of
from service.views.own import see_own
from service.views.views import ViewCache, tell
from service.webhooks.messages import Messages, standing, told
from service.webhooks.rows import Hook

from .database import Disk, SimDatabase
from .kernel import World, here
from .seams import SimClock
from .town import KEY, Said, Town
from .twins import leaks

if TYPE_CHECKING:
    from .people import Deed, People, Table
    from .voices import Order

_ROWS = (
    "SELECT originator_version, topic, state FROM stored_events WHERE originator_id = ? "
    "AND originator_version <= ? ORDER BY originator_version"
)
_OPENED = (
    "SELECT 1 FROM stored_events WHERE originator_id = ? AND originator_version = ? "
    "AND topic LIKE 'decklog.master-opened.%'"
)
"""What the answer to the last order reaches, beyond the order's own events."""
_LENGTH = "SELECT count(*), max(originator_version) FROM stored_events WHERE originator_id = ?"
_ENDS = (
    "SELECT originator_id, max(originator_version) FROM stored_events "
    "WHERE originator_id NOT LIKE ? GROUP BY 1"
)
_HOOKS = "SELECT webhook, game, seat, since, types, state, made FROM webhooks"
ALL = 1 << 40

# --- at each answer ------------------------------------------------------------------------------


def alike(said: Sequence[Said]) -> None:
    """Who sends one request twice hears one thing. Refusals are not remembered: they may differ."""
    if any(not each.code for each in said):
        known = {(each.status, each.body) for each in said}
        assert len(known) == 1, f"two answers under one key: {known}"


def acknowledged(disk: Disk, deed: Deed) -> None:
    """What was acknowledged is stored, once, with its events, and the log has no hole."""
    game = deed.order.game
    opened = disk.ask(_OPENED, (game, deed.version))
    found = disk.ask("SELECT game, last FROM commands WHERE id = ?", (deed.command,))
    wanted = [(game, deed.version - len(opened))]
    assert found == wanted, f"acknowledged {deed.command} as {wanted}, stored {found}"
    ((count, last),) = disk.ask(_LENGTH, (game,))
    assert count == last >= deed.version, f"{count} events up to {last}, told {deed.version}"


def repeated(deed: Deed, said: Said) -> None:
    """A repeat gets the same bytes, and they say that it is one."""
    assert deed.said is not None
    same = (said.status, said.body) == (deed.said.status, deed.said.body)
    assert same, f"another answer to a repeat: {deed.said.body!r} then {said.body!r}"
    assert said.replayed, "a repeat was done anew"


def refused(said: Said, codes: Collection[str]) -> None:
    """What has to be refused is, and for the right reason."""
    assert said.code in codes, f"not refused for {sorted(codes)}: {said.status} {said.body!r}"


def one_seat(first: Sequence[Said], second: Sequence[Said]) -> str:
    """Of two who contend for a seat, each asking twice, one has it and one token; which."""
    taken = [{each.body for each in said if not each.code} for said in (first, second)]
    assert sorted(map(len, taken)) == [0, 1], f"who has the seat? {first} {second}"
    for said in (first, second):
        assert len({bool(each.code) for each in said}) == 1, f"two minds: {said}"
    (body,) = taken[0] or taken[1]
    return str(msgspec.json.decode(body)["token"])


# --- of the rows ---------------------------------------------------------------------------------


def records_of(town: Town, game: str, last: int = ALL) -> tuple[Any, list[TrueEvent]]:
    """The rules and the events of a stored game in truth, each of them checked against its chain.

    Raises Damaged.
    """
    ((summary, master),) = town.disk.ask(
        "SELECT summary, master FROM games WHERE game = ?", (game,)
    )
    known = msgspec.json.decode(summary)
    opened = Box(bytes.fromhex(KEY)).open(f"master/{game}", master)
    seals = Seals(opened, bytes.fromhex(known["params"]))
    rules = town.games[known["rules"]["ruleset"]]
    reading = Reading(rules)
    rows: Any = town.disk.ask(_ROWS, (game, last))
    return rules, [tell(reading, each) for each in read_rows(game, rows, seals, 0, GENESIS)]


def redacted(town: Town, game: str, viewer: str) -> list[bytes]:
    """The game's lines for a viewer: one fold over the rows, nothing remembered."""
    rules, told = records_of(town, game)
    eyes = Observer(rules, viewer, see_own)
    state, lines = None, []
    for each in told:
        event = eyes.seen(each)
        lines.append(ndjson_frame(eyes.in_full(state, each, event)).rstrip(b"\n"))
        if event is not None:
            state = rules.evolve(state, event)
    return lines


def view_of(town: Town, game: str, viewer: str, version: int) -> Any:
    """What a viewer sees at a version, by the same fold."""
    rules, told = records_of(town, game, version)
    state = None
    for each in told:
        if each.event is not None:
            state = rules.evolve(state, rules.seen(each.event, viewer))
    return state


def streams(people: People, *, whole: bool) -> None:
    """What readers got is the log as they may see it; at the end all of it: nobody is left deaf."""
    for table in people.tables:
        for reader in table.readers:
            truth = redacted(people.town, table.id, reader.seat or PUBLIC)
            seen, who = reader.lines, reader.seat or PUBLIC
            if whole:
                assert len(seen) == len(truth), f"{who} got {len(seen)} of {len(truth)} events"
            wrong = [(a, b) for a, b in zip(seen, truth, strict=False) if a != b]
            assert not wrong, f"the stream of {who} is not the log as seen: {wrong[:1]}"


def once(people: People) -> None:
    """No command is lost, none is stored twice, and none that nobody knows of."""
    ask = people.town.disk.ask
    told = {deed.command for deed in people.deeds if deed.done}
    assert len(told) == sum(deed.done for deed in people.deeds), "two keys, one command"
    stored = {id_ for (id_,) in ask("SELECT id FROM commands WHERE seat <> ''")}
    assert told <= stored, f"lost: {sorted(told - stored)}"
    underway = sum(deed.said is None for deed in people.deeds)
    ((by_clock,),) = ask(
        "SELECT count(*) FROM stored_events WHERE topic LIKE 'decklog.deadline-passed.%'"
    )
    more = sorted(stored - told - people.besides)
    assert len(more) <= underway + by_clock, f"done and never told: {more}, {underway} under way"


def linear(people: People) -> None:
    """Each game is one register: what was answered before a request began is seen by it.

    Versions name the order of writes, so nothing has to be searched: a write's place or a read's
    value is not below the highest that had been answered when it began.
    """
    by_game: dict[str, list[tuple[float, float, int, int]]] = {}
    for deed in people.deeds:
        if deed.done:
            entry = (deed.began, deed.ended, deed.version, 1)
            by_game.setdefault(deed.order.game, []).append(entry)
    for game, began, ended, version in people.reads:
        by_game.setdefault(game, []).append((began, ended, version, 0))
    for game, found in by_game.items():
        _register(game, found)


def _register(game: str, found: Sequence[tuple[float, float, int, int]]) -> None:
    ends = sorted((ended, version) for _, ended, version, _ in found)
    times, highest, high = [at for at, _ in ends], list[int](), 0
    for _, version in ends:
        high = max(high, version)
        highest.append(high)
    written = [version for _, _, version, write in found if write]
    assert len(set(written)) == len(written), f"{game}: a place was given twice"
    for began, ended, version, write in found:
        place = bisect.bisect_left(times, began)
        known = highest[place - 1] if place else 0
        what = "write" if write else "read"
        assert version >= known + write, (
            f"{game}: {what} of {version} at {began:.4f} to {ended:.4f}, {known} was answered"
        )


def batches(people: People) -> None:
    """No batch of dice is opened twice, and none is passed over."""
    for table in people.tables:
        _, told = records_of(people.town, table.id)
        opened = [
            msgspec.json.decode(each.own)["t"]
            for each in told
            if each.head.type == BatchRolled.TYPE
        ]
        assert opened == [*range(1, len(opened) + 1)], f"batches of {table.id}: {opened}"


def rows_agree(people: People) -> None:
    """Each game's row is at the version of its last event, and every event has its command."""
    ask = people.town.disk.ask
    games = dict(ask("SELECT game, version FROM games"))
    ends = dict(ask(_ENDS, (f"{EXPIRED}%",)))
    assert games == ends, f"rows and events disagree: {set(games.items()) ^ set(ends.items())}"
    made = {game for (game,) in ask("SELECT game FROM games WHERE status = 'fork'")}
    if people.attic is None:  # else they have expired by now (ages.py)
        assert bool(people.forks) <= bool(made), f"{people.forks} forks told, none stored"
    for table in people.tables:
        assert table.id not in made, f"{table.id} has become a fork"
        spans = ask("SELECT first, last FROM commands WHERE game = ? ORDER BY first", (table.id,))
        beyond = [(a, b) for a, b in pairwise(spans) if a[1] >= b[0]]
        assert not beyond, f"commands that overlap: {beyond[:1]}"


def patient(people: People) -> None:
    """Nobody was answered for by the clock before his time was over, by a clock that is right.

    A question is the same one while its seat is asked it without having given a command since. Its
    time begins when it is decided on, which is before it is stored: by as much as commits are slow.
    """
    if people.manners.deadline:
        for table in people.tables:
            _patient(people, table.id)


def _patient(people: People, game: str) -> None:
    rules, told = records_of(people.town, game)
    stored, limit = people.town.disk.times, people.manners.deadline
    state, since = None, dict[Pending, float]()
    for each, after in zip(told, (*told[1:], None), strict=True):
        now = stored[game, each.seq]
        if each.head.type == DeadlinePassed.TYPE:
            passed = msgspec.json.decode(each.own, type=DeadlinePassed)
            waited = [now - at for q, at in since.items() if q.seat == passed.seat]
            assert waited, f"{game}: {passed.seat} was not asked"
            assert waited[0] >= limit - people.town.slack, (
                f"{game}: the clock answered for {passed.seat} after {waited[0]:.3f} of {limit} s"
            )
        if each.event is not None:
            state = rules.evolve(state, each.event)
        if each.head.type == SeatTakenRecord.TYPE:
            since.clear()  # nobody's time runs before all seats are filled
        if state is not None and _ends(each, after):
            actor = each.head.actor
            asked = rules.pending(state)
            since = {q: since.get(q, now) if q.seat != actor else now for q in asked}


def _ends(each: TrueEvent, after: TrueEvent | None) -> bool:
    """Whether what was stored at once ends with the event."""
    if after is None or after.head.type in (SeatTakenRecord.TYPE, EpochStarted.TYPE):
        return True
    return after.head.cause.id != each.head.cause.id


def overtaken(town: Town, order: Order) -> None:
    """Whoever is told that his version is stale was overtaken by something that matters.

    It does not where others have given what came since, and he is asked the same question as
    before, which the rules mark as independent of theirs.
    """
    rules, told = records_of(town, order.game)
    state, asked = None, list[Pending | None]()
    since = told[order.version :]
    for each in told:
        if each.event is not None:
            state = rules.evolve(state, each.event)
        if each.seq >= order.version and state is not None:
            pending = rules.pending(state)
            asked.append(next((q for q in pending if q.seat == order.seat), None))
    theirs = since and all(each.head.actor != order.seat for each in since)
    ended = any(each.head.type in ENDS for each in since)
    first = asked[0]
    same = first is not None and first.together and all(each == first for each in asked)
    assert ended or not (theirs and same), f"{order.seat} was not overtaken at {order.version}"


def retire(town: Town) -> None:
    """No deadline is over any more: the world holds still for its judges."""
    town.disk.connection.execute("UPDATE deadlines SET at = ''")


# --- through the service, on a thread ------------------------------------------------------------


def rebuilt(town: Town, database: SimDatabase) -> None:
    """Every projection has come to the end, and is what it would be if it were made anew."""
    newest = max(
        (place for (place,) in town.disk.ask("SELECT place FROM stored_events")), default=0
    )
    behind = town.disk.ask("SELECT name, place FROM followers WHERE place < ?", (newest,))
    assert not behind, f"projections that are behind {newest}: {behind}"
    versions = dict(town.disk.ask("SELECT name, version FROM followers"))
    for projection in installed_projections().values():
        assert versions[projection.name] == projection.version, f"{projection.name} is of old"
        _, different = compare(database, projection, meanings=Meanings(town.games))
        assert not different, f"{projection.name} unlike its rebuild: {different[:2]}"


def views(people: People, dice: random.Random) -> None:
    """Any moment of some games, through each worker's memory, is the fold of what may be seen."""
    town = people.town
    for table in _some(people, dice, 4):
        ((_, last),) = town.disk.ask(_LENGTH, (table.id,))
        for worker in town.workers:
            kept = worker.desk.reader._cache.of(table.id)
            for viewer in (PUBLIC, *sorted(table.tokens)):
                version = dice.randrange(1, last + 1)
                truth = view_of(town, table.id, viewer, version)
                assert kept.at(viewer, version) == truth, (
                    f"{viewer} sees another {table.id} at {version}"
                )


def _some(people: People, dice: random.Random, count: int) -> list[Table]:
    return dice.sample(people.tables, min(count, len(people.tables)))


def upheld(people: People, dice: random.Random) -> None:
    """What is exported of some games is upheld, for whoever may have it."""
    town = people.town
    store = town.workers[0].desk.store
    for table in _some(people, dice, 2):
        for viewer in (PUBLIC, "p1"):
            bundle = evidence_of(store, town.games[people.manners.ruleset], table.id, viewer)
            verdict = verify(bundle, town.games)
            assert verdict.code == UPHELD, f"{table.id} for {viewer}: {verdict}"


def posted(people: People) -> None:
    """Each message that the log asks for stands in the store once, and was sent, in order."""
    town = people.town
    if not town.plan.hooks:
        return
    worker = town.workers[0]
    fresh = Messages(
        worker.desk.store, ViewCache(worker.desk.store, town.games, 1000), SimClock(worker.process)
    )
    recorder, meanings = worker.desk.store.recorder, Meanings(town.games)
    _, followed = read_log(recorder, 0, town.disk.places, 1 << 30, meanings)
    for row in town.disk.ask(_HOOKS):
        hook = Hook(*row)
        mine = [each for each in followed if each.entry.game == hook.game]
        asked = [each.seat for each in fresh.asked(hook.game, hook.since)]
        news = [*standing(hook.since, asked), *fresh.news(hook.game, mine)]
        wanted = sorted((each.seq, each.type) for each in news if told(hook, each))
        _posted(town, hook.id, wanted)


def _posted(town: Town, hook: str, wanted: Sequence[tuple[int, str]]) -> None:
    sql = "SELECT seq, type, message, state FROM deliveries WHERE webhook = ? ORDER BY place"
    kept = town.disk.ask(sql, (hook,))
    made = sorted((seq, type_) for seq, type_, *_ in kept)
    assert made == wanted, f"messages {hook}: not asked for or missing {_apart(made, wanted)}"
    gone = [row for row in kept if row[3] == "failed"]
    assert not gone, f"given up: {gone[:1]}"
    first = list(dict.fromkeys(message for h, message, *_ in town.received if h == hook))
    order = [message for _, _, message, _ in kept]
    assert first == order[: len(first)], f"sent out of order: {first} for {order}"
    lost = [row for row in kept if row[3] == "delivered" and row[2] not in first]
    assert not lost, f"never sent: {lost[:1]}"


def _apart(made: Sequence[Any], wanted: Sequence[Any]) -> tuple[list[Any], list[Any]]:
    more, less = Counter(made) - Counter(wanted), Counter(wanted) - Counter(made)
    return sorted(more.elements()), sorted(less.elements())


WINDOW = 60.0
"""Seconds of a quota."""


def within_quota(town: Town) -> None:
    """All workers together admit no more of a caller than his quota, while they count together."""
    quota = town.plan.quota
    if quota:
        whole = [*town.redis.failed, town.world.now]
        for who, found in town.admitted.items():
            since = 0.0
            for until in whole:
                _within(who, quota, [e for e in found if e[0] > since and e[1] < until])
                since = until


def _within(who: str, quota: int, found: Sequence[tuple[float, float]]) -> None:
    """``found``: what surely was counted between a beginning and an end, each."""
    ends = sorted(ended for _, ended in found)
    begins = sorted(began for began, _ in found)
    for number, first in enumerate(begins):
        for last in range(number + quota, len(ends)):
            many = sum(first <= began and ended <= ends[last] for began, ended in found)
            most = quota + quota * (ends[last] - first) / WINDOW + 1
            assert many <= most, f"{who or 'an address'}: {many} admitted, {most:.0f} are its due"


TWINS = 12
"""Moments of a game at which two worlds are compared."""


def hidden(people: People) -> None:
    """What one seat alone may know is in no event that anybody else is shown (twins.py)."""
    dice = random.Random(f"{people.world.seed}/twins")  # of its own: no world is another by it
    for table in _some(people, dice, 3):
        rules, told = records_of(people.town, table.id)
        found = [*leaks(rules, told, sorted(table.tokens), dice, TWINS)]
        assert not found, f"a secret of {table.id} is none: {found[0]}"


def of_rows(people: People) -> None:
    """All that needs nothing but the rows and what people were told."""
    once(people)
    linear(people)
    rows_agree(people)
    batches(people)
    streams(people, whole=True)
    hidden(people)
    within_quota(people.town)


def through_the_service(people: People, database: SimDatabase, world: World) -> None:
    """All that is asked of the service; on a thread of the world."""
    assert here(world).loop is None, "the store is read on threads"
    rebuilt(people.town, database)
    views(people, world.play)
    upheld(people, world.play)
    posted(people)
