"""Option counts by depth from named positions, as chess has perft: a wrong count is a wrong rule.

tests/perft/<game>.jsonl: one position a line, set up like a conformance case
(tests/cases/README.md), with ``counts``: how many ways there are to give 1, 2, 3, ... commands in a
row, of all seats together. Concessions and templates are not counted. Dice are no commands: each
request is answered in two ways, and both are followed: the first die its highest face and all
others ones, and the other way round (all low and all high would throw ties for ever).

``python -m tests.support.perft`` prints what differs; ``--write`` writes the counts anew, to the
same depths; ``--divide NAME`` splits a position's deepest count by its first command, which finds
the one rule in which two engines differ.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from domain.kernel.chance import Awaited, Faces
from domain.kernel.codec import canonical
from domain.kernel.values import CHANCE, Seat
from tests.support import cases
from tests.support.suites import TESTS, AnyGame, Suite, suites

Position = dict[str, Any]


def file(suite: Suite) -> Path:
    """Where a game's positions are."""
    return TESTS / "perft" / f"{suite.folder}.jsonl"


def load(suite: Suite) -> list[Position]:
    """Every position of a game."""
    return [json.loads(line) for line in file(suite).read_text("utf-8").splitlines() if line]


def counts(suite: Suite, position: Mapping[str, Any], depth: int) -> list[int]:
    """How many ways there are to give 1 up to ``depth`` commands."""
    with suite.around():
        state = begun(suite, position)
        return [ways(suite.game, state, many) for many in range(1, depth + 1)]


def begun(suite: Suite, position: Mapping[str, Any]) -> Any:
    """The state that is counted from: the set-up, then the script."""
    table = suite.begin(position)
    for entry in position.get("script", ()):
        cases.do(suite.game, table, entry)
    return table.state


def ways(game: AnyGame, state: Any, depth: int) -> int:
    """How many ways there are to give ``depth`` commands from here."""
    states = list(settled(game, state))
    if depth == 1:
        return sum(len(moves(game, each)) for each in states)
    return sum(
        _after(game, each, seat, command, depth)
        for each in states
        for seat, command in moves(game, each)
    )


def moves(game: AnyGame, state: Any) -> list[tuple[Seat, Any]]:
    """Every command that is ready for any seat."""
    if game.result(state) is not None:
        return []
    seats = dict.fromkeys(question.seat for question in game.pending(state))
    return [(seat, command) for seat in seats for command in game.legal(state, seat).commands]


PATIENCE = 6
"""After so many requests in a row only the answer with a low first die is followed: a six that is
thrown again for ever would never settle."""


def settled(game: AnyGame, state: Any, before: int = 0) -> Iterator[Any]:
    """The states that a state comes to by either answer to each request, until none is due."""
    awaited = game.awaiting(state)
    if awaited is None:
        yield state
        return
    ways_to_fall = (False, True) if before < PATIENCE else (True,)
    for faces in dict.fromkeys(_faces(awaited, low) for low in ways_to_fall):
        more = game.decide(state, CHANCE, Faces(awaited.label, faces))
        yield from settled(game, game.fold(more, state), before + 1)


def _faces(awaited: Awaited, low: bool) -> tuple[tuple[int, ...], ...]:
    """The first die low and all others high, or the other way round."""
    first = [True]

    def face(sides: int) -> int:
        lowest = first.pop() == low if first else not low
        return 1 if lowest else sides

    return tuple(tuple(face(pool.sides) for _ in range(pool.count)) for pool in awaited.pools)


def divide(suite: Suite, position: Mapping[str, Any]) -> dict[str, int]:
    """The deepest count by first command."""
    with suite.around():
        state, depth = begun(suite, position), len(position["counts"])
        return {
            f"{seat} {canonical(command).decode()}": _after(suite.game, each, seat, command, depth)
            for each in settled(suite.game, state)
            for seat, command in moves(suite.game, each)
        }


def _after(game: AnyGame, state: Any, seat: Seat, command: Any, depth: int) -> int:
    if depth == 1:
        return 1
    return ways(game, game.fold(game.decide(state, seat, command), state), depth - 1)


def _line(position: Position) -> str:
    return json.dumps(position, separators=(",", ":"), ensure_ascii=False)


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(prog="tests.support.perft", description=__doc__)
    parser.add_argument("--write", action="store_true", help="write the counts anew")
    parser.add_argument("--divide", metavar="NAME", help="split one position's deepest count")
    options = parser.parse_args()
    for suite in suites().values():
        if not file(suite).exists():
            continue
        positions = load(suite)
        for position in positions:
            if options.divide is not None:
                if position["id"] == options.divide:
                    print("\n".join(f"{n:8} {c}" for c, n in divide(suite, position).items()))
                continue
            found = counts(suite, position, len(position["counts"]))
            if found != position["counts"]:
                print(f"{position['id']}: {found}, not {position['counts']}")
            position["counts"] = found
        if options.write:
            file(suite).write_text("\n".join(map(_line, positions)) + "\n", "utf-8")


if __name__ == "__main__":
    main()
