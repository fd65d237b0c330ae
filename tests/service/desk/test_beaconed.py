"""Dice of grade A3: the order is locked, links are closed, and a beacon's round comes last."""

from __future__ import annotations

import asyncio
import socketserver
import threading
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from domain.kernel.values import PUBLIC
from service.clock import FixedClock
from service.desk import Desk
from service.dice import nwd1
from service.errors import BadSetup, DiceRefused
from service.evidence.beacon import NETWORKS, QUICKNET, entry_of, time_of
from service.evidence.locks import LINK_SECONDS
from service.evidence.records import BeaconSeen
from service.evidence.verify import verify
from service.play.beacons import Beacons, NotThere, Relay
from tests.service.desk import test_locked_orders
from tests.service.desk.kit import (
    GAMES,
    desk_in,
    instruct,
    judged,
    new_game,
    order,
)
from tests.service.desk.test_deadlines import wait as passes
from tests.service.desk.test_deadlines import with_clock
from tests.service.desk.test_locked_orders import give, kinds, refused
from tests.support.beacon import OWN, REAL, put, signed
from tests.support.pennant import Fire, Pass
from tests.support.player import Player
from tests.support.soundings import Gale

JUST_BEFORE = datetime(2023, 8, 23, 15, 15, 28, tzinfo=UTC)
"""Five seconds before round 123 of quicknet came."""


@pytest.fixture
def own(monkeypatch: pytest.MonkeyPatch) -> None:
    """The beacon of the tests in the place of quicknet, whose rounds nobody can make."""
    monkeypatch.setitem(NETWORKS, QUICKNET, OWN)


async def table(desk: Desk, count: int = 2, **fields: Any) -> tuple[str, list[Player]]:
    return await test_locked_orders.table(desk, count, grade="A3", **fields)


async def begun(desk: Desk, **fields: Any) -> tuple[str, list[Player]]:
    return await test_locked_orders.begun(desk, grade="A3", **fields)


async def round_of(desk: Desk, game: str) -> int:
    """For which a game waits."""
    return (await desk.reader.summary(game)).beacon_round


async def a_round_and_an_absence(desk: Desk, clock: FixedClock, relay: Path) -> AsyncIterator[str]:
    """A game whose first dice have round 123, and which p2 forfeits by the next; step by step."""
    game, players = await begun(desk, forfeit=1)
    await order(desk, game, "p1", Fire("hull"))
    for player in players:
        await give(desk, game, player)
    yield game
    put(relay, 123, REAL[123])
    assert desk.timekeeper.beacons is not None
    passes(clock, 5)
    await desk.timekeeper.tick()
    await desk.timekeeper.beacons.look()
    passes(clock, 1)
    await desk.timekeeper.tick()
    yield game
    await order(desk, game, "p2", Fire("hull"))
    await give(desk, game, players[0])
    passes(clock, LINK_SECONDS)
    await desk.timekeeper.tick()
    assert (await desk.reader.summary(game)).forfeited == ("p2",)
    yield game


async def comes(desk: Desk, clock: FixedClock, folder: Path, game: str) -> None:
    """The round that the game waits for, out of the folder."""
    number = await round_of(desk, game)
    put(folder, number, signed(number))
    passes(clock, 10)
    await desk.timekeeper.tick()
    assert desk.timekeeper.beacons is not None
    await desk.timekeeper.beacons.look()
    passes(clock, 1)
    await desk.timekeeper.tick()


