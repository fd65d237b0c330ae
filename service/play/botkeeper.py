"""The keeper of the bots: has each order of a seat that a bot plays worked out, and hands it in.

What a bot does is worked out where all is that is expensive, from what its seat sees and in bounded
time: nobody who gives an order waits for it. Its order goes the way of everybody's, for the version
that it was worked out at and no other: of several workers that see the same question one answers
it, and the others find that the game has gone on. In which games a bot is asked is in the store.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple

from domain.kernel.codec import read_back
from domain.kernel.options import Pending
from domain.kernel.rules import Refused

from ..clock import SteadyClock
from ..errors import PASSING, ServiceError, Stale
from ..models import GameId, GameSummary, SeatSummary
from .deciding import Order, command_decoder, decide
from .engine import Ready, WorkingGames
from .staging import ReadyRequest

log = logging.getLogger(__name__)

LOOK_SECONDS = 0.5
"""How often it looks for games in which a bot is asked."""

GAMES = 64
"""Games that are looked after at a time."""

AT_ONCE = 4
"""Orders that are worked out at a time; the others wait here and not before those who ask."""

ROUNDS = 64
"""Orders in a game in a row, at most, before it is looked for anew."""

POSTPONED = 600.0
"""Seconds after which a game that cannot be played on is looked at again."""


class Turn(NamedTuple):
    """A question to a seat that a bot plays."""

    game: GameId
    version: int
    seat: SeatSummary
    question: Pending


Due = Callable[[int], Awaitable[list[GameId]]]
Look = Callable[[GameId], Awaitable[GameSummary]]
Choose = Callable[[Turn], Awaitable[bytes]]
"""The order of the bot as JSON."""
HandIn = Callable[[GameId, Callable[[WorkingGames], Ready]], Awaitable[Any]]
"""Lets the engine do some work on a game."""


class BotKeeper:
    """Of one worker, from its start on. On the event loop.

    answers, failed  how often it has given an order, and found that a bot had none
    """

    def __init__(
        self, due: Due, look: Look, choose: Choose, hand_in: HandIn, clock: SteadyClock
    ) -> None:
        self._due = due
        self._summary = look
        self._choose = choose
        self._hand_in = hand_in
        self._monotonic = clock.monotonic
        self._busy: set[GameId] = set()
        self._later: dict[GameId, float] = {}
        self._places = asyncio.Semaphore(AT_ONCE)
        self.answers = self.failed = 0

    async def run(self) -> None:
        """Look again and again, until it is cancelled."""
        async with asyncio.TaskGroup() as playing:
            while True:
                await asyncio.sleep(LOOK_SECONDS)
                try:
                    for game in await self._found():
                        playing.create_task(self._play(game))
                except ServiceError as error:
                    log.warning("it is not known in which games a bot is asked: %s", error)

    async def look(self) -> int:
        """Give each bot's orders until somebody else is asked; how many. Raises ServiceError."""
        return sum(await asyncio.gather(*(self._play(game) for game in await self._found())))

    async def _found(self) -> list[GameId]:
        """Games to play in now, which nobody here is at yet."""
        now = self._monotonic()
        self._later = {game: at for game, at in self._later.items() if at > now}
        found = await self._due(GAMES + len(self._later) + len(self._busy))
        games = [game for game in found if game not in self._later and game not in self._busy]
        self._busy.update(games)
        return games

    async def _play(self, game: GameId) -> int:
        given = 0
        try:
            while given < ROUNDS and await self._move(game):
                given += 1
        except PASSING as error:
            log.warning("the bot of game %s waits: %s", game, error)
        except Exception:
            log.exception("the bot of game %s cannot play on", game)
            self._later[game] = self._monotonic() + POSTPONED
        finally:
            self._busy.discard(game)
        self.answers += given
        return given

    async def _move(self, game: GameId) -> bool:
        """One order; False where no bot is asked, or another worker has answered."""
        async with self._places:
            turn = turn_of(await self._summary(game))
            if turn is None:
                return False
            chosen = await self._chosen(turn)
            try:
                await self._hand_in(game, lambda bench: ordered(bench, turn, chosen))
            except Stale:
                return False
        return True

    async def _chosen(self, turn: Turn) -> bytes:
        """The bot's order; b"" where it found none in its time: then the usual one is given."""
        try:
            return await self._choose(turn)
        except PASSING:
            raise
        except Exception as error:
            log.warning("bot %s of game %s found no order: %r", turn.seat.bot, turn.game, error)
            self.failed += 1
            return b""


def turn_of(summary: GameSummary) -> Turn | None:
    """The first question of the game that is a bot's to answer now."""
    if summary.status != "playing" or summary.paused is not None or summary.locked is not None:
        return None
    bots = {seat.seat: seat for seat in summary.seats if seat.bot}
    asked = next((each for each in summary.to_move if each.seat in bots), None)
    if asked is None:
        return None
    return Turn(summary.id, summary.version, bots[asked.seat], asked)


def ordered(bench: WorkingGames, turn: Turn, chosen: bytes) -> ReadyRequest:
    """The order, staged; what the rules call usual where there is none, or they refuse it.

    Raises Stale where the game has gone on.
    """
    live = bench.live(turn.game)

    def given(command: Callable[[], Any]) -> ReadyRequest:
        def decided() -> ReadyRequest:
            order = Order(turn.game, turn.seat.seat, command(), turn.version)
            return decide(live, order, bench.at, bench.entropy)

        return bench.patience.during(turn.game, decided)

    if live.version != turn.version:
        raise Stale(live.version)
    if chosen:
        try:
            return given(lambda: command_decoder(live.game).decode(chosen))
        except Refused as refusal:
            log.warning("bot %s was refused: %s", turn.seat.bot, refusal.code)
    return given(lambda: read_back(live.game.usual(live.state, turn.question)))
