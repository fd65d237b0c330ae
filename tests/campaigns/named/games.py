"""Random games, checked as ``random_games`` checks them; a hundredth of all positions besides.

There everything that is offered is decided, and commands that are not offered are tried: parts of
offers put together otherwise, and offers of other moments and seats. None of them may be accepted.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import partial
from typing import Any

import msgspec

from domain.kernel import conformance
from tests.campaigns.random_games import Job, play
from tests.support.suites import AnyGame, suites

from .pieces import Done

EVERY = 25
"""One game in so many is put through the whole conformance suite, and before the referee."""
GAMES, POSITIONS = 10, 10
"""In one game of so many, one position in so many has all its offers tried."""
STRAYS, REMEMBERED = 60, 12


def piece(folder: str, number: int) -> Done:
    """One game."""
    done = play(Job(folder, number, number % EVERY == 0))
    failures = [done.failure] if done.failure else []
    tried = 0
    if number % GAMES == 0:
        try:
            tried = offers(folder, number)
        except Exception as wrong:
            failures.append(f"{folder}, seed {number}: {type(wrong).__name__}: {wrong}")
    return Done(1, failures, {"commands": [done.commands], "positions tried": [tried]})


def offers(folder: str, seed: int) -> int:
    """How many positions of the game were tried; raises Nonconformance."""
    suite = suites()[folder]
    setup, game = suite.random(seed)
    dice = random.Random(f"offers {seed}")
    seen: dict[type[Any], list[Any]] = {}
    tried = 0
    for number, played in enumerate(conformance.play(game, setup, dice.randrange)):
        if number % POSITIONS == seed // GAMES % POSITIONS:
            _remember(seen, _offered(game, played.state, setup.seats), dice)
            spared = _spared(suite.game, game, played.state, setup.seats)
            tries = [*bare(game), *mixed(seen, dice)]
            strays = [each for each in tries if type(each) not in spared]
            conformance.check_legality(game, played.state, setup.seats, strays)
            tried += 1
    return tried


def _spared(whole: AnyGame, game: AnyGame, state: Any, seats: Iterable[str]) -> set[type[Any]]:
    """What a random game leaves out, so that it is more at random, and what is thus no stray: it
    has a fleet of its own, in place of all that are ready, or drawn. One offer that is missing in
    a list is a fault of the list."""
    spared: set[type[Any]] = set()
    for seat in seats:
        every, some = (_offered(each, state, (seat,)) for each in (whole, game))
        if len(every) > len(some) + 1 or any(each not in every for each in some):
            spared |= {type(each) for each in every} - {type(each) for each in some}
    return spared


def _offered(game: AnyGame, state: Any, seats: Iterable[str]) -> list[Any]:
    return [each for seat in seats for each in game.legal(state, seat).commands]


def _remember(seen: dict[type[Any], list[Any]], offered: list[Any], dice: random.Random) -> None:
    """A few commands of each type, the latest first."""
    dice.shuffle(offered)
    by_type: dict[type[Any], list[Any]] = {}
    for each in offered:
        by_type.setdefault(type(each), []).append(each)
    for kind, fresh in by_type.items():
        seen[kind] = [*fresh[:REMEMBERED], *seen.get(kind, [])][: 3 * REMEMBERED]


def bare(game: AnyGame) -> Iterator[Any]:
    """One command of each type that has no parts to give: a pass, a salvo at nobody."""
    for kind in game.commands:
        with suppress(TypeError):
            yield kind()


def mixed(seen: dict[type[Any], list[Any]], dice: random.Random) -> Iterator[Any]:
    """Commands whose parts come from one another, of every type that was ever offered.

    None before the first offer: where only a step of the game itself is to come, nobody is asked.
    """
    for _ in range(STRAYS if seen else 0):
        same = seen[dice.choice(sorted(seen, key=lambda kind: kind.__name__))]
        base, other = dice.choice(same), dice.choice(same)
        names = [field.name for field in msgspec.structs.fields(base)]
        taken = {name: getattr(other, name) for name in names if dice.random() < 0.5}
        yield msgspec.structs.replace(base, **taken)


def of(folder: str) -> partial[Done]:
    return partial(piece, folder)
