"""No bot idles: among its like every game comes to its end, and nobody has given it up.

``python -m tests.campaigns.bots --games 2000`` plays so many games of each ruleset with its
bots in turn, but not the random one, and all seat counts and scenarios; Crimson Tide's in teams by
``--first 100000``. What came out is kept line
by line in ``--state``, so a campaign that was stopped goes on where it was, if a few of the games
that are kept come out as they did; ``--anew`` forgets them. It ends with a table of what ran whole.
A failure names the game; ``--first N --games 1 --state ""`` plays that one again.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from domain.kernel.rules import Refused
from domain.kernel.setup import Setup
from service.bots import RANDOM, bots_of
from service.bots.local import LocalGame
from tests.support.suites import TESTS, suites

LIMIT = 8_000
"""Commands of one game: several times as many as the longest has needed."""

KEPT = TESTS / "data" / "bots"
TEAMS = 100_000
"""From this number on games are played in teams, of the games that can also do without."""

AGAIN = 3
"""Kept games that are played again before a campaign goes on."""

GIVEN_UP = "resignation"


class Done(NamedTuple):
    """The end of a game.

    way       edition, scenario and number of seats
    reason    of the end, or "" where there was none
    commands  that it took
    attacks   on units, whatever came of them
    winners   seats
    first     who led in the first turn
    sides     what each seat was in a scenario that gives them parts
    """

    game: str
    number: int
    way: str
    reason: str
    commands: int
    attacks: int
    winners: tuple[str, ...]
    first: str
    sides: dict[str, str]

    @property
    def idle(self) -> bool:
        """Whether it has no end, or one that somebody gave up, or nobody ever fired."""
        return self.reason in ("", GIVEN_UP) or not self.attacks


def setup_of(folder: str, number: int) -> Setup:
    """The set-up of a game by its number."""
    every = ways(folder, teams=number >= TEAMS)
    return every[number % len(every)]


@cache
def ways(folder: str, teams: bool = False) -> tuple[Setup, ...]:
    """Every edition, scenario and number of seats that a ruleset opens without options.

    teams  those in which partners share a side where one might play alone; else all others
    """
    suite = suites()[folder]
    game = suite.game
    found = []
    for edition in game.editions:
        for scenario in (entry.id for entry in game.catalogue.scenarios() if entry.playable):
            for count in game.seat_counts:
                seats = tuple(f"p{number}" for number in range(1, count + 1))
                setup = Setup(game.ruleset, edition, scenario, seats)
                try:
                    game.opening(setup)
                except (Refused, ValueError):
                    continue
                if suite.teams(setup) == teams:
                    found.append(setup)
    return tuple(found)


def play(folder: str, number: int) -> Done:
    """One game of a ruleset among bots of one kind."""
    game = suites()[folder].game
    setup = setup_of(folder, number)
    makers = [make for name, make in bots_of(game).items() if name != RANDOM]
    make = makers[number // len(ways(folder, teams=number >= TEAMS)) % len(makers)]
    bots = {seat: make(f"{number}/{seat}") for seat in setup.seats}
    table = LocalGame(game, setup, f"bots {number}")
    outcome = table.play(bots, limit=LIMIT)
    result = outcome.result or {"reason": "", "winners": ()}
    return Done(
        folder,
        number,
        _way(setup),
        str(result["reason"]),
        outcome.commands,
        sum(role.role == "attacked" for role in roles(table)),
        tuple(result["winners"]),
        _first(table),
        _sides(table.state, setup.seats),
    )


def _way(setup: Setup) -> str:
    return f"{setup.edition} {setup.scenario} {len(setup.seats)}"


def roles(table: LocalGame) -> Iterator[Any]:
    """What each event of a game means."""
    for event in table.events:
        yield from table.game.roles[type(event)](None, event)


def _first(table: LocalGame) -> str:
    """Who led in the first turn: the first who is named first after it has begun."""
    begun = False
    for event in table.events:
        read = table.game.roles[type(event)](None, event)
        begun = begun or any(role.role == "turn" for role in read)
        first = getattr(event, "first", None)
        if begun and first:
            return str(first)
    return str(table.state.first)


def _sides(state: Any, seats: Sequence[str]) -> dict[str, str]:
    """The alliance of each seat, and who escorts or lands."""
    alliances: dict[str, str] = getattr(state, "alliances", {})
    found = {seat: str(alliances.get(seat, "")) for seat in seats}
    terms = getattr(state, "terms", state)
    for part in ("escort", "lander"):
        seat = str(getattr(terms, part, ""))
        if seat:
            found[seat] = f"{found[seat]} {part}".strip()
    return {seat: side for seat, side in found.items() if side}


# What is kept


def kept(folder: str, state: Path = KEPT) -> dict[int, Done]:
    """The games that are kept, by number."""
    file = state / f"{folder}.jsonl"
    lines = file.read_text("utf-8").splitlines() if file.exists() else []
    return {done.number: done for done in (_read(folder, line) for line in lines)}


def _read(folder: str, line: str) -> Done:
    number, reason, commands, attacks, winners, first, sides = json.loads(line)
    setup = setup_of(folder, number)
    return Done(
        folder, number, _way(setup), reason, commands, attacks, tuple(winners), first, sides
    )


def keep(done: Done, state: Path) -> None:
    """One line more."""
    row = [done.number, done.reason, done.commands, done.attacks, done.winners, done.first]
    line = json.dumps([*row, done.sides], separators=(",", ":"), sort_keys=True)
    state.mkdir(parents=True, exist_ok=True)
    with (state / f"{done.game}.jsonl").open("a", encoding="utf-8") as file:
        file.write(line + "\n")


def stale(found: dict[int, Done], many: int = AGAIN) -> list[Done]:
    """Of the games that are kept a few, here and there: those that come out otherwise today."""
    some = list(found.values())[:: max(1, len(found) // many)][:many]
    return [done for done in some if play(done.game, done.number) != done]


# The table


ALL = "of all kinds"


def table(found: Iterable[Done]) -> str:
    """What ran whole: games of each way, how they ended, and how long they were."""
    rows: dict[tuple[str, str], list[Done]] = {}
    for done in found:
        for way in (done.way, ALL):
            rows.setdefault((done.game, way), []).append(done)
    lines = [_row(game, way, each) for (game, way), each in sorted(rows.items())]
    head = "| game | edition, scenario, seats | games | idle | commands, median and most | ends |"
    return "\n".join([head, "|---|---|---|---|---|---|", *lines]) + "\n"


def _row(game: str, way: str, each: Sequence[Done]) -> str:
    commands = sorted(done.commands for done in each)
    ends = Counter(done.reason or "none" for done in each).most_common()
    ended = ", ".join(f"{reason} {many}" for reason, many in ends)
    idle = sum(done.idle for done in each)
    middle = commands[len(commands) // 2]
    return f"| {game} | {way} | {len(each)} | {idle} | {middle}, {commands[-1]} | {ended} |"


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(prog="tests.campaigns.bots", description=__doc__)
    parser.add_argument("--games", type=int, default=2_000, help="of each ruleset")
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--game", action="append", choices=sorted(suites()), help="only this one")
    parser.add_argument("--state", default=str(KEPT), help='folder; "" keeps nothing')
    parser.add_argument("--anew", action="store_true", help="forget what is kept")
    asked = parser.parse_args()
    folders = asked.game or sorted(suites())
    state = Path(asked.state) if asked.state else None
    before = {} if state is None else {name: _before(name, state, asked.anew) for name in folders}
    numbers = range(asked.first, asked.first + asked.games)
    jobs = [(name, n) for n in numbers for name in folders if n not in before.get(name, {})]
    found = [done for name in folders for done in before.get(name, {}).values()]
    for done in _played(jobs, asked.jobs):
        found.append(done)
        if state is not None:
            keep(done, state)
        if done.idle:
            print(f"IDLE: {done}", flush=True)
    print(table(found))
    idle = [done for done in found if done.idle]
    for done in idle:
        print(f"IDLE: {done}")
    return int(bool(idle))


def _before(folder: str, state: Path, anew: bool) -> dict[int, Done]:
    """What is kept of a ruleset. Raises SystemExit where it is not what the engine of now plays."""
    if anew:
        (state / f"{folder}.jsonl").unlink(missing_ok=True)
    found = kept(folder, state)
    for done in stale(found):
        raise SystemExit(f"{folder}: game {done.number} comes out otherwise now: take --anew.")
    return found


def _played(jobs: Sequence[tuple[str, int]], many: int) -> Iterator[Done]:
    if many == 1:
        yield from (play(*job) for job in jobs)
        return
    with multiprocessing.Pool(many) as pool:
        yield from pool.imap(_play, jobs)


def _play(job: tuple[str, int]) -> Done:
    return play(*job)


if __name__ == "__main__":
    sys.exit(main())
