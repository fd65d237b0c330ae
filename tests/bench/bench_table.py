"""The open table of Crimson Tide: a move, a line of sight, a full list of commands, by units.

    python -m tests.bench.bench_table [ROUNDS] [RUNS]

Tables of 10, 20, 40 and 80 units spread over 40 by 60 klicks, half of each side; every second one
is a destroyer. A move is the hardest turn of one unit from order to end; a line of sight is the
class from one unit to one of the other side, with all others as possible blockers; a list is all
that a seat may do in its movement, or in its surface attacks. Reference: the table of 10.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any

from domain.games.crimson_tide.commands import Move
from domain.games.crimson_tide.evolve import evolve
from domain.games.crimson_tide.game import GAME
from domain.games.crimson_tide.geometry.pose import Pose
from domain.games.crimson_tide.rules import sight_lines, voyage
from domain.games.crimson_tide.state import State
from domain.kernel.flow import Flow
from tests.bench.report import Report
from tests.crimson_tide.seas import position

SIZES = (10, 20, 40, 80)
CARDS = ("uss-fletcher", "hms-exeter", "uss-fletcher", "kms-bismarck")
ACROSS, APART = 8, 120_000


def table(units: int, step: str) -> State:
    """So many units in rows, alternating between the sides, with headings all round."""
    return position(
        {
            "step": step,
            "units": [
                {
                    "id": f"p{1 + number % 2}-{1 + number // 2}",
                    "card": CARDS[number // 2 % len(CARDS)],
                    "pose": [
                        80_000 + APART * (number % ACROSS),
                        80_000 + APART * (number // ACROSS),
                        number * 97 % 720,
                    ],
                }
                for number in range(units)
            ],
        }
    )


def moves(state: State) -> None:
    """The hardest turn to starboard of each of the first seat's first five units."""
    for number in range(1, 6):
        flow: Flow[State, Any] = Flow(state, evolve)
        unit = state.units[f"p1-{number}"]
        voyage.order(flow, unit, Move(unit.id, (0, 45, 45, 45, 45)))
        while flow.state.order is not None and flow.state.awaiting is None:
            voyage.tend(flow)


def sights(state: State) -> None:
    """From each of five units to each of five enemies, over the bow."""
    ours, theirs = ([state.units[f"{seat}-{n}"] for n in range(1, 6)] for seat in state.seats)
    for firer in ours:
        for target in theirs:
            sight_lines.view(state, firer, target, "forward")


def listing(state: State) -> None:
    GAME.legal(state, "p1")


KINDS: dict[str, tuple[str, Callable[[State], None], int]] = {
    "a move": ("movement.first", moves, 5),
    "a line of sight": ("surface-attack.first", sights, 25),
    "a list of moves": ("movement.first", listing, 1),
    "a list of attacks": ("surface-attack.first", listing, 1),
}
"""What is measured: the step of the table, what is done, and how many at a time."""


def main(rounds: int = 20, runs: int = 5) -> None:
    for kind, (step, do, many) in KINDS.items():
        report = Report(f"{kind}, by units on the table", "a second", "processor time")
        tables = {units: table(units, step) for units in SIZES}
        assert all(isinstance(u.pose, Pose) for t in tables.values() for u in t.units.values())
        for _ in range(runs):
            for units, state in tables.items():
                do(state)
                begin = time.process_time()
                for _ in range(rounds):
                    do(state)
                took = time.process_time() - begin
                report.add(f"{units} units", rounds * many / took)
        report.show(reference=f"{SIZES[0]} units")
        print()


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
