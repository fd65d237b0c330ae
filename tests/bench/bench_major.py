"""War at Sea with large fleets: steps a second, how long the list of commands is, a game over HTTP.

    python -m tests.bench.bench_major [GAMES] [RUNS] [ORDERS]

Random fleets as large as the scenario allows, on the bare engine, per second of processor time; the
reference is the Standard scenario. Then every list of commands of those games: how many commands
it offers (half of the lists, and the longest), and how long making it takes. Last, a Major
Engagement of 500 points over HTTP by two random bots, listed and posted one order after the other,
to its end or for ORDERS orders.
"""

from __future__ import annotations

import random
import sys
import tempfile
import time
from itertools import islice
from pathlib import Path
from typing import Any

from domain.games.war_at_sea import GAME
from domain.games.war_at_sea.rules import commands as c
from domain.kernel.conformance import throw
from domain.kernel.options import Options
from domain.kernel.setup import Setup
from domain.kernel.values import CHANCE
from service.bots import DecklogClient, RandomLegal, seated, steps
from tests.bench.load import quantile
from tests.bench.report import Report
from tests.support.battle import SEATS
from tests.support.random_battles import random_fleet
from tests.support.server import running

STANDARD = "standard 2009 (reference)"
TABLES = {
    STANDARD: ("standard", "2009"),
    "major-200 2009": ("major-200", "2009"),
    "major-500 2007": ("major-500", "2007"),
    "major-500 2009": ("major-500", "2009"),
}
MOST_STEPS = 4_000


class Lists:
    """The lists of commands of some games: lengths, and seconds of processor time."""

    def __init__(self) -> None:
        self.lengths: list[float] = []
        self.seconds: list[float] = []

    def of(self, state: Any, seat: str) -> Options[Any]:
        """The list, counted and timed."""
        begin = time.process_time()
        found = GAME.legal(state, seat)
        self.seconds.append(time.process_time() - begin)
        self.lengths.append(len(found.commands))
        return found


def play(scenario: str, edition: str, seed: int, lists: Lists) -> int:
    """A random battle of large fleets to its end, or nearly so; the steps taken."""
    choose = random.Random(seed).randrange
    state = GAME.fold(GAME.opening(Setup("war-at-sea", edition, scenario, SEATS)))
    for step in range(MOST_STEPS):
        if GAME.result(state) is not None:
            return step
        if (awaited := GAME.awaiting(state)) is not None:
            seat: str = CHANCE
            command: Any = throw(awaited, choose)
        else:
            seat = GAME.pending(state)[0].seat
            offered = lists.of(state, seat).commands
            command = offered[choose(len(offered))]
            if isinstance(command, c.SubmitFleet):
                command = c.SubmitFleet(_large(seed, state, seat))
        state = GAME.fold(GAME.decide(state, seat, command), state)
    return MOST_STEPS


def _large(seed: int, state: Any, seat: str) -> tuple[str, ...]:
    """The largest of ten random fleets."""
    fleets = [random_fleet(seed * 10 + n, state, seat) for n in range(10)]
    return max(fleets, key=len)


def engine(games: int, runs: int) -> None:
    """Steps a second, and the lists."""
    about = f"seeds 0 to {games - 1}, large random fleets, processor time"
    played = Report("random play, bare engine", "steps/s", about)
    length = Report("commands in a list", "commands", about)
    took = Report("making a list", "µs", about)
    for _ in range(runs):
        for name, (scenario, edition) in TABLES.items():
            lists = Lists()
            begin = time.process_time()
            done = sum(play(scenario, edition, seed, lists) for seed in range(games))
            played.add(name, done / (time.process_time() - begin))
            length.add(name, quantile(lists.lengths, 0.5))
            length.add(f"{name}, the longest", max(lists.lengths))
            took.add(name, quantile(lists.seconds, 0.5) * 1e6)
            took.add(f"{name}, 95 of 100", quantile(lists.seconds, 0.95) * 1e6)
    for report in (played, length, took):
        report.show(reference=STANDARD)
        print()


def over_http(runs: int, orders: int) -> None:
    """Whole games of 100 and of 500 points."""
    about = f"random bots, at most {orders} orders, each listed and then posted"
    rate = Report("a game over HTTP", "orders/s", about)
    with tempfile.TemporaryDirectory() as name, running(Path(name)) as server:
        for number in range(runs):
            for kind, scenario in ((STANDARD, "standard"), ("500 points", "major-500")):
                with DecklogClient(server.url) as client:
                    made = client.create_game(
                        ruleset="war-at-sea", edition="2009", scenario=scenario, seed=f"b{number}"
                    )
                    clients = seated(made, client)
                    bots = {seat: RandomLegal(f"{number} {seat}") for seat in clients}
                    begin = time.perf_counter()
                    moves = steps(clients, made["game"]["id"], bots)
                    done = sum(1 for _ in islice(moves, orders))
                    rate.add(kind, done / (time.perf_counter() - begin))
    rate.show(reference=STANDARD)


def main(games: int = 3, runs: int = 3, orders: int = 3_000) -> None:
    engine(games, runs)
    over_http(runs, orders)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
