"""A seat takes back its last step at the desk: views, summary, restart, another process, files."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path
from typing import Any

import msgspec
import pytest

from domain.games.war_at_sea.game import GAME
from domain.kernel.codec import canonical
from domain.kernel.values import PUBLIC, TRUTH
from service.desk import Desk
from service.errors import GameFrozen, GameOver, KeyReused, TakebackRefused
from service.evidence.records import Takeback
from service.models import GameSummary, GameTold, NewAgreement, NewGame, NewTakeback
from service.play.summaries import rebuilt
from tests.service.desk.kit import desk_in, fresh_key, instruct, judged, order

GAMES = {"war-at-sea": GAME}
EYES = ("p1", "p2", PUBLIC, TRUTH)


async def begun(desk: Desk, **more: Any) -> str:
    new = NewGame(ruleset="war-at-sea", edition="2009", scenario="standard", seed="back", **more)
    return (await desk.writer.create_game(new, key=fresh_key(), caller="me")).game.id


async def seen(desk: Desk, game: str, viewer: str, version: int | None = None) -> bytes:
    """The viewer's position, as bytes."""
    return canonical((await desk.reader.view(game, viewer, version)).state)


async def one_more(desk: Desk, game: str, choose: random.Random) -> None:
    """A random order."""
    seat = choose.choice((await desk.reader.summary(game)).to_move).seat
    state = (await desk.reader.view(game, seat)).state
    await order(desk, game, seat, choose.choice(GAME.legal(state, seat).commands))


async def until_offered(desk: Desk, game: str, choose: random.Random) -> GameSummary:
    """Random orders, until the last one may be taken back."""
    while True:
        await one_more(desk, game, choose)
        summary = await desk.reader.summary(game)
        if summary.takeback is not None:
            return summary


async def take_back(
    desk: Desk, game: str, summary: GameSummary, key: str = "", seat: str = ""
) -> GameTold:
    assert summary.takeback is not None
    taking = NewTakeback(command=summary.takeback.command)
    seat = seat or summary.takeback.seat
    return await desk.writer.give_takeback(game, seat, taking, key=key or fresh_key(), caller="me")


def test_everybody_sees_the_position_before_the_step_again(tmp_path: Path) -> None:
    async def run() -> None:
        choose = random.Random(1)
        async with desk_in(tmp_path, games=GAMES) as desk:
            game = await begun(desk)
            before = 0
            for _ in range(4):
                summary = await until_offered(desk, game, choose)
                assert summary.takeback is not None
                before = summary.takeback.first - 1
                told = await take_back(desk, game, summary)
                after = told.game
                assert after.version == summary.version + 1
                assert after.takebacks == summary.takebacks + 1
                assert after.takeback is None, "one step, and not the one before it"
                for viewer in EYES:
                    then = await seen(desk, game, viewer, before)
                    assert await seen(desk, game, viewer) == then
                    assert await seen(desk, game, viewer, summary.version) != then
            await restarted(desk, game)
        async with desk_in(tmp_path, games=GAMES) as desk:
            for viewer in EYES:
                assert await seen(desk, game, viewer) == await seen(desk, game, viewer, before)
            summary = await until_offered(desk, game, choose)
            await take_back(desk, game, summary)
            await restarted(desk, game)
            for viewer in ("p1", "p2", PUBLIC):
                verdict = await judged(desk, game, viewer, GAMES)
                assert verdict.scope == "partial"

    asyncio.run(run())


async def restarted(desk: Desk, game: str) -> None:
    """Whoever makes the summary again from the log comes to the same."""
    stored = desk.store.game(game)
    assert stored is not None
    data = msgspec.json.encode(stored.summary)
    made, _ = rebuilt(desk.store, GAMES, desk.engine.vault, game, data)
    assert made == stored.summary


