"""What a world is like, and what goes wrong in it: each seed is one of its own kind.

A world that has a little of everything finds less than many worlds of which each has much of a few
things ("swarm testing"): so every harm is left out of one world in three.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, fields, replace
from functools import partial
from typing import Any

from projections.finder import found as installed_projections

from .ages import nightfall
from .people import Manners, People
from .town import Plan, Town

TICK = 2.0
"""Seconds between two moments at which whole workers are harmed, on average."""


@dataclass(frozen=True)
class Rates:
    """How likely each harm is: at its place, or (from ``kill`` on) at each tick.

    refused, unanswered, slow, unreadable  of the database (database.Faulty)
    unsent, lost                           requests and answers that get lost
    unheard, doubled, late                 hints between workers
    unposted                               webhooks that are refused, or not answered
    twice                                  requests that are sent twice at the same moment
    kill, stand, jump, stop                of a worker: dead, paused, its clock wrong, drained
    full, away                             of the database for a while (Redis is away as well)
    promoted                               a standby takes over that lacks the last seconds
    outdated                               a projection is found to be of another version
    power                                  of the whole machine is cut: what was synced is there
    night                                  hours go by at once, in a world where things grow old
    """

    refused: float = 0.0
    unanswered: float = 0.0
    slow: float = 0.0
    unreadable: float = 0.0
    unsent: float = 0.0
    lost: float = 0.0
    unheard: float = 0.0
    doubled: float = 0.0
    late: float = 0.0
    unposted: float = 0.0
    twice: float = 0.0
    kill: float = 0.0
    stand: float = 0.0
    jump: float = 0.0
    stop: float = 0.0
    full: float = 0.0
    away: float = 0.0
    outdated: float = 0.0
    promoted: float = 0.0
    power: float = 0.0
    night: float = 0.0


MOST = Rates(
    refused=0.05, unanswered=0.05, slow=0.02, unreadable=0.01, unsent=0.03, lost=0.03,
    unheard=0.3, doubled=0.3, late=0.3, unposted=0.3, twice=0.3,
    kill=0.5, stand=0.5, jump=0.5, stop=0.3, full=0.1, away=0.1, outdated=0.2,
    power=0.15,
)  # fmt: skip
"""The most of each that a world may have."""


@dataclass(frozen=True)
class Shape:
    """A world before it begins."""

    plan: Plan
    manners: Manners
    rates: Rates


SLOW, STANDS = 5.0, 15.0
"""Seconds that a commit takes at most, and that a worker stands still at most."""

CROWDED, QUIET, LONG = (12, 20), (1, 2, 4, 6), (1, 1, 2, 3)
"""Games at the same time: in a crowd, where group commits come about; else; and of games that take
hundreds of commands, which few are to get far."""

NIGHTLY = 0.25
"""Of all worlds so many have nights; in these nobody is answered for by the clock, and no receiver
of a webhook is away for longer than it is waited for."""

OPTIONS: dict[str, dict[str, Any]] = {"pennant": {"turns": 20}}
"""Options of new games, where the ruleset's own make long ones."""


def shape(seed: int, level: str, ruleset: str, commands: int, harm: float = 1.0) -> Shape:
    """What the world of a seed is like. ``harm``: 0 for a calm one."""
    dice = random.Random(f"{seed}/shape")
    crowd = dice.random() < 0.25
    plan = Plan(
        level=level,
        workers=dice.choice((1, 2, 2, 2, 3, 3, 4, 5)),
        hinted=dice.random() < 0.7,
        hooks=dice.random() < 0.3,
        chain_length=dice.choice((16, 64)),
        cached_games=dice.choice((2, 1000)),
    )
    invited = dice.random() < 0.4
    manners = Manners(
        ruleset=ruleset, options=OPTIONS.get(ruleset, {}), commands=commands,
        tables=dice.choice(CROWDED if crowd else QUIET if ruleset == "pennant" else LONG),
        think=0.0 if crowd else 0.05, readers=dice.choice((0, 1, 3)),
        invited=invited, chained=invited and dice.random() < 0.5,
    )  # fmt: skip
    if dice.random() < 0.3:
        manners = replace(manners, deadline=dice.choice((10, 40)), lazy=0.04)
    rates = _rates(dice, harm)
    if dice.random() < 0.25:
        manners = replace(manners, brief=dice.choice((3, 5)))
    if manners.chained and dice.random() < 0.4:
        manners, plan = replace(manners, absent=0.7, brief=0), plan._replace(chain_length=16)
    if level == "app" and plan.hinted and dice.random() < 0.5:
        plan = plan._replace(quota=dice.choice((30, 60)))
    nights = random.Random(f"{seed}/nights")  # of its own: no other world is another by it
    if nights.random() < NIGHTLY:
        plan = plan._replace(days=1, hooks=False)
        brief = nights.choice((2, 4, manners.brief))
        manners = replace(manners, deadline=0, lazy=0.0, brief=brief)
        rates = replace(rates, night=0.6 * harm)
    return Shape(plan, manners, rates)


