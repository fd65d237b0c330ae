"""Whole games as lines: every command and every die, and what they came to.

The first line is the set-up, then one for each command (``seat``, ``command``) or answer of the
chance seat (``faces``), at the start of each turn the digest of the state (``turn``, ``state``), at
the end how it ended. Where the lines are kept, and as which digest, is the caller's choice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from ..chance import Faces
from ..codec import Codec
from ..conformance import play
from ..forked import fork_rules
from ..game import Game
from ..setup import Setup
from ..values import CHANCE, Choose
from .cases import do
from .table import Table, opened

AnyGame = Game[Any, Any, Any]
Line = dict[str, Any]
Digest = Callable[[Any], str]


class Watched(NamedTuple):
    """What is written down of a game besides its commands.

    digest  of any value
    turn    the number of a state's turn
    """

    digest: Digest
    turn: Callable[[Any], int]


class Replayed(NamedTuple):
    """What came out of the lines of a game.

    table    the game at its end, with all events
    digests  of the state at the start of each turn, computed and recorded
    end      computed; recorded in the last line
    """

    table: Table
    digests: list[tuple[str, str]]
    end: Line


def replay(game: AnyGame, lines: Sequence[Mapping[str, Any]], watched: Watched) -> Replayed:
    """Decide every command again. Raises Refused for one that is not legal any more."""
    table = opened(game, msgspec.convert(lines[0]["setup"], Setup))
    digests: list[tuple[str, str]] = []
    for line in lines[1:-1]:
        if "turn" in line:
            assert watched.turn(table.state) == line["turn"], f"turn {line['turn']} does not begin"
            digests.append((watched.digest(table.state), line["state"]))
        else:
            do(game, table, line)
    return Replayed(table, digests, ending(table, watched))


def ending(table: Table, watched: Watched) -> Line:
    """The last line of a game."""
    game, state = table.game, table.state
    name = Codec(fork_rules(game)).name
    history = [[name(event), msgspec.to_builtins(event)] for event in table.events]
    return {
        "events": len(table.events),
        "history": watched.digest(history),
        "state": watched.digest(state),
        "scores": dict(game.scores(state)),
        "turns": watched.turn(state),
        "result": msgspec.to_builtins(game.result(state)),
    }


def record(game: AnyGame, setup: Setup, choose: Choose, watched: Watched) -> Iterator[Line]:
    """The lines of a random game; ``choose(n)`` gives an integer from 0 to n - 1."""
    yield {"setup": msgspec.to_builtins(setup)}
    table, told = opened(game, setup), 0
    turn = watched.turn(table.state)
    for played in play(game, setup, choose):
        for seat, command, _ in played.turns[told:]:
            yield line(seat, command)
            table.act(seat, command)
        told = len(played.turns)
        if watched.turn(table.state) > turn:
            turn = watched.turn(table.state)
            yield {"turn": turn, "state": watched.digest(table.state)}
    yield ending(table, watched)


def line(seat: str, command: Any) -> Line:
    """A command, or the chance seat's answer, as it is kept."""
    if seat == CHANCE:
        assert isinstance(command, Faces)
        return {"faces": msgspec.to_builtins(command.faces)}
    return {"seat": seat, "command": msgspec.to_builtins(command)}
