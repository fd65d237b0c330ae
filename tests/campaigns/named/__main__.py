"""The command line of the named campaigns.

    python -m tests.campaigns.named NAME [--amount N] [--cores N]

goes on with a campaign until so much of it is done on this commit: killed at any moment and started
again, it goes on where it was, and counts nothing twice. Without ``--amount``, until it is whole.
``python -m tests.campaigns.named`` names the campaigns; ``… named.table`` writes down what was run.
"""

from __future__ import annotations

import argparse
import sys
from functools import partial

from . import pieces
from .campaigns import CAMPAIGNS, do

SHOWN = 5
CANNOT = 2


def run(name: str, amount: int, cores: int, at: str) -> int:
    """0 when nothing that was done of it, now or before, has failed; 2 when it cannot be run."""
    campaign = CAMPAIGNS[name]
    if campaign.lacks:
        print(f"{name} cannot be run here: {campaign.lacks} is not on the path")
        return CANNOT

    def say(piece: pieces.Piece, done: int) -> None:
        for failure in piece.failures[:SHOWN]:
            print(failure, flush=True)
        told = f"{name}: {done:,} of {amount:,} {campaign.unit}"
        print(f"{told}, piece {piece.number} took {piece.effort:.1f} processor s", flush=True)

    found = pieces.go_on(pieces.state_of(name, at), partial(do, name), amount, cores, say)
    wrong = pieces.failures(campaign, found)
    done = sum(each.amount for each in found.values())
    print("\n".join(wrong[:SHOWN]))
    print(f"{name} at {at}: {done:,} of {campaign.whole:,} {campaign.unit}, {len(wrong)} failures")
    return int(bool(wrong))


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.campaigns.named", description=__doc__)
    parser.add_argument("name", nargs="?", choices=[*CAMPAIGNS])
    parser.add_argument("--amount", type=int, help="units in all, those of earlier runs included")
    parser.add_argument("--cores", type=int, default=1, help="processes")
    given = parser.parse_args(arguments)
    if given.name is None:
        for name, campaign in CAMPAIGNS.items():
            print(f"{name}: {campaign.whole:,} {campaign.unit}")
        return 0
    amount = CAMPAIGNS[given.name].whole if given.amount is None else given.amount
    return run(given.name, amount, given.cores, pieces.commit())


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
