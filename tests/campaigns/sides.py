"""Who wins among bots, by side and by who leads, and which games of the campaign ran whole.

``python -m tests.campaigns.sides --state DIR`` takes over what ``tests.campaigns.bots --state DIR``
has played (tests/data/bots), writes the table of what ran whole (tests/campaigns/RAN.md) and the
shares of War at Sea and Crimson Tide (HOUSE.md beside each game). Shares of Naval Battles, where
nations differ, come from ``tests.campaigns.nations``.
"""

from __future__ import annotations

import argparse
import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path

from tests.campaigns import bots
from tests.campaigns.bots import KEPT, Done
from tests.campaigns.nations import interval
from tests.support.suites import TESTS, suites

RAN = TESTS / "campaigns" / "RAN.md"
HOUSES = ("crimson_tide", "war_at_sea")
START, END = "<!-- made by tests.campaigns.sides -->\n", "<!-- end -->\n"
LEADS = "who leads the first turn"
OTHER = "Allies"
"""Wins what the Axis does not win."""


def house(folder: str) -> Path:
    """Where the shares of a game are shown."""
    return TESTS.parent / "domain" / "games" / folder / "HOUSE.md"


def parts(done: Done) -> Iterator[tuple[str, str]]:
    """What seats were in a game, and which: the side or the first seat, a part, the lead."""
    for seat, side in sorted(done.sides.items()):
        yield from ((word, seat) for word in side.split() if word != OTHER)
    if not any(side.startswith(("Axis", OTHER)) for side in done.sides.values()):
        yield "the first seat", "p1"
    yield LEADS, done.first


def shares(found: Iterable[Done]) -> str:
    """The table of shares won, by scenario and by what the winner was."""
    counted: dict[tuple[str, str], list[tuple[bool, bool]]] = {}
    for done in found:
        seats = int(done.way.rpartition(" ")[2])
        drawn = len(done.winners) in (0, seats)
        for part, seat in parts(done):
            for way in (done.way.rpartition(" ")[0], bots.ALL):
                won = seat in done.winners
                counted.setdefault((way, part), []).append((won and not drawn, drawn))
    rows = [_row(*key, each) for key, each in sorted(counted.items())]
    head = "| scenario | who | games | drawn | won | 95 % interval |\n|---|---|---|---|---|---|"
    return "\n".join([head, *rows]) + "\n"


def _row(way: str, part: str, each: list[tuple[bool, bool]]) -> str:
    won, drawn = sum(won for won, _ in each), sum(drawn for _, drawn in each)
    low, high = interval(won, len(each))
    share = f"{won / len(each):.0%} | {low:.0%} to {high:.0%}"
    return f"| {way} | {part} | {len(each)} | {drawn} | {share} |"


def within(text: str, made: str) -> str:
    """The text with the table in its place."""
    head, rest = text.split(START)
    return head + START + made + END + rest.split(END)[1]


def every() -> list[Done]:
    """All games that are kept, of all rulesets."""
    return [done for folder in sorted(suites()) for done in bots.kept(folder).values()]


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(prog="tests.campaigns.sides", description=__doc__)
    parser.add_argument("--state", help="folder of a campaign whose games are taken over")
    asked = parser.parse_args()
    if asked.state:
        KEPT.mkdir(parents=True, exist_ok=True)
        for file in sorted(Path(asked.state).glob("*.jsonl")):
            shutil.copyfile(file, KEPT / file.name)
    RAN.write_text(within(RAN.read_text("utf-8"), bots.table(every())), "utf-8")
    for folder in HOUSES:
        text = house(folder).read_text("utf-8")
        made = shares(bots.kept(folder).values())
        house(folder).write_text(within(text, made), "utf-8")


if __name__ == "__main__":
    main()
