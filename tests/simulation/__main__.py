"""``python -m tests.simulation --seed 1 --commands 200 --level desk --game pennant``"""

from __future__ import annotations

import argparse
import json
import sys

from .run import Wish, apart, prepare, world_of


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.simulation", description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--many", type=int, default=1, help="so many seeds, from that one on")
    parser.add_argument("--commands", type=int, default=200)
    parser.add_argument("--level", choices=("desk", "app"), default="desk")
    parser.add_argument("--game", default="pennant")
    parser.add_argument("--harm", type=float, default=1.0)
    parser.add_argument("--set", nargs="*", default=[], metavar="NAME=VALUE", help="of the shape")
    parser.add_argument("--log", help="a file for the log of the world")
    given = parser.parse_args(arguments)
    changes = tuple((n, json.loads(v)) for n, _, v in (each.partition("=") for each in given.set))
    prepare()
    failed = 0
    for seed in range(given.seed, given.seed + given.many):
        wish = Wish(
            seed, given.level, given.game, given.commands, given.harm, changes=changes
        )
        found = apart(lambda wish=wish: world_of(wish, keep=bool(given.log)))
        if given.log:
            with open(given.log, "w", encoding="utf-8") as file:
                file.write("\n".join(found.lines) + "\n")
        failed += bool(found.faults)
        told = {
            "seed": seed, "commands": found.commands, "steps": found.steps,
            "seconds": round(found.seconds, 2), "virtual": round(found.virtual),
            "digest": found.digest[:16], "harms": len(found.harms), "codes": found.codes,
            "faults": [each[:700] for each in found.faults],
        }
        print(json.dumps(told), flush=True)
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
