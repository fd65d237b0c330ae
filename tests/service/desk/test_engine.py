"""The engine when the store answers otherwise than hoped, and the table of its refusals."""

from __future__ import annotations

import asyncio
import re
import threading
from collections.abc import Sequence
from pathlib import Path

import pytest
from eventsourcing.persistence import IntegrityError

import service
from domain.kernel.values import PUBLIC
from service import errors
from service.desk import Desk
from service.errors import Overloaded, SeatRefused, ServiceError, Stale, StoreUnavailable
from service.evidence.verify import verify
from service.models import Outcome, SeatTaken, TakeSeat
from service.play.engine import RETRIES, Engine
from service.problems import BY_CODE
from service.store.ageing import StoreTime
from service.store.store import Commit, Store
from tests.support.pennant import Choose, Fire, Pass

from .kit import GAMES, fresh_key, new_game, on_desk, order, play, wishes


class Stubborn:
    """A store whose next commits fail: so many conflicts, or one unforeseen error."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.conflicts = 0
        self.error: Exception | None = None
        self.groups: list[int] = []
        put = Store.put

        def stubborn(store: Store, commits: Sequence[Commit]) -> None:
            self.groups.append(len(commits))
            if self.conflicts:
                self.conflicts -= 1
                raise IntegrityError("somebody else was here")
            if self.error is not None:
                raise self.error
            put(store, commits)

        monkeypatch.setattr(Store, "put", stubborn)


async def battles(desk: Desk, count: int) -> list[str]:
    games = [(await new_game(desk, turns=50)).game.id for _ in range(count)]
    for game in games:
        await order(desk, game, "p1", Choose("bold"))
        await order(desk, game, "p2", Choose("bold"))
    return games


def test_commands_that_wait_share_a_commit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stubborn = Stubborn(monkeypatch)

    async def test(desk: Desk) -> None:
        games = await battles(desk, 40)
        stubborn.groups.clear()
        await asyncio.gather(*(order(desk, game, "p1", Fire("hull")) for game in games))
        assert sum(stubborn.groups) == 40
        assert max(stubborn.groups) > 1

    on_desk(tmp_path, test)


def test_after_a_conflict_each_command_is_tried_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stubborn = Stubborn(monkeypatch)

    async def test(desk: Desk) -> None:
        games = await battles(desk, 10)
        stubborn.conflicts = 1
        answers = await asyncio.gather(
            *(order(desk, game, "p1", Fire("hull"), expected=5) for game in games),
            *(order(desk, game, "p1", Pass(), expected=5) for game in games),
            return_exceptions=True,
        )
        for first, second in zip(answers[:10], answers[10:], strict=True):
            assert sorted(type(a).__name__ for a in (first, second)) == ["Outcome", "Stale"]
        assert 1 in stubborn.groups
        for game in games:
            await play(desk, game, seed=1)
            assert verify(await desk.reader.evidence(game, PUBLIC), GAMES).word == "UPHELD"

    on_desk(tmp_path, test)


def test_a_conflict_that_stays_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stubborn = Stubborn(monkeypatch)

    async def test(desk: Desk) -> None:
        (game,) = await battles(desk, 1)
        stubborn.conflicts = 1 + (RETRIES if desk.store.shared else 1)
        with pytest.raises(StoreUnavailable):
            await order(desk, game, "p1", Pass(), key="one")
        outcome = await order(desk, game, "p1", Pass(), key="one")
        assert (outcome.replayed, outcome.version) == (False, 6)

    on_desk(tmp_path, test)


class Unforeseen:
    """A part of the enemy over which deciding fails."""

    def __eq__(self, other: object) -> bool:
        raise AttributeError("unforeseen")

    __hash__ = None  # type: ignore[assignment]


def test_an_error_that_nobody_foresaw_does_not_stop_the_engine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stubborn = Stubborn(monkeypatch)

    async def test(desk: Desk) -> None:
        (game,) = await battles(desk, 1)
        stubborn.error = MemoryError("unforeseen")
        with pytest.raises(MemoryError):
            await order(desk, game, "p1", Pass())
        stubborn.error = None
        assert (await order(desk, game, "p1", Pass())).version == 6
        with pytest.raises(AttributeError):
            await order(desk, game, "p2", Fire(Unforeseen()))  # type: ignore[arg-type]
        assert (await order(desk, game, "p2", Pass())).version == 7

    on_desk(tmp_path, test)


def test_who_lost_to_a_command_that_was_not_stored_is_not_told_stale(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stubborn = Stubborn(monkeypatch)

    async def test(desk: Desk) -> None:
        (game,) = await battles(desk, 1)
        stubborn.error = StoreUnavailable("for the test")
        answers = await asyncio.gather(
            *(order(desk, game, "p1", Pass(), expected=5) for _ in range(8)),
            return_exceptions=True,
        )
        assert {type(answer) for answer in answers} == {StoreUnavailable}
        assert (await desk.reader.summary(game)).version == 5

    on_desk(tmp_path, test)


def test_who_lost_a_seat_to_one_who_did_not_get_it_is_not_told_that_it_is_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else the same request, sent again, is answered otherwise."""
    stubborn = Stubborn(monkeypatch)

    async def test(desk: Desk) -> None:
        game = (await new_game(desk, seats=wishes("keep", "open"))).game.id
        stubborn.error = StoreUnavailable("for the test")
        keys = [fresh_key() for _ in range(8)]

        async def take(key: str) -> SeatTaken:
            return await desk.writer.take_seat(game, TakeSeat(seat="p2"), key=key)

        answers = await asyncio.gather(*map(take, keys), return_exceptions=True)
        assert {type(answer) for answer in answers} == {StoreUnavailable}
        stubborn.error = None
        assert (await take(keys[-1])).seat == "p2"
        with pytest.raises(SeatRefused):
            await take(keys[0])

    on_desk(tmp_path, test)


