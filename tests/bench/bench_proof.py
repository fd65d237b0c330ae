"""What proofs cost a command: dice of all seats, receipts and signed orders, beside none of it.

    python -m tests.bench.bench_proof [COMMANDS] [ROUNDS]

Budgets: links of both seats (A1), heads with every event, at most a tenth; receipts and orders that
their seats sign (O1) at most another fifth. Microseconds of processor time for one durable command
on the desk, of the service alone: a client's own signature is made outside. Every round plays all
kinds in turn, one beginning after the other, and each has its ratio to the plain one of its round.
"""

from __future__ import annotations

import asyncio
import json
import random
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from domain.kernel.codec import canonical
from domain.kernel.finder import games
from service.bots import Signer
from service.cli import main as cli
from service.desk import Desk
from service.models import NewGame, NewLinks, OrderKey, SeatWish, TakeSeat
from tests.bench.report import Report
from tests.service.desk.kit import desk_in, fresh_key, order
from tests.support.player import Player

AHEAD = 60
"""Batches for which a seat gives its links at once."""

SEATS = ("p1", "p2")


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
    """Keys of a service."""
    root, made = folder / "root.skey", folder / "keys"
    assert cli(["keys", "root", str(root), "--name", "bench.example", "--json"]) == 0
    assert cli(["keys", "make", str(made), "--root", str(root), "--json"]) == 0
    return str(made)


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

    async def begin(self, seed: int) -> None:
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

    async def play(self, commands: int) -> float:
        """Seconds of the processor for a command, links that are given ahead among them."""
        spent, done = 0.0, 0
        while done < commands:
            summary = await self._desk.reader.summary(self.id)
            if summary.result is not None:
                break
            spent += await self._links(summary)
            seat = summary.to_move[0].seat
            view = await self._desk.reader.view(self.id, seat)
            rules = (await self._desk.reader.views(self.id)).game
            command = self._choose.choice(rules.legal(view.state, seat).commands)
            more = {"signature": self._sign(summary, seat, command)} if self._kind.signed else {}
            start = time.process_time()
            await order(self._desk, self.id, seat, command, expected=summary.version, **more)
            spent += time.process_time() - start
            done += 1
        return spent / max(done, 1)

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
    """One figure for each kind; which goes first is another in each round."""
    found = dict.fromkeys(KINDS, 0.0)
    turn = seed % len(KINDS)
    for kind in (*KINDS[turn:], *KINDS[:turn]):
        place = folder / f"{seed}-{KINDS.index(kind)}"
        place.mkdir()
        more: dict[str, Any] = {"keys": keys} if kind.receipts else {}
        async with desk_in(place, games=games(), **more) as desk:
            game = Game(desk, kind, seed)
            await game.begin(seed)
            found[kind] = await game.play(commands)
    return [found[kind] for kind in KINDS]


async def main(commands: int = 150, rounds: int = 12) -> None:
    report = Report("proofs", "µs", f"{commands} durable commands of War at Sea in each game")
    ratios: list[list[float]] = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        keys = own_keys(folder)
        for seed in range(rounds):
            figures = await round_of(folder, keys, commands, seed)
            for kind, figure in zip(KINDS, figures, strict=True):
                report.add(kind.name, figure * 1e6)
            ratios.append([figure / figures[0] for figure in figures])
    report.show(reference=KINDS[0].name)
    print("of each round's own reference, median [least to most]:")
    for place, kind in enumerate(KINDS):
        own = sorted(each[place] for each in ratios)
        print(f"{kind.name:<60} {median(own):.3f} [{own[0]:.3f} to {own[-1]:.3f}]")


if __name__ == "__main__":
    asyncio.run(main(*map(int, sys.argv[1:])))