def test_a_battle_to_its_end_with_steps_taken_back_is_judged_and_shown(tmp_path: Path) -> None:
    async def run() -> None:
        choose = random.Random(4)
        async with desk_in(tmp_path, games=GAMES) as desk:
            game = await begun(desk)
            for _ in range(90):
                summary = await desk.reader.summary(game)
                if summary.takeback is not None and choose.random() < 0.5:
                    await take_back(desk, game, summary)
                else:
                    await one_more(desk, game, choose)
            await instruct(desk, "end", game)
            summary = await desk.reader.summary(game)
            assert summary.takebacks > 5
            verdict = await judged(desk, game, PUBLIC, GAMES)
            assert verdict.scope == "complete"
            events = await desk.reader.events(game, PUBLIC, 0, 10_000)
            taken = [each for each in events if each.type == Takeback.TYPE]
            assert len(taken) == summary.takebacks
            assert "takes back its last step" in taken[0].text
            await restarted(desk, game)

    asyncio.run(run())


def test_who_may_not_take_back_is_refused_and_nothing_is_stored(tmp_path: Path) -> None:
    async def run() -> None:
        choose = random.Random(2)
        async with desk_in(tmp_path, games=GAMES) as desk:
            game = await begun(desk)
            summary = await until_offered(desk, game, choose)
            assert summary.takeback is not None
            (other,) = {"p1", "p2"} - {summary.takeback.seat}
            with pytest.raises(TakebackRefused):
                await take_back(desk, game, summary, seat=other)
            first = await take_back(desk, game, summary, key="one")
            again = await take_back(desk, game, summary, key="one")
            assert (first.replayed, again.replayed) == (False, True)
            assert again.game == first.game
            with pytest.raises(TakebackRefused):
                await take_back(desk, game, summary)
            with pytest.raises(KeyReused):
                await take_back(
                    desk, game, msgspec.structs.replace(
                        summary, takeback=msgspec.structs.replace(summary.takeback, command="c_0")
                    ), key="one",
                )  # fmt: skip
            summary = await until_offered(desk, game, choose)
            await instruct(desk, "freeze", game)
            assert (await desk.reader.summary(game)).takeback is None
            with pytest.raises(GameFrozen):
                await take_back(desk, game, summary)
            await instruct(desk, "thaw", game)
            with pytest.raises(TakebackRefused):
                await take_back(desk, game, summary)
            await instruct(desk, "end", game)
            with pytest.raises(GameOver):
                await take_back(desk, game, summary)

    asyncio.run(run())


def test_with_a_deadline_the_next_step_stays(tmp_path: Path) -> None:
    async def run() -> None:
        choose = random.Random(2)
        async with desk_in(tmp_path, games=GAMES) as desk:
            game = await begun(desk, deadline=600)
            summary = await until_offered(desk, game, choose)
            assert summary.takeback is not None
            seat = summary.takeback.seat
            due = summary.due
            told = await take_back(desk, game, summary)
            if told.game.to_move == summary.to_move:
                assert told.game.due == due, "the clock runs on"
            state = (await desk.reader.view(game, seat)).state
            await order(desk, game, seat, GAME.legal(state, seat).commands[0])
            summary = await desk.reader.summary(game)
            assert summary.takeback is None
            await restarted(desk, game)

    asyncio.run(run())


def test_with_a_deadline_it_stays_whatever_the_seat_has_on_record_between(tmp_path: Path) -> None:
    """Else who agrees to the rules that the game has, again and again, always has time."""

    async def again(desk: Desk, game: str) -> str:
        summary = await until_offered(desk, game, random.Random(2))
        assert summary.takeback is not None
        seat = summary.takeback.seat
        await take_back(desk, game, summary)
        agreeing = NewAgreement(digest=summary.rules.digest)
        await desk.writer.give_agreement(game, seat, agreeing, key=fresh_key(), caller=seat)
        return seat

    async def one(desk: Desk, game: str, seat: str) -> None:
        state = (await desk.reader.view(game, seat)).state
        await order(desk, game, seat, GAME.legal(state, seat).commands[0])
        assert (await desk.reader.summary(game)).takeback is None
        await restarted(desk, game)

    async def run() -> None:
        async with desk_in(tmp_path, games=GAMES) as desk:
            game = await begun(desk, deadline=600)
            await one(desk, game, await again(desk, game))
            other = await begun(desk, deadline=600)
            seat = await again(desk, other)
        async with desk_in(tmp_path, games=GAMES) as desk:
            await one(desk, other, seat)

    asyncio.run(run())
