"""No bot idles: among its like every game comes to its end, and nobody has given it up.

``python -m tests.campaigns.bots --games 2000`` plays so many games of each ruleset with its
bots in turn, but not the random one, and all seat counts and scenarios. A failure names the game;
``--first N --games 1`` plays that one again.
"""

from __future__ import annotations

import argparse
import multiprocessing
import sys
from collections import Counter
from typing import Any, NamedTuple

from domain.kernel.game import Setup
from domain.kernel.rules import Refused
from service.bots import RANDOM, bots_of
from service.bots.local import LocalGame
from tests.support.suites import suites

LIMIT = 8_000
"""Commands of one game: several times as many as the longest has needed."""


class Done(NamedTuple):
    """How a game ended: the reason, or "" where it did not; commands that it took."""

    game: str
    number: int
    way: str
    reason: str
    commands: int

    @property
    def idle(self) -> bool:
        return self.reason in ("", "resignation")


def ways(game: Any) -> list[Setup]:
    """Every edition, scenario and number of seats that the ruleset opens without options."""
    found = []
    for edition in game.editions:
        for scenario in (entry.id for entry in game.catalogue.scenarios() if entry.playable):
            for count in game.seat_counts:
                seats = tuple(f"p{number}" for number in range(1, count + 1))
                setup = Setup(game.ruleset, edition, scenario, seats)
                try:
                    game.opening(setup)
                except (Refused, ValueError):
                    continue
                found.append(setup)
    return found


def play(folder: str, number: int) -> Done:
    """One game of a ruleset among bots of one kind."""
    game = suites()[folder].game
    every = ways(game)
    setup = every[number % len(every)]
    makers = [make for name, make in bots_of(game).items() if name != RANDOM]
    make = makers[number // len(every) % len(makers)]
    bots = {seat: make(f"{number}/{seat}") for seat in setup.seats}
    outcome = LocalGame(game, setup, f"bots {number}").play(bots, limit=LIMIT)
    reason = "" if outcome.result is None else str(outcome.result["reason"])
    way = f"{setup.edition} {setup.scenario} {len(setup.seats)}"
    return Done(folder, number, way, reason, outcome.commands)


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(prog="tests.campaigns.bots", description=__doc__)
    parser.add_argument("--games", type=int, default=2_000, help="of each ruleset")
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--game", action="append", choices=sorted(suites()), help="only this one")
    asked = parser.parse_args()
    numbers = range(asked.first, asked.first + asked.games)
    jobs = [(name, n) for name in asked.game or suites() for n in numbers]
    with multiprocessing.Pool(asked.jobs) as pool:
        found = pool.starmap(play, jobs, chunksize=1)
    for (name, reason), many in sorted(Counter((d.game, d.reason) for d in found).items()):
        print(f"{name}: {many} games: {reason or 'no end'}")
    idle = [done for done in found if done.idle]
    for done in idle:
        print(f"IDLE: {done}")
    return int(bool(idle))


if __name__ == "__main__":
    sys.exit(main())