def test_a_queue_that_is_full(tmp_path: Path) -> None:
    async def test(desk: Desk) -> None:
        (game,) = await battles(desk, 1)
        answers = await asyncio.gather(
            *(order(desk, game, "p1", Pass(), expected=5) for _ in range(200)),
            return_exceptions=True,
        )
        kinds = {type(answer) for answer in answers}
        assert kinds == {Outcome, Stale, Overloaded}
        assert sum(isinstance(answer, Outcome) for answer in answers) == 1

    on_desk(tmp_path, test, queue_limit=10)


def test_every_refusal_is_in_the_table() -> None:
    folder = Path(service.__file__).parent
    sources = [
        *folder.glob("*.py"), *(folder / "store").glob("*.py"), *(folder / "dice").glob("*.py")
    ]  # fmt: skip
    told = re.compile(r'code="([a-z-]+\.[a-z-]+)"')
    codes = {code for path in sources for code in told.findall(path.read_text("utf-8"))}
    classes = [c for c in vars(errors).values() if isinstance(c, type)]
    codes |= {c.CODE for c in classes if issubclass(c, ServiceError) and c.CODE}
    assert len(codes) > 20
    assert codes <= BY_CODE.keys()


def test_the_engine_outlives_a_store_that_turns_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While it looks at a store that turned, or deletes what is old, the store turns again."""
    looks: list[object] = []
    twice = threading.Event()

    def conflict(self: object, *given: object) -> None:
        looks.append(self)
        if len(looks) == 2:
            twice.set()
        raise IntegrityError("the store is another one than before")

    async def test(desk: Desk) -> None:
        with monkeypatch.context() as harmed:
            harmed.setattr(Engine, "_heed", conflict)
            harmed.setattr(StoreTime, "go_on", conflict)
            desk.engine._tidy_at = 0.0
            desk.engine.nudge()
            assert await asyncio.to_thread(twice.wait, 5)
        game = (await new_game(desk)).game.id
        assert (await order(desk, game, "p1", Choose("bold"))).version
        assert desk.engine.alive

    on_desk(tmp_path, test)
