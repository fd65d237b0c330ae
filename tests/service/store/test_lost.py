"""An older backup in the place of the store: what was seen never comes again, and all are told."""

from __future__ import annotations

import asyncio
import logging
import shutil
from pathlib import Path
from typing import Any

import pytest

from domain.kernel.values import PUBLIC
from projections.rolls import RollRecord
from service.desk import Desk
from service.dice import nwd1
from service.errors import Lost
from service.evidence.records import EpochStarted
from service.evidence.verify import verify
from service.models import SeatWish, TakeSeat
from service.store.newest import SecondPlace
from tests.service.desk.kit import GAMES, desk_in, fresh_key, new_game, order, play
from tests.service.desk.test_summaries import agree
from tests.support.pennant import Choose, Fire
from tests.support.player import Player

LENGTH = 64


def copied(folder: Path, name: str) -> Path:
    """The database's file as it is now; nobody has it open."""
    return Path(shutil.copy(folder / "games.sqlite", folder / name))


def restored(folder: Path, name: str) -> None:
    shutil.copy(folder / name, folder / "games.sqlite")


async def shared_game(desk: Desk) -> tuple[str, Player]:
    """A game with dice of grade A1, in which p2 has a chain of its own."""
    seats = [SeatWish(seat="p1"), SeatWish(seat="p2", hold="open")]
    game = (await new_game(desk, turns=30, grade="A1", seats=seats)).game
    player = Player(1, LENGTH)
    tip = player.tip(game).hex()
    await desk.writer.take_seat(game.id, TakeSeat(seat="p2", dice_tip=tip), key=fresh_key())
    for seat in ("p1", "p2"):
        own = {"link": player.next_link(await desk.reader.summary(game.id))} if seat == "p2" else {}
        await order(desk, game.id, seat, Choose("bold"), **own)
    return game.id, player


async def fire(desk: Desk, game: str, player: Player) -> None:
    """The seat that is to move fires, with its link and tip if it has a chain."""
    summary = await desk.reader.summary(game)
    seat = summary.to_move[0].seat
    own: dict[str, Any] = {}
    if seat == "p2":
        own = {"link": player.next_link(summary), "tip": player.new_tip(summary)}
    await order(desk, game, seat, Fire(), **own)


async def told(desk: Desk) -> None:
    """Every game that is to get new dice has them."""
    await desk.announcer.look()
    assert desk.store.lost(10) == []


async def faces(desk: Desk, game: str) -> list[Any]:
    """Of each roll, and they follow from its proof, as a stranger works them out."""
    rolls = await desk.reader.rolls(game, PUBLIC)
    for roll in rolls:
        assert proven(roll) == roll.faces, "its proof is of other chains"
    return [(roll.batch, roll.id, roll.faces) for roll in rolls]


def proven(roll: RollRecord) -> tuple[tuple[int, ...], ...]:
    proof = roll.proof
    params = bytes.fromhex(proof.params)
    context = nwd1.batch_context(params, proof.domain, proof.batch)
    links = [bytes.fromhex(each) if each else None for each in proof.player_links]
    material = nwd1.batch_material(bytes.fromhex(proof.link), links)
    pools = [(pool.count, pool.sides) for pool in roll.pools]
    return nwd1.roll(nwd1.batch_key(context, material), roll.id, pools).faces


def types(events: Any) -> list[str]:
    return [event.type for event in events]


