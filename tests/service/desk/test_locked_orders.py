"""Dice of grade A2: the order is locked, then links come and are closed, then the dice fall."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from domain.kernel.values import PUBLIC
from service.clock import FixedClock
from service.desk import Desk
from service.errors import DiceRefused
from service.evidence.locks import LINK_SECONDS
from service.evidence.records import BatchVoided, LinksClosed, LinksGiven, OrdersLocked
from service.evidence.verify import verify
from service.models import GameSummary, NewLinks, TakeSeat
from tests.service.desk.kit import (
    GAMES,
    desk_in,
    fresh_key,
    instruct,
    judged,
    new_game,
    on_desk,
    order,
    wishes,
)
from tests.service.desk.test_deadlines import wait as passes
from tests.service.desk.test_deadlines import with_clock
from tests.service.desk.test_links_ahead import FIRING
from tests.support.pennant import Choose, Fire, Pass
from tests.support.player import Player
from tests.support.soundings import Gale

SEATS = ("p1", "p2", "p3")


async def table(desk: Desk, count: int = 2, **fields: Any) -> tuple[str, list[Player]]:
    """A game whose seats have chains."""
    wished = wishes(*["open"] * count)
    fields = {"turns": 30, "grade": "A2", **fields}
    game = (await new_game(desk, seats=wished, **fields)).game
    players = [Player(place) for place in range(count)]
    for player in players:
        taking = TakeSeat(seat=SEATS[player.place], dice_tip=player.tip(game).hex())
        await desk.writer.take_seat(game.id, taking, key=fresh_key())
    return game.id, players


async def begun(desk: Desk, **fields: Any) -> tuple[str, list[Player]]:
    game, players = await table(desk, **fields)
    for seat in ("p1", "p2"):
        await order(desk, game, seat, Choose("bold"))
    return game, players


async def give(desk: Desk, game: str, player: Player, upto: int = 0) -> GameSummary:
    summary = await desk.reader.summary(game)
    upto = upto or (summary.locked.batch if summary.locked else 1)
    link = player.link(summary.params, upto - summary.first_batch + 1)
    giving, seat = NewLinks(upto=upto, link=link.hex()), SEATS[player.place]
    told = await desk.writer.give_links(game, seat, giving, key=fresh_key(), caller=seat)
    return told.game


async def refused(desk: Desk, game: str, player: Player, upto: int = 0) -> str:
    with pytest.raises(DiceRefused) as caught:
        await give(desk, game, player, upto)
    return caught.value.code


async def kinds(desk: Desk, game: str, after: int) -> list[str]:
    told = await desk.reader.events(game, PUBLIC, after, 1_000)
    return [event.type.removeprefix("decklog.") for event in told]


def test_the_order_is_locked_before_links_and_dice_come_last(tmp_path: Path) -> None:
    async def run() -> None:
        async with desk_in(tmp_path) as desk:
            game, players = await begun(desk)
            assert await refused(desk, game, players[0]) == "dice.link-unexpected"
            version = (await desk.reader.summary(game)).version
            told = await order(desk, game, "p1", Fire("hull"))
            assert [event.type for event in told.events] == [OrdersLocked.TYPE]
            summary = await desk.reader.summary(game)
            assert summary.locked is not None
            assert (summary.locked.seat, summary.locked.batch) == ("p1", 1)
            assert summary.locked.missing == ("p1", "p2")
            with pytest.raises(DiceRefused, match=r"dice\.awaited"):
                await order(desk, game, "p1", Pass())
            assert await refused(desk, game, players[0], 2) == "dice.link-unexpected"
            summary = await give(desk, game, players[0])
            assert summary.locked is not None
            assert summary.locked.missing == ("p2",)
            assert await refused(desk, game, players[0]) == "dice.link-unexpected"
        async with desk_in(tmp_path) as desk:  # what is locked outlasts the process
            summary = await desk.reader.summary(game)
            assert summary.locked is not None
            summary = await give(desk, game, players[1])
            assert summary.locked is None
            found = await kinds(desk, game, version)
            assert found[:4] == ["orders-locked", "links-given", "links-given", "links-closed"]
            assert found[4:6] == ["pennant.fire-declared", "batch-rolled"]
            verdict = await judged(desk, game)
            for viewer in ("public", "p1", "p2"):
                verdict = await judged(desk, game, viewer)
                assert [(b.grade, b.seats) for b in verdict.batches] == [("A2", ("p1", "p2"))]
            assert verdict.grade == "A2"
            (dice,) = [each.by for each in verdict.vouched if each.what == "dice"]
            assert dice.endswith("came when the orders were locked, by the order of the record")

    asyncio.run(run())


def test_a_whole_game_is_of_grade_a2(tmp_path: Path) -> None:
    async def test(desk: Desk) -> None:
        game, players = await begun(desk, turns=6)
        while (summary := await desk.reader.summary(game)).result is None:
            if summary.locked is not None:
                for player in players:
                    await give(desk, game, player)
            else:
                await order(desk, game, summary.to_move[0].seat, Fire("hull"))
        verdict = verify(await desk.reader.evidence(game, PUBLIC), GAMES, grade="A2")
        assert (verdict.word, verdict.scope, verdict.grade) == ("UPHELD", "complete", "A2")
        await judged(desk, game)

    on_desk(tmp_path, test)


def test_dice_of_several_domains_take_a_round_of_links_each(tmp_path: Path) -> None:
    """No link is out before its batch is needed: one that was given and not used would be ahead."""

    async def test(desk: Desk) -> None:
        options = {"turns": 60, "deal": False}
        fields = {"turns": 60, "ruleset": "soundings", "options": options}
        game, players = await table(desk, 3, **fields)
        rounds = 0
        for _ in range(50):
            summary = await desk.reader.summary(game)
            await order(desk, game, summary.to_move[0].seat, Gale())
            for rounds_now in range(1, 6):
                summary = await desk.reader.summary(game)
                if summary.locked is None:
                    break
                rounds = max(rounds, rounds_now)
                for player in players:
                    await give(desk, game, player)
            if rounds > 1:
                break  # by chance: six orders were of one domain each in one run of some
        assert rounds > 1, "some order rolled dice of more than one domain"
        for viewer in ("public", "p1"):
            verdict = await judged(desk, game, viewer)
            assert {each.grade for each in verdict.batches} == {"A2"}

    on_desk(tmp_path, test)


def test_whose_link_does_not_come_in_time_is_absent(tmp_path: Path) -> None:
    async def test(desk: Desk, clock: FixedClock) -> None:
        game, players = await begun(desk)
        await order(desk, game, "p1", Fire("hull"))
        await give(desk, game, players[0])
        passes(clock, LINK_SECONDS - 1)
        assert await desk.timekeeper.tick() == 0
        passes(clock, 1)
        assert await desk.timekeeper.tick() == 1
        told = await desk.reader.events(game, PUBLIC, 0, 1_000)
        assert [e.data for e in told if e.type == LinksClosed.TYPE] == [{"t": 1, "absent": ["p2"]}]
        verdict = await judged(desk, game)
        assert [(b.grade, b.seats) for b in verdict.batches] == [("A2", ("p1",))]
        assert verdict.absences == {"p2": 1}
        await order(desk, game, "p2", Fire("hull"))
        passes(clock, LINK_SECONDS)
        assert await desk.timekeeper.tick() == 1
        assert (await judged(desk, game)).grade == "A0", "nobody's link is in the second batch"

    with_clock(tmp_path, test)


def test_an_order_that_the_clock_gives_is_locked_as_well(tmp_path: Path) -> None:
    async def test(desk: Desk, clock: FixedClock) -> None:
        game, players = await table(desk, turns=6, deadline=60)
        for _ in range(8):
            passes(clock, 60)
            await desk.timekeeper.tick()
            for player in players:
                if (await desk.reader.summary(game)).locked is not None:
                    await give(desk, game, player)
        verdict = await judged(desk, game, games=FIRING)
        assert len(verdict.batches) > 2
        assert verdict.grade == "A2"

    with_clock(tmp_path, test, games=FIRING)


def test_orders_that_need_no_dice_wait_for_nobody(tmp_path: Path) -> None:
    async def test(desk: Desk) -> None:
        game, _ = await begun(desk)
        told = await order(desk, game, "p1", Pass())
        assert OrdersLocked.TYPE not in [event.type for event in told.events]

    on_desk(tmp_path, test)


def test_what_is_locked_and_given_is_shown_to_nobody_else(tmp_path: Path) -> None:
    async def test(desk: Desk) -> None:
        game, players = await begun(desk)
        await order(desk, game, "p1", Fire("hull"))
        summary = await give(desk, game, players[0])
        link = players[0].link(summary.params, 1).hex()
        for viewer in ("public", "p1", "p2"):
            told = await desk.reader.events(game, viewer, 0, 100)
            (lock,) = [event.data for event in told if event.type == OrdersLocked.TYPE]
            (given,) = [event.data for event in told if event.type == LinksGiven.TYPE]
            assert bool(lock["order"]) is bool(given["link"]) is (viewer == "p1")
            evidence = await desk.reader.evidence(game, viewer)
            assert (link.encode() in evidence) is (b"hull" in evidence) is (viewer == "p1")
            await judged(desk, game, viewer)

    on_desk(tmp_path, test)


def test_a_link_with_the_order_is_not_taken(tmp_path: Path) -> None:
    async def test(desk: Desk) -> None:
        game, players = await begun(desk)
        summary = await desk.reader.summary(game)
        with pytest.raises(DiceRefused, match=r"dice\.link-unexpected"):
            await order(desk, game, "p1", Fire("hull"), link=players[0].next_link(summary))

    on_desk(tmp_path, test)


def test_without_chains_there_is_nothing_to_wait_for_and_the_grade_says_so(tmp_path: Path) -> None:
    async def test(desk: Desk) -> None:
        game = (await new_game(desk, turns=30, grade="A2")).game.id
        for seat in ("p1", "p2"):
            await order(desk, game, seat, Choose("bold"))
        await order(desk, game, "p1", Fire("hull"))
        assert (await judged(desk, game)).grade == "A0"

    on_desk(tmp_path, test)


def test_the_operator_voids_a_batch_and_everybody_sees_what_was_discarded(tmp_path: Path) -> None:
    async def run() -> None:
        async with desk_in(tmp_path) as desk:
            game, players = await begun(desk)
            assert (await instruct(desk, "void", game)).code == "ruling.impossible"
            await order(desk, game, "p1", Fire("hull"))
            await give(desk, game, players[0])
            assert not (await instruct(desk, "void", game, tell="a wrong click")).code
            summary = await desk.reader.summary(game)
            assert (summary.locked, summary.next_batch) == (None, 2)
        async with desk_in(tmp_path) as desk:
            told = await desk.reader.events(game, PUBLIC, 0, 1_000)
            (void,) = [event for event in told if event.type == BatchVoided.TYPE]
            assert len(void.data["link"]) == 64
            assert "a wrong click" in void.text
            for version in range(1, summary.version + 1):
                view = await desk.reader.view(game, PUBLIC, version)
                assert view.next_batch == (2 if version == summary.version else 1)
            await order(desk, game, "p1", Fire("magazine"))
            for player in players:
                await give(desk, game, player)
            for viewer in ("public", "p1", "p2"):
                verdict = await judged(desk, game, viewer)
                assert [batch.t for batch in verdict.batches] == [2]
                assert "the operator voided batch 1 and the locked order" in verdict.text()

    asyncio.run(run())


def test_a_round_of_links_that_has_begun_is_not_voided(tmp_path: Path) -> None:
    """The service knows dice of the first batch by then: it is carried out."""

    async def test(desk: Desk) -> None:
        fields = {"turns": 12, "ruleset": "soundings", "options": {"turns": 12, "deal": False}}
        game, players = await table(desk, 3, **fields)
        for _ in range(12):
            summary = await desk.reader.summary(game)
            await order(desk, game, summary.to_move[0].seat, Gale())
            for player in players:
                summary = await give(desk, game, player)
            if summary.locked is not None:
                assert (await instruct(desk, "void", game)).code == "ruling.impossible"
                return
        raise AssertionError("no gale has made anybody draw")

    on_desk(tmp_path, test)
