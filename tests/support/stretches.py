"""A suite's numbered cases, recorded and random games, command by command, for who follows them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from itertools import islice
from random import Random
from typing import Any, NamedTuple

import msgspec

from domain.kernel.conformance import play
from domain.kernel.rules import Refused
from domain.kernel.setup import Setup
from domain.kernel.values import CHANCE, Seat
from tests.support import cases
from tests.support.recorded import files, order, read
from tests.support.suites import AnyGame, Suite, suite_of


class Stretch(NamedTuple):
    """What one command, or the opening, led to.

    name   of the case or the game; another name begins another game
    setup  of a game; a case has none
    order  None of the opening and of chance
    """

    name: str
    setup: Setup | None
    before: Any
    seat: Seat
    order: Any
    events: tuple[Any, ...]
    after: Any


def of_cases(suite: Suite, game: AnyGame | None = None, only: str = "") -> Iterator[Stretch]:
    """The numbered cases; those whose set-up is refused have no stretch."""
    game = game or suite.game
    known = cases.commands(game.commands)
    for case in cases.load(suite.folder):
        if only not in ("", case["id"]):
            continue
        with suite.around(), suppress(Refused):
            table = suite.begin(case)
            yield Stretch(case["id"], None, table.state, "", None, (), table.state)
            for entry in case.get("script", ()):
                state, at = table.state, len(table.events)
                with suppress(Refused):
                    cases.do(game, table, entry)
                events = tuple(table.events[at:])
                ordered = events and "command" in entry
                told = msgspec.convert(entry["command"], known) if ordered else None
                seat = entry.get("seat", "")
                yield Stretch(case["id"], None, state, seat, told, events, table.state)


def of_recorded(suite: Suite) -> Iterator[Stretch]:
    """The recorded games, whole."""
    return iter(_recorded(suite.folder))


@cache
def _recorded(folder: str) -> tuple[Stretch, ...]:
    """Decided once for all tests of a process that follow them: so much of a state is shared with
    the one before it that all of them take a few megabytes."""
    return tuple(_along(suite_of(folder)))


def _along(suite: Suite) -> Iterator[Stretch]:
    game = suite.game
    for path in files(suite):
        lines = read(path)
        setup, name = msgspec.convert(lines[0]["setup"], Setup), path.stem
        events = tuple(game.opening(setup))
        state = game.fold(events)
        yield Stretch(name, setup, None, "", None, events, state)
        for line in lines[1:-1]:
            if "turn" not in line:
                seat, given = order(suite, state, line)
                events = tuple(game.decide(state, seat, given))
                after = game.fold(events, state)
                given = None if seat == CHANCE else given
                yield Stretch(name, setup, state, seat, given, events, after)
                state = after


def at_random(suite: Suite, seed: int, long: int) -> Iterator[Stretch]:
    """So many commands of the random game of a seed."""
    setup, game = suite.random(seed)
    state, at = None, 0
    for played in islice(play(game, setup, Random(f"walked {seed}").randrange), long):
        seat, given, _ = played.turns[-1] if played.turns else ("", None, 0)
        given = None if seat == CHANCE else given
        events = tuple(played.events[at:])
        yield Stretch(f"random {seed}", setup, state, seat, given, events, played.state)
        state, at = played.state, len(played.events)


def of_all(suite: Suite, games: int, long: int) -> Iterator[Stretch]:
    """Those of its cases and recorded games, and of so many random games, each so long at most."""
    yield from of_cases(suite)
    yield from of_recorded(suite)
    for seed in range(games):
        yield from at_random(suite, seed, long)
