"""Deadlines: the service gives the usual answer for who is late, once, and the record says so."""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import msgspec
import pytest

from domain.kernel.values import PUBLIC, TRUTH, Known
from service.clock import FixedClock
from service.deadlines import first_overdue
from service.desk import Desk
from service.errors import ServiceError
from service.evidence.records import DeadlinePassed
from service.evidence.verify import verify
from service.models import LONGEST, NewGame, TakeSeat
from service.play.timekeeper import POSTPONED, TICK_SECONDS
from tests.support import pennant
from tests.support.pennant import Choose, Fire
from tests.support.player import Player

from .kit import GAMES, desk_in, fresh_key, new_game, on_desk, order, wishes

NOON = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
Test = Callable[[Desk, FixedClock], Awaitable[None]]


def with_clock(
    folder: Path, test: Test, at: datetime = NOON, games: Any = GAMES, **changes: Any
) -> None:
    """Run ``test`` with a desk whose clock stands still until the test moves it."""

    async def run() -> None:
        clock = FixedClock(at)
        async with desk_in(folder, clock, games, **{"deadline_grace": 0, **changes}) as desk:
            await test(desk, clock)

    asyncio.run(run())


def at(seconds: float) -> str:
    """So many seconds after noon, as answers have it."""
    text = (NOON + timedelta(seconds=seconds)).isoformat(timespec="milliseconds")
    return text.replace("+00:00", "Z")


def wait(clock: FixedClock, seconds: float) -> None:
    clock.at += timedelta(seconds=seconds)


async def kinds(desk: Desk, game: str, after: int = 0) -> list[tuple[str, str]]:
    """Type and actor of every event above ``after``."""
    return [(e.type, e.actor) for e in await desk.reader.events(game, PUBLIC, after, 10_000)]


async def turn(desk: Desk, **fields: Any) -> str:
    """A game with a deadline of a minute in which p1 is to move, opened at noon."""
    game = (await new_game(desk, deadline=60, **fields)).game.id
    await order(desk, game, "p1", Choose("bold"))
    await order(desk, game, "p2", Choose("steady"))
    return game


def test_who_is_late_gets_the_usual_answer_and_the_record_says_who_gave_it(tmp_path: Path) -> None:
    async def test(desk: Desk, clock: FixedClock) -> None:
        game = await turn(desk)
        summary = await desk.reader.summary(game)
        assert (summary.deadline, summary.due) == (60, {"p1": at(60)})
        wait(clock, 59.999)
        assert await desk.timekeeper.tick() == 0
        wait(clock, 0.001)
        assert await desk.timekeeper.tick() == 1
        events = await desk.reader.events(game, PUBLIC, summary.version, 10)
        assert [(e.type, e.actor, e.at) for e in events] == [
            ("decklog.deadline-passed", "service", at(60)),
            ("pennant.turn-passed", "p1", at(60)),
        ]
        assert events[0].data == {"seat": "p1", "question": "turn", "subject": "", "due": at(60)}
        assert events[0].caused_by == events[1].caused_by != ""
        assert events[0].text == "p1 has no time left to turn: the usual answer is given."
        assert (await desk.reader.summary(game)).due == {"p2": at(120)}
        assert await desk.timekeeper.tick() == 0
        assert (desk.timekeeper.answers, desk.timekeeper.postponed) == (1, 0)

    with_clock(tmp_path, test)


def test_a_game_of_absent_players_ends_and_is_upheld(tmp_path: Path) -> None:
    async def test(desk: Desk, clock: FixedClock) -> None:
        game = (await new_game(desk, turns=6, deadline=5)).game.id
        while (await desk.reader.summary(game)).result is None:
            wait(clock, 5)
            assert await desk.timekeeper.tick() > 0
        summary = await desk.reader.summary(game)
        assert summary.due == {}
        wait(clock, 10_000)
        assert await desk.timekeeper.tick() == 0
        verdict = verify(await desk.reader.evidence(game, PUBLIC), GAMES)
        assert (verdict.word, verdict.scope) == ("UPHELD", "complete"), verdict.text()
        by_clock = [kind for kind, _ in await kinds(desk, game)].count(DeadlinePassed.TYPE)
        assert by_clock == 8, "two colours and six turns"

    with_clock(tmp_path, test)


def test_a_game_in_play_is_upheld_for_each_viewer(tmp_path: Path) -> None:
    async def test(desk: Desk, clock: FixedClock) -> None:
        game = (await new_game(desk, deadline=5)).game.id
        await order(desk, game, "p1", Choose("bold"))
        wait(clock, 5)
        assert await desk.timekeeper.tick() == 1
        await order(desk, game, "p1", Fire())
        wait(clock, 6)
        assert await desk.timekeeper.tick() == 1
        for viewer in ("p1", "p2", PUBLIC):
            verdict = verify(await desk.reader.evidence(game, viewer), GAMES)
            assert (verdict.word, verdict.scope) == ("UPHELD", "partial"), verdict.text()

    with_clock(tmp_path, test)


