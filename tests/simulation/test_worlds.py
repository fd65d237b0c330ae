"""Two thousand commands in simulated worlds: ten seeds that are always the same, ten of the commit.
Seven of the twenty run always, at both levels and in each game; all of them when the service has
changed.

A failure names its seed; ``python -m tests.simulation --seed N ... --shrink`` makes it small.
"""

from __future__ import annotations

import os
import subprocess
import sys
from functools import partial
from pathlib import Path
from zlib import crc32

import pytest

from tests.architecture.tree import ROOT
from tests.simulation.run import Found, Wish, apart, world_of

COMMANDS = 100
LEVELS = ("desk", "desk", "app", "desk", "desk", "desk", "app", "desk", "desk", "desk")
GAMES = (
    "pennant", "pennant", "pennant", "pennant", "pennant",
    "war-at-sea", "pennant", "naval-battles", "crimson-tide", "pennant",
)  # fmt: skip


def live(wish: Wish) -> Found:
    return apart(partial(world_of, wish, keep=True))


def of_the_commit() -> int:
    """A seed that is another one at every commit."""
    asked = ["git", "rev-parse", "HEAD"]
    done = subprocess.run(asked, cwd=ROOT, capture_output=True, check=False)
    return crc32(done.stdout.strip())


ALWAYS = {("fixed", 0), ("fixed", 2), *(("commit", number) for number in (1, 5, 6, 7, 8))}
WORLDS = [(base, number) for base in ("fixed", "commit") for number in range(10)]


@pytest.mark.parametrize(
    ("base", "number"),
    [
        pytest.param(*each, marks=() if each in ALWAYS else pytest.mark.slow("simulation"))
        for each in WORLDS
    ],
)
def test_a_world_holds_whatever_happens_in_it(base: str, number: int) -> None:
    seed = number + (1 if base == "fixed" else of_the_commit())
    wish = Wish(seed, LEVELS[number], GAMES[number], COMMANDS)
    found = live(wish)
    print(wish)
    assert found.faults == ()
    assert found.commands >= COMMANDS


def test_those_that_run_always_are_at_both_levels_and_in_every_game() -> None:
    numbers = {number for _, number in ALWAYS}
    assert {LEVELS[number] for number in numbers} == set(LEVELS)
    assert {GAMES[number] for number in numbers} == set(GAMES)


@pytest.mark.parametrize(("level", "seed"), [("desk", 5), ("app", 6)])
def test_a_seed_is_one_world_to_the_byte(level: str, seed: int) -> None:
    one, two = (live(Wish(seed, level, commands=40)) for _ in range(2))
    assert one.lines == two.lines
    assert one.digest == two.digest
    assert len(one.lines) > 100
    other = live(Wish(seed + 1, level, commands=40))
    assert other.digest != one.digest


@pytest.mark.slow("simulation")
@pytest.mark.parametrize(("level", "game"), [("desk", "naval-battles"), ("app", "pennant")])
def test_no_order_of_hashes_shows(level: str, game: str, tmp_path: Path) -> None:
    """Sets and dicts of the service may stand in any order from one process to the next."""
    logs = [tmp_path / name for name in ("one", "two")]
    for number, log in enumerate(logs):
        world = ["--seed", "11", "--commands", "60", "--level", level, "--game", game]
        subprocess.run(
            [sys.executable, "-m", "tests.simulation", *world, "--log", str(log)],
            cwd=ROOT, env={**os.environ, "PYTHONHASHSEED": str(number)}, check=True,
        )  # fmt: skip
    one, two = (log.read_bytes() for log in logs)
    assert len(one) > 5_000
    assert one == two


def test_harm_that_is_left_out_leaves_the_rest_as_it_was() -> None:
    """Every harm has a name and a fate of its own: so a world can be made small."""
    wishes = (Wish(seed, commands=40) for seed in range(5, 50))
    tried = ((wish, live(wish)) for wish in wishes)
    wish, whole = next((wish, whole) for wish, whole in tried if len(whole.harms) > 10)
    kept = frozenset(whole.harms[: len(whole.harms) // 2])
    part = live(wish._replace(allowed=kept))
    assert part.harms
    assert set(part.harms) <= kept
    assert live(wish._replace(allowed=frozenset())).harms == ()
