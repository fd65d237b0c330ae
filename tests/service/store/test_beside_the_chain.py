"""What stands beside the chain of events is protected as well: changed, it is not shown."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from domain.kernel.values import PUBLIC
from projections.results import GameResult
from service.desk import Desk
from service.errors import Damaged, StoreUnavailable
from service.evidence.verify import verify
from tests.service.desk.kit import GAMES, desk_in, new_game, order, play
from tests.support.pennant import Choose

Test = Callable[[Desk, str], Awaitable[None]]


def with_game(folder: Path, test: Test) -> None:
    """Run it with a finished game of Pennant, in which p1 was bold."""

    async def run() -> None:
        async with desk_in(folder) as desk:
            made = await new_game(desk, name="a name")
            game = made.game.id
            await order(desk, game, "p1", Choose("bold"))
            await play(desk, game, 1)
            await desk.records.reached("results")
            await test(desk, game)

    asyncio.run(run())


def change(desk: Desk, sql: str, *parameters: Any) -> None:
    desk.store.recorder.put((), [(sql, parameters)])
    for game in desk.store.recorder.query("SELECT game FROM games"):
        desk.engine.forget(game[0])


def replaced(column: str, old: str, new: str) -> str:
    """In SQL: the bytes of a column with other words in them."""
    return f"CAST(replace(CAST({column} AS TEXT), '{old}', '{new}') AS BLOB)"


FLIPS = {
    "a command": f"UPDATE commands SET command = {replaced('command', 'bold', 'bolt')}",
    "an order's seat": "UPDATE commands SET seat = 'p2' WHERE first = 3",
    "an order's id": "UPDATE commands SET id = CASE substr(id, 3, 1) WHEN '0' THEN 'c_1' ELSE "
    "'c_0' END || substr(id, 4) WHERE first = 3",
    "an order's end": "UPDATE commands SET last = last + 1 WHERE first = 3",
    "an order that is gone": "DELETE FROM commands WHERE first = 3",
    "an order more": "INSERT INTO commands SELECT game, 1, 1, 'c_9', seat, command, at "
    "FROM commands WHERE first = 3",
}


@pytest.mark.parametrize("what", FLIPS)
def test_an_order_that_is_not_the_one_that_was_given_convicts_nobody(
    tmp_path: Path, what: str
) -> None:
    async def test(desk: Desk, game: str) -> None:
        assert verify(await desk.reader.evidence(game, PUBLIC), GAMES).word == "UPHELD"
        ((first,),) = desk.store.recorder.query("SELECT min(first) FROM commands")
        change(desk, FLIPS[what].replace("first = 3", f"first = {first}"))
        with pytest.raises(Damaged):
            await desk.reader.evidence(game, PUBLIC)

    with_game(tmp_path, test)


@pytest.mark.parametrize(
    "sql",
    [
        f"UPDATE games SET summary = {replaced('summary', 'a name', 'b name')}",
        f"UPDATE games SET summary = {replaced('summary', ':', '')}",
        "UPDATE games SET version = version - 1",
    ],
)
def test_a_summary_that_was_changed_is_not_shown(tmp_path: Path, sql: str) -> None:
    async def test(desk: Desk, game: str) -> None:
        before = await desk.reader.lobby(limit=10)
        assert [each.id for each in before] == [game]
        change(desk, sql)
        with pytest.raises(Damaged):
            await desk.reader.summary(game)
        assert await desk.reader.lobby(limit=10) == []

    with_game(tmp_path, test)


@pytest.mark.parametrize(
    "sql",
    [
        f"UPDATE projected SET document = {replaced('document', 'p1', 'p3')}",
        "UPDATE projected SET rank = rank + 1 WHERE projection = 'results'",
        "UPDATE followers SET place = place + 64 WHERE name = 'results'",
    ],
)
def test_what_is_projected_is_made_anew_where_it_was_changed(tmp_path: Path, sql: str) -> None:
    async def test(desk: Desk, game: str) -> None:
        before = await desk.records.page("results", GameResult, limit=10)
        assert [result.game for _, result in before] == [game]
        change(desk, sql)
        with pytest.raises(StoreUnavailable):
            await desk.records.page("results", GameResult, limit=10)
        async with asyncio.timeout(20):
            while True:
                if await _listed(desk) == before:
                    return
                await asyncio.sleep(0.05)

    with_game(tmp_path, test)


async def _listed(desk: Desk) -> Any:
    try:
        return await desk.records.page("results", GameResult, limit=10)
    except StoreUnavailable:
        return None


@pytest.mark.parametrize("change_to", ["seat = 'p2'", "kind = 'organiser'", "game = 'another'"])
def test_a_token_opens_nothing_but_what_it_was_made_for(tmp_path: Path, change_to: str) -> None:
    async def run() -> None:
        async with desk_in(tmp_path) as desk:
            token = (await new_game(desk)).tokens[0]
            known = await desk.reader.identify(token.token)
            assert known is not None
            assert known.seat == token.seat == "p1"
            sql = f"UPDATE tokens SET {change_to} WHERE token = ?"
            desk.store.recorder.put((), [(sql, (known.token_id,))])
            desk.reader._tokens.clear()
            assert await desk.reader.identify(token.token) is None

    asyncio.run(run())
