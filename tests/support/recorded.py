"""Whole games as files: every command and every die, and what they came to.

tests/games/<game>/*.jsonl: the first line is the set-up, then one line for each command (``seat``,
``command``) or answer of the chance seat (``faces``), at the start of each turn the digest of the
state, and at the end how it ended.

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
from domain.kernel.setup import Setup
from domain.kernel.values import CHANCE, Seat
from service.bots.local import LocalGame
from tests.support.cases import commands
from tests.support.suites import Recipe, Suite, suites

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
    game = suite.game
    events: list[Any] = list(game.opening(msgspec.convert(lines[0]["setup"], Setup)))
    state = game.fold(events)
    digests: list[tuple[str, str]] = []
    for line in lines[1:-1]:
        if "turn" in line:
            assert suite.turn(state) == line["turn"]
            digests.append((digest(state), line["state"]))
            continue
        more = game.decide(state, *order(suite, state, line))
        events.extend(more)
        state = game.fold(more, state)
    return Replayed(state, events, digests, ending(suite, state, events))


def order(suite: Suite, state: Any, line: Line) -> tuple[Seat, Any]:
    """Who does what in a line of a file."""
    if "faces" in line:
        awaited = suite.game.awaiting(state)
        assert awaited is not None
        return CHANCE, Faces(awaited.label, tuple(map(tuple, line["faces"])))
    return line["seat"], msgspec.convert(line["command"], commands(suite.game.commands))


def ending(suite: Suite, state: Any, events: list[Any]) -> Line:
    """The last line of a file."""
    codec = suite.codec
    stored = [[codec.name(event), msgspec.to_builtins(event)] for event in events]
    return {
        "events": len(events),
        "history": digest(stored),
        "state": digest(state),
        "scores": dict(suite.game.scores(state)),
        "turns": suite.turn(state),
        "result": msgspec.to_builtins(suite.game.result(state)),
    }


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
        if seat == CHANCE:
            self.lines.append({"faces": msgspec.to_builtins(command.faces)})
        else:
            self.lines.append({"seat": seat, "command": msgspec.to_builtins(command)})
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
    parser.add_argument("--game", action="append", help="only this folder; may be repeated")
    parser.add_argument("--play", nargs="*", metavar="NAME", help="play again: all, or these")
    options = parser.parse_args()
    for name, suite in suites().items():
        if options.game is None or name in options.game:
            again = [] if options.play is None else options.play or list(suite.recipes)
            write(suite, again)


if __name__ == "__main__":
    main()
