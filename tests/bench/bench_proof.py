"""What proofs cost a command: dice of all seats, receipts and signed orders, beside none of it.

    python -m tests.bench.bench_proof [COMMANDS] [ROUNDS]

Budgets: links of both seats (A1), heads with every event, at most a tenth of what a command costs
without; receipts and orders that their seats sign (O1) at most another fifth of it. Microseconds of
processor time for one durable command on the desk, of the service alone: a client's own signature
is made outside. Every round plays all kinds in turn, a few commands of each, and each has its ratio
to the plain one of its round.
"""

from __future__ import annotations

import asyncio
import io
import json
import random
import sys
import tempfile
import time
from contextlib import AsyncExitStack, redirect_stdout
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from domain.kernel.codec import canonical
from domain.kernel.finder import games
from service.bots import Signer
from service.desk import Desk
from service.models import NewGame, NewLinks, OrderKey, SeatWish, TakeSeat
from tests.bench.report import Report
from tests.service.desk.kit import desk_in, fresh_key, order
from tests.support.player import Player
from tests.support.service_keys import service_keys

AHEAD = 60
"""Batches for which a seat gives its links at once."""

SEATS = ("p1", "p2")

BLOCK = 8
"""Commands of a game before those of the next."""

WARM = 8
"""Commands before those that count: the first of a game take what is made once."""


class Kind(NamedTuple):
    """What a game has of it."""

    name: str
    links: bool = False
    receipts: bool = False
    signed: bool = False


KINDS = (
    Kind("A0, O0: the service's dice, nothing signed (reference)"),
    Kind("A1, O0: links of both seats", links=True),
    Kind("A1, O0 with receipts", links=True, receipts=True),
    Kind("A1, O1 with receipts: orders signed as well", links=True, receipts=True, signed=True),
)


def own_keys(folder: Path) -> str:
    """Keys of a service, laid down by the command that operators use."""
    with redirect_stdout(io.StringIO()):
        return str(service_keys(folder).folder)


class Game:
    """A game of War at Sea in play."""

    def __init__(self, desk: Desk, kind: Kind, seed: int) -> None:
        self._desk, self._kind = desk, kind
        self._choose = random.Random(seed)
        self._signers = {seat: Signer(bytes([seed % 256, place] * 16))
                         for place, seat in enumerate(SEATS)}  # fmt: skip
        self._players = [Player(place) for place in range(len(SEATS))]
        self._upto = 0
        self.id = ""
        self.spent: list[float] = []
        self.links = 0.0

    async def begin(self) -> None:
        """A new game, both seats taken."""
        self._upto = 0
        wish = [SeatWish(seat=seat, hold="open") for seat in SEATS]
        grade: Any = "A1" if self._kind.links else "A0"
        new = NewGame(ruleset="war-at-sea", seats=wish, grade=grade)
        made = await self._desk.writer.create_game(new, key=fresh_key(), caller="bench")
        self.id = made.game.id
        for player, seat in zip(self._players, SEATS, strict=True):
            more: dict[str, Any] = {}
            if self._kind.links:
                more["dice_tip"] = player.tip(made.game).hex()
            if self._kind.signed:
                more["order_key"] = OrderKey(public=self._signers[seat].registered["public"])
            await self._desk.writer.take_seat(self.id, TakeSeat(seat=seat, **more), key=fresh_key())

    async def play(self, commands: int) -> None:
        """So many commands more; a game that is over is followed by another one."""
        for _ in range(commands):
            summary = await self._desk.reader.summary(self.id)
            if summary.result is not None:
                await self.begin()
                summary = await self._desk.reader.summary(self.id)
            self.links += await self._links(summary)
            seat = summary.to_move[0].seat
            view = await self._desk.reader.view(self.id, seat)
            rules = (await self._desk.reader.views(self.id)).game
            command = self._choose.choice(rules.legal(view.state, seat).commands)
            # Signed in each kind of game: what a client does beside the service is the same in all.
            signature = self._sign(summary, seat, command)
            more = {"signature": signature} if self._kind.signed else {}
            start = time.process_time()
            await order(self._desk, self.id, seat, command, expected=summary.version, **more)
            self.spent.append(time.process_time() - start)

    def figure(self) -> float:
        """Seconds for a command, without the tenth that took longest (what the machine did
        meanwhile is in them), and with its share of the links that were given ahead."""
        kept = sorted(self.spent)[: -(-len(self.spent) * 9 // 10)]
        return sum(kept) / len(kept) + self.links / len(self.spent)

    def forget(self) -> None:
        """What came before does not count."""
        self.spent.clear()
        self.links = 0.0

    async def _links(self, summary: Any) -> float:
        if not self._kind.links or summary.next_batch + summary.link_credit <= self._upto:
            return 0.0
        self._upto = summary.next_batch + AHEAD
        number = self._upto - summary.first_batch + 1
        links = [player.link(player.params(summary), number) for player in self._players]
        start = time.process_time()
        for seat, link in zip(SEATS, links, strict=True):
            giving = NewLinks(upto=self._upto, link=link.hex())
            await self._desk.writer.give_links(
                self.id, seat, giving, key=fresh_key(), caller="bench"
            )
        return time.process_time() - start

    def _sign(self, summary: Any, seat: str, command: Any) -> bytes:
        told, item = (json.loads(canonical(each)) for each in (summary, command))
        return bytes.fromhex(self._signers[seat].sign(told, seat, item))


async def round_of(folder: Path, keys: str, commands: int, seed: int) -> list[float]:
    """One figure for each kind. All are in play at once, a few commands of each in turn, so that
    whatever else the machine does meets all of them."""
    async with AsyncExitStack() as stack:
        games = [await begun(stack, folder, keys, kind, seed) for kind in KINDS]
        for block in range(-(-commands // BLOCK)):
            turn = block % len(KINDS)
            for place in (*range(turn, len(KINDS)), *range(turn)):
                await games[place].play(BLOCK)
        return [game.figure() for game in games]


async def begun(stack: AsyncExitStack, folder: Path, keys: str, kind: Kind, seed: int) -> Game:
    """A game on a store of its own, past its first commands."""
    place = folder / f"{seed}-{KINDS.index(kind)}"
    place.mkdir()
    more: dict[str, Any] = {"keys": keys} if kind.receipts else {}
    desk = await stack.enter_async_context(desk_in(place, games=games(), **more))
    game = Game(desk, kind, seed)
    await game.begin()
    await game.play(WARM)
    game.forget()
    return game


async def main(commands: int = 160, rounds: int = 12) -> None:
    report = Report("proofs", "µs", f"{commands} durable commands of War at Sea in each game")
    rows: list[list[float]] = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        keys = own_keys(folder)
        for seed in range(rounds):
            rows.append(await round_of(folder, keys, commands, seed))
            for kind, figure in zip(KINDS, rows[-1], strict=True):
                report.add(kind.name, figure * 1e6)
    report.show(reference=KINDS[0].name)
    _tell("A1 beside A0 (at most 1.10)", [row[1] / row[0] for row in rows])
    _tell("receipts and O1 too (at most 1.30)", [row[3] / row[0] for row in rows])
    _tell("these alone, beside A1", [row[3] / row[1] for row in rows])


def _tell(name: str, ratios: list[float]) -> None:
    print(f"{name}: {median(ratios):.3f}, each round {min(ratios):.3f} to {max(ratios):.3f}")


if __name__ == "__main__":
    asyncio.run(main(*map(int, sys.argv[1:])))
