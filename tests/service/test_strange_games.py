"""Several games of one strange ruleset: what one of them does costs the others nothing."""

from __future__ import annotations

import asyncio
import json
import select
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from service.clock import SYSTEM
from service.desk import Desk
from service.engines import outside, processes, strange
from service.engines.outside import Failed, Outside
from service.engines.processes import Processes
from service.errors import EngineMissing, Stopping
from service.play.patience import Frozen
from service.views import rulesets
from tests.service.desk.kit import desk_in, instruct, new_game, order
from tests.service.test_strange_rules import ENOUGH, choose
from tests.support import elsewhere

LONG = 3_600.0
LOOPS = 16
"""Turns of a game whose rules come to no end at the first order."""


@pytest.fixture(scope="module")
def stranger(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    with elsewhere.game(tmp_path_factory.mktemp("several")) as game:
        yield game


@pytest.fixture
def games(stranger: Any, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    monkeypatch.setattr(rulesets, "installed_games", lambda: {"pennant": stranger})
    return {"pennant": stranger}


async def played(desk: Desk, game: str) -> int:
    """To its end; how many orders that took."""
    rules, given = desk.games["pennant"], 0
    while (summary := await desk.reader.summary(game)).result is None:
        seat = summary.to_move[0].seat
        state = (await desk.reader.view(game, seat)).state
        command = (await asyncio.to_thread(rules.legal, state, seat)).commands[0]
        await order(desk, game, seat, command)
        given += 1
    return given


@pytest.mark.parametrize("flood", [1, processes.MOST + 2])
def test_a_game_is_played_to_its_end_while_another_of_its_rules_hangs(
    tmp_path: Path, games: dict[str, Any], monkeypatch: pytest.MonkeyPatch, flood: int
) -> None:
    """No time is up meanwhile: the other one hangs for as long as this takes, and longer."""
    monkeypatch.setattr(strange, "SECONDS", LONG)
    deciding, asking = list[bytes](), Outside.ask

    def ask(self: Outside, request: bytes) -> bytes:
        asked = json.loads(request)
        if asked["call"] == "decide" and asked["state"]["left"] == LOOPS:
            deciding.append(request)
            loop.call_soon_threadsafe(at_work.set)
        return asking(self, request)

    monkeypatch.setattr(Outside, "ask", ask)
    at_work: asyncio.Event
    loop: asyncio.AbstractEventLoop

    async def test() -> None:
        nonlocal at_work, loop
        at_work, loop = asyncio.Event(), asyncio.get_running_loop()
        async with desk_in(tmp_path, games=games) as desk:
            bad, good = (await new_game(desk, LOOPS)).game.id, (await new_game(desk)).game.id
            colours = ("bold", "steady")
            hanging = [
                asyncio.ensure_future(order(desk, bad, "p1", choose(games, colour), expected=2))
                for colour in (colours * flood)[:flood]
            ]
            await at_work.wait()
            assert await played(desk, good) > 4
            assert not any(each.done() for each in hanging)
            assert len(deciding) == 1, "one process is at work on it, whatever is ordered there"
        for each in hanging:
            with pytest.raises(Stopping):
                await each

    asyncio.run(asyncio.wait_for(test(), ENOUGH))


def test_rules_that_did_not_begin_freeze_no_game(
    tmp_path: Path, games: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who orders hears the reason; when they do begin, the game goes on."""
    monkeypatch.setattr(processes, "AGAIN", 0.0)
    starting, gone = Processes._started, [True]

    def started(self: Processes) -> Outside:
        if gone[0]:
            raise Failed("the disk is full")
        return starting(self)

    async def test() -> None:
        gone[0] = False
        async with desk_in(tmp_path, games=games) as desk:
            game = (await new_game(desk)).game.id
        gone[0] = True
        async with desk_in(tmp_path, games=games) as desk:
            for _ in range(3):
                with pytest.raises(EngineMissing, match="the disk is full"):
                    await order(desk, game, "p1", choose(games))
            assert desk.engine.frozen["rules"] == 0
            gone[0] = False
            await order(desk, game, "p1", choose(games))

    monkeypatch.setattr(Processes, "_started", started)
    asyncio.run(asyncio.wait_for(test(), ENOUGH))


def test_an_order_whose_process_is_killed_in_the_middle_is_taken_all_the_same(
    tmp_path: Path, games: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """By whoever needs its memory: that is no fault of the game. It has one effect."""
    asking, killed = Outside.ask, list[bytes]()

    def ask(self: Outside, request: bytes) -> bytes:
        if json.loads(request)["call"] == "decide" and not killed:
            killed.append(request)
            self.kill()
            assert outside._can(self._from, select.POLLIN, SYSTEM.monotonic() + ENOUGH), "gone"
        return asking(self, request)

    monkeypatch.setattr(Outside, "ask", ask)

    async def test() -> None:
        async with desk_in(tmp_path, games=games) as desk:
            game = (await new_game(desk)).game.id
            await order(desk, game, "p1", choose(games))
            assert killed, "the one that began the game, which had a question before"
            assert (await desk.reader.summary(game)).version == 3
            assert desk.engine.frozen["rules"] == 0
            assert await played(desk, game) > 2

    asyncio.run(asyncio.wait_for(test(), ENOUGH))


def test_there_are_no_more_processes_than_the_operator_lets(
    tmp_path: Path, games: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two games at the same moment have one, and both come to their end."""
    asking, starting, begun = Outside.ask, Processes._started, list[Outside]()

    def ask(self: Outside, request: bytes) -> bytes:
        time.sleep(0.05)  # so that the other game finds it at work
        return asking(self, request)

    def started(self: Processes) -> Outside:
        begun.append(starting(self))
        return begun[-1]

    monkeypatch.setattr(Outside, "ask", ask)
    monkeypatch.setattr(Processes, "_started", started)

    async def test() -> None:
        async with desk_in(tmp_path, games=games, rules_processes=1) as desk:
            two = [(await new_game(desk)).game.id for _ in range(2)]
            assert min(await asyncio.gather(*(played(desk, game) for game in two))) > 4

    asyncio.run(asyncio.wait_for(test(), ENOUGH))
    assert len(begun) == 1


def test_what_was_late_once_is_asked_again_when_an_operator_thaws_its_game(
    tmp_path: Path, games: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A busy machine is no fault of the game: the same order is taken then."""
    asking, busy = Outside.ask, [True]

    def ask(self: Outside, request: bytes) -> bytes:
        if busy[0] and json.loads(request)["call"] == "decide":
            self.end()
            raise Failed("it was late with its answer")
        return asking(self, request)

    monkeypatch.setattr(Outside, "ask", ask)

    async def test() -> None:
        async with desk_in(tmp_path, games=games) as desk:
            game = (await new_game(desk)).game.id
            for _ in range(2):
                with pytest.raises(Frozen):
                    await order(desk, game, "p1", choose(games))
            busy[0] = False
            assert not (await instruct(desk, "thaw", game)).code
            await desk.clerk.heed()
            await order(desk, game, "p1", choose(games))
            assert desk.engine.frozen["rules"] == 0

    asyncio.run(asyncio.wait_for(test(), ENOUGH))
