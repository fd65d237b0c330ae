"""Virtual time and threads that are none: they wait, wake and die as real ones do."""

from __future__ import annotations

import asyncio

from service.threads import Empty
from tests.simulation.kernel import (
    BEGINNING,
    Event,
    Lock,
    Pool,
    Process,
    Queue,
    Thread,
    World,
    here,
    loop_of,
)


def test_time_goes_on_where_everybody_waits() -> None:
    world, seen = World(1), list[tuple[str, float]]()
    process = Process(world, "w0")

    def work(name: str, seconds: float) -> None:
        here(world).sleep(seconds)
        seen.append((name, world.now - BEGINNING))

    for name, seconds in (("long", 50.0), ("short", 0.5)):
        Thread(process, lambda name=name, seconds=seconds: work(name, seconds), name).start()  # type: ignore[misc]
    world.run(BEGINNING + 100)
    assert [(name, round(at, 3)) for name, at in seen] == [("short", 0.5), ("long", 50.0)]
    assert world.now == BEGINNING + 100


def test_a_lock_is_held_by_one_at_a_time() -> None:
    world = World(1)
    process, lock, inside = Process(world, "w0"), Lock(world), list[int]()

    def work(number: int) -> None:
        with lock:
            inside.append(number)
            here(world).sleep(1.0)
            assert inside[-1] == number

    for number in range(3):
        Thread(process, lambda number=number: work(number), str(number)).start()  # type: ignore[misc]
    world.run(BEGINNING + 10)
    assert sorted(inside) == [0, 1, 2]
    assert world.faults == []
    assert lock.acquire(blocking=False)
    assert not lock.acquire(blocking=False)


def test_who_waits_is_woken_or_his_time_is_over() -> None:
    world = World(1)
    process, event, queue, seen = Process(world, "w0"), Event(world), Queue(world), list[object]()

    def waits() -> None:
        seen.append(event.wait(2.0))
        seen.append(event.wait(2.0))
        try:
            queue.get(timeout=1.0)
        except Empty:
            seen.append("empty")
        seen.append(queue.get(timeout=9.0))

    Thread(process, waits, "waits").start()
    world.after(3.0, event.set)
    world.after(6.0, lambda: queue.put("item"))
    world.run(BEGINNING + 20)
    assert seen == [False, True, "empty", "item"]


def test_a_process_that_is_killed_runs_nothing_more() -> None:
    world = World(1)
    process, seen = Process(world, "w0"), list[str]()

    def work() -> None:
        try:
            here(world).sleep(5.0)
            seen.append("after")
        finally:
            seen.append("finally")

    Thread(process, work, "work").start()
    world.after(1.0, process.kill)
    world.run(BEGINNING + 20)
    assert seen == []


def test_a_process_that_stands_still_goes_on_later() -> None:
    world = World(1)
    process, seen = Process(world, "w0"), list[float]()

    def work() -> None:
        here(world).sleep(1.0)
        seen.append(round(world.now - BEGINNING, 2))

    Thread(process, work, "work").start()
    world.after(0.5, lambda: setattr(process, "standing", BEGINNING + 8.0))
    world.run(BEGINNING + 20)
    assert seen == [8.0]


def test_a_loop_runs_tasks_and_threads_of_its_own() -> None:
    world = World(1)
    loop = loop_of(Process(world, "w0"))
    seen: list[object] = []

    async def work() -> None:
        began = loop.time()
        await asyncio.sleep(3.0)
        seen.append(round(loop.time() - began, 2))
        seen.append(await asyncio.to_thread(lambda: here(world).name))
        try:
            async with asyncio.timeout(1.0):
                await loop.create_future()
        except TimeoutError:
            seen.append("timeout")

    loop.spawn(work())
    world.run(BEGINNING + 20)
    assert seen == [3.0, "asyncio_0", "timeout"]


def test_what_a_task_fails_with_and_nobody_asks_is_a_fault() -> None:
    world = World(1)
    loop = loop_of(Process(world, "w0"))

    async def work() -> None:
        raise ValueError("nobody looks")

    loop.spawn(work())
    world.run(BEGINNING + 1)
    loop.look_after()
    assert ["ValueError" in each for each in world.faults] == [True]


def test_a_pool_ends_when_it_is_told() -> None:
    world = World(1)
    process, seen = Process(world, "w0"), list[str]()
    pool = Pool(process, 2, "pool")

    def work() -> None:
        for name in ("a", "b", "c"):
            pool.hand_in(lambda name=name: seen.append(name))  # type: ignore[misc]
        pool.shutdown()
        seen.append("shut")

    Thread(process, work, "work").start()
    world.run(BEGINNING + 5)
    assert sorted(seen[:3]) == ["a", "b", "c"]
    assert seen[3] == "shut"


def test_every_site_has_fates_of_its_own() -> None:
    one, two = World(7), World(7)
    for _ in range(3):
        two.strikes("another", 0.5)
    assert [one.strikes("here", 0.5) for _ in range(20)] == [
        two.strikes("here", 0.5) for _ in range(20)
    ]
    assert one.harms != []
    allowed = World(7, allowed=frozenset(one.harms[:1]))
    assert [allowed.strikes("here", 0.5) for _ in range(20)].count(None) == 19
