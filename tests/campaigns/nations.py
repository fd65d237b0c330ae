"""Who wins battles of Naval Battles, by nation and by who moves first, as the bot plays them.

``python -m tests.campaigns.nations --write --each 20 --house 80`` plays every ordered pair of
nations so often, by the rules as they are written and at the table that the house recommends. It
keeps each outcome in tests/data/naval_battles_nations*.jsonl and writes the tables of
domain/games/naval_battles/HOUSE.md from them. Battles that are kept are not fought again, unless
``--anew``. The figures of ships and cards that it judges are ours (NB-FLEET, NB-DECK): the booklet
does not give them.
"""

from __future__ import annotations

import argparse
import json
import math
import multiprocessing
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import permutations
from pathlib import Path
from typing import Any, NamedTuple

from domain.games.naval_battles import GAME
from domain.games.naval_battles.rules.decide import EDITION
from domain.games.naval_battles.rules.ships import NATIONS
from domain.games.naval_battles.shown.bots import Admiral
from domain.kernel.setup import Setup
from domain.kernel.shown.bot import Item, Position
from service.bots.local import LocalGame
from tests.support.suites import TESTS

TABLE = TESTS.parent / "domain" / "games" / "naval_battles" / "HOUSE.md"
SEATS = ("p1", "p2")
LIMIT = 3_000
SURE = 1.96
"""Standard errors to either side of a share within which the true one is, 95 times in 100."""

Pair = tuple[str, str]


class Way(NamedTuple):
    """Options of a table, where its outcomes are kept, and where they are shown."""

    name: str
    options: dict[str, Any]

    @property
    def file(self) -> Path:
        ending = "" if self.name == "book" else f"_{self.name}"
        return TESTS / "data" / f"naval_battles_nations{ending}.jsonl"

    @property
    def start(self) -> str:
        return f"<!-- {self.name}: made by tests.campaigns.nations -->\n"


END = "<!-- end -->\n"
BOOK = Way("book", {})
HOUSE = Way("house", {"firstHand": 3, "carriers": "one", "handicap": "house"})
WAYS = {way.name: way for way in (BOOK, HOUSE)}


class Picks(Admiral):
    """An admiral whose nation is given to him."""

    def __init__(self, nation: str) -> None:
        self.nation = nation

    def choose(self, position: Position) -> Item:
        if position.question != "choose-nation":
            return super().choose(position)
        mine = (i for i in position.items if i["command"]["nation"] == self.nation)
        return next(mine)


def battle(way: str, number: int, pair: Pair) -> list[Any]:
    """The outcome of one battle: its number, nations by seat, who moved first, winners, reason."""
    setup = Setup("naval-battles", EDITION, "standard", SEATS, WAYS[way].options)
    game = LocalGame(GAME, setup, f"{way} {number} {pair}")
    bots = {seat: Picks(nation) for seat, nation in zip(SEATS, pair, strict=True)}
    outcome = game.play(bots, limit=LIMIT)
    assert outcome.result is not None, f"battle {number} of {pair} does not end"
    result = outcome.result
    return [number, list(pair), game.state.first, list(result["winners"]), result["reason"]]


def outcomes(each: int) -> list[tuple[int, Pair]]:
    """Every ordered pair of nations, so many times."""
    return [(number, pair) for number in range(each) for pair in permutations(NATIONS, 2)]


def read(way: Way) -> list[list[Any]]:
    """The outcomes that are kept."""
    lines = way.file.read_text("utf-8").splitlines() if way.file.exists() else []
    return [json.loads(line) for line in lines]


def shares(found: Iterable[Sequence[Any]]) -> dict[str, tuple[int, int]]:
    """Battles won and fought, by nation and of who moves first."""
    played: Counter[str] = Counter()
    won: Counter[str] = Counter()
    for _, pair, first, winners, _ in found:
        for seat, nation in zip(SEATS, pair, strict=True):
            for who in (nation, FIRST if seat == first else ""):
                played[who] += 1
                won[who] += seat in winners
    return {who: (won[who], played[who]) for who in played if who}


FIRST = "who moves first"


def table(found: Sequence[Sequence[Any]]) -> str:
    """The table of shares won, in per cent, and the interval that is 95 % sure to hold them."""
    counted = shares(found)
    names = sorted(NATIONS, key=lambda nation: (-counted[nation][0], nation))
    rows = [_row(name, *counted[name]) for name in (*names, FIRST)]
    head = "| | battles | won | 95 % interval |\n|---|---|---|---|"
    return "\n".join([head, *rows]) + "\n"


def _row(name: str, won: int, played: int) -> str:
    low, high = interval(won, played)
    return f"| {name} | {played} | {won / played:.1%} | {low:.1%} to {high:.1%} |"


def interval(won: int, played: int) -> tuple[float, float]:
    """Wilson's interval of a share."""
    share, square = won / played, SURE**2 / played
    middle = (share + square / 2) / (1 + square)
    half = SURE * math.sqrt(share * (1 - share) / played + square / played / 4) / (1 + square)
    return middle - half, middle + half


def endings(found: Iterable[Sequence[Any]]) -> dict[str, int]:
    """How many battles ended for which reason."""
    return dict(Counter(str(outcome[4]) for outcome in found))


def within(text: str, way: Way, made: str) -> str:
    """The text with the table in its place."""
    head, rest = text.split(way.start)
    _, end, tail = rest.partition(END)
    return head + way.start + made + end + tail


def play(way: Way, each: int, jobs: int, *, anew: bool, write: bool) -> list[list[Any]]:
    """So many battles of each pair; those that are kept are taken as they are."""
    kept = [] if anew else read(way)
    if write and anew:
        way.file.unlink(missing_ok=True)
    missing = [(way.name, *battle_) for battle_ in outcomes(each)[len(kept) :]]
    with multiprocessing.Pool(jobs) as pool:
        for outcome in pool.imap(_battle, missing):
            kept.append(outcome)
            if write:
                with way.file.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(outcome, separators=(",", ":")) + "\n")
    return kept[: len(outcomes(each))]


def _battle(job: tuple[str, int, Pair]) -> list[Any]:
    return battle(*job)


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(prog="tests.campaigns.nations", description=__doc__)
    parser.add_argument("--each", type=int, default=1, help="battles of each pair, by the book")
    parser.add_argument("--house", type=int, default=1, help="the same at the house's table")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--anew", action="store_true", help="forget what is kept")
    parser.add_argument("--write", action="store_true", help="keep the outcomes and the table")
    asked = parser.parse_args()
    for way, each in ((BOOK, asked.each), (HOUSE, asked.house)):
        found = play(way, each, asked.jobs, anew=asked.anew, write=asked.write)
        print(way.name, table(found), endings(found), sep="\n")
        if asked.write:
            TABLE.write_text(within(TABLE.read_text("utf-8"), way, table(found)), "utf-8")


if __name__ == "__main__":
    main()
