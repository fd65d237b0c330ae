"""Dice that only one seat may see: who sees what, which batches a command opens, who adds links."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from domain.kernel.chance import domain_seat
from domain.kernel.rules import Refused
from domain.kernel.values import PUBLIC, TRUTH, Known
from projections.stream import SeenEvent
from service import container
from service.desk import Desk
from service.errors import DiceRefused
from service.evidence import bundle
from service.evidence.verify import verify
from service.models import Outcome, TakeSeat
from tests.support.player import Player
from tests.support.soundings import BLOWS, Draw, Gale, Jettison, Pass

from .kit import GAMES, desk_in, fresh_key, new_game, on_desk, order, play, wishes

pytestmark = pytest.mark.slow("stores")

ROLLED = "decklog.batch-rolled"
SEATS = ("p1", "p2", "p3")


async def at_sea(desk: Desk, **fields: Any) -> str:
    """A game of three seats."""
    fields.setdefault("seats", wishes("keep", "keep", "keep"))
    return (await new_game(desk, fields.pop("turns", 60), "soundings", **fields)).game.id


async def gale(desk: Desk, game: str, **fields: Any) -> Outcome:
    """A gale in which everybody draws, by whoever comes to one."""
    while True:
        outcome = await order(desk, game, await mover(desk, game), Gale(), **fields)
        if len(batches(outcome.events)) > 1:
            return outcome


async def mover(desk: Desk, game: str) -> str:
    return (await desk.reader.summary(game)).to_move[0].seat


def batches(events: Any) -> list[SeenEvent]:
    return [event for event in events if event.type == ROLLED]


def test_everybody_sees_that_dice_fell_and_one_seat_sees_the_faces(tmp_path: Path) -> None:
    async def test(desk: Desk) -> None:
        game = await at_sea(desk)
        await order(desk, game, "p1", Draw())
        truth = batches(await desk.reader.events(game, TRUTH, 0, 100))
        assert [record.data["domain"] for record in truth] == [
            "side:p1", "side:p2", "side:p3", "side:p1",
        ]  # fmt: skip
        for viewer in (*SEATS, PUBLIC):
            seen = batches(await desk.reader.events(game, viewer, 0, 100))
            for record, whole in zip(seen, truth, strict=True):
                own = domain_seat(whole.data["domain"]) == viewer
                assert (record.data == whole.data) is (record.text == whole.text) is own
                if not own:
                    assert record.data["link"] == ""
                    assert [roll["faces"] for roll in record.data["rolls"]] == [[]]
                    assert "hidden" in record.text
                for name in ("t", "domain", "playerLinks"):
                    assert record.data[name] == whole.data[name]
                assert [r["label"] for r in record.data["rolls"]] == [
                    r["label"] for r in whole.data["rolls"]
                ]

    on_desk(tmp_path, test)


def test_the_ledger_hides_what_the_events_hide(tmp_path: Path) -> None:
    async def test(desk: Desk) -> None:
        game = await at_sea(desk)
        await order(desk, game, "p1", Draw())
        hand = (await desk.reader.view(game, "p1")).state.hands[0]
        for viewer in (*SEATS, PUBLIC):
            rolls = await desk.reader.rolls(game, viewer)
            assert [roll.hidden for roll in rolls] == [
                domain_seat(roll.domain) != viewer for roll in rolls
            ]
            for roll in rolls:
                assert bool(roll.faces) is bool(roll.proof.link) is not roll.hidden
                assert roll.owner == domain_seat(roll.domain)
                assert roll.event > roll.seq
                assert roll.event_type == "soundings.drawn"
                drawn = roll.result["soundings.drawn"]["depths"]
                assert drawn["sight"] == ("hidden" if roll.hidden else "known")
        own = [
            face for roll in await desk.reader.rolls(game, "p1") for r in roll.faces for face in r
        ]
        assert hand == Known(tuple(own))

    on_desk(tmp_path, test)


def test_a_command_opens_a_batch_for_each_domain_and_no_more(tmp_path: Path) -> None:
    async def test(desk: Desk) -> None:
        game = await at_sea(desk)
        outcome = await gale(desk, game)
        seat = outcome.events[0].data.seat
        others = [other for other in SEATS if other != seat]
        after = others if seat != "p2" else ["p3", "p1"]
        opened = batches(outcome.events)
        assert [one.data["domain"] for one in opened] == ["pub", *(f"side:{s}" for s in after)]
        numbers = [one.data["t"] for one in opened]
        assert numbers == list(range(numbers[0], outcome.next_batch))
        labels = [roll["label"].split("/")[0] for roll in opened[0].data["rolls"]]
        assert labels == ["gale", "worth"], "open dice of one command fall in one batch"
        assert opened[0].data["rolls"][0]["faces"][0][0] >= BLOWS
        types = [event.type.partition(".")[2] for event in outcome.events]
        assert types == [
            "gale-asked", "batch-rolled", "gale-blew", "batch-rolled", "drawn", "batch-rolled",
            "drawn", "gale-blew", "turn-ended",
        ]  # fmt: skip
        assert verify(await desk.reader.evidence(game, PUBLIC), GAMES).word == "UPHELD"

    on_desk(tmp_path, test)


def test_the_evidence_of_a_seat_opens_its_own_batches_and_no_others(tmp_path: Path) -> None:
    async def test(desk: Desk) -> None:
        game = await at_sea(desk)
        await play(desk, game, seed=3, commands=12)
        await gale(desk, game)
        truth = [one.data for one in batches(await desk.reader.events(game, TRUTH, 0, 1000))]
        for viewer in (*SEATS, PUBLIC):
            data = await desk.reader.evidence(game, viewer)
            verdict = verify(data, GAMES)
            assert (verdict.word, verdict.scope) == ("UPHELD", "partial"), verdict.text()
            text = b"".join(container.unpack(data).values())
            for record in truth:
                shown = record["domain"] in ("pub", f"side:{viewer}")
                assert (record["link"].encode() in text) is shown
            sealed = sum(record["domain"] not in ("pub", f"side:{viewer}") for record in truth)
            assert f"{sealed} batches are sealed" in " ".join(verdict.notes)

        await play(desk, game, seed=4)
        data = await desk.reader.evidence(game, PUBLIC)
        verdict = verify(data, GAMES)
        assert (verdict.word, verdict.scope, verdict.grade) == ("UPHELD", "complete", "A0")
        text = container.unpack(data)[bundle.OPENINGS]
        assert all(one["link"].encode() in text for one in truth if one["domain"] != "pub")

    on_desk(tmp_path, test)


def test_a_dry_run_is_decided_on_the_seats_own_view(tmp_path: Path) -> None:
    async def test(desk: Desk) -> None:
        game = await at_sea(desk)
        held = (await desk.reader.view(game, "p1")).state.hands[0].items
        version = (await desk.reader.summary(game)).version
        for command in (Draw(), Gale(), Jettison(held), Jettison(held[::-1])):
            await desk.reader.check(game, "p1", command)
        with pytest.raises(Refused, match=r"jettison\.not-held"):
            await desk.reader.check(game, "p1", Jettison((*held, held[0])))
        with pytest.raises(Refused, match=r"turn\.not-yours"):
            await desk.reader.check(game, "p2", Draw())
        assert (await desk.reader.summary(game)).version == version

    on_desk(tmp_path, test)


# The seats' own links


async def with_chains(desk: Desk, length: int, turns: int = 60) -> tuple[str, list[Player]]:
    """A game in which every seat brought a chain, and nothing was dealt before."""
    fields: dict[str, Any] = {"grade": "A1", "seats": wishes("open", "open", "open")}
    game = await at_sea(desk, turns=turns, options={"deal": False}, **fields)
    players = [Player(place, length) for place in range(len(SEATS))]
    for seat, player in zip(SEATS, players, strict=True):
        tip = player.tip(await desk.reader.summary(game)).hex()
        await desk.writer.take_seat(game, TakeSeat(seat=seat, dice_tip=tip), key=fresh_key())
    return game, players


async def blow(desk: Desk, game: str, players: list[Player], commands: int) -> None:
    """Gales, one after the other, each with its seat's link, and new tips as they are needed."""
    for _ in range(commands):
        summary = await desk.reader.summary(game)
        if summary.result is not None:
            return
        seat = summary.to_move[0].seat
        player = players[SEATS.index(seat)]
        own: dict[str, Any] = {"link": player.next_link(summary), "tip": player.new_tip(summary)}
        await order(desk, game, seat, Gale(), **own)


