"""Who wins battles of Naval Battles, by nation and by who moves first, as the bot plays them.

``python -m tests.campaigns.nations --write --each 6`` plays every ordered pair of nations so
often, keeps each outcome in tests/data/naval_battles_nations.jsonl and writes the table of
domain/games/naval_battles/HOUSE.md from them. The figures of ships and cards that it judges are
ours (NB-FLEET, NB-DECK): the booklet does not give them.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import permutations
from typing import Any

from domain.games.naval_battles import GAME
from domain.games.naval_battles.bots import Admiral
from domain.games.naval_battles.decide import EDITION
from domain.games.naval_battles.ships import NATIONS
from domain.kernel.bot import Item, Position
from domain.kernel.game import Setup
from service.bots.local import LocalGame
from tests.support.suites import TESTS

OUTCOMES = TESTS / "data" / "naval_battles_nations.jsonl"
TABLE = TESTS.parent / "domain" / "games" / "naval_battles" / "HOUSE.md"
START, END = "<!-- made by tests.campaigns.nations -->\n", "<!-- end -->\n"
SEATS = ("p1", "p2")
LIMIT = 3_000

Pair = tuple[str, str]


class Picks(Admiral):
    """An admiral whose nation is given to him."""

    def __init__(self, nation: str) -> None:
        self.nation = nation

    def choose(self, position: Position) -> Item:
        if position.question != "choose-nation":
            return super().choose(position)
        mine = (i for i in position.items if i["command"]["nation"] == self.nation)
        return next(mine)


def battle(number: int, pair: Pair) -> list[Any]:
    """The outcome of one battle: its number, nations by seat, who moved first, winners, reason."""
    setup = Setup("naval-battles", EDITION, "standard", SEATS)
    game = LocalGame(GAME, setup, f"{number} {pair}")
    bots = {seat: Picks(nation) for seat, nation in zip(SEATS, pair, strict=True)}
    outcome = game.play(bots, limit=LIMIT)
    assert outcome.result is not None, f"battle {number} of {pair} does not end"
    result = outcome.result
    return [number, list(pair), game.state.first, list(result["winners"]), result["reason"]]


def outcomes(each: int) -> list[tuple[int, Pair]]:
    """Every ordered pair of nations, so many times."""
    return [(number, pair) for number in range(each) for pair in permutations(NATIONS, 2)]


def read() -> list[list[Any]]:
    """The outcomes that are kept."""
    return [json.loads(line) for line in OUTCOMES.read_text("utf-8").splitlines()]


def table(found: Sequence[Sequence[Any]]) -> str:
    """The table of shares won, in per cent."""
    played: Counter[str] = Counter()
    won: Counter[str] = Counter()
    for _, pair, first, winners, _ in found:
        for seat, nation in zip(SEATS, pair, strict=True):
            for who in (nation, "who moves first" if seat == first else ""):
                played[who] += 1
                won[who] += seat in winners
    names = [*sorted(NATIONS, key=lambda nation: (-won[nation], nation)), "who moves first"]
    rows = [f"| {name} | {played[name]} | {_percent(won[name], played[name])} |" for name in names]
    return "\n".join(["| | battles | won |", "|---|---|---|", *rows]) + "\n"


def _percent(part: int, whole: int) -> str:
    tenths = (2_000 * part + whole) // (2 * whole)
    return f"{tenths // 10}.{tenths % 10} %"


def endings(found: Iterable[Sequence[Any]]) -> dict[str, int]:
    """How many battles ended for which reason."""
    return dict(Counter(str(outcome[4]) for outcome in found))


def within(text: str, made: str) -> str:
    """The text with the table in its place."""
    head, rest = text.split(START)
    return head + START + made + END + rest.split(END)[1]


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(prog="tests.campaigns.nations", description=__doc__)
    parser.add_argument("--each", type=int, default=1, help="battles of each ordered pair")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--write", action="store_true", help="keep the outcomes and the table")
    asked = parser.parse_args()
    with multiprocessing.Pool(asked.jobs) as pool:
        found = pool.starmap(battle, outcomes(asked.each), chunksize=1)
    print(table(found), endings(found), sep="\n")
    if asked.write:
        lines = [json.dumps(outcome, separators=(",", ":")) for outcome in found]
        OUTCOMES.write_text("\n".join(lines) + "\n", "utf-8")
        TABLE.write_text(within(TABLE.read_text("utf-8"), table(found)), "utf-8")


if __name__ == "__main__":
    main()