def test_a_real_round_of_quicknet_is_in_the_dice(tmp_path: Path) -> None:
    async def test(desk: Desk, clock: FixedClock) -> None:
        game, players = await begun(desk)
        await order(desk, game, "p1", Fire("hull"))
        for player in players:
            await give(desk, game, player)
        assert await round_of(desk, game) == 123
        locked = (await desk.reader.summary(game)).locked
        assert locked is not None
        assert locked.due == time_of(NETWORKS[QUICKNET], 123)
        with pytest.raises(DiceRefused, match=r"dice\.awaited"):
            await order(desk, game, "p1", Pass())
        put(tmp_path / "relay", 123, REAL[123])
        assert desk.timekeeper.beacons is not None
        await desk.timekeeper.tick()
        assert await desk.timekeeper.beacons.look() == 0, "nobody asks before it comes"
        passes(clock, 5)
        await desk.timekeeper.tick()
        await desk.timekeeper.beacons.look()  # the service itself may have looked before
        assert desk.timekeeper.beacons.get(QUICKNET, 123) == REAL[123]
        passes(clock, 1)
        await desk.timekeeper.tick()
        assert (await desk.reader.summary(game)).locked is None
        told = await desk.reader.events(game, PUBLIC, 0, 1_000)
        (seen,) = [event.data for event in told if event.type == BeaconSeen.TYPE]
        assert seen == {"t": 1, "round": 123, "signature": REAL[123]}
        for viewer in ("public", "p1", "p2"):
            verdict = await judged(desk, game, viewer)
            assert [batch.grade for batch in verdict.batches] == ["A3"]
        (roll,) = await desk.reader.rolls(game, PUBLIC)
        proof = roll.proof
        links = [bytes.fromhex(each) for each in proof.player_links]
        entry = entry_of(proof.round, proof.beacon)
        material = nwd1.batch_material(bytes.fromhex(proof.link), links, entry)
        key = nwd1.batch_key(bytes.fromhex(proof.ctx), material)
        pools = [(pool.count, pool.sides) for pool in roll.pools]
        assert nwd1.roll(key, roll.id, pools).faces == roll.faces

    relay = str(tmp_path / "relay")
    with_clock(tmp_path, test, JUST_BEFORE, beacon=relay)


@pytest.mark.usefixtures("own")
def test_a_whole_game_is_of_grade_a3(tmp_path: Path) -> None:
    async def test(desk: Desk, clock: FixedClock) -> None:
        game, players = await begun(desk, turns=6)
        while (summary := await desk.reader.summary(game)).result is None:
            if summary.locked is None:
                await order(desk, game, summary.to_move[0].seat, Fire("hull"))
            elif summary.beacon_round:
                await comes(desk, clock, tmp_path / "relay", game)
            else:
                for player in players:
                    await give(desk, game, player)
        verdict = verify(await desk.reader.evidence(game, PUBLIC), GAMES, grade="A3")
        assert (verdict.word, verdict.scope, verdict.grade) == ("UPHELD", "complete", "A3")

    with_clock(tmp_path, test, beacon=str(tmp_path / "relay"))


@pytest.mark.usefixtures("own")
def test_each_batch_of_an_order_has_a_round_of_its_own(tmp_path: Path) -> None:
    async def test(desk: Desk, clock: FixedClock) -> None:
        options = {"turns": 60, "deal": False}
        fields = {"turns": 60, "ruleset": "soundings", "options": options}
        game, players = await table(desk, 3, **fields)
        for _ in range(12):
            await order(desk, game, (await desk.reader.summary(game)).to_move[0].seat, Gale())
            while (await desk.reader.summary(game)).locked is not None:
                if await round_of(desk, game):
                    await comes(desk, clock, tmp_path / "relay", game)
                else:
                    for player in players:
                        await give(desk, game, player)
        told = await desk.reader.events(game, PUBLIC, 0, 10_000)
        rounds = [event.data["round"] for event in told if event.type == BeaconSeen.TYPE]
        assert len(set(rounds)) == len(rounds) >= 12
        for viewer in ("public", "p1"):
            assert {each.grade for each in (await judged(desk, game, viewer)).batches} == {"A3"}

    with_clock(tmp_path, test, beacon=str(tmp_path / "relay"))


