"""What was seen of a game for its completeness check: its recorded games and some random ones."""

from __future__ import annotations

import json
from functools import cache
from itertools import islice
from random import Random
from typing import Any

import msgspec

from domain.kernel.conformance import Nonconformance, Played, play
from domain.kernel.rules import Refused
from domain.kernel.setup import Setup
from domain.kernel.testing.completeness import file_of
from domain.kernel.testing.seen import ENOUGH, Seen
from domain.kernel.values import CHANCE, StepKey
from tests.pictures.tables import TABLES
from tests.support import cases
from tests.support.recorded import files, order, read
from tests.support.suites import AnyGame, Suite, suites

RANDOM = 4
MORE = 20
"""Random games that are played at least, and at most, as long as a step or question is missing."""
EARLY = 400
"""Commands of a random game that are looked at."""
AGREED = 400
"""Set-ups of random games whose options are looked at; setting up costs nothing."""

PICTURES = "tests/pictures/tables.py"


@cache
def seen(folder: str) -> Seen:
    """What recorded and random games of a suite show; a game that has no fold shows nothing."""
    game = suites()[folder].game
    try:
        return _seen(folder)
    except KeyError as error:
        lacking = [kind for kind in game.events if kind in error.args]
        if not lacking:
            raise
        where = file_of(game.evolve)
        raise Nonconformance(f"event {lacking[0].NAME}: its fold ({where})") from error


def _seen(folder: str) -> Seen:
    suite = suites()[folder]
    found = Seen(rare=rare(suite), pictured=_pictured(folder), drawn_in=PICTURES)
    for path in files(suite):
        _recorded(suite, read(path), found)
    for seed in range(MORE):
        if seed < RANDOM or unseen(suite.game, found):
            setup, game = suite.random(seed)
            watch(game, setup, seed, found)
    for seed in range(AGREED):
        found.opened(suite.random(seed)[0])
    with suite.around():
        for case in cases.load(folder):
            if _shows(case, suite.game, found):
                _case(suite, case, found)
    return found


def _shows(case: dict[str, Any], game: AnyGame, found: Seen) -> bool:
    """Whether a numbered case may show something that was not seen yet, or seldom.

    What random games come to once may have come to nothing there, and be in no picture.
    """
    text = json.dumps(case)
    kinds = {k.__struct_config__.tag for k in game.commands if k not in found.commands}
    kinds |= {k.NAME for k in game.events if len(found.events.get(k, ())) < ENOUGH}
    tables = game.tables
    steps = set(tables.titles) - set(found.steps) if tables is not None else set[StepKey]()
    wanted = [f'"type": "{kind}"' for kind in kinds]
    wanted += [f'"step": {json.dumps(msgspec.to_builtins(step))}' for step in steps]
    wanted += [f'"{key}"' for key in unseen(game, found) if isinstance(key, str)]
    return any(each in text for each in wanted)


def _case(suite: Suite, case: dict[str, Any], found: Seen) -> None:
    """A numbered case, whose example is as good as that of a game."""
    try:
        table = suite.begin(case)
    except Refused:
        return
    found.placed(suite.game, table.state)
    found.settled(suite.game, table.state)
    for entry in case.get("script", ()):
        state, known = table.state, len(table.events)
        try:
            cases.do(suite.game, table, entry)
        except Refused:
            continue
        if table.events[known:] and "command" in entry:
            command = msgspec.convert(entry["command"], cases.commands(suite.game.commands))
            found.ordered(state, entry["seat"], command)
        found.happened(suite.game, state, table.events[known:])
        found.settled(suite.game, table.state)


def unseen(game: AnyGame, found: Seen) -> set[StepKey | str]:
    """Steps and questions of the game's lists that nothing has shown."""
    assert game.tables is not None
    return {
        *(game.tables.titles.keys() - found.steps.keys()),
        *(game.tables.questions - found.questions.keys()),
    }


def rare(suite: Suite) -> frozenset[object]:
    """Types of events that have an example, and what the suite lists with one besides."""
    return frozenset(type(event) for event in suite.rare)


def _pictured(folder: str) -> frozenset[str]:
    (table,) = [each for each in TABLES if each.folder == folder]
    return frozenset({*table.shown, *table.told, *table.undrawn})


def _recorded(suite: Suite, lines: list[dict[str, object]], found: Seen) -> None:
    setup, game = msgspec.convert(lines[0]["setup"], Setup), suite.game
    found.opened(setup)
    state = found.happened(game, None, game.opening(setup))
    for line in lines[1:-1]:
        if "turn" in line:
            continue
        found.settled(game, state)
        seat, command = order(suite, state, line)
        if seat != CHANCE:
            found.ordered(state, seat, command)
        state = found.happened(game, state, game.decide(state, seat, command))


def watch(game: AnyGame, setup: Setup, seed: int, found: Seen) -> None:
    """Play the random game of a seed, for a while."""
    found.opened(setup)
    state, known = None, 0
    played: Played
    for played in islice(play(game, setup, Random(f"watched {seed}").randrange), EARLY):
        if played.turns and state is not None and played.turns[-1][0] != CHANCE:
            found.ordered(state, *played.turns[-1][:2])
        state = found.happened(game, state, played.events[known:])
        known = len(played.events)
        found.settled(game, state)