def test_without_a_deadline_nobody_is_ever_late(tmp_path: Path) -> None:
    async def test(desk: Desk, clock: FixedClock) -> None:
        game = (await new_game(desk)).game.id
        summary = await desk.reader.summary(game)
        assert (summary.deadline, summary.due) == (0, {})
        wait(clock, 10 * LONGEST)
        assert await desk.timekeeper.tick() == 0
        assert (await desk.reader.summary(game)).version == summary.version

    with_clock(tmp_path, test)


def test_the_time_of_a_question_runs_on_whatever_others_do(tmp_path: Path) -> None:
    async def test(desk: Desk, clock: FixedClock) -> None:
        game = (await new_game(desk, deadline=60)).game.id
        assert (await desk.reader.summary(game)).due == {"p1": at(60), "p2": at(60)}
        wait(clock, 40)
        await order(desk, game, "p1", Choose("bold"))
        assert (await desk.reader.summary(game)).due == {"p2": at(60)}
        wait(clock, 20)
        assert await desk.timekeeper.tick() == 1
        state = (await desk.reader.view(game, TRUTH)).state
        assert state.colours == ("bold", "steady")
        assert (await desk.reader.summary(game)).due == {"p1": at(120)}

    with_clock(tmp_path, test)


def test_a_secret_answer_of_the_clock_is_as_secret_as_one_of_the_seat(tmp_path: Path) -> None:
    async def test(desk: Desk, clock: FixedClock) -> None:
        seats = wishes("keep", "keep")
        game = (await new_game(desk, deadline=60, seats=seats)).game.id
        wait(clock, 30)
        await order(desk, game, "p2", Choose("bold"))
        wait(clock, 30)
        before = (await desk.reader.summary(game)).version
        assert await desk.timekeeper.tick() == 1
        own = await desk.reader.events(game, "p1", before, 10)
        assert own[1].event.choice == Known(("steady",))
        other = await desk.reader.events(game, "p2", before, 10)
        assert other[1].event.choice.count == 1
        assert not isinstance(other[1].event.choice, Known)
        assert set(other[0].data) == {"seat", "question", "subject", "due"}

    with_clock(tmp_path, test)


def test_time_begins_when_every_seat_is_filled(tmp_path: Path) -> None:
    async def test(desk: Desk, clock: FixedClock) -> None:
        created = await new_game(desk, deadline=60, seats=wishes("keep", "open"))
        game = created.game.id
        assert created.game.due == {}
        wait(clock, 1_000)
        assert await desk.timekeeper.tick() == 0
        taken = await desk.writer.take_seat(game, TakeSeat(seat="p2"), key=fresh_key())
        assert taken.game.due == {"p1": at(1_060), "p2": at(1_060)}
        wait(clock, 60)
        assert await desk.timekeeper.tick() == 2

    with_clock(tmp_path, test)


def test_a_restart_forgets_no_deadline_and_passes_none_twice(tmp_path: Path) -> None:
    made: list[str] = []

    async def begin(desk: Desk, clock: FixedClock) -> None:
        made.append(await turn(desk))

    async def late(desk: Desk, clock: FixedClock) -> None:
        version = (await desk.reader.summary(made[0])).version
        wait(clock, 59)
        assert await desk.timekeeper.tick() == 0, "while the service was down nobody could answer"
        wait(clock, 1)
        assert await desk.timekeeper.tick() == 1
        assert [kind for kind, _ in await kinds(desk, made[0], version)] == [
            DeadlinePassed.TYPE, "pennant.turn-passed",
        ]  # fmt: skip
        assert (await desk.reader.summary(made[0])).due == {"p2": at(3_720)}

    async def again(desk: Desk, clock: FixedClock) -> None:
        assert await desk.timekeeper.tick() == 0

    with_clock(tmp_path, begin)
    with_clock(tmp_path, late, NOON + timedelta(hours=1), deadline_grace=60)
    with_clock(tmp_path, again, NOON + timedelta(hours=1, seconds=61))


def test_several_workers_give_one_answer(tmp_path: Path, store: str) -> None:
    async def test(desk: Desk, clock: FixedClock) -> None:
        games = [await turn(desk, turns=30) for _ in range(5)]
        async with AsyncExitStack() as stack:
            workers = [desk]
            if store == "postgresql":
                other = desk_in(tmp_path, clock, deadline_grace=0)
                workers.append(await stack.enter_async_context(other))
            for _ in range(6):
                wait(clock, 60)
                given = await asyncio.gather(*(w.timekeeper.tick() for w in workers * 3))
                assert sum(given) == len(games)
        for game in games:
            found = [kind for kind, _ in await kinds(desk, game)]
            assert found.count(DeadlinePassed.TYPE) == found.count("pennant.turn-passed") == 6

    with_clock(tmp_path, test)