def test_one_link_is_good_for_every_batch_of_a_command(tmp_path: Path) -> None:
    async def test(desk: Desk) -> None:
        game, players = await with_chains(desk, 512, turns=30)
        summary = await desk.reader.summary(game)
        assert summary.link_credit == 1 + len(SEATS), "one for each domain"
        for short in range(summary.link_credit - 1):
            link = players[0].link(summary.params, summary.next_batch + short)
            with pytest.raises(DiceRefused, match=r"dice\.link-wrong"):
                await order(desk, game, "p1", Gale(), link=link)
        await blow(desk, game, players, 30)
        records = [one.data for one in batches(await desk.reader.events(game, TRUTH, 0, 1000))]
        commands = [
            one.caused_by for one in batches(await desk.reader.events(game, TRUTH, 0, 1000))
        ]
        assert len(records) > len(set(commands)), "several batches in one command"
        for record in records:
            (place,) = (place for place, link in enumerate(record["playerLinks"]) if link)
            link = players[place].link(summary.params, record["t"])
            assert record["playerLinks"][place] == link.hex(), "its own link for each batch"
        verdict = verify(await desk.reader.evidence(game, PUBLIC), GAMES, grade="A1")
        assert (verdict.word, verdict.grade) == ("UPHELD", "A1")

    on_desk(tmp_path, test)


