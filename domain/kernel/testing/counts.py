"""Option counts by depth, as chess has perft: a wrong count is a wrong rule.

How many ways there are to give 1, 2, 3, ... commands in a row from a position, of all seats
together. Concessions and templates are not counted. Dice are no commands: each request is answered
in two ways, and both are followed: the first die its highest face and all others ones, and the
other way round (all low and all high would throw ties for ever).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..chance import Awaited, Faces
from ..codec import canonical
from ..game import Game
from ..values import CHANCE, Seat

AnyGame = Game[Any, Any, Any]

PATIENCE = 6
"""After so many requests in a row only the answer with a low first die is followed: a six that is
thrown again for ever would never settle."""


def counts(game: AnyGame, state: Any, depth: int) -> list[int]:
    """How many ways there are to give 1 up to ``depth`` commands."""
    return [ways(game, state, many) for many in range(1, depth + 1)]


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


def divided(game: AnyGame, state: Any, depth: int) -> dict[str, int]:
    """The count of a depth by first command: it finds the one rule in which two engines differ."""
    return {
        f"{seat} {canonical(command).decode()}": _after(game, each, seat, command, depth)
        for each in settled(game, state)
        for seat, command in moves(game, each)
    }


def moves(game: AnyGame, state: Any) -> list[tuple[Seat, Any]]:
    """Every command that is ready for any seat."""
    if game.result(state) is not None:
        return []
    seats = dict.fromkeys(question.seat for question in game.pending(state))
    return [(seat, command) for seat in seats for command in game.legal(state, seat).commands]


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


def _after(game: AnyGame, state: Any, seat: Seat, command: Any, depth: int) -> int:
    if depth == 1:
        return 1
    return ways(game, game.fold(game.decide(state, seat, command), state), depth - 1)
