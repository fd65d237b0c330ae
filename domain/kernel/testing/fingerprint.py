"""Whether two forms of a game play alike: every answer of both along the same random games.

Compare the game as it is with a copy of it in which something was moved, or write down the digests
of all parts before a change and compare them after it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from ..codec import canonical
from ..conformance import play
from ..game import Game
from ..rules import Refused
from ..setup import Setup
from ..values import CHANCE, PUBLIC, Choose, Seat, Viewer

AnyGame = Game[Any, Any, Any]
Move = tuple[Seat, Any]


class Part(NamedTuple):
    """One answer of a game.

    step   how many commands and throws were before it
    name   what was asked
    value  the answer as canonical JSON
    """

    step: int
    name: str
    value: bytes


def tape(game: AnyGame, setup: Setup, choose: Choose) -> list[Move]:
    """The commands and throws of a random game; ``choose(n)`` gives an integer from 0 to n - 1."""
    (last,) = deque(play(game, setup, choose), maxlen=1)
    return [(seat, command) for seat, command, _ in last.turns]


def parts(game: AnyGame, setup: Setup, moves: Sequence[Move]) -> Iterator[Part]:
    """Every answer along a game. A move that is refused is told and ends it."""
    events, state = game.opening(setup), None
    views: dict[Viewer, Any] = dict.fromkeys((*setup.seats, PUBLIC))
    for step, move in enumerate((*moves, None)):
        yield from _told(game, step, state, events, views)
        state = game.fold(events, state)
        yield from _position(game, step, state, setup.seats)
        if move is None:
            return
        seat, command = move
        if seat != CHANCE:
            yield Part(step, "in words", canonical(game.describe(state, command)))
            yield Part(step, "odds", canonical(game.odds(state, command)))
        try:
            events = game.decide(state, seat, command)
        except Refused as refusal:
            told = (refusal.code, refusal.rule, refusal.hint, refusal.pointer)
            yield Part(step + 1, "refused", canonical(told))
            return


def _told(
    game: AnyGame, step: int, state: Any, events: Sequence[Any], views: dict[Viewer, Any]
) -> Iterator[Part]:
    """``views`` are what each viewer knows; they are carried on."""
    yield Part(step, "events", canonical([(event.NAME, event) for event in events]))
    yield Part(step, "sentences", canonical([*game.sentences(state, events)]))
    for viewer, before in views.items():
        seen = [game.seen(event, viewer) for event in events]
        yield Part(step, f"events as {viewer} sees them", canonical(seen))
        yield Part(step, f"sentences to {viewer}", canonical([*game.sentences(before, seen)]))
        views[viewer] = game.fold(seen, before)


def _position(game: AnyGame, step: int, state: Any, seats: Sequence[Seat]) -> Iterator[Part]:
    questions = game.pending(state)
    yield Part(step, "pending", canonical(questions))
    yield Part(step, "awaited", canonical(game.awaiting(state)))
    for seat in seats:
        yield Part(step, f"offers to {seat}", canonical(game.legal(state, seat)))
    yield Part(step, "usual answers", canonical([game.usual(state, each) for each in questions]))
    yield Part(step, "scores", canonical(dict(game.scores(state))))
    yield Part(step, "result", canonical(game.result(state)))


def difference(
    one: AnyGame, other: AnyGame, setup: Setup, choose: Choose
) -> tuple[Part | None, Part | None] | None:
    """The first answer in which the other game differs, along a random game of the one."""
    moves = tape(one, setup, choose)
    said, heard = parts(one, setup, moves), parts(other, setup, moves)
    while True:
        pair = next(said, None), next(heard, None)
        if pair == (None, None):
            return None
        if pair[0] != pair[1]:
            return pair
