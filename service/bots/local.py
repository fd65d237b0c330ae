"""The same bots on a game in this process: no server, no store, dice from a seeded generator."""

from __future__ import annotations

import random
from collections.abc import Mapping
from functools import cache
from typing import Any, Union

import msgspec

from domain.kernel.codec import full
from domain.kernel.conformance import throw
from domain.kernel.game import Game
from domain.kernel.setup import Setup
from domain.kernel.values import CHANCE

from .bot import Bot, Item, Json, Position
from .outcome import Outcome

AnyGame = Game[Any, Any, Any]


@cache
def units_of(game: AnyGame) -> Mapping[str, Json]:
    """The game's catalogue of units by ID, as the service lists it."""
    return {unit.id: msgspec.to_builtins(unit) for unit in game.catalogue.units()}


def position_of(
    game: AnyGame, view: Any, units: Mapping[str, Json], seat: str, question: str, subject: str = ""
) -> Position:
    """What the service would list and show to a seat with this view of the state."""
    legal = game.legal(view, seat).commands
    return Position(
        seat,
        question,
        [{"command": msgspec.to_builtins(command)} for command in legal],
        lambda: full(view),
        units,
        lambda item: game.odds_beside(view, seat, _command(game, item)),
        subject,
    )


def _command(game: AnyGame, item: Item) -> Any:
    commands: Any = Union[game.commands]  # noqa: UP007 (made from a tuple)
    return msgspec.convert(item["command"], commands)


class LocalGame:
    """A game with everything that the API would tell a seat.

    state   the truth; a seat only ever gets its own redacted view
    events  all events so far
    """

    def __init__(self, game: Game[Any, Any, Any], setup: Setup, seed: int | str) -> None:
        self.game = game
        self.setup = setup
        self._rng = random.Random(seed)
        self.events: list[Any] = []
        self.state: Any = None
        self._views: dict[str, Any] = dict.fromkeys(setup.seats)
        self._units = units_of(game)
        self._take(game.opening(setup))

    def _take(self, events: tuple[Any, ...]) -> None:
        self.events.extend(events)
        self.state = self.game.fold(events, self.state)
        for seat, view in self._views.items():
            seen = [self.game.seen(event, seat) for event in events]
            self._views[seat] = self.game.fold(seen, view)
        awaited = self.game.awaiting(self.state)
        if awaited is not None:
            answer = throw(awaited, self._rng.randrange)
            self._take(self.game.decide(self.state, CHANCE, answer))

    def position(self, seat: str, question: str, subject: str = "") -> Position:
        """What the service would list and show to the seat, less the words.

        Odds are worked out when they are asked for.
        """
        return position_of(self.game, self._views[seat], self._units, seat, question, subject)

    def post(self, seat: str, item: Item) -> None:
        """Do what the item says."""
        self._take(self.game.decide(self.state, seat, _command(self.game, item)))

    def play(self, bots: Mapping[str, Bot], limit: int = 20_000) -> Outcome:
        """Let the bots play to the end, or for ``limit`` commands."""
        commands = 0
        while commands < limit and self.game.result(self.state) is None:
            asked = self.game.pending(self.state)[0]
            chosen = bots[asked.seat].choose(
                self.position(asked.seat, asked.question, asked.subject)
            )
            self.post(asked.seat, chosen)
            commands += 1
        result = self.game.result(self.state)
        plain: Json | None = None if result is None else msgspec.to_builtins(result)
        scores = dict(self.game.scores(self.state))
        return Outcome(plain, scores, len(self.events), commands)
