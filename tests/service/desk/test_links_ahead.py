"""Links that seats give ahead: they are in every batch, whoever rolls, and by the clock too."""

from __future__ import annotations

import asyncio
import dataclasses
from pathlib import Path
from typing import Any

import pytest

from domain.kernel.values import PUBLIC
from service.clock import FixedClock
from service.desk import Desk
from service.dice.links import AHEAD
from service.errors import DiceRefused, GameOver
from service.evidence.records import LinksClosed, LinksGiven
from service.models import GameSummary, NewLinks, TakeSeat
from tests.service.desk.kit import (
    desk_in,
    fresh_key,
    judged,
    new_game,
    on_desk,
    order,
    wishes,
)
from tests.service.desk.test_deadlines import wait as passes
from tests.service.desk.test_deadlines import with_clock
from tests.support import pennant
from tests.support.pennant import Choose, Fire, Pass
from tests.support.player import Player

SEATS = ("p1", "p2")


async def table(desk: Desk, turns: int = 30, **fields: Any) -> tuple[str, list[Player]]:
    """A game whose seats have chains; p1 is to choose."""
    seats = wishes("open", "open")
    game = (await new_game(desk, turns=turns, grade="A1", seats=seats, **fields)).game
    players = [Player(place) for place in (0, 1)]
    for seat, player in zip(SEATS, players, strict=True):
        taking = TakeSeat(seat=seat, dice_tip=player.tip(game).hex())
        await desk.writer.take_seat(game.id, taking, key=fresh_key())
    return game.id, players


async def give(desk: Desk, game: str, player: Player, upto: int, link: bytes = b"") -> GameSummary:
    summary = await desk.reader.summary(game)
    link = link or player.link(summary.params, upto - summary.first_batch + 1)
    giving = NewLinks(upto=upto, link=link.hex())
    seat = SEATS[player.place]
    told = await desk.writer.give_links(game, seat, giving, key=fresh_key(), caller=seat)
    return told.game


async def begin(desk: Desk, game: str, players: list[Player] | None = None) -> None:
    for place, seat in enumerate(SEATS):
        summary = await desk.reader.summary(game)
        own = {"link": players[place].next_link(summary)} if players else {}
        await order(desk, game, seat, Choose("bold"), **own)


async def batches(desk: Desk, game: str) -> list[tuple[bool, ...]]:
    """Of each batch: which of the seats is in it."""
    told = await desk.reader.events(game, PUBLIC, 0, 1_000)
    rolled = [event.data for event in told if event.type == "decklog.batch-rolled"]
    return [tuple(map(bool, data["playerLinks"])) for data in rolled]


async def refused(desk: Desk, game: str, player: Player, upto: int, link: bytes = b"") -> str:
    with pytest.raises(DiceRefused) as caught:
        await give(desk, game, player, upto, link)
    return caught.value.code


def test_every_seats_link_is_in_every_batch_whoever_rolls(tmp_path: Path) -> None:
    async def run() -> None:
        async with desk_in(tmp_path) as desk:
            game, players = await table(desk)
            await give(desk, game, players[0], 20)
            summary = await give(desk, game, players[1], 20)
            assert [seat.links_upto for seat in summary.seats] == [20, 20]
            await begin(desk, game)
            await order(desk, game, "p1", Fire("hull"))
        async with desk_in(tmp_path) as desk:
            await order(desk, game, "p2", Fire("hull"))
            summary = await desk.reader.summary(game)
            own = players[0].next_link(summary)
            await order(desk, game, "p1", Fire("hull"), link=own)
            assert await batches(desk, game) == [(True, True)] * 3
            for viewer in ("public", "p1", "p2"):
                verdict = await judged(desk, game, viewer)
                assert [each.seats for each in verdict.batches] == [SEATS] * 3
                assert verdict.absences == {}
                assert "batches  1-3: the service, p1, p2" in verdict.text()

    asyncio.run(run())


def test_a_whole_game_is_judged_with_links_that_were_opened(tmp_path: Path) -> None:
    async def test(desk: Desk) -> None:
        game, players = await table(desk, turns=6)
        for player in players:
            await give(desk, game, player, 64)
        await begin(desk, game)
        while (summary := await desk.reader.summary(game)).result is None:
            await order(desk, game, summary.to_move[0].seat, Fire("hull"))
        verdict = await judged(desk, game)
        assert (verdict.scope, verdict.grade) == ("complete", "A1")
        assert {each.seats for each in verdict.batches} == {SEATS}
        with pytest.raises(GameOver):
            await give(desk, game, players[0], 70)

    on_desk(tmp_path, test)