def test_spent_chains_are_renewed_for_all(tmp_path: Path) -> None:
    """Also in a process that has just read the game, and with links that count from one again."""
    length = 16

    async def run() -> None:
        game = ""
        players: list[Player] = []
        for _ in range(40):
            async with desk_in(tmp_path, chain_length=length) as desk:
                if not game:
                    game, players = await with_chains(desk, length, turns=70)
                await blow(desk, game, players, 2)
        async with desk_in(tmp_path, chain_length=length) as desk:
            summary = await desk.reader.summary(game)
            assert summary.result is not None
            assert summary.renewals > 3
            rolls = await desk.reader.rolls(game, PUBLIC)
            assert len({roll.proof.params for roll in rolls}) > 3
            verdict = verify(await desk.reader.evidence(game, PUBLIC), GAMES, grade="A1")
            assert (verdict.word, verdict.grade) == ("UPHELD", "A1"), verdict.text()

    asyncio.run(run())


def test_a_seat_whose_chain_is_spent_begins_another_one(tmp_path: Path) -> None:
    length = 16

    async def test(desk: Desk) -> None:
        game, players = await with_chains(desk, length)
        early = players[0].tip(await desk.reader.summary(game))
        link = players[0].next_link(await desk.reader.summary(game))
        with pytest.raises(DiceRefused, match=r"dice\.link-unexpected"):
            await order(desk, game, "p1", Gale(), link=link, tip=early)
        while not (summary := await desk.reader.summary(game)).renewals:
            await blow(desk, game, players, 1)
        assert [seat.dice_tip for seat in summary.seats] == ["", "", ""]
        seat = summary.to_move[0].seat
        player = players[SEATS.index(seat)]
        link, tip = player.next_link(summary), player.tip(summary)
        with pytest.raises(DiceRefused, match=r"dice\.exhausted"):
            await order(desk, game, seat, Gale(), link=link)
        with pytest.raises(DiceRefused, match=r"dice\.link-missing"):
            await order(desk, game, seat, Gale(), tip=tip)
        with pytest.raises(DiceRefused, match=r"dice\.link-wrong"):
            await order(desk, game, seat, Gale(), link=tip, tip=tip)
        old = player.link(summary.params, length)
        with pytest.raises(DiceRefused, match=r"dice\.link-wrong"):
            await order(desk, game, seat, Gale(), link=old, tip=player.link(summary.params, 0))
        await order(desk, game, seat, Pass(), link=link, tip=tip)
        tips = [each.dice_tip for each in (await desk.reader.summary(game)).seats]
        assert tips == ["", "", ""], "nothing was rolled"
        await blow(desk, game, players, 1)
        assert sum(bool(seat.dice_tip) for seat in (await desk.reader.summary(game)).seats) == 1

    on_desk(tmp_path, test, chain_length=length)


def test_the_services_chain_alone_is_renewed_too(tmp_path: Path) -> None:
    async def test(desk: Desk) -> None:
        game = (await new_game(desk, turns=30)).game.id
        await play(desk, game, seed=2)
        summary = await desk.reader.summary(game)
        assert summary.renewals > 2
        assert summary.next_batch > 3 * 3
        verdict = verify(await desk.reader.evidence(game, PUBLIC), GAMES)
        assert verdict.word == "UPHELD", verdict.text()

    on_desk(tmp_path, test, chain_length=3)
