"""Processes that do what is expensive: each bounded, and ended when nobody waits for it."""

from __future__ import annotations

import asyncio
import os
from typing import Any

import pytest

from domain.kernel.custom import Unfit
from domain.kernel.rules import Refused
from service.errors import Damaged, NotFound, ServiceError, StoreUnavailable
from service.http.streams import HungUp, while_there
from service.problems import FieldError, Refusal
from service.work.office import Office
from service.work.outcomes import Failed, opened, refused
from service.work.tasks import Check, Draw, written
from service.work.works import Exceeded
from tests.service.work.kit import Nothing, done, pid_of, pool_of, task

SOON = 5.0
"""Seconds within which a process is gone, on a machine that does other things as well."""


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


async def gone(pid: int) -> bool:
    for _ in range(int(SOON / 0.02)):
        if not alive(pid):
            return True
        await asyncio.sleep(0.02)
    return False


def test_a_task_is_done_in_another_process_which_is_kept() -> None:
    async def test() -> None:
        async with pool_of() as pool:
            assert await done(pool) == {"does": "nothing"}
            first = pid_of(pool)
            assert await done(pool) == {"does": "nothing"}
            assert first == pid_of(pool) != os.getpid()
        assert await gone(first)

    asyncio.run(test())


@pytest.mark.parametrize("does", ["spin", "grow"])
def test_more_time_or_memory_than_the_budget_ends_the_process_and_the_next_task_gets_another(
    does: str,
) -> None:
    async def test() -> None:
        async with pool_of() as pool:
            await done(pool)
            first, told = pid_of(pool), list[float]()
            with pytest.raises(Exceeded):
                await pool.do(task(does), 0.5, "a", told.append)
            assert told == [0.5]
            assert await gone(first)
            assert await done(pool) == {"does": "nothing"}

    asyncio.run(test())


def test_a_task_that_nobody_waits_for_any_more_ends_at_once_and_is_charged() -> None:
    async def test() -> None:
        async with pool_of() as pool:
            await done(pool)
            first, told = pid_of(pool), list[float]()
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(0.2):
                    await pool.do(task("spin"), 60, "a", told.append)
            assert await gone(first)
            assert 0.1 < told[0] < 60
            assert await done(pool) == {"does": "nothing"}

    asyncio.run(test())


def test_a_task_ends_when_its_client_hangs_up() -> None:
    async def test() -> None:
        async with pool_of() as pool:
            await done(pool)
            first = pid_of(pool)
            office, heavy = Office(pool, lambda game: None), Check("pennant", "map", _spin())
            events = iter(({"type": "http.request"}, {"type": "http.disconnect"}))

            async def receive() -> Any:
                await asyncio.sleep(0.1)
                return next(events)

            with pytest.raises(HungUp):
                await while_there(receive, office.do(heavy, "a", lambda _: None))
            assert await gone(first)

    asyncio.run(test())


def _spin() -> Any:
    import msgspec

    return msgspec.Raw(b'{"does":"spin"}')


def test_a_task_that_waits_is_not_begun_when_its_asker_leaves() -> None:
    async def test() -> None:
        async with pool_of() as pool:
            heavy = asyncio.ensure_future(done(pool, "spin", "a"))
            waiting = asyncio.ensure_future(done(pool, "spin", "b"))
            await asyncio.sleep(0.1)
            waiting.cancel()
            heavy.cancel()
            await asyncio.gather(heavy, waiting, return_exceptions=True)
            assert await done(pool) == {"does": "nothing"}
            assert not pool._waiting

    asyncio.run(test())


def test_one_caller_never_has_all_processes_and_the_others_take_turns() -> None:
    async def test() -> None:
        async with pool_of(2) as pool:
            heavy = [asyncio.ensure_future(done(pool, "spin", "a")) for _ in range(5)]
            await asyncio.sleep(0.1)
            async with asyncio.timeout(SOON):
                assert await done(pool, caller="b") == {"does": "nothing"}
            for each in heavy:
                each.cancel()
            await asyncio.gather(*heavy, return_exceptions=True)

    asyncio.run(test())


def test_a_refusal_comes_back_as_it_was() -> None:
    async def test() -> None:
        async with pool_of() as pool:
            with pytest.raises(Unfit) as unfit:
                await done(pool, "refuse")
            (fault,) = unfit.value.faults
            assert (fault.code, fault.pointer, fault.rule) == ("document.heavy", "/does", "PEN-1")
            with pytest.raises(Failed, match="a fault in a plug-in"):
                await done(pool, "break")
            draw = written(Draw("0" * 32, "public", 1, ""))
            with pytest.raises(ServiceError) as missing:
                opened(await pool.do(draw, 30, "a", lambda _: None))
            assert missing.value.code == NotFound.CODE

    asyncio.run(test())


REFUSALS = (
    Refusal("version.unknown", "d", hint="h", rule="R", version=3,
            errors=(FieldError("/a", "b", "c"),)),
    Refused("odds.none", "R-1", "hint", "/type"),
    StoreUnavailable("hint"),
    Damaged("hint", pointer="/x"),
)  # fmt: skip


@pytest.mark.parametrize("refusal", REFUSALS, ids=lambda each: type(each).__name__)
def test_every_kind_of_refusal_crosses_the_border(refusal: Exception) -> None:
    kind = ServiceError if isinstance(refusal, StoreUnavailable) else type(refusal)
    with pytest.raises(kind) as told:
        opened(refused(refusal))
    assert str(told.value) == str(refusal)
    for name, value in vars(refusal).items():
        assert getattr(told.value, name) == value


class Away(Nothing):
    def game(self, game: str) -> Any:
        raise StoreUnavailable("The store is away.")


def test_a_store_that_is_away_is_said() -> None:
    async def test() -> None:
        async with pool_of(source=Away()) as pool:
            draw = written(Draw("0" * 32, "public", 1, ""))
            with pytest.raises(ServiceError, match="The store is away") as away:
                opened(await pool.do(draw, 30, "a", lambda _: None))
            assert away.value.code == StoreUnavailable.CODE

    asyncio.run(test())


def test_a_pool_that_forgets_begins_the_next_task_in_a_new_process() -> None:
    async def test() -> None:
        async with pool_of() as pool:
            await done(pool)
            first = pid_of(pool)
            pool.forget()
            await done(pool)
            assert pid_of(pool) != first
            assert await gone(first)

    asyncio.run(test())
