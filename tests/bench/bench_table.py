"""The open table of Crimson Tide: a move, a line of sight, a full list of commands, by units.

    python -m tests.bench.bench_table [ROUNDS] [RUNS]

Tables of 10, 20, 40 and 80 units spread over 40 by 60 klicks, half of each side; every second one
is a destroyer. A move is the hardest turn of one unit from order to end; a line of sight is the
class from one unit to one of the other side, with all others as possible blockers; a list is all
that a seat may do in its movement, its surface attacks, with ten bombers to send out, or when it
sets up a fleet of twenty on a table of 16 by 20 klicks that is as full already. Reference: the
table of 10.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any, NamedTuple

from msgspec.structs import replace

from domain.games.crimson_tide.game import GAME
from domain.games.crimson_tide.rules import sight_lines, voyage
from domain.games.crimson_tide.rules.cards import catalogue
from domain.games.crimson_tide.rules.commands import Move
from domain.games.crimson_tide.rules.evolve import evolve
from domain.games.crimson_tide.rules.state import State
from domain.kernel.flow import Flow
from domain.kernel.values import StepKey
from tests.bench.report import Report
from tests.crimson_tide.seas import position

SIZES = (10, 20, 40, 80)
CARDS = ("uss-fletcher", "hms-exeter", "uss-fletcher", "kms-bismarck")
ACROSS, APART = 8, 120_000


def table(units: int, step: StepKey) -> State:
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


def hangar(units: int, step: StepKey) -> State:
    """The same with ten dive bombers of the first seat on land."""
    bombers = [{"id": f"p1-{100 + n}", "card": "sbd-3-dauntless", "seat": "p1"} for n in range(10)]
    more = position({"step": step, "units": bombers}).units
    state = table(units, step)
    return replace(state, units={**state.units, **more})


def crowd(units: int, step: StepKey) -> State:
    """A small table that fills up, row by row from the first seat's edge, and a fleet to place."""
    poses = [
        {"x": 50_000 + 60_000 * (number % 6), "y": 30_000 + 55_000 * (number // 6)}
        for number in range(units)
    ]
    ships = [card.id for card in catalogue().values() if card.kind == "ship"][:20]
    return position(
        {
            "step": step,
            "turn": 0,
            "options": {"width": 16, "length": 20},
            "fleets": {"p1": {"sight": "known", "items": [{"card": name} for name in ships]}},
            "units": [
                {"id": f"p1-{number}", "card": "uss-fletcher", "pose": pose}
                for number, pose in enumerate(poses, 1)
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


class Kind(NamedTuple):
    """What is measured: the step of the table, what is done, how many at a time, which table."""

    step: StepKey
    do: Callable[[State], None]
    many: int = 1
    lay: Callable[[int, StepKey], State] = table


KINDS: dict[str, Kind] = {
    "a move": Kind(StepKey("movement", "first"), moves, 5),
    "a line of sight": Kind(StepKey("surface-attack", "first"), sights, 25),
    "a list of moves": Kind(StepKey("movement", "first"), listing),
    "a list of attacks": Kind(StepKey("surface-attack", "first"), listing),
    "a list of flights": Kind(StepKey("air-deployment"), listing, lay=hangar),
    "a list of places": Kind(StepKey("placing"), listing, lay=crowd),
}


def main(rounds: int = 20, runs: int = 5) -> None:
    for name, (step, do, many, lay) in KINDS.items():
        report = Report(f"{name}, by units on the table", "a second", "processor time")
        tables = {units: lay(units, step) for units in SIZES}
        assert all(GAME.legal(state, "p1").commands for state in tables.values())
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
