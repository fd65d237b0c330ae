"""The sample that each game's archive carries: a short game with given faces, tried anew.

``domain/.../rules/sample.jsonl``: of a ruleset with recorded games the shortest of them that is
long enough, so that it follows them; of the example a walk by chance. ``python -m
tests.support.samples`` writes all of them (``service/engines/sample.py`` has the form).
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from domain.kernel.conformance import throw
from domain.kernel.setup import Setup
from domain.kernel.values import CHANCE
from service.engines import sample
from tests.support import recorded
from tests.support.suites import AnyGame, Suite, chosen, suites, with_games

LEAST = 45
"""Lines of a recorded game that is long enough: it comes to blows and to an end."""

KERNEL = sample.kernel()


EXAMPLE = "pennant"


class Sample(NamedTuple):
    """A game that has a sample, where it lies, and what it is made of."""

    game: AnyGame
    file: Path
    lines: list[sample.Line]


def games() -> Iterator[Sample]:
    """Each game that has one."""
    yield from map(_of, suites().values())
    yield _of_the_example()


def _of(suite: Suite) -> Sample:
    long = [lines for f in recorded.files(suite) if len(lines := recorded.read(f)) >= LEAST]
    file = _file(f"domain.games.{suite.folder}.rules")
    return Sample(suite.game, file, min(long, key=len))


def _of_the_example() -> Sample:
    from tests.support import pennant  # another game's sample has nothing of it

    lines = list(walked(pennant.GAME, pennant.setup(8)))
    return Sample(pennant.GAME, _file(f"domain.examples.{EXAMPLE}.rules"), lines)


def _file(package: str) -> Path:
    return Path(str(files(package).joinpath("sample.jsonl")))


def walked(game: AnyGame, setup: Setup) -> Iterator[sample.Line]:
    """A game in which chance chooses among what is legal."""
    choose = random.Random("sample").randrange
    yield {"setup": msgspec.to_builtins(setup)}
    state = game.fold(game.opening(setup))
    while game.result(state) is None:
        awaited = game.awaiting(state)
        if awaited is not None:
            given: Any = throw(awaited, choose)
            yield {"faces": msgspec.to_builtins(given.faces)}
            state = game.fold(game.decide(state, CHANCE, given), state)
            continue
        seat = game.pending(state)[0].seat
        commands = game.legal(state, seat).commands
        given = commands[choose(len(commands))]
        yield {"seat": seat, "command": msgspec.to_builtins(given)}
        state = game.fold(game.decide(state, seat, given), state)


def made(game: AnyGame, lines: list[sample.Line]) -> bytes:
    """The sample of these lines as the game decides them now."""
    return sample.written(sample.tried(game, KERNEL, lines))


def main() -> None:
    """Write every sample anew, or those of some games."""
    parser = argparse.ArgumentParser(prog="tests.support.samples", description=__doc__)
    with_games(parser, EXAMPLE)
    given = parser.parse_args().game
    wanted = [_of(suite) for suite in chosen(given).values()]
    if given is None or EXAMPLE in given:
        wanted.append(_of_the_example())
    for game, file, lines in wanted:
        file.write_bytes(made(game, lines))
        print(f"{game.ruleset}: {len(file.read_bytes().splitlines())} lines")


if __name__ == "__main__":
    main()
