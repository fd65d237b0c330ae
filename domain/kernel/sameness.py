"""A state is its canonical form: what a game says of a state, asked again of the state read back.

Conformance (:mod:`~domain.kernel.conformance`) asks all of it, for every game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import msgspec

from .chance import Faces
from .codec import canonical, read_back
from .game import Game
from .values import PUBLIC, Seat

T = TypeVar("T")
AnyGame = Game[Any, Any, Any]

Told = Iterator[tuple[str, Any]]
"""What was asked, and the answer."""


def same(value: T) -> T:
    """The very object."""
    return value


def turned_round(value: T) -> T:
    """``value`` read from a form whose objects have their keys in the opposite order."""
    return msgspec.convert(_backwards(msgspec.json.decode(canonical(value))), type(value))


def _backwards(plain: Any) -> Any:
    if isinstance(plain, dict):
        return {key: _backwards(plain[key]) for key in sorted(plain, reverse=True)}
    return [_backwards(item) for item in plain] if isinstance(plain, list) else plain


READINGS: tuple[Callable[[Any], Any], ...] = (read_back, turned_round)
"""Two ways to read a canonical form; of any two keys each comes first in one of them."""


@dataclass(frozen=True)
class Inquiry:
    """All that is asked of a state in one reading of it and of the events that follow.

    orders  who commands what; chance's faces among them
    read    how states and events are read
    """

    game: AnyGame
    seats: tuple[Seat, ...]
    orders: Sequence[tuple[Seat, Any]]
    read: Callable[[Any], Any] = same

    def told(self, state: Any) -> Told:
        """Every answer, in the same order for every reading."""
        state = self.read(state)
        yield "canonical form", canonical(state)
        yield from self._facts(state)
        yield from self._offers(state)
        for seat, command in self.orders:
            yield from self._decided(state, seat, command)

    def _facts(self, state: Any) -> Told:
        game = self.game
        yield "awaiting", canonical(game.awaiting(state))
        yield "pending", canonical(game.pending(state))
        yield "result", canonical(game.result(state))
        yield "secrets", game.secrets(state)
        yield "scores", canonical(dict(game.scores(state)))
        yield "board", game.board(state)
        yield "scene", canonical(game.picture(state, None, ()))
        yield "chances", canonical(game.chances(state))
        yield "prospects", canonical(game.prospects(state))
        yield "suppose", canonical(game.insight.suppose(state, lambda number: number - 1))

    def _offers(self, state: Any) -> Told:
        for seat in self.seats:
            yield f"legal for {seat}", canonical(self.game.legal(state, seat))
        for question in self.game.pending(state):
            yield f"usual for {question.seat}", canonical(self.game.usual(state, question))

    def _decided(self, state: Any, seat: Seat, command: Any) -> Told:
        if not isinstance(command, Faces):
            yield f"describe {command}", canonical(self.game.describe(state, command))
            yield f"odds of {command}", canonical(self.game.odds(state, command))
        events = self.game.decide(state, seat, command)
        yield f"decide {command} of {seat}", canonical(events)
        yield from self._story(state, tuple(self.read(event) for event in events))

    def _story(self, state: Any, events: tuple[Any, ...]) -> Told:
        after = self.game.fold(events, state)
        yield "state after", canonical(after)
        yield "sentences", tuple(self.game.sentences(state, events))
        yield "scene after", canonical(self.game.picture(after, state, events))
        for viewer in (*self.seats, PUBLIC):
            seen = tuple(self.game.seen(event, viewer) for event in events)
            yield f"what {viewer} sees", canonical(seen)


def differences(
    game: AnyGame, state: Any, seats: tuple[Seat, ...], orders: Sequence[tuple[Seat, Any]]
) -> Iterator[str]:
    """What a game says otherwise of a state that was read back; nothing, if all is well."""
    told = tuple(Inquiry(game, seats, orders).told(state))
    for read in READINGS:
        again = Inquiry(game, seats, orders, read).told(state)
        for (what, here), (_, there) in zip(told, again, strict=True):
            if here != there:
                yield f"{what}, {read.__name__.replace('_', ' ')}: {here!r}, {there!r}"
