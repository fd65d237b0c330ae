"""Seats and their tokens, and the dice chains that players bring (grade A1)."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any
from zlib import crc32

import pytest

from domain.kernel.values import PUBLIC
from service.desk import Desk
from service.dice import nwd1
from service.errors import DiceRefused, GameOver, SeatRefused, ServiceError
from service.evidence.verify import verify
from service.models import Outcome, TakeSeat
from tests.support import postgres
from tests.support.pennant import Choose, Fire, Pass
from tests.support.player import Player

from .kit import GAMES, desk_in, fresh_key, new_game, on_desk, order, play, settings, wishes


async def refused_seat(desk: Desk, game: str, taking: TakeSeat) -> str:
    with pytest.raises(ServiceError) as refused:
        await desk.writer.take_seat(game, taking, key=fresh_key())
    return refused.value.code


def test_an_invited_seat_needs_its_invitation(tmp_path: Path) -> None:
    async def test(desk: Desk) -> None:
        created = await new_game(desk, seats=wishes("keep", "invite"))
        other = await new_game(desk, seats=wishes("invite", "invite"))
        game = created.game.id
        assert created.game.status == "open"
        assert [seat.held for seat in created.game.seats] == ["kept", "invited"]
        ours = created.invitations[0].token
        wrong = [
            created.tokens[0].token,
            created.organiser,
            other.invitations[0].token,
            other.invitations[1].token,
            ours[:-1] + "x",
            "dl_invitation_0_0_0",
        ]
        for token in wrong:
            taking = TakeSeat(seat="p2", invitation=token)
            assert await refused_seat(desk, game, taking) == "seat.invitation-wrong"
        assert await refused_seat(desk, game, TakeSeat(seat="p2")) == "seat.invitation-needed"
        assert await refused_seat(desk, game, TakeSeat(seat="p1")) == "seat.taken"
        assert await refused_seat(desk, game, TakeSeat(seat="p3")) == "seat.unknown"
        assert await refused_seat(desk, "0" * 32, TakeSeat(seat="p2")) == "game.not-found"

        assert (await desk.reader.identify(ours)) is not None
        taken = await desk.writer.take_seat(game, TakeSeat(seat="p2", invitation=ours), key="sit")
        assert taken.game.status == "playing"
        assert taken.game.version == created.game.version + 1
        who = await desk.reader.identify(taken.token)
        assert who is not None
        assert (who.kind, who.game, who.seat) == ("seat", game, "p2")
        assert await desk.reader.identify(ours) is None, "an invitation is good once"
        assert await refused_seat(desk, game, TakeSeat(seat="p2", invitation=ours)) == "seat.taken"
        again = await desk.writer.take_seat(game, TakeSeat(seat="p2", invitation=ours), key="sit")
        assert (again.replayed, again.token) == (True, taken.token)

    on_desk(tmp_path, test)


def test_two_who_want_the_same_open_seat(tmp_path: Path) -> None:
    async def test(desk: Desk) -> None:
        game = (await new_game(desk, seats=wishes("keep", "open"))).game.id
        answers = await asyncio.gather(
            *(desk.writer.take_seat(game, TakeSeat(seat="p2"), key=key) for key in "abc"),
            return_exceptions=True,
        )
        lost = [answer for answer in answers if isinstance(answer, SeatRefused)]
        assert len(lost) == 2
        assert {error.code for error in lost} == {"seat.taken"}

    on_desk(tmp_path, test)


def test_a_game_begins_before_all_seats_are_taken_and_closes_with_its_end(tmp_path: Path) -> None:
    async def test(desk: Desk) -> None:
        created = await new_game(desk, turns=1, seats=wishes("open", "open"))
        game = created.game.id
        assert created.tokens == ()
        await desk.writer.take_seat(game, TakeSeat(seat="p1"), key="a")
        await order(desk, game, "p1", Choose("bold"))
        await play(desk, game, seed=1)
        with pytest.raises(GameOver):
            await desk.writer.take_seat(game, TakeSeat(seat="p2"), key="b")
        assert verify(await desk.reader.evidence(game, PUBLIC), GAMES).word == "UPHELD"

    on_desk(tmp_path, test)


def forge(token: str, token_id: str) -> str:
    """The token under another id, with a right checksum."""
    prefix, kind, _, rest = token.split("_", 3)
    body = f"{prefix}_{kind}_{token_id}_{rest[:43]}"
    return f"{body}_{crc32(body.encode()):08x}"


def test_tokens_are_told_once_and_end_when_revoked(tmp_path: Path) -> None:
    async def test(desk: Desk) -> None:
        created = await new_game(desk)
        token = created.tokens[0].token
        who = await desk.reader.identify(token)
        assert who is not None
        assert token.startswith(f"dl_seat_{who.token_id}_")
        organiser = await desk.reader.identify(created.organiser)
        assert organiser is not None
        assert (organiser.kind, organiser.seat) == ("organiser", "")
        for bad in ("", token[:-1], token.replace("dl_", "xx_"), token + "0", token.upper()):
            assert await desk.reader.identify(bad) is None
        forged = forge(created.tokens[1].token, who.token_id)
        assert forge(token, who.token_id) == token, "the forger knows the form"
        assert await desk.reader.identify(forged) is None
        assert await desk.writer.revoke(who.token_id)
        assert await desk.reader.identify(token) is None
        assert not await desk.writer.revoke(who.token_id)
        assert await desk.reader.identify(created.tokens[1].token) is not None

    on_desk(tmp_path, test)


def test_a_database_shows_no_token_no_master_and_no_key(tmp_path: Path) -> None:
    told: list[str] = []

    async def test(desk: Desk) -> None:
        created = await new_game(desk, turns=30, seats=wishes("keep", "invite"))
        told.extend((created.organiser, created.tokens[0].token, created.invitations[0].token))
        await order(desk, created.game.id, "p1", Choose("bold"))
        finished = await new_game(desk, turns=1, seed="closed")
        await play(desk, finished.game.id, seed=1)
        running = await new_game(desk, turns=1, seed="running")
        await order(desk, running.game.id, "p1", Choose("bold"))

    on_desk(tmp_path, test)
    given = settings(tmp_path)
    if given.store:
        written = database = postgres.everything(given.store)
        key = given.key
    else:
        written = b"".join(path.read_bytes() for path in sorted(tmp_path.glob("games.sqlite*")))
        database = given.database.read_bytes()
        key = (tmp_path / "games.sqlite.key").read_text().strip()
    for token in told:
        assert token.split("_", 3)[3].encode() not in written
    for form in (key.encode(), bytes.fromhex(key)):
        assert form not in database
    closed, running = (nwd1.th("nwd1/named-seed", seed) for seed in (b"closed", b"running"))
    assert closed.hex().encode() in database, "the record of a closed game opens its master"
    for form in (running.hex().encode(), running):
        assert form not in database


async def a1_game(desk: Desk) -> tuple[str, str, Player]:
    """A game in which p2 brought a chain and p1 did not; p1 is to move."""
    game = (await new_game(desk, turns=30, grade="A1", seats=wishes("keep", "open"))).game
    player = Player(1)
    tip = player.link(game.params, 0).hex()
    taken = await desk.writer.take_seat(game.id, TakeSeat(seat="p2", dice_tip=tip), key=fresh_key())
    assert taken.game.seats[1].dice_tip == tip
    await order(desk, game.id, "p1", Choose("bold"))
    link = player.link(game.params, 1)
    await order(desk, game.id, "p2", Choose("bold"), link=link)
    return game.id, game.params, player


def rolled(outcome: Outcome) -> dict[str, Any]:
    """The one batch of a command."""
    (batch,) = (e.data for e in outcome.events if e.type == "decklog.batch-rolled")
    found: dict[str, Any] = batch
    return found


def test_a_seat_with_a_tip_sends_its_links(tmp_path: Path) -> None:
    async def run() -> None:
        async with desk_in(tmp_path) as desk:
            game, g, player = await a1_game(desk)
            outcome = await order(desk, game, "p1", Fire("hull"))
            assert rolled(outcome)["playerLinks"] == ["", ""]
            assert outcome.next_batch == 2
            with pytest.raises(DiceRefused, match=r"dice\.link-missing"):
                await order(desk, game, "p2", Fire("hull"))
            for wrong in (player.link(g, 1), player.link(g, 3), bytes(32), b""):
                with pytest.raises(DiceRefused, match=r"dice\.link-wrong"):
                    await order(desk, game, "p2", Fire("hull"), link=wrong)
            with pytest.raises(DiceRefused, match=r"dice\.link-unexpected"):
                await order(desk, game, "p1", Fire("hull"), link=player.link(g, 2))
            link = player.link(g, 2)
            outcome = await order(desk, game, "p2", Fire("hull"), link=link)
            assert rolled(outcome)["playerLinks"] == ["", link.hex()]
            (_, roll) = await desk.reader.rolls(game, PUBLIC)
            assert roll.proof.player_links == ("", link.hex())
        async with desk_in(tmp_path) as desk:
            await order(desk, game, "p1", Pass())
            with pytest.raises(DiceRefused, match=r"dice\.link-wrong"):
                await order(desk, game, "p2", Fire("hull"), link=link)
            await order(desk, game, "p2", Fire("hull"), link=player.link(g, 3))
            assert verify(await desk.reader.evidence(game, PUBLIC), GAMES).word == "UPHELD"

    asyncio.run(run())


def test_tips_that_are_refused(tmp_path: Path) -> None:
    async def test(desk: Desk) -> None:
        tip = "ab" * 32
        game = (await new_game(desk, grade="A1", seats=wishes("open", "open"))).game
        taking = TakeSeat(seat="p1", dice_tip=tip)
        taken = await desk.writer.take_seat(game.id, taking, key=fresh_key())
        assert taken.game.seats[0].dice_tip == tip
        for wrong in ("ab", "AB" * 32, "xy" * 32):
            taking = TakeSeat(seat="p2", dice_tip=wrong)
            assert await refused_seat(desk, game.id, taking) == "dice.tip-malformed"
        taking = TakeSeat(seat="p2", dice_tip=tip)
        assert await refused_seat(desk, game.id, taking) == "dice.tip-copied"
        plain = (await new_game(desk, seats=wishes("keep", "open"))).game
        assert await refused_seat(desk, plain.id, taking) == "dice.link-unexpected"

    on_desk(tmp_path, test)


def test_a_named_seed_makes_the_same_dice(tmp_path: Path) -> None:
    async def test(desk: Desk) -> None:
        rolled = []
        for seed in ("nelson", "nelson", "villeneuve"):
            game = (await new_game(desk, turns=10, seed=seed)).game
            assert game.seed_named
            await order(desk, game.id, "p1", Choose("bold"))
            await order(desk, game.id, "p2", Choose("bold"))
            for number in range(10):
                await order(desk, game.id, f"p{number % 2 + 1}", Fire("hull"))
            rolled.append([roll.faces for roll in await desk.reader.rolls(game.id, PUBLIC)])
            assert verify(await desk.reader.evidence(game.id, PUBLIC), GAMES).word == "UPHELD"
        assert rolled[0] == rolled[1]
        assert rolled[0] != rolled[2]

    on_desk(tmp_path, test)
