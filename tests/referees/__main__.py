"""Random games of one ruleset before its referee: ``python -m tests.referees GAME --games N``.

A referee is a module ``tests.referees.<game>`` with two functions:

``judge(events)``  the verdict on one game's stored events, as the truth sees them
``game(seed)``     the stored events of one random game, the same for a seed each time

The campaign can be resumed: with ``--state FILE`` the next seed is kept there after every game.
"""

from __future__ import annotations

import argparse
import importlib
import json
import sys
from pathlib import Path

from tests.referees.verdict import Verdict


def main() -> int:
    """Judge the games that are asked for; 1 where there is a disagreement."""
    asked = _arguments()
    referee = importlib.import_module(f"tests.referees.{asked.game.replace('-', '_')}")
    total, first, file = Verdict(), asked.first, asked.state
    if file and file.exists():
        first = json.loads(file.read_text())["next"]
    for seed in range(first, asked.first + asked.games):
        verdict = referee.judge(referee.game(seed))
        for finding in verdict.findings:
            print(f"game {seed}: {finding}", flush=True)
        total.add(verdict)
        if file:
            file.write_text(json.dumps({"next": seed + 1}))
    _report(total, asked.games)
    return 1 if total.findings else 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="tests.referees", description=__doc__)
    parser.add_argument("game", help="war_at_sea, crimson_tide or naval_battles")
    parser.add_argument("--games", type=int, default=20, help="how many games in all")
    parser.add_argument("--first", type=int, default=0, help="the seed of the first game")
    parser.add_argument("--state", type=Path, help="a file that keeps the next seed")
    return parser.parse_args()


def _report(total: Verdict, games: int) -> None:
    for title, counts in (("judged", total.judged), ("not judged", total.unjudged)):
        print(f"{title}: {counts.total()}")
        for kind, number in counts.most_common():
            print(f"  {number:8} {kind}")
    print(f"{games} games, {len(total.findings)} disagreements")


if __name__ == "__main__":
    sys.exit(main())
