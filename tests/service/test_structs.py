"""No struct is looked at for the first time by two threads at once: before them, all have been."""

from __future__ import annotations

import asyncio
from pathlib import Path

import msgspec

from service.desk import open_desk
from service.settings import Settings
from tests.support.pennant import GAME

looks: list[str] = []


def looked() -> type[int]:
    """An annotation that tells when somebody finds out what it means."""
    looks.append("looked")
    return int


class Inner(msgspec.Struct):
    """Of no field of a decoder that is made when a module is read."""

    number: looked()  # type: ignore[valid-type]


async def opened(file: Path) -> list[str]:
    async with open_desk(Settings(database=file), {"pennant": GAME}):
        return [*looks]


def test_a_desk_that_is_open_has_looked_at_every_struct(tmp_path: Path) -> None:
    """Found by the kills on SQLite: two requests that were first to read a ruleset's data."""
    assert asyncio.run(opened(tmp_path / "decklog.sqlite")) == ["looked"]
    assert msgspec.json.decode(b'{"number":1}', type=Inner).number == 1
    assert looks == ["looked"]
