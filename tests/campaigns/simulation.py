"""Worlds of the simulator by the thousand; goes on where it stopped.

    python -m tests.campaigns.simulation --commands 1000000 --jobs 2

Nine in ten commands are given at the desk, the rest over ASGI with streams; three worlds in ten
play a real game. What was run is kept in ``build/simulation``, by commit: a seed means nothing
without it. The last line is the row for the table in README.md.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from functools import partial
from itertools import count
from pathlib import Path

import msgspec

from tests.architecture.tree import ROOT
from tests.simulation.run import Found, Wish, apart, world_of

KEPT = ROOT / "build" / "simulation"
PLAYED = ("pennant",) * 7 + ("war-at-sea", "naval-battles", "crimson-tide")
ENOUGH = 20
"""Worlds that fail, after which a run ends: more say nothing new."""

SIZE = 300
"""Commands of one world."""


class Kept(msgspec.Struct, frozen=True):
    """A world that was run."""

    seed: int
    level: str
    ruleset: str
    commands: int
    seconds: float
    digest: str
    faults: tuple[str, ...]
    harms: int


def wish_of(seed: int, size: int = SIZE) -> Wish:
    """The world of a seed, as the campaign runs it."""
    level = "app" if seed % 10 == 9 else "desk"
    return Wish(seed, level, PLAYED[seed // 10 % len(PLAYED)], size)


def kept_of(wish: Wish, found: Found) -> Kept:
    return Kept(
        wish.seed, wish.level, wish.ruleset, found.commands, round(found.seconds, 2),
        found.digest[:16], found.faults, len(found.harms),
    )  # fmt: skip


def commit() -> str:
    """What is simulated; with a mark where files differ from it."""
    asked = ["git", "describe", "--always", "--dirty", "--abbrev=12", "--exclude=*"]
    done = subprocess.run(asked, cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout.strip() or "unknown"


def ran(file: Path) -> list[Kept]:
    """The worlds that were run before. A line that was cut off by a stop is run again."""
    found = []
    for line in file.read_bytes().splitlines() if file.exists() else ():
        try:
            found.append(msgspec.json.decode(line, type=Kept))
        except msgspec.DecodeError:
            continue
    return found


def run(file: Path, commands: int, jobs: int, size: int = SIZE) -> list[Kept]:
    """Go on with the campaign that the file keeps until so many commands are done in all."""
    found = ran(file)
    known, failed = {each.seed for each in found}, 0
    file.parent.mkdir(parents=True, exist_ok=True)
    seeds = (seed for seed in count(1) if seed not in known)
    if file.exists() and not file.read_bytes().endswith(b"\n"):
        with file.open("ab") as out:
            out.write(b"\n")
    with file.open("ab") as out, ThreadPoolExecutor(jobs) as pool:
        for made in _worlds(pool, seeds, sum(k.commands for k in found), commands, jobs, size):
            found.append(made)
            out.write(msgspec.json.encode(made) + b"\n")
            out.flush()
            if made.faults:
                failed += 1
                print(f"seed {made.seed}, {made.level}, {made.ruleset}: {made.faults[0][:300]}")
            if failed == ENOUGH:
                break
    return found


def _worlds(
    pool: ThreadPoolExecutor, seeds: Iterator[int], done: int, commands: int, jobs: int, size: int
) -> Iterator[Kept]:
    """As many worlds at a time as there are jobs; a fork for each, so that threads only wait."""
    while done < commands:
        wishes = [wish_of(next(seeds), size) for _ in range(jobs)]
        for wish, found in zip(wishes, pool.map(_apart, wishes), strict=True):
            done += found.commands
            yield kept_of(wish, found)


def _apart(wish: Wish) -> Found:
    return apart(partial(world_of, wish))


def row(found: list[Kept], at: str) -> str:
    """What stands in the table."""
    date = datetime.now(UTC).date().isoformat()
    done, failed = sum(each.commands for each in found), sum(bool(each.faults) for each in found)
    hours = sum(each.seconds for each in found) / 3600
    return (
        f"| `simulation --commands {done}` | {at} | {date} | {done:,} commands in {len(found):,} "
        f"worlds, {hours:.2f} processor hours | {failed} |"
    )


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.campaigns.simulation")
    parser.add_argument("--commands", type=int, default=1_000_000)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--size", type=int, default=SIZE, help="commands of one world")
    given = parser.parse_args(arguments)
    at = commit()
    found = run(KEPT / f"{at}.jsonl", given.commands, given.jobs, given.size)
    print(row(found, at))
    return 1 if any(each.faults for each in found) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