def _rates(dice: random.Random, harm: float) -> Rates:
    found = {}
    for each in fields(Rates):
        if each.name == "night":
            continue
        there, much = dice.random() < 0.66, dice.random()
        found[each.name] = getattr(MOST, each.name) * much * harm if there else 0.0
    return Rates(**found)


def strike(town: Town, people: People, rates: Rates) -> None:
    """From now on things go wrong, until people have had enough."""
    faulty, weather, world = town.faulty, town.weather, town.world
    faulty.refused, faulty.unanswered = rates.refused, rates.unanswered
    faulty.slow, faulty.unreadable = rates.slow, rates.unreadable
    weather.unsent, weather.unanswered = rates.unsent, rates.lost
    weather.unheard, weather.doubled, weather.late = rates.unheard, rates.doubled, rates.late
    weather.unposted = rates.unposted
    people.manners.twice = rates.twice
    town.slack = SLOW + (STANDS if rates.stand else 0.0)

    def tick() -> None:
        if people.enough:
            return
        for number in range(len(town.workers)):
            _harm_worker(town, number, rates)
        _harm_database(town, rates)
        _cut_power(town, rates)
        _promote(town, people, rates)
        if (much := world.strikes("people/night", rates.night)) is not None:
            nightfall(people, much)
        world.after(world.fate.random() * 2 * TICK, tick)

    world.after(1.0, tick)


def _harm_worker(town: Town, number: int, rates: Rates) -> None:
    world, many = town.world, len(town.workers)
    worker = town.workers[number]
    name, process = f"w{number}", worker.process
    if (much := world.strikes(f"{name}/killed", rates.kill / many)) is not None:
        worker.kill()
        world.after(much * 2, lambda: town.again(number))
    if (much := world.strikes(f"{name}/jump", rates.jump / many)) is not None:
        town.jumps[number] = process.jump = float(int((much - 0.5) * 800 * 86_400))
    if (much := world.strikes(f"{name}/stands", rates.stand / many)) is not None:
        process.standing = world.now + much * STANDS
    if world.strikes(f"{name}/stopped", rates.stop / many) is not None:
        worker.leave()


def _harm_database(town: Town, rates: Rates) -> None:
    world, faulty = town.world, town.faulty
    if (much := world.strikes("database/full", rates.full)) is not None:
        faulty.full = world.now + much * 5
    if (much := world.strikes("database/away", rates.away)) is not None:
        faulty.away = world.now + much * 5
    if (much := world.strikes("redis/away", rates.away)) is not None:
        town.redis.away = world.now + much * 20
    if (much := world.strikes("database/outdated", rates.outdated)) is not None:
        # As an older program leaves it behind: whoever follows makes it anew beside the one in use.
        town.disk.ask(_OUTDATED, (OLD, int(much * len(_PROJECTIONS))))


def _cut_power(town: Town, rates: Rates) -> None:
    if (much := town.world.strikes("machine/power", rates.power)) is not None:
        for worker in town.workers:
            worker.kill()
        town.disk.power_cut()
        for number in range(len(town.workers)):
            town.world.after(much * 2, partial(town.again, number))


def _promote(town: Town, people: People, rates: Rates) -> None:
    if town.world.strikes("database/promoted", rates.promoted) is not None and town.disk.promote():
        people.went_back()
    if rates.promoted:
        town.disk.copy()


_PROJECTIONS = sorted(installed_projections())
OLD = -1
_OUTDATED = (
    "UPDATE followers SET version = ? WHERE name = (SELECT name FROM followers "
    "WHERE name <> 'webhooks' AND name NOT LIKE '%+' ORDER BY name LIMIT 1 OFFSET ?)"
)


def heal(town: Town, people: People) -> None:
    """Everything works again."""
    town.faulty.heal()
    town.redis.away = 0.0
    town.weather.heal()
    people.manners.twice = 0.0
    for number, worker in enumerate(town.workers):
        worker.process.standing = worker.process.jump = town.jumps[number] = 0.0
        town.again(number)
