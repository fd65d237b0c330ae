"""One world from its beginning to its verdict, in a process of its own."""

from __future__ import annotations

import gc
import logging
import os
import pickle
import time
import traceback
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, NamedTuple, TypeVar

from domain.kernel.finder import games as installed_games
from service.errors import ServiceError
from tests.support import pennant

from . import ages, bugs, checks, harms
from .harms import Shape
from .kernel import Process, Thread, World
from .people import People
from .town import Town

T = TypeVar("T")

STUCK = 150.0
"""Seconds of virtual time within which some command is done, whatever goes wrong."""

CALM = 30.0
"""Seconds without harm after which everybody has finished, and everybody knows everything."""

STILL = 4
"""Seconds until what the clock still answered is known to everybody."""

JUDGING = 600.0
"""Seconds of virtual time that the checks may take."""


class Wish(NamedTuple):
    """A world to be run: all that a report of a failure has to name.

    allowed  the harms that may happen; None: all that the seed gives
    changes  of the shape that the seed gives: of the plan, the manners, the rates
    bug      a fault of our own making (bugs.py); "": none
    """

    seed: int
    level: str = "desk"
    ruleset: str = "pennant"
    commands: int = 200
    harm: float = 1.0
    allowed: frozenset[str] | None = None
    changes: tuple[tuple[str, Any], ...] = ()
    bug: str = ""


class Found(NamedTuple):
    """What came of a world."""

    seed: int
    commands: int
    steps: int
    seconds: float
    digest: str
    faults: tuple[str, ...]
    harms: tuple[str, ...]
    codes: Mapping[str, int]
    virtual: float = 0.0
    lines: tuple[str, ...] = ()


def games_of(ruleset: str) -> dict[str, Any]:
    """The rulesets of a world: one."""
    if ruleset == "pennant":
        return {"pennant": pennant.GAME}
    return {ruleset: dict(installed_games())[ruleset]}


def shape_of(wish: Wish) -> Shape:
    """The shape of the seed, with the changes that were wished for."""
    shape = harms.shape(wish.seed, wish.level, wish.ruleset, wish.commands, wish.harm)
    plan, manners, rates = shape.plan, shape.manners, shape.rates
    for name, value in wish.changes:
        if name in plan._fields:
            plan = plan._replace(**{name: value})
        elif hasattr(manners, name):
            setattr(manners, name, value)
        else:
            rates = replace(rates, **{name: value})
    return Shape(plan, manners, rates)


def world_of(wish: Wish, *, keep: bool = False) -> Found:
    """Run it, in this process: which a bug spoils for every other world."""
    began = time.process_time()
    if wish.bug:
        bugs.BUGS[wish.bug]()
    shape = shape_of(wish)
    world = World(wish.seed, allowed=wish.allowed, keep=keep)
    town = Town(world, games_of(wish.ruleset), shape.plan)
    people = People(town, shape.manners)
    world.log(f"{shape}")
    try:
        _live(world, town, people, shape)
    except (AssertionError, ServiceError) as error:  # Damaged: the chain itself is broken
        world.fail(str(error)[:2000])
    world.log(f"{world.steps} steps, {world.path:08x}")
    return Found(
        wish.seed, people.acknowledged, world.steps, time.process_time() - began,
        world.digest.hexdigest(), tuple(world.faults), tuple(world.harms), people.codes,
        world.now, tuple(world.lines or ()),
    )  # fmt: skip


def _live(world: World, town: Town, people: People, shape: Shape) -> None:
    """The storm, the calm after it, the judgement."""
    harms.strike(town, people, shape.rates)
    people.begin()
    done, since = 0, world.awake
    while not people.enough and not world.over:
        world.run(world.now + 0.5)
        if people.acknowledged > done:
            done, since = people.acknowledged, world.awake
        if world.awake > since + STUCK:
            world.fail(f"stuck after {done} commands: {people.codes}")
    if world.over:
        return
    harms.heal(town, people)
    world.run(world.now + CALM)
    if world.over:
        return
    asleep = [worker.process.name for worker in town.workers if not worker.ready]
    assert not asleep, f"not up after {CALM} calm seconds: {asleep}"
    checks.patient(people)
    for _ in range(STILL):
        checks.retire(town)
        world.run(world.now + 1.0)
    ages.years_later(people)
    if world.over:
        return
    for worker in town.workers:
        worker.loop.look_after()
    checks.of_rows(people)
    _judge(world, town, people)


def _judge(world: World, town: Town, people: People) -> None:
    process = Process(world, "judge")

    def work() -> None:
        try:
            checks.through_the_service(people, town.database_of(process), world)
        except (AssertionError, ServiceError) as error:
            world.fail(str(error)[:2000])

    thread = Thread(process, work, "judge")
    thread.start()
    until = world.now + JUDGING
    while thread.is_alive() and not world.over:
        world.run(world.now + 0.05)
        if world.now > until:
            world.fail("the checks do not end")


# --- processes -----------------------------------------------------------------------------------


def apart(work: Callable[[], T]) -> T:
    """What the work gives, in a process of its own: every world begins with the same memory."""
    out, into = os.pipe()
    child = os.fork()
    if child == 0:
        _child(work, out, into)
    os.close(into)
    with os.fdopen(out, "rb") as file:
        text = file.read()
    os.waitpid(child, 0)
    if not text:
        raise RuntimeError("the simulation itself failed: see above")
    answer: T = pickle.loads(text)
    return answer


def _child(work: Callable[[], Any], out: int, into: int) -> None:
    os.close(out)
    logging.disable(logging.CRITICAL)
    gc.freeze()  # what all worlds have in common is never looked at
    try:
        text = pickle.dumps(work())
        with os.fdopen(into, "wb") as file:
            file.write(text)
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(0)
