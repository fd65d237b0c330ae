"""The operator rules that a seat signs its orders by another key, or by none any more."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from msgspec import UNSET

from domain.kernel.codec import canonical
from service.bots import Signer
from service.desk import Desk
from service.errors import SignatureRefused
from service.models import NewKey, OrderKey, SeatWish, TakeSeat
from service.play.summaries import rebuilt
from tests.support.pennant import Choose, Fire
from tests.support.player import Player

from .kit import GAMES, desk_in, fresh_key, instruct, judged, new_game, order, wishes

ONE, TWO, THREE = (Signer(letter * 32) for letter in (b"1", b"2", b"3"))


def public(signer: Signer) -> str:
    return str(signer.registered["public"])


async def keyed(desk: Desk, **fields: Any) -> str:
    """A game in which p1 signs, and has given its first order."""
    wish = SeatWish(seat="p1", order_key=OrderKey(public=public(ONE)))
    game = (await new_game(desk, seats=[wish, SeatWish(seat="p2")], **fields)).game.id
    await give(desk, game, ONE, Choose("bold"))
    await order(desk, game, "p2", Choose("steady"))
    return game


async def give(desk: Desk, game: str, by: Signer | None, command: Any) -> None:
    summary = _plain(await desk.reader.summary(game))
    told = _plain(command)
    signature = bytes.fromhex(by.sign(summary, "p1", told)) if by else None
    await order(desk, game, "p1", command, signature=signature)


def _plain(value: Any) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(canonical(value))
    return found


async def ruled(desk: Desk, game: str, **about: str) -> str:
    return (await instruct(desk, "key", game, tell="a new telephone", seat="p1", **about)).code


def on_desk(folder: Path, test: Any) -> None:
    async def run() -> None:
        async with desk_in(folder) as desk:
            await test(desk)

    asyncio.run(run())


async def same_again(desk: Desk, game: str) -> None:
    """The summary is what the log makes anew."""
    found = await desk.reader.summary(game)
    made, _ = rebuilt(desk.store, GAMES, desk.engine.vault, game, canonical(found))
    assert made == found


def test_a_key_is_passed_on_and_the_old_one_is_good_no_more(tmp_path: Path) -> None:
    async def test(desk: Desk) -> None:
        game = await keyed(desk)
        signature = ONE.pass_on(game, "p1", TWO)
        assert await ruled(desk, game, public=public(TWO), signature=signature) == ""
        await same_again(desk, game)
        with pytest.raises(SignatureRefused):
            await give(desk, game, ONE, Fire())
        assert await by_word(desk, game) == {}
        await give(desk, game, TWO, Fire())
        await instruct(desk, "end", game, tell="Enough.")
        assert "p1 (O1)" in (await judged(desk, game)).text()

    on_desk(tmp_path, test)


def test_who_has_lost_his_key_plays_on_unsigned(tmp_path: Path) -> None:
    async def test(desk: Desk) -> None:
        game = await keyed(desk)
        assert await ruled(desk, game) == ""
        await same_again(desk, game)
        with pytest.raises(SignatureRefused):
            await give(desk, game, ONE, Fire())
        await give(desk, game, None, Fire())
        await instruct(desk, "end", game, tell="Enough.")
        text = (await judged(desk, game)).text()
        assert "grade O0" in text or "the service alone for p1" in text
        assert "p1 has lost the key of its orders" in text

    on_desk(tmp_path, test)


async def by_word(desk: Desk, game: str) -> dict[str, bool]:
    """By seat, where the summary says that its key is the organiser's word; as it is sent."""
    seats = _plain(await desk.reader.summary(game))["seats"]
    return {each["seat"]: each["keyRuled"] for each in seats if "keyRuled" in each}


def test_a_key_by_the_organisers_word_alone_is_told_to_the_end(tmp_path: Path) -> None:
    """As the verdict has it: what such a key passes on is worth no more."""

    async def test(desk: Desk) -> None:
        game = await keyed(desk)
        assert await by_word(desk, game) == {}
        assert await ruled(desk, game, public=public(TWO)) == ""
        assert await by_word(desk, game) == {"p1": True}
        signature = TWO.pass_on(game, "p1", THREE)
        giving = NewKey(public=public(THREE), signature=signature)
        await desk.writer.give_key(game, "p1", giving, key=fresh_key(), caller="t")
        assert await by_word(desk, game) == {"p1": True}
        await same_again(desk, game)
        await instruct(desk, "end", game, tell="Enough.")
        assert "the service alone for p1" in (await judged(desk, game)).text()

    on_desk(tmp_path, test)


def test_what_is_no_key_of_the_seat_is_refused(tmp_path: Path) -> None:
    async def test(desk: Desk) -> None:
        game, version = await keyed(desk), 0
        version = (await desk.reader.summary(game)).version
        signature = ONE.pass_on(game, "p1", TWO)
        for about in (
            {"public": public(ONE)},  # no other
            {"public": "00" * 32},  # no key
            {"public": "zz"},
            {"public": public(THREE), "signature": signature},  # signed was another
            {"public": public(TWO), "signature": TWO.pass_on(game, "p1", TWO)},
            {"public": public(TWO), "keeper": "friend"},
            {"signature": signature},
        ):
            assert await ruled(desk, game, **about) == "ruling.impossible", about
        code = (await instruct(desk, "key", game, tell="", seat="p2", public=public(TWO))).code
        assert code == "ruling.impossible", "p2 never had one"
        assert (await desk.reader.summary(game)).version == version

    on_desk(tmp_path, test)


def test_a_key_that_the_seat_had_before_is_refused(tmp_path: Path) -> None:
    """The signature by which it was passed on stands in the record: it would do again."""

    async def test(desk: Desk) -> None:
        game = await keyed(desk)
        for old, new in ((ONE, TWO), (TWO, THREE)):
            signature = old.pass_on(game, "p1", new)
            assert await ruled(desk, game, public=public(new), signature=signature) == ""
        for new in (ONE, TWO, THREE):
            signature = THREE.pass_on(game, "p1", new)
            told = await ruled(desk, game, public=public(new), signature=signature)
            assert told == "ruling.impossible"
            assert await ruled(desk, game, public=public(new)) == "ruling.impossible"

    on_desk(tmp_path, test)


def test_while_an_order_is_locked_its_key_stays(tmp_path: Path) -> None:
    """It was signed with that, and is carried out by what the seat has then."""

    async def test(desk: Desk) -> None:
        game = (await new_game(desk, grade="A2", seats=wishes("open", "open"))).game
        for place, key in ((0, OrderKey(public=public(ONE))), (1, UNSET)):
            tip = Player(place).tip(game).hex()
            taking = TakeSeat(seat=f"p{place + 1}", dice_tip=tip, order_key=key)
            await desk.writer.take_seat(game.id, taking, key=fresh_key())
        await give(desk, game.id, ONE, Choose("bold"))
        await order(desk, game.id, "p2", Choose("steady"))
        await give(desk, game.id, ONE, Fire())
        assert (await desk.reader.summary(game.id)).locked is not None
        assert await ruled(desk, game.id, public=public(TWO)) == "ruling.impossible"
        assert (await instruct(desk, "void", game.id, tell="")).code == ""
        assert await ruled(desk, game.id, public=public(TWO)) == ""

    on_desk(tmp_path, test)