def test_a_round_that_no_game_asks_for_any_more_is_not_waited_for() -> None:
    """Its game was ended by a ruling: the alert went on until the service was started anew."""
    clock = FixedClock(JUST_BEFORE)

    async def read(*_: Any) -> Any:
        raise NotThere("it has not come")

    async def looked(times: int) -> float:
        for _ in range(times):
            passes(clock, 1)
            await beacons.look()
        return beacons.waiting

    beacons = Beacons("http://127.0.0.1:1", read, clock)
    for _ in range(3):
        assert beacons.get(QUICKNET, 7) is None
        asyncio.run(looked(100))
    assert beacons.waiting == 300
    assert asyncio.run(looked(21)) == 0
    assert beacons.trouble == "", "nobody waits for it"


@pytest.mark.usefixtures("own")
def test_a_game_waits_for_the_beacon_as_long_as_it_takes_and_through_a_restart(
    tmp_path: Path,
) -> None:
    async def run() -> None:
        clock = FixedClock(JUST_BEFORE)
        changes = {"deadline_grace": 0, "beacon": str(tmp_path / "relay")}
        async with desk_in(tmp_path, clock, GAMES, **changes) as desk:
            game, players = await begun(desk)
            await order(desk, game, "p1", Fire("hull"))
            await give(desk, game, players[0])
            passes(clock, LINK_SECONDS)
            await desk.timekeeper.tick()
            assert await round_of(desk, game)
            assert await refused(desk, game, players[1]) == "dice.awaited"
            assert (await instruct(desk, "void", game)).code == "ruling.impossible"
            for _ in range(3):
                passes(clock, 3_600)
                await desk.timekeeper.tick()
                assert desk.timekeeper.beacons is not None
                await desk.timekeeper.beacons.look()
                assert desk.timekeeper.beacons.trouble
            assert desk.timekeeper.beacons is not None
            assert desk.timekeeper.beacons.waiting == 7_200, "the relay has it not, and it was due"
        async with desk_in(tmp_path, clock, GAMES, **changes) as desk:
            assert not (await instruct(desk, "freeze", game)).code
            await comes(desk, clock, tmp_path / "relay", game)
            assert (await desk.reader.summary(game)).locked is not None, "it is frozen"
            assert not (await instruct(desk, "thaw", game)).code
            await comes(desk, clock, tmp_path / "relay", game)
            assert (await desk.reader.summary(game)).locked is None
            assert "beacon-seen" in await kinds(desk, game, 0)
            assert desk.timekeeper.beacons is not None
            assert desk.timekeeper.beacons.waiting == 0
            verdict = await judged(desk, game)
            assert (verdict.grade, verdict.absences) == ("A3", {"p2": 1})

    asyncio.run(run())


@pytest.mark.usefixtures("own")
def test_a_clock_that_goes_back_after_the_lock_names_no_round_that_was_there(
    tmp_path: Path,
) -> None:
    async def test(desk: Desk, clock: FixedClock) -> None:
        game, players = await begun(desk)
        await order(desk, game, "p1", Fire("hull"))
        clock.at -= timedelta(seconds=20)
        for player in players:
            await give(desk, game, player)
        passes(clock, 20)
        await comes(desk, clock, tmp_path / "relay", game)
        assert (await desk.reader.summary(game)).locked is None
        assert (await judged(desk, game)).grade == "A3"

    with_clock(tmp_path, test, beacon=str(tmp_path / "relay"))


def test_a_service_without_a_beacon_takes_no_such_game(tmp_path: Path) -> None:
    async def test(desk: Desk, clock: FixedClock) -> None:
        with pytest.raises(BadSetup) as caught:
            await new_game(desk, grade="A3")
        assert caught.value.code == "grade.unavailable"

    with_clock(tmp_path, test)


# Hostile replies


