"""Odds against the engine: throw the largest rolls of the recorded games again and again.

    python -m tests.campaigns.odds [--throws 1000000] [--seed N] [--game FOLDER]

For each ruleset the awaited roll with the most dice of the recorded games is thrown so many times,
each throw is decided by the rules, and how often each score came is held against the exact odds
(chi-square). A million throws take some minutes; CI plays a short tier. A failure names its seed.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any, NamedTuple

import msgspec

from domain.kernel.chance import Awaited, Faces
from domain.kernel.chances import Chances
from domain.kernel.setup import Setup
from domain.kernel.values import CHANCE
from projections.luck import chi_square_tail
from tests.support.recorded import files, order, read
from tests.support.suites import AnyGame, Suite, suites

SOME = 5
"""Scores that are expected less often are counted together."""

ODD = 1e-6
"""A chance below which a difference is no accident."""


class Roll(NamedTuple):
    """A roll of a recorded game before it falls."""

    game: AnyGame
    state: Any
    awaited: Awaited
    chances: Chances

    @property
    def dice(self) -> int:
        return sum(pool.count for pool in self.awaited.pools)


NO_SCORE = Chances("", "", ())


def rolls(suite: Suite, *, every: bool = False) -> Iterator[Roll]:
    """The rolls of the recorded games of which a score is kept; ``every``: the others as well."""
    game = suite.game
    for path in files(suite):
        lines = read(path)
        state = game.fold(game.opening(msgspec.convert(lines[0]["setup"], Setup)))
        for line in lines[1:-1]:
            if "turn" in line:
                continue
            awaited = game.awaiting(state)
            chances = game.chances(state) if awaited is not None else None
            if awaited is not None and (every or chances is not None):
                yield Roll(game, state, awaited, chances or NO_SCORE)
            state = game.fold(game.decide(state, *order(suite, state, line)), state)


def engine_score(roll: Roll, faces: tuple[tuple[int, ...], ...]) -> int | None:
    """What the rules count of the faces; None where they count only when more dice have fallen.

    Rulesets say it in the event that takes the faces: successes, hits, or success. Of initiative
    it is the difference of what the two seats threw. What earlier rounds of the same dice had
    counted is taken off.
    """
    earlier = getattr(roll.state.purpose, "rounds", ())
    counted = sum(roll.chances.score((faces,)) for faces in earlier)
    for event in roll.game.decide(roll.state, CHANCE, Faces(roll.awaited.label, faces)):
        for name in ("successes", "hits"):
            if isinstance(getattr(event, name, None), int):
                return int(getattr(event, name)) - counted
        if isinstance(getattr(event, "success", None), bool):
            return int(event.success)
        if event.NAME == "initiative-rolled":
            return sum(faces[0]) - sum(faces[1])
    return None


def thrown(roll: Roll, dice: Random) -> tuple[tuple[int, ...], ...]:
    """Random faces."""
    return tuple(
        tuple(dice.randint(1, pool.sides) for _ in range(pool.count)) for pool in roll.awaited.pools
    )


def largest(suite: Suite) -> Roll:
    """The roll with the most dice that the engine counts at once."""
    every = [roll for roll in rolls(suite) if roll.chances.kind != "initiative"]
    return max(every, key=lambda roll: roll.dice)


def throw(suite: Suite, throws: int, seed: int) -> tuple[Roll, float]:
    """The largest roll of a ruleset, and how likely fair dice differ as much or more."""
    roll, dice = largest(suite), Random(f"{seed}/{suite.folder}")
    counted: Counter[int] = Counter()
    began = told = time.monotonic()
    for done in range(throws):
        faces = thrown(roll, dice)
        score = engine_score(roll, faces)
        counted[roll.chances.score(faces) if score is None else score] += 1
        if time.monotonic() - told > 2:
            told = time.monotonic()
            print(f"{suite.folder}: {done:,} in {told - began:.0f} s", file=sys.stderr)
    return roll, likeness(roll, counted, throws)


def likeness(roll: Roll, counted: Counter[int], throws: int) -> float:
    """Chi-square of counted scores against the odds."""
    ways = roll.chances.ways(roll.awaited.pools)
    whole = sum(ways.values())
    assert counted.keys() <= ways.keys(), "a score that has no way to it"
    square, cells, rest, rare = 0.0, 0, 0.0, 0
    for score, many in ways.items():
        expected = throws * many / whole
        if expected < SOME:
            rest, rare = rest + expected, rare + counted[score]
        else:
            cells += 1
            square += (counted[score] - expected) ** 2 / expected
    if rest >= SOME:
        cells += 1
        square += (rare - rest) ** 2 / rest
    return chi_square_tail(square, max(cells - 1, 1))


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(prog="tests.campaigns.odds", description=__doc__)
    parser.add_argument("--throws", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--game", action="append")
    options = parser.parse_args()
    failed = False
    for name, suite in suites().items():
        if options.game is None or name in options.game:
            roll, chance = throw(suite, options.throws, options.seed)
            verdict = "as reckoned" if chance > ODD else f"WRONG with seed {options.seed}"
            failed |= chance <= ODD
            print(f"{name}: {roll.dice} dice for {roll.chances.kind}, {chance:.4f}: {verdict}")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
