"""Seats that bots of the service play: once a question, for any worker, and never for nobody."""

from __future__ import annotations

import asyncio
import dataclasses
import logging
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest

from domain.kernel.shown.bot import Item, Position
from domain.kernel.values import PUBLIC
from service.desk import Desk, bot_keeper_of
from service.errors import BadSetup, SeatRefused
from service.evidence.verify import verify
from service.models import BotWish, CreatedGame, SeatWish, TakeSeat
from service.play import botkeeper
from tests.support import pennant
from tests.support.pennant import Choose, Fire

from .kit import GAMES, desk_in, fresh_key, instruct, new_game, on_desk, order

SOLD = [SeatWish(seat="p1"), SeatWish(seat="p2", hold="bot")]
"""A seat of somebody's, and one that the ruleset's best bot plays."""


@pytest.fixture(autouse=True)
def _by_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    """No desk plays by itself: each test says when its bots look."""
    monkeypatch.setattr(botkeeper, "LOOK_SECONDS", 3600.0)


async def with_a_bot(desk: Desk, **fields: Any) -> CreatedGame:
    return await new_game(desk, **{"seats": SOLD, **fields})


async def actors(desk: Desk, game: str, after: int = 0) -> list[str]:
    """Whose each command was."""
    events = await desk.reader.events(game, PUBLIC, after, 10_000)
    commands = dict.fromkeys((e.caused_by, e.actor) for e in events if e.caused_by)
    return [actor for _, actor in commands if actor != "service"]


async def played_out(desk: Desk, game: str, keeper: botkeeper.BotKeeper) -> int:
    """p1 fires at once whenever it is asked, to the end; how many orders the bot has given."""
    await order(desk, game, "p1", Choose("bold"))
    given = 0
    while True:
        given += await keeper.look()
        summary = await desk.reader.summary(game)
        if summary.result is not None:
            return given
        assert [asked.seat for asked in summary.to_move] == ["p1"]
        await order(desk, game, "p1", Fire())


def test_a_bot_plays_its_seat_to_the_end_and_the_verdict_says_so(tmp_path: Path) -> None:
    async def test(desk: Desk) -> None:
        created = await with_a_bot(desk, turns=6)
        game = created.game.id
        assert [token.seat for token in created.tokens] == ["p1"]
        assert created.invitations == ()
        seat = created.game.seats[1]
        assert (seat.held, seat.bot, seat.strength) == ("kept", "gunner", "full")
        assert created.game.status == "playing"
        given = await played_out(desk, game, bot_keeper_of(desk))
        assert given == (await actors(desk, game)).count("p2") > 1
        first = (await desk.reader.events(game, PUBLIC, 0, 1))[0]
        assert "p2 is played by the bot gunner (full)." in first.text
        for viewer in ("p1", PUBLIC):
            verdict = verify(await desk.reader.evidence(game, viewer), GAMES)
            assert verdict.word == "UPHELD", verdict.text()
            assert (
                "p2 is played by a bot of the service (gunner, full): it gives no independent "
                "entropy, and its orders are the service's own." in verdict.notes
            )

    on_desk(tmp_path, test)


def test_nobody_takes_the_place_of_a_bot(tmp_path: Path) -> None:
    async def test(desk: Desk) -> None:
        game = (await with_a_bot(desk)).game.id
        with pytest.raises(SeatRefused, match="taken"):
            await desk.writer.take_seat(game, TakeSeat(seat="p2"), key=fresh_key())
        told = await instruct(desk, "reissue", game, seat="p2")
        assert told.code == "ruling.impossible"

    on_desk(tmp_path, test)


@pytest.mark.parametrize(
    ("seats", "says"),
    [
        (
            [SeatWish(seat="p1", hold="bot"), SeatWish(seat="p2", hold="bot")],
            "One seat at least is somebody's",
        ),
        ([SeatWish(seat="p1"), SeatWish(seat="p2", bot=BotWish())], "with hold bot"),
        (
            [SeatWish(seat="p1"), SeatWish(seat="p2", hold="bot", bot=BotWish(name="nelson"))],
            "Bots here: gunner, random",
        ),
    ],
)
def test_what_no_bot_can_be_is_refused(tmp_path: Path, seats: list[SeatWish], says: str) -> None:
    async def test(desk: Desk) -> None:
        with pytest.raises(BadSetup, match=says) as caught:
            await new_game(desk, seats=seats)
        assert (caught.value.code, caught.value.pointer) == ("seats.invalid", "/seats")

    on_desk(tmp_path, test)


