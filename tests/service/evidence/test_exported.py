"""Bundles as the service exports them, of games that were played on the desk itself."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import msgspec
import pytest

from domain.kernel.finder import games
from domain.kernel.setup import Setup
from service.desk import Desk
from service.dice import nwd1
from service.evidence.verify import verify
from service.models import SeatWish, TakeSeat
from tests.service.desk.kit import fresh_key, new_game, on_desk, order, play, wishes
from tests.support.pennant import GAME, Choose, Fire, Pass

from .playing import Table

GAMES = {"pennant": GAME}
VIEWERS = ("p1", "p2", "public", "truth")


def test_a_game_of_the_desk_is_upheld_at_every_stage(tmp_path: Path) -> None:
    async def run(desk: Desk) -> None:
        game = (await new_game(desk, 6)).game.id
        while (await desk.reader.summary(game)).result is None:
            for viewer in VIEWERS:
                verdict = verify(await desk.reader.evidence(game, viewer), GAMES)
                assert (verdict.code, verdict.scope) == (0, "partial"), verdict.text()
            await play(desk, game, 3, 1)
        bundles = {await desk.reader.evidence(game, viewer) for viewer in VIEWERS}
        assert len(bundles) == 1
        verdict = verify(bundles.pop(), GAMES)
        assert (verdict.code, verdict.scope) == (0, "complete"), verdict.text()
        assert verdict.events == (await desk.reader.summary(game)).version

    on_desk(tmp_path, run)


def test_the_same_after_a_restart(tmp_path: Path) -> None:
    before: list[Any] = []

    async def first(desk: Desk) -> None:
        game = (await new_game(desk, 5)).game.id
        await play(desk, game, 1)
        before.extend((game, await desk.reader.evidence(game, "p1")))

    async def second(desk: Desk) -> None:
        assert await desk.reader.evidence(before[0], "p1") == before[1]

    on_desk(tmp_path, first)
    on_desk(tmp_path, second)


def test_a_named_seed_is_upheld_and_said(tmp_path: Path) -> None:
    async def run(desk: Desk) -> None:
        game = (await new_game(desk, 4, seed="trafalgar")).game.id
        await play(desk, game, 2)
        verdict = verify(await desk.reader.evidence(game, "public"), GAMES)
        assert verdict.code == 0, verdict.text()
        assert any("named the seed" in note for note in verdict.notes)

    on_desk(tmp_path, run)


class Player:
    """A client that keeps its chain and sends a link with each order."""

    def __init__(self, params: str, place: int, length: int) -> None:
        g = bytes.fromhex(params)
        self._chain = nwd1.player_chain(g, place)
        self._far = nwd1.player_seed(b"\x09" * 32, g, place)
        self._length = length

    def link(self, number: int) -> bytes:
        return self._chain.down(self._far, self._length, number)


def test_links_of_the_players_make_grade_a1(tmp_path: Path) -> None:
    async def run(desk: Desk) -> None:
        seats: list[SeatWish] = wishes("open", "open")
        made = (await new_game(desk, 4, grade="A1", seats=seats)).game
        players = [Player(made.params, place, made.chain_length) for place in (0, 1)]
        for place, seat in enumerate(("p1", "p2")):
            taking = TakeSeat(seat=seat, dice_tip=players[place].link(0).hex())
            await desk.writer.take_seat(made.id, taking, key=fresh_key())
        orders = [Choose("bold"), Choose("steady"), Fire(), Pass(), Fire("magazine"), Fire()]
        for number, command in enumerate(orders):
            place = number % 2
            link = players[place].link((await desk.reader.summary(made.id)).next_batch)
            await order(desk, made.id, f"p{place + 1}", command, link=link)
        verdict = verify(await desk.reader.evidence(made.id, "p1"), GAMES, grade="A1")
        assert (verdict.code, verdict.grade, verdict.scope) == (0, "A1", "complete")

    on_desk(tmp_path, run)


@pytest.mark.parametrize("edition", ["2007", "2009"])
def test_a_battle_of_war_at_sea_is_upheld_on_the_way(edition: str) -> None:
    """By the written record alone: 120 random orders, judged for each viewer as they come in."""
    game = games()["war-at-sea"]
    options = msgspec.to_builtins(msgspec.convert({}, game.options))
    setup = Setup("war-at-sea", edition, "standard", ("p1", "p2"), options)
    table = Table(game=game, setup=setup, length=1024)
    choose = random.Random(edition)
    for number in range(120):
        if game.result(table.state) is not None:
            break
        if number in (0, 1, 2, 3, 4, 6, 10, 30, 60):
            verdicts = [verify(table.export(viewer), games()) for viewer in VIEWERS]
            assert [v.code for v in verdicts] == [0, 0, 0, 0], verdicts[0].text()
        moves = [
            (seat, command)
            for seat in setup.seats
            for command in game.legal(table.state, seat).commands
        ]
        table.order(*choose.choice(moves))
    verdict = verify(table.export("truth"), games())
    assert verdict.code == 0, verdict.text()
    rules = next(passed for passed in verdict.checks if passed.check == "rules")
    assert rules.count == len(table.orders) > 60
