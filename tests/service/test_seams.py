"""What the service takes of the world outside comes in where its parts are made: none is global."""

from __future__ import annotations

import ast
import asyncio
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import msgspec

from service.clock import SystemClock
from service.desk import Desk, open_desk
from service.news.hints import Tell
from service.settings import Settings
from service.store.ageing import STEP
from service.store.database import Database
from service.store.store import connect_file
from service.views.callers import TokenCache
from service.webhooks.rows import Delivery, Secrets
from service.webhooks.sending import Outcome
from tests.service.desk.kit import GAMES, desk_in, new_game

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


class Witness:
    """A database that is the real one, and notes who asks it for a commit."""

    def __init__(self, real: Database) -> None:
        self._real = real
        self.commits = 0

    def put(self, *given: Any) -> None:
        self.commits += 1
        self._real.put(*given)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._real, name)


class Neighbour:
    """What tells of other workers: it hears nobody, and keeps what it was told."""

    live = True

    def __init__(self, tell: Tell) -> None:
        self.tell, self.told, self.running = tell, dict[str, int](), False

    def start(self) -> None:
        self.running = True

    async def stop(self) -> None:
        self.running = False

    def publish(self, news: Mapping[str, int]) -> None:
        self.told.update(news)


class NoPost:
    """A sender that sends nothing."""

    def __init__(self) -> None:
        self.sent: list[str] = []
        self.closed = False

    async def send(self, delivery: Delivery, secrets: Secrets, now: datetime) -> Outcome:
        self.sent.append(delivery.message)
        return Outcome(204, "", 0)

    async def close(self) -> None:
        self.closed = True


def test_database_hints_and_sender_are_those_that_were_given(tmp_path: Path) -> None:
    """A worker of many at one store, with nothing of the world outside but a file."""
    file = Settings(database=tmp_path / "games.sqlite", key="00" * 32)
    shared = msgspec.structs.replace(file, store="postgresql://nowhere/")
    opened: list[Witness] = []
    neighbours: list[Neighbour] = []
    post = NoPost()

    def connect(settings: Settings) -> Database:
        opened.append(Witness(connect_file(file)))
        return opened[-1]

    def hints(tell: Tell) -> Neighbour:
        neighbours.append(Neighbour(tell))
        return neighbours[-1]

    async def test() -> None:
        parts: Any = {"connect": connect, "hints": hints, "sender": post}
        async with open_desk(shared, GAMES, **parts) as desk:
            before = opened[0].commits
            game = (await new_game(desk)).game
            assert desk.store.shared
            assert opened[0].commits > before
            assert neighbours[0].running
            assert neighbours[0].told == {game.id: game.version}
            waiting = asyncio.ensure_future(desk.reader.wait(game.id, game.version, 20.0))
            await asyncio.sleep(0)
            neighbours[0].tell({game.id: game.version + 1})
            assert await waiting == game.version + 1
        assert not neighbours[0].running
        assert post.closed

    asyncio.run(test())
    assert len(opened) == len(neighbours) == 1


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
