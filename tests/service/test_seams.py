"""What the service takes of the world outside comes in where its parts are made: none is global."""

from __future__ import annotations

import ast
import asyncio
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from service.clock import SystemClock
from service.desk import Desk
from service.store.ageing import STEP
from service.views.callers import TokenCache
from tests.service.desk.kit import desk_in, new_game

SERVICE = Path(__file__).parents[2] / "service"
OF_THEIR_OWN = ("bots", "cli")
"""Programs beside the service, which see it from outside."""


class PutForward:
    """A clock that is put forward by hand."""

    def __init__(self) -> None:
        self.ahead = 0.0

    def now(self) -> datetime:
        return datetime(2026, 1, 1, tzinfo=UTC) + timedelta(seconds=self.ahead)

    def monotonic(self) -> float:
        return self.ahead


def test_the_store_grows_old_by_the_clock_that_the_desk_was_given(tmp_path: Path) -> None:
    """Engine and store measure by it: nothing waits for the machine's own."""
    clock = PutForward()

    async def until_older(desk: Desk, than: str) -> None:
        async with asyncio.timeout(10):
            while desk.store.ageing.at == than:
                await new_game(desk)

    async def test() -> None:
        async with desk_in(tmp_path, clock) as desk:
            begin = desk.store.ageing.at
            await new_game(desk)
            assert desk.store.ageing.at == begin
            clock.ahead = 3 * STEP
            await until_older(desk, begin)
            passed = datetime.fromisoformat(desk.store.ageing.at) - datetime.fromisoformat(begin)
            assert passed == timedelta(seconds=3 * STEP)

    asyncio.run(test())


def test_every_part_that_measures_was_given_the_clock(tmp_path: Path) -> None:
    clock = PutForward()

    async def test() -> None:
        async with desk_in(tmp_path, clock) as desk:
            parts: list[Any] = [
                desk.engine, desk.following, desk.records, desk.courier._sender,
                desk.store.ageing, desk.reader._tokens,
            ]  # fmt: skip
            assert [each._monotonic for each in parts] == [clock.monotonic] * len(parts)

    asyncio.run(test())


def test_a_token_is_looked_up_again_by_the_clock_that_was_given(tmp_path: Path) -> None:
    clock = PutForward()

    async def test() -> None:
        async with desk_in(tmp_path, clock) as desk:
            token = (await new_game(desk)).tokens[0].token
            tokens = TokenCache(desk.store.recorder, 5.0, clock)
            assert not tokens.known(token)
            assert tokens.identify(token)
            clock.ahead += 4.0
            assert tokens.known(token)
            clock.ahead += 2.0
            assert not tokens.known(token)

    asyncio.run(test())


# --- nobody reaches past them --------------------------------------------------------------------

TAKEN = {("time", "monotonic"): "clock.py"}
"""What only one module takes from the standard library."""


def taken(tree: ast.AST) -> Iterator[tuple[str, str]]:
    """Names of other modules that a module takes: ``time.monotonic``, ``from time import ...``."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            yield from ((node.module, each.name) for each in node.names)
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            yield node.value.id, node.attr


def test_each_is_taken_in_one_place() -> None:
    found: list[Any] = []
    for file in sorted(SERVICE.rglob("*.py")):
        name = file.relative_to(SERVICE).as_posix()
        if not name.startswith(OF_THEIR_OWN):
            tree = ast.parse(file.read_text("utf-8"))
            found += [(what, name) for what in taken(tree) if TAKEN.get(what, name) != name]
    assert found == []


def test_the_machines_clock_goes_on() -> None:
    clock = SystemClock()
    assert clock.monotonic() <= clock.monotonic()
    assert clock.now().tzinfo is UTC
