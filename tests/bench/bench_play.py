"""Random play on the bare engine. Targets: War at Sea 3,000, Crimson Tide 1,000 steps a second.

    python -m tests.bench.bench_play [GAMES] [RUNS]

A step is legal + decide + evolve: a player takes any legal command, or chance answers. The same
games (seeds 0, 1, ...) in each run, to their end, per second of processor time; then the bare fold
of their events. Reference: Pennant, whose rules cost next to nothing.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Sequence
from typing import Any

from domain.games.crimson_tide import GAME as CRIMSON_TIDE
from domain.games.war_at_sea import GAME
from domain.kernel.conformance import throw
from domain.kernel.game import Game
from domain.kernel.setup import Setup
from domain.kernel.values import CHANCE
from tests.bench.report import Report
from tests.support import pennant

AnyGame = Game[Any, Any, Any]

MOST_STEPS = 5_000
TURNS = 200
REFERENCE = "Pennant (reference)"


def play(game: AnyGame, setup: Setup, seed: int) -> tuple[int, list[Any]]:
    """A random game to its end, or nearly so; the steps taken and all events."""
    choose = random.Random(seed).randrange
    events = list(game.opening(setup))
    state, steps = game.fold(events), 0
    while game.result(state) is None and steps < MOST_STEPS:
        awaited = game.awaiting(state)
        if awaited is not None:
            fresh = game.decide(state, CHANCE, throw(awaited, choose))
        else:
            seat = game.pending(state)[0].seat
            offered = game.legal(state, seat).commands
            fresh = game.decide(state, seat, offered[choose(len(offered))])
        state = game.fold(fresh, state)
        events += fresh
        steps += 1
    return steps, events


def measure(
    game: AnyGame, setup: Setup, seeds: Sequence[int], name: str, played: Report, folded: Report
) -> None:
    begin = time.process_time()
    games = [play(game, setup, seed) for seed in seeds]
    took = time.process_time() - begin
    played.add(name, sum(steps for steps, _ in games) / took)
    begin = time.process_time()
    for _, events in games:
        game.fold(events)
    took = time.process_time() - begin
    folded.add(name, sum(len(events) for _, events in games) / took)


def main(games: int = 10, runs: int = 5) -> None:
    seeds = range(games)
    about = f"seeds 0 to {games - 1}, processor time"
    played = Report("random play, bare engine", "steps/s", about)
    folded = Report("bare fold of the same events", "events/s", about)
    tables: dict[str, tuple[AnyGame, Setup]] = {
        REFERENCE: (pennant.GAME, pennant.setup(TURNS)),
        **{
            f"War at Sea, {edition}": (GAME, Setup("war-at-sea", edition, "standard", ("p1", "p2")))
            for edition in GAME.editions
        },
        "Crimson Tide": (CRIMSON_TIDE, Setup("crimson-tide", "1", "standard", ("p1", "p2"))),
    }
    for game, setup in tables.values():
        play(game, setup, 0)
    for _ in range(runs):
        for name, (game, setup) in tables.items():
            measure(game, setup, seeds, name, played, folded)
    played.show(reference=REFERENCE)
    print()
    folded.show(reference=REFERENCE)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
