"""Random games of one ruleset before its referee: ``python -m tests.referees GAME --games N``.

The campaign can be resumed: with ``--state FILE`` what it has counted is kept there after every
game, and a campaign of other games does not go on with it.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from service.referees.verdict import Events, Verdict
from tests.referees.games import PLAYS, game, judge


@dataclass
class Campaign:
    """How far a campaign is: games judged from the first seed on, all counts, all disagreements.

    won  who won, by number of seats
    """

    game: str
    first: int
    done: int = 0
    seconds: float = 0.0
    judged: Counter[str] = field(default_factory=Counter)
    unjudged: Counter[str] = field(default_factory=Counter)
    won: Counter[str] = field(default_factory=Counter)
    findings: list[str] = field(default_factory=list)

    def take(self, seed: int, events: Events, verdict: Verdict, seconds: float) -> None:
        """Count one more game."""
        self.won[winners(events)] += 1
        self.judged.update(verdict.judged)
        self.unjudged.update(verdict.unjudged)
        self.findings += [f"game {seed}: {finding}" for finding in verdict.findings]
        self.done, self.seconds = self.done + 1, self.seconds + seconds

    def keep(self, file: Path) -> None:
        """Write the file whole or not at all: a campaign may be stopped at any time."""
        beside = file.with_suffix(".new")
        beside.write_text(json.dumps(vars(self)))
        beside.replace(file)

    @classmethod
    def kept(cls, file: Path) -> Campaign:
        """What a file keeps; of one from before winners were counted, none."""
        told: dict[str, Any] = json.loads(file.read_text())
        counts = {name: Counter(told.get(name, {})) for name in ("judged", "unjudged", "won")}
        return cls(**told | counts)


def winners(events: Events) -> str:
    """Who won a game, and out of how many seats."""
    seats = next(data["seats"] for _, data in events if "seats" in data)
    won = [*events[-1][1].get("winners", ())]
    by = "nobody" if not won else "all" if len(won) == len(seats) else " and ".join(won)
    return f"{len(seats)} seats: {by}"


def main() -> int:
    """Judge the games that are asked for; 1 where there is a disagreement."""
    asked = _arguments()
    campaign = _resumed(asked)
    for seed in range(asked.first + campaign.done, asked.first + asked.games):
        began, known = time.perf_counter(), len(campaign.findings)
        events = game(asked.game, seed)
        verdict = judge(asked.game, events)
        campaign.take(seed, events, verdict, time.perf_counter() - began)
        for finding in campaign.findings[known:]:
            print(finding, flush=True)
        if asked.state:
            campaign.keep(asked.state)
    _report(campaign)
    return 1 if campaign.findings else 0


def _resumed(asked: argparse.Namespace) -> Campaign:
    if not asked.state or not asked.state.exists():
        return Campaign(asked.game, asked.first)
    campaign = Campaign.kept(asked.state)
    if (campaign.game, campaign.first) != (asked.game, asked.first):
        sys.exit(f"{asked.state} is of {campaign.game} from game {campaign.first}")
    for finding in campaign.findings:
        print(finding, flush=True)
    return campaign


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="tests.referees", description=__doc__)
    parser.add_argument("game", choices=sorted(PLAYS))
    parser.add_argument("--games", type=int, default=20, help="how many games in all")
    parser.add_argument("--first", type=int, default=0, help="the seed of the first game")
    parser.add_argument("--state", type=Path, help="a file that keeps what is counted so far")
    return parser.parse_args()


def _report(campaign: Campaign) -> None:
    every = ("judged", campaign.judged), ("not judged", campaign.unjudged), ("won", campaign.won)
    for title, counts in every:
        print(f"{title}: {counts.total()}")
        for kind, number in counts.most_common():
            print(f"  {number:8} {kind}")
    pace = 60 * campaign.done / campaign.seconds if campaign.seconds else 0
    print(f"{campaign.done} games, {pace:.0f} a minute, {len(campaign.findings)} disagreements")


if __name__ == "__main__":
    sys.exit(main())
