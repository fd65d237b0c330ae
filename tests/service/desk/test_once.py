"""Idempotency, versions, races: one request has one effect, one version has one successor."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import msgspec
import pytest

from domain.kernel.codec import canonical
from domain.kernel.rules import Refused
from domain.kernel.values import PUBLIC
from service.desk import Desk
from service.errors import KeyReused, ServiceError, Stale
from service.models import NewGame, Outcome
from tests.support.pennant import Choose, Fire, Pass

from .kit import desk_in, new_game, on_desk, order, play, wishes


def same(outcome: Outcome) -> bytes:
    """The answer without the mark that it is a repetition."""
    return canonical(msgspec.structs.replace(outcome, replayed=False))


async def battle(desk: Desk, turns: int = 20) -> str:
    """A game in which p1 is to move."""
    game = (await new_game(desk, turns=turns)).game.id
    await order(desk, game, "p1", Choose("bold"))
    await order(desk, game, "p2", Choose("steady"))
    return game


def test_the_same_command_five_times_at_once(tmp_path: Path) -> None:
    async def test(desk: Desk) -> None:
        game = await battle(desk)
        version = (await desk.reader.summary(game)).version
        posts = [
            order(desk, game, "p1", Fire("hull"), expected=version, key="one") for _ in range(5)
        ]
        answers = await asyncio.gather(*posts)
        assert len({same(answer) for answer in answers}) == 1
        assert sorted(answer.replayed for answer in answers) == [False, True, True, True, True]
        assert (await desk.reader.summary(game)).version == answers[0].version
        assert len(await desk.reader.rolls(game, PUBLIC)) == 1
        later = await order(desk, game, "p1", Fire("hull"), expected=version, key="one")
        assert later.replayed
        assert same(later) == same(answers[0])

    on_desk(tmp_path, test)


def test_a_key_is_remembered_over_a_restart(tmp_path: Path) -> None:
    async def run() -> None:
        new = NewGame(ruleset="pennant", seats=wishes("keep", "invite"))
        async with desk_in(tmp_path) as desk:
            first = await desk.writer.create_game(new, key="make", caller="me")
            game = await battle(desk)
            version = (await desk.reader.summary(game)).version
            outcome = await order(desk, game, "p1", Fire("hull"), expected=version, key="one")
            await play(desk, game, seed=1)
        async with desk_in(tmp_path) as desk:
            again = await desk.writer.create_game(new, key="make", caller="me")
            assert again == msgspec.structs.replace(first, replayed=True)
            other = await desk.writer.create_game(new, key="make", caller="somebody else")
            assert other.game.id != first.game.id
            later = await order(desk, game, "p1", Fire("hull"), expected=version, key="one")
            assert (later.replayed, same(later)) == (True, same(outcome))
            assert len(await desk.reader.lobby(limit=10)) == 3

    asyncio.run(run())


def test_a_key_belongs_to_one_request(tmp_path: Path) -> None:
    async def test(desk: Desk) -> None:
        game = await battle(desk)
        version = (await desk.reader.summary(game)).version
        await order(desk, game, "p1", Fire("hull"), expected=version, key="one")
        before = await desk.reader.summary(game)
        with pytest.raises(KeyReused):
            await order(desk, game, "p1", Pass(), expected=before.version, key="one")
        assert await desk.reader.summary(game) == before
        at_once = [
            order(desk, game, "p2", command, expected=before.version, key="two")
            for command in (Fire("hull"), Pass())
        ]
        answers = await asyncio.gather(*at_once, return_exceptions=True)
        assert [type(answer) for answer in answers] == [Outcome, KeyReused]

    on_desk(tmp_path, test)


def test_nothing_is_remembered_of_a_refusal(tmp_path: Path) -> None:
    async def test(desk: Desk) -> None:
        game = await battle(desk)
        version = (await desk.reader.summary(game)).version
        with pytest.raises(Refused):
            await order(desk, game, "p2", Pass(), expected=version, key="one")
        await order(desk, game, "p1", Pass(), expected=version)
        outcome = await order(desk, game, "p2", Pass(), expected=version + 1, key="one")
        assert not outcome.replayed

    on_desk(tmp_path, test)


def test_of_many_clients_at_one_version_exactly_one_wins(tmp_path: Path) -> None:
    async def test(desk: Desk) -> None:
        game = await battle(desk)
        for _ in range(10):
            summary = await desk.reader.summary(game)
            racers = [
                order(desk, game, summary.to_move[0].seat, command, expected=summary.version)
                for command in (Fire("hull"), Pass(), Fire("magazine"), Fire("hull"))
            ]
            answers = await asyncio.gather(*racers, return_exceptions=True)
            won = [answer for answer in answers if isinstance(answer, Outcome)]
            lost = [answer for answer in answers if isinstance(answer, Stale)]
            assert (len(won), len(lost)) == (1, 3)
            assert {answer.current for answer in lost} == {won[0].version}
            assert (await desk.reader.summary(game)).version == won[0].version

    on_desk(tmp_path, test)


@pytest.mark.parametrize("off", [-1, 1, 1000])
def test_another_version_than_the_latest_is_stale(tmp_path: Path, off: int) -> None:
    async def test(desk: Desk) -> None:
        game = await battle(desk)
        summary = await desk.reader.summary(game)
        with pytest.raises(Stale) as stale:
            await order(desk, game, "p1", Pass(), expected=summary.version + off)
        assert (stale.value.current, stale.value.status) == (summary.version, 412)
        assert await desk.reader.summary(game) == summary

    on_desk(tmp_path, test)


def test_an_independent_answer_is_not_stale(tmp_path: Path) -> None:
    """Both choose at version 2; also after the desk has forgotten the game between the two."""

    async def run(folder: Path, *, restart: bool) -> None:
        async with desk_in(folder) as desk:
            game = (await new_game(desk)).game.id
            await order(desk, game, "p1", Choose("bold"), expected=2)
            if not restart:
                assert (await order(desk, game, "p2", Choose("bold"), expected=2)).version == 5
        if restart:
            async with desk_in(folder) as desk:
                assert (await order(desk, game, "p2", Choose("bold"), expected=2)).version == 5
                # But one's own answer is not independent, and a turn is not either.
                with pytest.raises(Stale):
                    await order(desk, game, "p2", Choose("bold"), expected=2)
                await order(desk, game, "p1", Pass())
                with pytest.raises(Stale):
                    await order(desk, game, "p2", Pass(), expected=5)

    asyncio.run(run(tmp_path / "one", restart=False))
    asyncio.run(run(tmp_path / "two", restart=True))


def test_many_games_at_once_keep_their_records_apart(tmp_path: Path) -> None:
    async def test(desk: Desk) -> None:
        games = [(await new_game(desk, turns=12)).game.id for _ in range(20)]
        await asyncio.gather(*(play(desk, game, seed) for seed, game in enumerate(games)))
        for game in games:
            summary = await desk.reader.summary(game)
            events = await desk.reader.events(game, PUBLIC, 0, 1000)
            assert [event.seq for event in events] == list(range(1, summary.version + 1))
            assert summary.result is not None

    on_desk(tmp_path, test)


def test_a_cancelled_command_is_finished_all_the_same(tmp_path: Path) -> None:
    async def test(desk: Desk) -> None:
        game = await battle(desk)
        version = (await desk.reader.summary(game)).version
        task = asyncio.create_task(order(desk, game, "p1", Pass(), expected=version, key="one"))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert await desk.reader.wait(game, version, 5) == version + 1
        again = await order(desk, game, "p1", Pass(), expected=version, key="one")
        assert (again.replayed, again.version) == (True, version + 1)

    on_desk(tmp_path, test)


def test_a_stopped_desk_takes_nothing_more(tmp_path: Path) -> None:
    async def run() -> None:
        answers: list[Any] = []
        async with desk_in(tmp_path) as desk:
            game = await battle(desk, turns=500)
            version = (await desk.reader.summary(game)).version
            handed_in = [
                asyncio.create_task(order(desk, game, "p1", Pass(), expected=version)),
                asyncio.create_task(desk.reader.wait(game, 10_000, 60)),
            ]
            await asyncio.sleep(0)
        answers = await asyncio.gather(*handed_in, return_exceptions=True)
        for late in (
            order(desk, game, "p1", Pass(), expected=version + 1),
            desk.reader.lobby(limit=1),
            desk.reader.wait(game, version + 1, 60),
        ):
            with pytest.raises(ServiceError) as stopping:
                await late
            assert stopping.value.code == "service.stopping"
        assert isinstance(answers[0], Outcome), "what was handed in is finished"
        assert isinstance(answers[1], ServiceError), "nobody waits for ever"
        async with desk_in(tmp_path) as desk:
            assert (await desk.reader.summary(game)).version == version + 1

    asyncio.run(run())
