"""Whoever is absent from the dice as often as the game allows forfeits it (grades A2 and A3)."""

from __future__ import annotations

import asyncio
from pathlib import Path

import msgspec
import pytest

from domain.kernel.values import PUBLIC
from service.clock import FixedClock
from service.desk import Desk
from service.errors import BadSetup, GameOver
from service.evidence.locks import LINK_SECONDS
from service.evidence.records import Forfeited
from service.evidence.verify import verify
from service.play.live import Live
from service.play.summaries import rebuilt
from service.play.unsealing import see
from tests.service.desk.kit import GAMES, desk_in, judged, new_game, order, wishes
from tests.service.desk.test_deadlines import NOON, with_clock
from tests.service.desk.test_deadlines import wait as passes
from tests.service.desk.test_locked_orders import begun, give, kinds
from tests.support.pennant import Fire, Pass
from tests.support.player import Player

ALLOWED = 2


async def absent(desk: Desk, clock: FixedClock, game: str, *there: Player) -> None:
    """An order is locked, and those give their links who are there."""
    seat = (await desk.reader.summary(game)).to_move[0].seat
    await order(desk, game, seat, Fire("hull"))
    for player in there:
        await give(desk, game, player)
    if (await desk.reader.summary(game)).locked is not None:
        passes(clock, LINK_SECONDS)
        await desk.timekeeper.tick()


def test_who_is_absent_once_too_often_has_lost(tmp_path: Path) -> None:
    async def run() -> None:
        clock = FixedClock(NOON)
        async with desk_in(tmp_path, clock, GAMES, deadline_grace=0) as desk:
            game, (one, two) = await begun(desk, forfeit=ALLOWED)
            await absent(desk, clock, game, one)
            await absent(desk, clock, game, one, two)
            assert (await desk.reader.summary(game)).status == "playing"
        async with desk_in(tmp_path, clock, GAMES, deadline_grace=0) as desk:  # they are counted on
            version = (await desk.reader.summary(game)).version
            await absent(desk, clock, game, one)
            summary = await desk.reader.summary(game)
            assert (summary.status, summary.forfeited) == ("finished", ("p2",))
            assert summary.result is not None
            assert (summary.result.winners, summary.result.reason) == (("p1",), "absent")
            assert (summary.to_move, summary.locked) == ((), None)
            found = await kinds(desk, game, version)
            assert found == [
                "orders-locked", "links-given", "links-closed", "forfeited", "master-opened",
            ]  # fmt: skip
            with pytest.raises(GameOver):
                await order(desk, game, "p1", Pass())
            verdict = await judged(desk, game)
            assert verdict.scope == "complete"
            assert verdict.result == {"winners": ("p1",), "reason": "absent", "rule": ""}
            assert "Forfeited by p2, absent from the dice 2 times" in verdict.text()
            stored = desk.store.game(game)
            assert stored is not None
            made, _ = rebuilt(
                desk.store, GAMES, desk.engine.vault, game, msgspec.json.encode(stored.summary)
            )
            assert made == stored.summary

    asyncio.run(run())


def test_where_all_are_absent_nobody_has_won(tmp_path: Path) -> None:
    async def test(desk: Desk, clock: FixedClock) -> None:
        game, _ = await begun(desk, forfeit=1)
        await absent(desk, clock, game)
        summary = await desk.reader.summary(game)
        assert summary.forfeited == ("p1", "p2")
        assert summary.result is not None
        assert summary.result.winners == ()
        await judged(desk, game)

    with_clock(tmp_path, test)


def test_what_nobody_could_help_does_not_count(tmp_path: Path) -> None:
    async def test(desk: Desk, clock: FixedClock) -> None:
        game, players = await begun(desk, forfeit=1)
        live = desk.engine.live
        desk.engine.live = lambda *asked: publishing(live(*asked))  # type: ignore[method-assign]
        desk.writer.logged = lambda game, seq: False
        await absent(desk, clock, game)
        assert (await desk.reader.summary(game)).status == "playing"
        desk.writer.logged = lambda game, seq: True
        await absent(desk, clock, game, *players)
        assert (await desk.reader.summary(game)).status == "playing"
        await judged(desk, game)

    with_clock(tmp_path, test)


def publishing(live: Live) -> Live:
    """The same game, of a service that keeps a public log."""
    return msgspec.structs.replace(live, waits=True)


def test_without_the_option_nobody_forfeits(tmp_path: Path) -> None:
    async def test(desk: Desk, clock: FixedClock) -> None:
        game, (one, _) = await begun(desk)
        for _ in range(4):
            await absent(desk, clock, game, one)
        assert (await desk.reader.summary(game)).status == "playing"

    with_clock(tmp_path, test)


def test_the_master_is_opened_after_a_forfeit_that_waited_for_the_log(tmp_path: Path) -> None:
    """It stays what it was: no rule of the game has ended it."""

    async def test(desk: Desk, clock: FixedClock) -> None:
        game, (one, _) = await begun(desk, forfeit=1)
        live = desk.engine.live
        desk.engine.live = lambda *asked: publishing(live(*asked))  # type: ignore[method-assign]
        await absent(desk, clock, game, one)
        desk.engine.live = live  # type: ignore[method-assign]
        before = await desk.reader.summary(game)
        assert (before.opened, before.forfeited) == (False, ("p2",))
        assert "master-opened" not in await kinds(desk, game, 0)
        verdict = verify(await desk.reader.evidence(game, PUBLIC), GAMES)
        assert verdict.word == "UPHELD", verdict.text()
        await desk.writer.hand_in_for(game, lambda bench: see(bench, game))
        after = await desk.reader.summary(game)
        assert after.opened
        assert (after.status, after.forfeited, after.result) == (
            "finished", before.forfeited, before.result,
        )  # fmt: skip
        await judged(desk, game)

    with_clock(tmp_path, test)


@pytest.mark.parametrize("grade", ["A0", "A1"])
def test_it_is_asked_for_where_links_are_waited_for(tmp_path: Path, grade: str) -> None:
    async def test(desk: Desk, clock: FixedClock) -> None:
        with pytest.raises(BadSetup) as caught:
            await new_game(desk, grade=grade, forfeit=3, seats=wishes("open", "open"))
        assert (caught.value.code, caught.value.pointer) == ("options.invalid", "/forfeit")

    with_clock(tmp_path, test)


def test_the_event_says_who(tmp_path: Path) -> None:
    async def test(desk: Desk, clock: FixedClock) -> None:
        game, (one, _) = await begun(desk, forfeit=1)
        await absent(desk, clock, game, one)
        told = await desk.reader.events(game, PUBLIC, 0, 1_000)
        (event,) = [event for event in told if event.type == Forfeited.TYPE]
        assert event.text == "p2 has been absent from the dice once: a forfeit."

    with_clock(tmp_path, test)