def test_a_command_and_the_clock_at_the_same_moment(tmp_path: Path) -> None:
    async def test(desk: Desk, clock: FixedClock) -> None:
        for number in range(8):
            game = await turn(desk)
            version = (await desk.reader.summary(game)).version
            wait(clock, 60)
            post = order(desk, game, "p1", Fire(), expected=version)
            both = (post, desk.timekeeper.tick())
            jobs = both if number % 2 else both[::-1]
            results = await asyncio.gather(*jobs, return_exceptions=True)
            fired = [kind for kind, _ in await kinds(desk, game, version)].count(
                "pennant.fire-declared"
            )
            refused = [r for r in results if isinstance(r, ServiceError)]
            assert [r.code for r in refused] == ([] if fired else ["version.stale"])
            found = (await kinds(desk, game, version))[0][0]
            assert (found == DeadlinePassed.TYPE) == (not fired)

    with_clock(tmp_path, test)


def test_a_seat_with_a_dice_chain_is_absent_from_the_clocks_dice(tmp_path: Path) -> None:
    """The usual answer is to fire here, so that the clock rolls dice for either seat."""
    firing = dataclasses.replace(
        pennant.GAME, usual=lambda state, asked: Fire() if state.colours else Choose("steady")
    )

    async def test(desk: Desk, clock: FixedClock) -> None:
        created = await new_game(
            desk, turns=6, grade="A1", seats=wishes("keep", "open"), deadline=60
        )
        game, player = created.game.id, Player(1, 512)
        tip = player.tip(created.game).hex()
        await desk.writer.take_seat(game, TakeSeat(seat="p2", dice_tip=tip), key=fresh_key())
        for _ in range(3):
            wait(clock, 60)
            assert await desk.timekeeper.tick() > 0
        summary = await desk.reader.summary(game)
        seat = summary.to_move[0].seat
        own: dict[str, Any] = {"link": player.next_link(summary)} if seat == "p2" else {}
        await order(desk, game, seat, Fire(), **own)
        while (await desk.reader.summary(game)).result is None:
            wait(clock, 60)
            assert await desk.timekeeper.tick() == 1
        verdict = verify(await desk.reader.evidence(game, PUBLIC), {"pennant": firing})
        assert verdict.word == "UPHELD", verdict.text()
        assert len(await desk.reader.rolls(game, PUBLIC)) == 6
        fault = verify(await desk.reader.evidence(game, PUBLIC), GAMES).finding
        assert fault is not None
        assert fault.what == "the usual answer"

    with_clock(tmp_path, test, games={"pennant": firing})


def test_a_game_that_cannot_be_played_on_does_not_hold_up_others(tmp_path: Path) -> None:
    async def test(desk: Desk, clock: FixedClock) -> None:
        bad, good = await turn(desk), await turn(desk)
        desk.engine.drop(bad)
        event = "UPDATE stored_events SET topic = 'pennant.x.v1' WHERE originator_id = ?"
        desk.store.recorder.put((), [(event, (bad,))])
        wait(clock, 60)
        assert await desk.timekeeper.tick() == 1
        found = [kind for kind, _ in await kinds(desk, good)]
        assert found.count(DeadlinePassed.TYPE) == 1
        assert desk.timekeeper.postponed == 1
        later = (clock.at + POSTPONED).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        assert await desk.reader.due(later, 10) == [good, bad]
        assert bad not in await desk.reader.due(at(60), 10)

    with_clock(tmp_path, test)


@pytest.mark.usefixtures("attended")
def test_the_timekeeper_runs_by_itself(tmp_path: Path) -> None:
    """The machine's own clock, a deadline of one second: nobody has to call."""

    async def test(desk: Desk) -> None:
        game = (await new_game(desk, deadline=1)).game.id
        latest = await desk.reader.wait(game, 2, timeout=10 * (1 + TICK_SECONDS))
        assert latest > 2, "who waits for news hears of it"
        assert (DeadlinePassed.TYPE, "service") in await kinds(desk, game)

    on_desk(tmp_path, test, deadline_grace=0)


def test_the_first_overdue_question_is_the_one_that_was_due_first(tmp_path: Path) -> None:
    async def test(desk: Desk, clock: FixedClock) -> None:
        summary = (await new_game(desk, deadline=60)).game
        assert first_overdue(summary, at(59)) is None
        asked = first_overdue(summary, at(60))
        assert asked is not None
        assert asked.seat == "p1"
        due = msgspec.structs.replace(summary, due={"p1": at(60), "p2": at(50)})
        asked = first_overdue(due, at(61))
        assert asked is not None
        assert asked.seat == "p2"

    with_clock(tmp_path, test)


@pytest.mark.parametrize("seconds", [0, -1, LONGEST + 1, "60", 1.5, None])
def test_a_deadline_is_some_whole_seconds(seconds: Any) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"ruleset": "pennant", "deadline": seconds}, NewGame)
    assert msgspec.convert({"ruleset": "pennant", "deadline": LONGEST}, NewGame).deadline == LONGEST
