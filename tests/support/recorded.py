"""Whole games as files: every command and every die, and what they came to.

tests/games/<game>/*.jsonl, in the form that domain/kernel/testing/recorded.py explains.

After a deliberate change of the state or the events, ``python -m tests.support.recorded`` writes
the digests of the same commands anew; ``--play`` has the bots play every game again (``--play
NAME`` only that one).
"""

from __future__ import annotations

import argparse
import dataclasses
import hashlib
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from domain.kernel.chance import Faces
from domain.kernel.codec import canonical
from domain.kernel.options import Options
from domain.kernel.testing import recorded as kernel
from domain.kernel.testing.table import Table
from domain.kernel.values import CHANCE, Seat
from service.bots.local import LocalGame
from tests.support.cases import commands
from tests.support.suites import Recipe, Suite, chosen, with_games

LIMIT = 3_000
"""Commands of players in one recorded game, at most."""

Line = dict[str, Any]


def digest(value: Any) -> str:
    """SHA-256 of the canonical JSON."""
    return hashlib.sha256(canonical(value)).hexdigest()


# --- replaying ------------------------------------------------------------------------------------


class Replayed(NamedTuple):
    """What came out of a file.

    digests  of the state at the start of each turn, computed and recorded
    end      computed; recorded in the file's last line
    """

    state: Any
    events: list[Any]
    digests: list[tuple[str, str]]
    end: Line


def replay(suite: Suite, lines: list[Line]) -> Replayed:
    """Decide every command of the file again. Raises Refused for one that is not legal any more."""
    table, digests, end = kernel.replay(suite.game, lines, kernel.Watched(digest, suite.turn))
    return Replayed(table.state, table.events, digests, end)


def order(suite: Suite, state: Any, line: Line) -> tuple[Seat, Any]:
    """Who does what in a line of a file."""
    if "faces" in line:
        awaited = suite.game.awaiting(state)
        assert awaited is not None
        return CHANCE, Faces(awaited.label, tuple(map(tuple, line["faces"])))
    return line["seat"], msgspec.convert(line["command"], commands(suite.game.commands))


def ending(suite: Suite, state: Any, events: list[Any]) -> Line:
    """The last line of a file."""
    return kernel.ending(Table(suite.game, state, events), kernel.Watched(digest, suite.turn))


def files(suite: Suite) -> list[Path]:
    """Every recorded game of a ruleset."""
    return sorted(suite.recorded.glob("*.jsonl"))


def read(path: Path) -> list[Line]:
    """The lines of a recorded game."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


# --- recording ------------------------------------------------------------------------------------


class Recorder(LocalGame):
    """A local game that writes down what is done."""

    def __init__(self, suite: Suite, recipe: Recipe) -> None:
        self.suite, self.recipe = suite, recipe
        self.lines: list[Line] = [{"setup": msgspec.to_builtins(recipe.setup)}]
        game = dataclasses.replace(suite.game, decide=self._noted(), legal=self._offered())
        super().__init__(game, recipe.setup, recipe.seed)

    def _noted(self) -> Callable[[Any, Seat, Any], tuple[Any, ...]]:
        game = self.suite.game

        def decide(state: Any, seat: Seat, command: Any) -> tuple[Any, ...]:
            if seat == CHANCE:
                command = self.recipe.fall(state, command)
            more: tuple[Any, ...] = game.decide(state, seat, command)
            self._note(state, seat, command, game.fold(more, state))
            return more

        return decide

    def _offered(self) -> Callable[[Any, Seat], Options[Any]]:
        legal = self.suite.game.legal
        return lambda state, seat: self.recipe.offer(state, seat, legal(state, seat))

    def _note(self, before: Any, seat: Seat, command: Any, after: Any) -> None:
        self.lines.append(kernel.line(seat, command))
        turn = self.suite.turn(after)
        if turn > self.suite.turn(before):
            self.lines.append({"turn": turn, "state": digest(after)})


def record(suite: Suite, recipe: Recipe) -> Iterator[Line]:
    """The lines of a game that is played now."""
    game = Recorder(suite, recipe)
    game.play({seat: make() for seat, make in recipe.bots.items()}, limit=LIMIT)
    yield from game.lines
    yield ending(suite, game.state, game.events)


def again(suite: Suite, lines: list[Line]) -> Iterator[Line]:
    """The same commands and dice with the digests that they come to now."""
    replayed = replay(suite, lines)
    computed = iter(replayed.digests)
    for line in lines[:-1]:
        yield {"turn": line["turn"], "state": next(computed)[0]} if "turn" in line else line
    yield replayed.end


def write(suite: Suite, play: list[str]) -> None:
    """Write every file anew; the games named in ``play`` and new ones are played."""
    suite.recorded.mkdir(parents=True, exist_ok=True)
    for name, recipe in suite.recipes.items():
        path = suite.recorded / f"{name}.jsonl"
        fresh = name in play or not path.exists()
        lines = list(record(suite, recipe) if fresh else again(suite, read(path)))
        text = "\n".join(json.dumps(line, separators=(",", ":")) for line in lines)
        path.write_text(text + "\n", "utf-8")
        print(f"{name}: {len(lines)} lines, {lines[-1]['turns']} turns, {lines[-1]['result']}")


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(prog="tests.support.recorded", description=__doc__)
    with_games(parser)
    parser.add_argument("--play", nargs="*", metavar="NAME", help="play again: all, or these")
    options = parser.parse_args()
    for suite in chosen(options.game).values():
        again = [] if options.play is None else options.play or list(suite.recipes)
        write(suite, again)


if __name__ == "__main__":
    main()
