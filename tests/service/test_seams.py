"""What the service takes of the world outside comes in where its parts are made: none is global."""

from __future__ import annotations

import ast
import asyncio
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Executor
from datetime import UTC, datetime, timedelta
from hashlib import shake_256
from pathlib import Path
from typing import Any

import msgspec
import pytest

from service.clock import SystemClock
from service.desk import Desk, open_desk
from service.entropy import Entropy
from service.models import TakeSeat
from service.news.hints import Tell
from service.settings import Settings
from service.store.ageing import STEP
from service.store.database import Database
from service.store.store import connect_file
from service.store.tokens import token_id_of
from service.threads import Event, Lock, Queue, SystemThreads, Thread
from service.views.callers import TokenCache
from service.webhooks.keeper import NewWebhook, Owner
from service.webhooks.rows import Delivery, Secrets
from service.webhooks.sending import Outcome
from tests.service.desk.kit import GAMES, desk_in, new_game, order, settings, wishes
from tests.support.pennant import Choose

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

    def offset(self) -> float:
        return 0.0


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
            token_id = token_id_of(token)
            assert not tokens.known(token_id)
            assert tokens.identify(token, token_id)
            clock.ahead += 4.0
            assert tokens.known(token_id)
            clock.ahead += 2.0
            assert not tokens.known(token_id)

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


class Counted:
    """Entropy that is none: numbers, one after the other, for each kind of thread by itself."""

    def __init__(self, seed: str) -> None:
        self.seed, self.times = seed, Counter[str]()

    def draw(self, count: int) -> bytes:
        name = threading.current_thread().name
        kind = name.rpartition("_")[0] or name
        self.times[kind] += 1
        return shake_256(f"{self.seed}/{kind}/{self.times[kind]}".encode()).digest(count)


def rows_of(desk: Desk) -> list[Any]:
    """All that the store keeps of games, tokens and webhooks, and of who follows its log."""
    tables = ("stored_events", "games", "tokens", "commands", "webhooks", "deliveries", "followers")
    return [desk.store.recorder.query(f"SELECT * FROM {table}") for table in tables]


async def played_with(folder: Path, entropy: Entropy) -> tuple[list[Any], Any, Any]:
    """A game with an invitation, a seat taken, orders and a webhook; what is kept and answered."""

    async def found(name: str, port: int) -> list[str]:
        return ["93.184.216.34"]

    given: Any = {"entropy": entropy, "resolving": found, "sender": NoPost()}
    kept = Settings(database=folder / "games.sqlite", key="00" * 32, chain_length=64)
    async with open_desk(kept, GAMES, PutForward(), **given) as desk:
        seats = wishes("keep", "invite")
        made = await new_game(desk, seats=seats)
        taking = TakeSeat(seat="p2", invitation=made.invitations[0].token)
        taken = await desk.writer.take_seat(made.game.id, taking, key="sit")
        await order(desk, made.game.id, "p1", Choose("bold"), expected=taken.game.version)
        owner = Owner(game=made.game.id, seat="p1", token="t")
        hook = NewWebhook(url="https://example.com/")
        told, _ = await desk.webhooks.create(owner, hook, key="hook")
        async with asyncio.timeout(20):
            while any(desk.following.lags().values()):
                desk.following.wake(urgent=True)
                await asyncio.sleep(0.01)
        return rows_of(desk), (made, taken), told


def test_all_chance_is_of_the_entropy_that_was_given(tmp_path: Path) -> None:
    """Two services with the same entropy make the same games, tokens, ids and secrets."""

    async def test() -> None:
        one = await played_with(tmp_path / "one", Counted("a"))
        two = await played_with(tmp_path / "two", Counted("a"))
        other = await played_with(tmp_path / "other", Counted("b"))
        assert one == two
        assert [theirs != ours for theirs, ours in zip(other, one, strict=True)] == [True] * 3
        assert all(theirs != ours for theirs, ours in zip(other[0], one[0], strict=True) if ours)

    asyncio.run(test())


class Counting(SystemThreads):
    """Threads of the system, and a note of each that was made."""

    def __init__(self) -> None:
        self.made: list[str] = []

    def thread(self, work: Callable[[], Any], name: str) -> Thread:
        self.made.append(name)
        return super().thread(work, name)

    def pool(self, many: int, name: str) -> Executor:
        self.made.append(f"{many} {name}")
        return super().pool(many, name)

    def lock(self) -> Lock:
        self.made.append("lock")
        return super().lock()

    def event(self) -> Event:
        self.made.append("event")
        return super().event()

    def queue(self) -> Queue[Any]:
        self.made.append("queue")
        return super().queue()


def test_threads_and_what_they_wait_by_are_made_by_what_was_given(tmp_path: Path) -> None:
    making = Counting()

    async def test() -> None:
        before = set(threading.enumerate())
        async with open_desk(settings(tmp_path), GAMES, threads=making) as desk:
            game = (await new_game(desk)).game
            await desk.reader.view(game.id, "p1", game.version)
            await desk.reader.rolls(game.id, "p1")
            begun = {each.name.rpartition("_")[0] or each.name for each in threading.enumerate()
                     if each not in before}  # fmt: skip
            names = {each.rpartition(" ")[2] for each in making.made}
            assert begun <= names
            assert {"decklog-engine", "decklog-following", "decklog-reader"} <= begun

    asyncio.run(test())
    assert sorted(each for each in making.made if each not in ("lock", "event")) == [
        "2 decklog-digger", "2 decklog-reader", "decklog-engine", "decklog-following", "queue",
    ]  # fmt: skip
    # Of the engine (one event, one lock), the follower, tokens, the cache, the rulesets, the room
    # for the processes of strange ones, one game and one ledger.
    assert (making.made.count("lock"), making.made.count("event")) == (7, 3)


# --- nobody reaches past them --------------------------------------------------------------------

TAKEN = {("time", "monotonic"): "clock.py", ("os", "urandom"): "entropy.py"}
"""What only one module takes from the standard library, if any does."""

LIBRARIES = {
    "secrets": "entropy.py", "uuid": "entropy.py", "random": "entropy.py",
    "threading": "threads.py", "queue": "threads.py", "concurrent.futures": "threads.py",
}  # fmt: skip
"""Libraries that only one module imports, if any does."""


def taken(tree: ast.AST) -> Iterator[tuple[str, str]]:
    """Names of other modules that a module takes: ``time.monotonic``, ``from time import ...``."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            yield from ((node.module, each.name) for each in node.names)
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            yield node.value.id, node.attr


def imported(tree: ast.AST) -> Iterator[str]:
    """Names of the modules that a module imports."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (each.name for each in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module


@pytest.mark.parametrize(
    "source", ["import secrets", "from concurrent.futures import Executor", "import uuid as u"]
)
def test_a_library_that_is_imported_elsewhere_is_seen(source: str) -> None:
    assert [each for each in imported(ast.parse(source)) if each in LIBRARIES] != []


def test_each_is_taken_in_one_place() -> None:
    found: list[Any] = []
    for file in sorted(SERVICE.rglob("*.py")):
        name = file.relative_to(SERVICE).as_posix()
        if not name.startswith(OF_THEIR_OWN):
            tree = ast.parse(file.read_text("utf-8"))
            found += [(what, name) for what in taken(tree) if TAKEN.get(what, name) != name]
            found += [(what, name) for what in imported(tree) if LIBRARIES.get(what, name) != name]
    assert found == []


def test_the_machines_clock_goes_on() -> None:
    clock = SystemClock()
    assert clock.monotonic() <= clock.monotonic()
    assert clock.now().tzinfo is UTC
