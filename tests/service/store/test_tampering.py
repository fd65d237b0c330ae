"""A record that somebody changed is noticed on the first read, whatever was changed."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from domain.kernel.values import PUBLIC
from service.desk import Desk
from service.errors import Damaged
from tests.service.desk.kit import desk_in, new_game, order, play
from tests.support.pennant import Choose, Pass

Change = Callable[[sqlite3.Connection], object]


def state(number: int, old: str, new: str) -> Change:
    """Replaces text in a stored event."""

    def change(connection: sqlite3.Connection) -> None:
        (found,) = connection.execute(
            "SELECT state FROM stored_events WHERE originator_version = ?", (number,)
        ).fetchone()
        changed = found.replace(old.encode(), new.encode(), 1)
        assert changed != found
        connection.execute(
            "UPDATE stored_events SET state = ? WHERE originator_version = ?", (changed, number)
        )

    return change


def sql(*statements: str) -> Change:
    return lambda connection: [connection.execute(statement) for statement in statements]


def number(old: str, new: str) -> str:
    return f"UPDATE stored_events SET originator_version = {new} WHERE originator_version = {old}"


TAMPERED = {
    "data": state(5, '"bold","bold"', '"bold","steady"'),
    "an actor": state(5, '"actor":"p2"', '"actor":"p1"'),
    "a time": state(4, '"at":"2', '"at":"1'),
    "a hash": state(5, '"hash":"', '"hash":"0'),
    "a type": state(6, "pennant.turn-passed", "pennant.ended"),
    "a stored name": sql("UPDATE stored_events SET topic = 'x.v1' WHERE originator_version = 6"),
    "a hidden truth": state(3, '"truth":{"choice":{"items":["bold"]', '"truth":{"choice":{"items":["steady"]'),  # noqa: E501
    "a truth taken away": state(3, ',"truth":', ',"truths":'),
    "a truth put in": state(6, '"}', '","truth":{"rules":[],"seat":"p2"}}'),
    "a row taken out": sql("DELETE FROM stored_events WHERE originator_version = 4"),
    "the last row taken out": sql("DELETE FROM stored_events WHERE originator_version = 9"),
    "two rows exchanged": sql(number("6", "99"), number("7", "6"), number("99", "7")),
    "a hole": sql(number("9", "10")),
    "no JSON": state(5, "{", "["),
    "not UTF-8": sql("UPDATE stored_events SET state = x'ff00' WHERE originator_version = 5"),
    "an unknown field": state(5, '{"body":{', '{"body":{"a":1,'),
}  # fmt: skip


async def make_short(folder: Path) -> str:
    """Nine events: the opening, two colours, the showing, four passes."""
    async with desk_in(folder) as desk:
        game = (await new_game(desk, turns=9)).game.id
        await order(desk, game, "p1", Choose("bold"))
        await order(desk, game, "p2", Choose("bold"))
        for seat in ("p1", "p2", "p1", "p2"):
            await order(desk, game, seat, Pass())
        assert (await desk.reader.summary(game)).version == 9
        return game


async def check_frozen(desk: Desk, game: str) -> None:
    """Nothing of the game can be read or played on; other games are not concerned."""
    for asked in (
        order(desk, game, "p1", Pass(), expected=9),
        desk.reader.view(game, PUBLIC),
        desk.reader.events(game, "p1", 0, 100),
        desk.reader.evidence(game, PUBLIC),
        desk.reader.rolls(game, PUBLIC),
    ):
        with pytest.raises(Damaged) as damaged:
            await asked
        assert damaged.value.status == 503
    await play(desk, (await new_game(desk)).game.id, seed=1)


@pytest.mark.parametrize("what", TAMPERED)
def test_whatever_was_changed_is_noticed(tmp_path: Path, what: str) -> None:
    game = asyncio.run(make_short(tmp_path))
    connection = sqlite3.connect(tmp_path / "games.sqlite")
    with connection:
        TAMPERED[what](connection)
    connection.close()

    async def check() -> None:
        async with desk_in(tmp_path) as desk:
            await check_frozen(desk, game)

    asyncio.run(check())


def test_an_untouched_record_is_not_damaged(tmp_path: Path) -> None:
    game = asyncio.run(make_short(tmp_path))

    async def check() -> None:
        async with desk_in(tmp_path) as desk:
            await order(desk, game, "p1", Pass(), expected=9)
            await desk.reader.view(game, PUBLIC)

    asyncio.run(check())
