"""Kills while the three real games are played: what was acknowledged is there, once, and goes on.

Every piece is a world of its own (tests/campaigns/failures.py), in which a few kills follow one
another; after each, every acknowledged command is looked up and every stream compared.
"""

from __future__ import annotations

import tempfile
import traceback
from functools import partial
from pathlib import Path

from tests.campaigns.failures import (
    Failure,
    World,
    database_stopped,
    inflict,
    redis_killed,
    worker_killed,
    world,
)
from tests.support.stranger import SHORT

from .pieces import Done

KILLS = 10
"""In one world: what it takes to set one up is as much as some of them."""
MOMENTS, ENOUGH = 0.3, 12
PLANTED = ""
"""A fault of planted.py that the workers have, to see that it is found; "": none."""
WISHES = tuple({"ruleset": ruleset, **wish} for ruleset, wish in sorted(SHORT.items()))

KINDS: dict[str, tuple[str, Failure]] = {
    "sqlite": ("alone", worker_killed),
    "postgresql": ("shared", database_stopped),
    "worker": ("shared", worker_killed),
    "redis": ("shared", redis_killed),
}
"""In which world what is killed."""


def piece(kind: str, number: int) -> Done:
    """Some kills in one world; how many were survived, and how the world ended if it did."""
    name, failure = KINDS[kind]
    survived = acknowledged = 0
    told = {"moments": MOMENTS, "enough": ENOUGH, "games": "installed", "wishes": WISHES}
    if PLANTED:
        told["planted"] = f"tests.campaigns.named.planted:{PLANTED}"
    failures = []
    try:
        with (
            tempfile.TemporaryDirectory() as folder,
            world(name, Path(folder), number, **told) as made,
        ):
            for _ in range(KILLS):
                _strike(made)
                try:
                    inflict(made, kind, failure)
                except Exception:
                    failures.append(f"{kind}, after {survived}: {_told(made)}")
                    raise
                survived += 1
            acknowledged = len(made.crowd.acknowledged)
    except Exception:
        failures.append(f"{kind}, after {survived}: {traceback.format_exc(limit=-5)}")
    return Done(survived, failures, {"acknowledged": [acknowledged]})


def _told(made: World) -> str:
    """What became of the workers: how each has ended, if it has, and what it said."""
    return "; ".join(f"worker {each.process.poll()}: {each.lines[-200:]}" for each in made.workers)


def _strike(made: World) -> None:
    """What is planted may begin: from now on something is killed."""
    for number in range(len(made.workers)):
        (made.control(number) / "struck").touch()


def of(kind: str) -> partial[Done]:
    return partial(piece, kind)
