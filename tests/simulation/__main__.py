"""``python -m tests.simulation --seed 1 --commands 200 --level desk --game pennant``"""

from __future__ import annotations

import argparse
import json
import sys
from functools import partial
from pathlib import Path
from typing import Any

from .run import Found, Wish, apart, world_of
from .shrink import Small, small


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.simulation", description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--many", type=int, default=1, help="so many seeds, from that one on")
    parser.add_argument("--commands", type=int, default=200)
    parser.add_argument("--level", choices=("desk", "app"), default="desk")
    parser.add_argument("--game", default="pennant")
    parser.add_argument("--harm", type=float, default=1.0)
    parser.add_argument("--set", nargs="*", default=[], metavar="NAME=VALUE", help="of the shape")
    parser.add_argument("--bug", default="", help="plant it, and stop at the first that finds it")
    parser.add_argument("--shrink", action="store_true", help="make what fails small")
    parser.add_argument("--allow", nargs="*", help="nothing but these harms, by name")
    parser.add_argument("--log", help="a file for the log of the world")
    given = parser.parse_args(arguments)
    changes = tuple((n, json.loads(v)) for n, _, v in (each.partition("=") for each in given.set))
    allowed = None if given.allow is None else frozenset(given.allow)
    failed = total = 0
    for seed in range(given.seed, given.seed + given.many):
        wish = Wish(
            seed, given.level, given.game, given.commands, given.harm, allowed, changes, given.bug
        )
        found = apart(partial(world_of, wish, keep=bool(given.log)))
        if given.log:
            Path(given.log).write_text("\n".join(found.lines) + "\n", "utf-8")
        failed += bool(found.faults)
        total += found.commands
        print(json.dumps(told(found)), flush=True)
        if found.faults and given.shrink:
            print(shrunken(small(wish, found, lambda wish: apart(partial(world_of, wish)))))
        if found.faults and given.bug:
            break
    if given.bug:
        print(f"{given.bug}: {'found' if failed else 'not found'} after {total} commands")
    return bool(failed) != bool(given.bug)


def told(found: Found) -> dict[str, Any]:
    return {
        "seed": found.seed, "commands": found.commands, "steps": found.steps,
        "seconds": round(found.seconds, 2), "virtual": round(found.virtual),
        "digest": found.digest[:16], "harms": len(found.harms), "codes": found.codes,
        "faults": [each[:700] for each in found.faults],
    }  # fmt: skip


def shrunken(made: Small) -> str:
    wish, found = made.wish, made.found
    changes = " ".join(f"{name}={json.dumps(value)}" for name, value in wish.changes)
    world = f"--seed {wish.seed} --level {wish.level} --game {wish.ruleset}"
    less = f"--commands {wish.commands} --set {changes} --allow {' '.join(found.harms)}"
    size = f"after {made.tries} tries: {found.commands} commands, {len(found.harms)} harms"
    return "\n".join((size, f"{world} {less}", *found.faults))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
