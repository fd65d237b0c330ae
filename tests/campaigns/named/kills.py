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
    database_stopped,
    inflict,
    redis_killed,
    worker_killed,
    world,
)
from tests.support.stranger import SHORT

from .pieces import Done

KILLS = 5
"""In one world."""
MOMENTS, ENOUGH = 0.3, 12
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
    failures = []
    try:
        with (
            tempfile.TemporaryDirectory() as folder,
            world(name, Path(folder), number, **told) as made,
        ):
            for _ in range(KILLS):
                inflict(made, kind, failure)
                survived += 1
            acknowledged = len(made.crowd.acknowledged)
    except Exception:
        failures.append(f"{kind}, after {survived}: {traceback.format_exc(limit=-5)}")
    return Done(survived, failures, {"acknowledged": [acknowledged]})


def of(kind: str) -> partial[Done]:
    return partial(piece, kind)