def test_dice_that_were_seen_never_come_again(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Twice the same backup: each time the game goes on with other dice, and is upheld."""
    seen: list[list[Any]] = []

    async def begin() -> tuple[str, Player]:
        async with desk_in(tmp_path, chain_length=LENGTH) as desk:
            game, player = await shared_game(desk)
            await fire(desk, game, player)
            return game, player

    async def go_on(game: str, player: Player, *, lost: bool) -> None:
        async with desk_in(tmp_path, chain_length=LENGTH) as desk:
            assert desk.store.found_behind == lost
            await told(desk)
            for _ in range(8):
                await fire(desk, game, player)
            rolled = await faces(desk, game)
            seen.append([roll for roll in rolled if roll not in known])
            verdict = verify(await desk.reader.evidence(game, PUBLIC), GAMES)
            assert verdict.word == "UPHELD", verdict.text()
            found = types(await desk.reader.events(game, PUBLIC, 0, 1_000))
            assert found.count(EpochStarted.TYPE) == lost
            assert ("the service's store went back" in verdict.text()) == lost
            summary = await desk.reader.summary(game)
            assert (summary.renewals, bool(summary.chain_params)) == (int(lost), lost)

    game, player = asyncio.run(begin())
    copied(tmp_path, "older.sqlite")
    known: list[Any] = []

    async def rolled_before() -> None:
        async with desk_in(tmp_path, chain_length=LENGTH) as desk:
            known.extend(await faces(desk, game))

    asyncio.run(rolled_before())
    asyncio.run(go_on(game, player, lost=False))
    with caplog.at_level(logging.ERROR):
        for _ in range(2):
            restored(tmp_path, "older.sqlite")
            asyncio.run(go_on(game, player, lost=True))
    assert sum("not the one that it was" in record.message for record in caplog.records) == 2
    assert len(known) == 1
    assert len(seen) == 3
    assert all(len(rolls) == 8 for rolls in seen)
    for one, another in ((0, 1), (0, 2), (1, 2)):
        assert [r[2] for r in seen[one]] != [r[2] for r in seen[another]]


def test_every_running_game_is_told_and_one_that_is_over_is_not(tmp_path: Path) -> None:
    async def begin() -> tuple[list[str], str]:
        async with desk_in(tmp_path) as desk:
            running = [(await new_game(desk, turns=30)).game.id for _ in range(5)]
            over = (await new_game(desk)).game.id
            await play(desk, over, 1)
            return running, over

    async def more(game: str) -> None:
        async with desk_in(tmp_path) as desk:
            await order(desk, game, "p1", Choose("bold"))

    async def look(running: list[str], over: str) -> None:
        async with desk_in(tmp_path) as desk:
            await told(desk)
            for game in running:
                events = await desk.reader.events(game, PUBLIC, 0, 1_000)
                assert types(events)[-1] == EpochStarted.TYPE
                assert "absent from the dice until it begins another" in events[-1].text
                assert (await desk.reader.view(game, PUBLIC)).version == events[-1].seq
            agree(desk)
            ended = await desk.reader.events(over, PUBLIC, 0, 1_000)
            assert EpochStarted.TYPE not in types(ended)

    async def again() -> None:
        async with desk_in(tmp_path) as desk:
            assert not desk.store.found_behind

    running, over = asyncio.run(begin())
    copied(tmp_path, "older.sqlite")
    asyncio.run(more(running[0]))
    restored(tmp_path, "older.sqlite")
    asyncio.run(look(running, over))
    asyncio.run(again())


def test_a_repeat_for_a_version_that_is_lost_is_told_so(tmp_path: Path) -> None:
    async def run() -> None:
        async with desk_in(tmp_path) as desk:
            game = (await new_game(desk)).game
            with pytest.raises(Lost) as refused:
                await order(desk, game.id, "p1", Choose("bold"), expected=game.version + 3)
            assert (refused.value.code, refused.value.current) == ("version.lost", game.version)

    asyncio.run(run())


def test_a_seat_that_has_not_begun_a_new_chain_is_absent_and_its_game_goes_on(
    tmp_path: Path,
) -> None:
    async def begin() -> tuple[str, Player]:
        async with desk_in(tmp_path, chain_length=LENGTH) as desk:
            return await shared_game(desk)

    async def go_on(game: str, player: Player) -> None:
        async with desk_in(tmp_path, chain_length=LENGTH) as desk:
            await told(desk)
            for _ in range(4):
                seat = (await desk.reader.summary(game)).to_move[0].seat
                await order(desk, game, seat, Fire())
            assert (await desk.reader.summary(game)).seats[1].dice_tip == ""
            verdict = verify(await desk.reader.evidence(game, PUBLIC), GAMES)
            assert (verdict.word, verdict.grade) == ("UPHELD", "A0"), verdict.text()
            for _ in range(4):
                await fire(desk, game, player)
            assert (await desk.reader.summary(game)).seats[1].dice_tip != ""

    game, player = asyncio.run(begin())
    copied(tmp_path, "older.sqlite")

    async def more() -> None:
        async with desk_in(tmp_path, chain_length=LENGTH) as desk:
            await fire(desk, game, player)

    asyncio.run(more())
    restored(tmp_path, "older.sqlite")
    asyncio.run(go_on(game, player))


@pytest.mark.parametrize(
    "text", [b"", b"nothing", b'{"store":"another","game":"g","version":1,"head":"00"}']
)
def test_a_second_place_that_says_nothing_accuses_nobody(tmp_path: Path, text: bytes) -> None:
    path = tmp_path / "newest"
    path.write_bytes(text)
    assert SecondPlace(path, ("own",)).read() is None
    place = SecondPlace(path, ("own",))
    place.write("a game", 12, "ab" * 32)
    place.write("a game", 3, "cd" * 32)
    place.close()
    found = SecondPlace(path, ("own",)).read()
    assert found is not None
    assert (found.game, found.version, found.head) == ("a game", 3, "cd" * 32)