def test_whose_links_run_out_is_absent_on_record_and_in_the_verdict(tmp_path: Path) -> None:
    async def test(desk: Desk) -> None:
        game, players = await table(desk)
        await give(desk, game, players[0], 20)
        await give(desk, game, players[1], 1)
        await begin(desk, game, players)
        for seat in ("p1", "p2", "p1"):
            summary = await desk.reader.summary(game)
            own = {"link": players[1].next_link(summary)} if seat == "p2" else {}
            await order(desk, game, seat, Fire("hull"), **own)
        # In the second batch p2 rolls, and brings its link with the command.
        assert await batches(desk, game) == [(True, True), (True, True), (True, False)]
        told = await desk.reader.events(game, PUBLIC, 0, 1_000)
        closed = [event for event in told if event.type == LinksClosed.TYPE]
        assert [event.data for event in closed] == [{"t": 3, "absent": ["p2"]}]
        assert closed[0].text == "The links of batch 3 are closed, without p2."
        verdict = await judged(desk, game)
        assert verdict.absences == {"p2": 1}
        assert "absent   p2 from 1 of 3 batches" in verdict.text()
        await give(desk, game, players[1], 9)
        await order(desk, game, "p2", Fire("hull"))
        assert (await batches(desk, game))[-1] == (True, True)
        await judged(desk, game)

    on_desk(tmp_path, test)


def test_a_link_given_ahead_is_shown_to_its_seat_alone(tmp_path: Path) -> None:
    async def test(desk: Desk) -> None:
        game, players = await table(desk)
        summary = await give(desk, game, players[0], 20)
        link = players[0].link(summary.params, 20).hex()
        for viewer in ("public", "p1", "p2"):
            told = await desk.reader.events(game, viewer, 0, 100)
            (given,) = [event for event in told if event.type == LinksGiven.TYPE]
            assert given.data["link"] == (link if viewer == "p1" else "")
            assert given.actor == "service", "an order signed meanwhile stays good"
            evidence = await desk.reader.evidence(game, viewer)
            assert (link.encode() in evidence) is (viewer == "p1")
            await judged(desk, game, viewer)

    on_desk(tmp_path, test)


def test_links_are_taken_for_as_many_batches_as_is_said_and_by_whom_they_are(
    tmp_path: Path,
) -> None:
    async def test(desk: Desk) -> None:
        game, players = await table(desk)
        g = (await desk.reader.summary(game)).params
        assert await refused(desk, game, players[0], AHEAD + 1) == "dice.link-unexpected"
        for wrong in (players[0].link(g, 9), players[1].link(g, 10), bytes(32)):
            assert await refused(desk, game, players[0], 10, wrong) == "dice.link-wrong"
        await give(desk, game, players[0], 10)
        for again in (10, 9, 1):
            assert await refused(desk, game, players[0], again) == "dice.link-unexpected"
        await give(desk, game, players[0], AHEAD)
        plain = (await new_game(desk, grade="A1", seats=wishes("keep", "open"))).game
        assert await refused(desk, plain.id, players[0], 1) == "dice.link-unexpected"
        await desk.writer.take_seat(plain.id, TakeSeat(seat="p2"), key=fresh_key())
        assert await refused(desk, plain.id, players[0], 1, bytes(32)) == "dice.link-unexpected"

    on_desk(tmp_path, test)


def test_nobody_gives_links_before_every_tip_is_fixed(tmp_path: Path) -> None:
    async def test(desk: Desk) -> None:
        game = (await new_game(desk, grade="A1", seats=wishes("open", "open"))).game
        first = Player(0)
        taking = TakeSeat(seat="p1", dice_tip=first.tip(game).hex())
        await desk.writer.take_seat(game.id, taking, key=fresh_key())
        assert await refused(desk, game.id, first, 5) == "dice.link-unexpected"

    on_desk(tmp_path, test)


def test_who_was_overtaken_by_links_goes_through(tmp_path: Path) -> None:
    async def test(desk: Desk) -> None:
        game, players = await table(desk)
        await begin(desk, game, players)
        before = await desk.reader.summary(game)
        own = players[0].next_link(before)
        for upto in (10, 20):
            await give(desk, game, players[1], upto)
        await order(desk, game, "p1", Fire("hull"), link=own, expected=before.version)
        desk.engine.drop(game)
        now = await desk.reader.summary(game)
        await give(desk, game, players[0], 20)
        desk.engine.drop(game)
        await order(desk, game, "p2", Pass(), expected=now.version)
        await judged(desk, game)

    on_desk(tmp_path, test)


FIRING = {
    "pennant": dataclasses.replace(
        pennant.GAME, usual=lambda state, asked: Fire() if state.colours else Choose("steady")
    )
}
"""The usual answer is to fire here, so that the clock rolls dice."""


def test_a_timed_out_answer_takes_the_grade_from_nobody(tmp_path: Path) -> None:
    async def test(desk: Desk, clock: FixedClock) -> None:
        game, players = await table(desk, turns=6, deadline=60)
        for player in players:
            await give(desk, game, player, AHEAD)
        for _ in range(5):
            passes(clock, 60)
            assert await desk.timekeeper.tick() > 0
        assert len(await batches(desk, game)) == 4, "nobody was there, and the clock has rolled"
        verdict = await judged(desk, game, games=FIRING)
        assert {each.seats for each in verdict.batches} == {SEATS}
        assert (verdict.grade, verdict.absences) == ("A1", {})

    with_clock(tmp_path, test, games=FIRING)
