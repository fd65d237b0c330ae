"""Rules that come to no end are ended, and their game is frozen; every other game goes on."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from service.errors import StoreUnavailable
from service.play.patience import LOOKS, STEP_SECONDS, Frozen, Patience
from service.store import acts, workers
from tests.service.desk.kit import GAMES, desk_in, instruct, new_game, order
from tests.support import stuck
from tests.support.pennant import Choose

ENOUGH = 15.0


def test_a_game_without_an_end_stops_no_other(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    games = {**GAMES, "pennant": stuck.GAME}

    async def test() -> None:
        async with desk_in(tmp_path, games=games) as desk:
            bad, other = (await new_game(desk)).game.id, (await new_game(desk)).game.id
            began = time.monotonic()
            hanging = asyncio.ensure_future(order(desk, bad, "p1", Choose("steady")))
            await asyncio.sleep(0.05)
            async with asyncio.timeout(ENOUGH):
                done = await order(desk, other, "p1", Choose("bold"))
                assert done.version > 1
                with pytest.raises(Frozen):
                    await hanging
            assert time.monotonic() - began >= STEP_SECONDS
            with pytest.raises(Frozen):
                await order(desk, bad, "p1", Choose("bold"))
            assert (await desk.reader.view(bad, "p1")).version == 2, "it is still shown"
            assert any(bad in line.getMessage() for line in caplog.records)
            assert (await order(desk, other, "p2", Choose("bold"))).version > done.version

    with caplog.at_level(logging.ERROR):
        asyncio.run(test())


def test_a_game_that_its_rules_have_frozen_is_thawed_without_a_restart(tmp_path: Path) -> None:
    """Rules that did not come to an end once may do so the next time: on a busy machine, or as
    another order is given."""
    games = {**GAMES, "pennant": stuck.GAME}

    async def test() -> None:
        async with desk_in(tmp_path, games=games) as desk:
            bad, other = (await new_game(desk)).game.id, (await new_game(desk)).game.id
            assert (await instruct(desk, "thaw", bad)).code == "ruling.impossible"
            with pytest.raises(Frozen):
                await order(desk, bad, "p1", Choose("steady"))
            await desk.clerk.heed()
            now = acts.time_of(desk.store.recorder)
            (told,) = workers.listed(desk.store.recorder, now)
            assert told.frozen == (bad,)
            assert (await instruct(desk, "thaw", other)).code == "ruling.impossible"
            done = await instruct(desk, "thaw", bad)
            assert (done.code, done.told) == ("", {"workers": told.name})
            await desk.clerk.heed()
            assert (await order(desk, bad, "p1", Choose("bold"))).version > 2
            await desk.clerk.heed()
            (told,) = workers.listed(desk.store.recorder, now)
            assert (told.frozen, desk.engine.frozen["rules"]) == ((), 0)
            with pytest.raises(Frozen):
                await order(desk, bad, "p1", Choose("steady"))
            await desk.clerk.heed()
            assert desk.engine.frozen["rules"] == 1, "once thawed is not thawed for ever"
            for act in ("freeze", "thaw"):
                assert not (await instruct(desk, act, bad)).code
            await desk.clerk.heed()
            assert (await order(desk, bad, "p2", Choose("bold"))).version > 4, "by either"
            done_ = [each.act for each in acts.listed(desk.store.recorder, bad)]
            assert done_ == ["thaw", "freeze", "thaw"]

    asyncio.run(test())


def test_a_thaw_is_not_lost_with_the_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It was taken out of the store, which was away before the worker had put down the rest."""

    def away(recorder: object) -> str:
        raise StoreUnavailable("It is away.")

    async def run() -> None:
        async with desk_in(tmp_path) as desk:
            presence, done = desk.clerk.presence, list[str]()
            presence.look()
            (worker,) = workers.listed(desk.store.recorder, acts.time_of(desk.store.recorder))
            presence.playing(lambda: ("ab" * 16,), done.append)
            desk.store.recorder.put((), workers.thawing([worker], "ab" * 16))
            with monkeypatch.context() as patched:
                patched.setattr(acts, "time_of", away)
                with pytest.raises(StoreUnavailable):
                    presence.look()
            presence.look()
            presence.tell()
            presence.tell()
            assert done == ["ab" * 16], "once"

    asyncio.run(run())


def test_a_step_that_ends_in_time_is_left_alone() -> None:
    patience = Patience()
    assert patience.during("a", lambda: 7) == 7
    patience.look()
    assert patience.frozen == set()


def test_rules_that_wait_are_ended_by_looks_and_by_no_clock() -> None:
    """On a busy machine ten seconds may be little work: the watch is then as late as the rules."""
    patience = Patience()

    def looked_at(times: int) -> Callable[[], None]:
        def work() -> None:
            for _ in range(times):
                patience.look()

        return work

    patience.during("a", looked_at(LOOKS - 1))
    patience.during("a", looked_at(LOOKS - 1))
    assert patience.frozen == set(), "each step is counted by itself"
    with pytest.raises(Frozen):
        patience.during("a", looked_at(LOOKS))
    assert patience.frozen == {"a"}


def test_an_exception_that_comes_late_hits_nobody_else(monkeypatch: pytest.MonkeyPatch) -> None:
    """The watch looks at the very end of a step: whatever becomes of it, the next is not hurt."""
    monkeypatch.setattr("service.play.patience.LOOKS", 1)
    patience = Patience()
    for number in range(20):
        name = f"game {number}"
        with pytest.raises(Frozen):
            patience.during(name, patience.look)
        assert patience.during("another", lambda: 7) == 7
        sum(range(10_000))
    assert patience.frozen == {f"game {number}" for number in range(20)}


def test_what_rules_refuse_is_still_refused() -> None:
    patience = Patience()

    def refuse() -> None:
        raise KeyError("x")

    with pytest.raises(KeyError):
        patience.during("a", refuse)
    assert patience.frozen == set()
    assert patience.during("a", lambda: 7) == 7