def test_a_bot_waits_until_every_seat_is_filled_and_while_the_clocks_stand(tmp_path: Path) -> None:
    async def test(desk: Desk) -> None:
        keeper = bot_keeper_of(desk)
        seats = [SeatWish(seat="p1", hold="open"), SeatWish(seat="p2", hold="bot")]
        game = (await with_a_bot(desk, seats=seats)).game.id
        assert await keeper.look() == 0
        await desk.writer.take_seat(game, TakeSeat(seat="p1"), key=fresh_key())
        assert (await instruct(desk, "freeze", game)).code == ""
        assert await keeper.look() == 0
        assert (await instruct(desk, "thaw", game)).code == ""
        assert await keeper.look() == 1
        assert await keeper.look() == 0

    on_desk(tmp_path, test)


def test_a_restart_forgets_no_bot(tmp_path: Path) -> None:
    made: list[str] = []

    async def begin(desk: Desk) -> None:
        made.append((await with_a_bot(desk)).game.id)

    async def go_on(desk: Desk) -> None:
        assert await bot_keeper_of(desk).look() == 1
        assert await actors(desk, made[0]) == ["p2"]

    on_desk(tmp_path, begin)
    on_desk(tmp_path, go_on)


def test_several_workers_give_one_answer(tmp_path: Path, store: str) -> None:
    async def test(desk: Desk) -> None:
        games = [(await with_a_bot(desk, turns=12)).game.id for _ in range(4)]
        async with AsyncExitStack() as stack:
            desks = [desk]
            if store == "postgresql":
                desks.append(await stack.enter_async_context(desk_in(tmp_path)))
            keepers = [bot_keeper_of(each) for each in (desks * 3)[:3]]
            for _ in range(3):
                await asyncio.gather(*(keeper.look() for keeper in keepers))
                for game in games:
                    summary = await desk.reader.summary(game)
                    assert "p2" not in {asked.seat for asked in summary.to_move}
                    colours = summary.to_move[0].question == "choose"
                    await order(desk, game, "p1", Choose("bold") if colours else Fire())
        for game in games:
            assert await actors(desk, game) == ["p2", "p1", "p1", "p2", "p1"]
        assert sum(keeper.answers for keeper in keepers) == 2 * len(games)

    on_desk(tmp_path, test)


class Lost:
    """A bot that finds nothing to do."""

    judges: frozenset[str] = frozenset()

    def choose(self, position: Position) -> Item:
        raise ValueError("all at sea")


class Cheat(Lost):
    """A bot that orders what the rules do not allow."""

    def choose(self, position: Position) -> Item:
        return {"command": {"type": "pennant.fire", "aim": "hull"}}


@pytest.mark.parametrize("bot", [Lost, Cheat])
def test_a_bot_without_a_fit_order_gives_the_usual_one(
    tmp_path: Path, bot: type[Lost], caplog: pytest.LogCaptureFixture
) -> None:
    games = {"pennant": dataclasses.replace(pennant.GAME, bots={"gunner": bot})}

    async def test(desk: Desk) -> None:
        game = (await with_a_bot(desk)).game.id
        with caplog.at_level(logging.WARNING):
            assert await bot_keeper_of(desk).look() == 1
        assert await actors(desk, game) == ["p2"]
        assert "bot gunner" in caplog.text

    on_desk(tmp_path, test, games=games)


def test_an_easy_bot_does_now_and_then_what_anybody_could(tmp_path: Path) -> None:
    async def test(desk: Desk) -> None:
        easy = BotWish(name="gunner", strength="easy")
        seats = [SeatWish(seat="p1"), SeatWish(seat="p2", hold="bot", bot=easy)]
        game = (await with_a_bot(desk, turns=200, seats=seats)).game.id
        assert (await desk.reader.summary(game)).seats[1].strength == "easy"
        await played_out(desk, game, bot_keeper_of(desk))
        events = await desk.reader.events(game, PUBLIC, 0, 10_000)
        passed = [e.actor for e in events if e.type == "pennant.turn-passed"]
        assert set(passed) == {"p2"}, "a gunner never passes by itself"

    on_desk(tmp_path, test)