def replies() -> list[bytes]:
    """What a relay may say that is no round 123 of the beacon."""
    genuine = f'{{"round":123,"signature":"{REAL[123]}"}}'.encode()
    wrong = [
        b"", b"null", b"[]", b"{}", b"<html><body>Wait a moment</body></html>", b"\xff\xfe\x00",
        genuine.replace(b"123,", b"124,", 1), genuine.replace(b"123,", b'"123",', 1),
        genuine.replace(b"b75c", b"b75d"), genuine.replace(REAL[123].encode(), b""),
        genuine.replace(REAL[123].encode(), REAL[657_413].encode()),
        genuine.replace(REAL[123].encode(), signed(123).encode()),
        genuine + genuine, genuine[:-1], b"[" * 60_000, b" " * 70_000 + genuine,
        b'{"round":1e400,"signature":""}', b'{"round":' + b"9" * 5_000 + b',"signature":""}',
    ]  # fmt: skip
    return wrong + [
        genuine[:at] + bytes([genuine[at] ^ 1]) + genuine[at + 1 :] for at in range(30, 126, 3)
    ]


def test_no_hostile_file_is_believed(tmp_path: Path) -> None:
    place = tmp_path / QUICKNET / "public"
    place.mkdir(parents=True)
    relay = Relay(str(tmp_path))
    for number, reply in enumerate(replies()):
        (place / "123").write_bytes(reply)
        with pytest.raises(NotThere):
            relay.fetch(QUICKNET, 123)
        assert number < 100
    put(tmp_path, 123, REAL[123])
    assert relay.fetch(QUICKNET, 123) == REAL[123]
    with pytest.raises(NotThere):
        relay.fetch(QUICKNET, 124)


@contextmanager
def answering(reply: bytes, *, drip: float = 0.0) -> Iterator[str]:
    """A relay on a port of its own that says this to everybody, or word by word for ever."""

    class Handler(socketserver.BaseRequestHandler):
        def handle(self) -> None:
            self.request.recv(65_536)
            self.request.sendall(reply)
            while drip and not done.wait(drip):
                try:
                    self.request.sendall(b" ")
                except OSError:
                    return

    done = threading.Event()
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}"
        finally:
            done.set()
            server.shutdown()
            thread.join()


def http(body: bytes, status: str = "200 OK", extra: str = "") -> bytes:
    head = f"HTTP/1.1 {status}\r\nContent-Length: {len(body)}\r\n{extra}Connection: close\r\n\r\n"
    return head.encode() + body


GENUINE = f'{{"round":123,"signature":"{REAL[123]}","randomness":"no matter"}}'.encode()


def test_a_relay_is_asked_over_http() -> None:
    with answering(http(GENUINE)) as address:
        relay = Relay(address + "/")
        assert relay.fetch(QUICKNET, 123) == REAL[123]
        relay.close()


@pytest.mark.parametrize(
    "reply",
    [
        http(GENUINE, "500 Oops"),
        http(GENUINE, "302 Found", "Location: http://127.0.0.1:9/\r\n"),
        http(GENUINE + b" " * 70_000),
        http(GENUINE.replace(b"b75c", b"b75d")),
        b"no HTTP at all",
        b"",
    ],
)
def test_a_relay_that_answers_otherwise_is_not_believed(reply: bytes) -> None:
    with answering(reply) as address, pytest.raises(NotThere):
        Relay(address).fetch(QUICKNET, 123)


def test_a_relay_that_does_not_come_to_an_end_is_left() -> None:
    endless = b"HTTP/1.1 200 OK\r\nContent-Length: 60000\r\n\r\n" + GENUINE
    with answering(endless, drip=0.2) as address:
        began = time.monotonic()
        with pytest.raises(NotThere, match="too slow"):
            Relay(address).fetch(QUICKNET, 123)
        assert time.monotonic() - began >= 1, "it was given its time"


def test_nobody_there_is_a_trouble_and_no_more() -> None:
    with pytest.raises(NotThere):
        Relay("http://127.0.0.1:9").fetch(QUICKNET, 123)
    with pytest.raises(NotThere):
        Relay("http://[nowhere").fetch(QUICKNET, 123)
