"""A service is lost within an order: two keepers open the master, and the dice are its."""

from __future__ import annotations

import asyncio
import hashlib
import stat
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from projections.rolls import RollRecord
from service.clock import FixedClock
from service.errors import BadSetup, SeatRefused, StoreRefused
from service.evidence.escrow import public_of
from service.evidence.locks import LINK_SECONDS
from service.models import OrderKey, SeatWish, TakeSeat
from tests.service.cli.conftest import Run
from tests.service.desk.kit import GAMES, desk_in, fresh_key, new_game, order, wishes
from tests.service.desk.test_deadlines import NOON
from tests.service.desk.test_deadlines import wait as passes
from tests.service.desk.test_locked_orders import begun, give
from tests.support.pennant import Fire

NAMES = ("ann", "ben", "cleo")


def keepers(run: Run, folder: Path) -> Path:
    """The service's file of keepers, whose keys are in the folder."""
    lines = [run("escrow", "key", folder / name, "--name", name).out for name in NAMES]
    file = folder / "keepers"
    file.write_text("".join(lines))
    return file


def test_a_lost_service_is_not_needed(run: Run, tmp_path: Path) -> None:
    file = keepers(run, tmp_path)
    assert stat.S_IMODE((tmp_path / "ann").stat().st_mode) == 0o600
    before, link, rolled = asyncio.run(played(tmp_path, file))
    evidence = tmp_path / "before.decklog"
    evidence.write_bytes(before)
    shares = []
    for name in NAMES[1:]:
        done = run("escrow", "share", evidence, "--key", tmp_path / name)
        assert done.code == 0, done
        shares.append(tmp_path / f"{name}.json")
        shares[-1].write_text(done.out)
    master = tmp_path / "master"
    assert run("escrow", "open", evidence, *shares, "-o", master).code == 0
    assert stat.S_IMODE(master.stat().st_mode) == 0o600

    verdict = run("verify", evidence, "--master", master)
    assert (verdict.code, verdict.out.partition("\n")[0].split(",")[0]) == (0, "UPHELD (partial)")
    assert "batch 1 waits for its dice" in verdict.out
    assert "of which two open it, with ann, ben, cleo" in verdict.out

    pools = [part for pool in rolled.pools for part in ("--dice", f"{pool.count}d{pool.sides}")]
    roll = ("escrow", "roll", evidence, "--master", master, "--label", rolled.id, *pools)
    run(*roll).assert_mistake("p1 has given a link")
    run(*roll, "--link", f"p1={'00' * 32}").assert_mistake("cannot be rolled")
    done = run(*roll, "--link", f"p1={link}", "--json")
    assert done.code == 0, done
    assert done.json["batch"] == 1
    assert [tuple(pool) for pool in done.json["faces"]] == list(rolled.faces), "no other dice"


async def played(folder: Path, file: Path) -> tuple[bytes, str, RollRecord]:
    """The public file as it is when a lock waits and p1 has given its link; that link; and what
    the service rolls at last."""
    clock = FixedClock(NOON)
    async with desk_in(folder, clock, GAMES, escrow=str(file), deadline_grace=0) as desk:
        game, players = await begun(desk)
        await order(desk, game, "p1", Fire("hull"))
        summary = await give(desk, game, players[0])
        before = await desk.reader.evidence(game, "public")
        passes(clock, LINK_SECONDS)
        await desk.timekeeper.tick()
        (rolled,) = await desk.reader.rolls(game, "public")
        return before, players[0].link(summary.params, 1).hex(), rolled


def test_what_cannot_be_opened(run: Run, tmp_path: Path) -> None:
    file = keepers(run, tmp_path)
    evidence, without = tmp_path / "in.decklog", tmp_path / "without.decklog"

    async def export() -> None:
        for target, escrow in ((evidence, str(file)), (without, "")):
            async with desk_in(tmp_path / target.stem, escrow=escrow) as desk:
                game = (await new_game(desk)).game.id
                target.write_bytes(await desk.reader.evidence(game, "public"))

    asyncio.run(export())
    run("escrow", "share", without, "--key", tmp_path / "ann").assert_mistake("not in escrow")
    (tmp_path / "stranger").write_text("09" * 32)
    run("escrow", "share", evidence, "--key", tmp_path / "stranger").assert_mistake("no share")
    (tmp_path / "none").write_text("no key")
    run("escrow", "share", evidence, "--key", tmp_path / "none").assert_mistake("cannot be opened")
    share = tmp_path / "share"
    share.write_text(run("escrow", "share", evidence, "--key", tmp_path / "ann").out)
    output = tmp_path / "master"
    run("escrow", "open", evidence, share, share, "-o", output).assert_mistake("2 different shares")
    run("escrow", "open", evidence, share, file, "-o", output).assert_mistake("cannot be opened")
    assert not output.exists()
    run("verify", evidence, "--master", share).assert_mistake("holds no master")
    run("escrow", "key", share, "--name", "ann").assert_mistake("cannot be made")


def test_no_keeper_takes_a_seat(run: Run, tmp_path: Path) -> None:
    """Whoever has one key in two forms; that a keeper lends his eyes to a player no key shows."""
    seed = b"\x31" * 32
    signing = Ed25519PrivateKey.from_private_bytes(seed).public_key().public_bytes_raw().hex()
    file = keepers(run, tmp_path)
    lines = file.read_text().splitlines()
    own = public_of(hashlib.sha512(seed).digest()[:32]).hex()
    file.write_text("\n".join([f"ann {own}", *lines[1:]]))

    async def test() -> None:
        async with desk_in(tmp_path, escrow=str(file)) as desk:
            game = (await new_game(desk, seats=wishes("open", "keep"))).game.id
            taking = TakeSeat(seat="p1", order_key=OrderKey(public=signing))
            with pytest.raises(SeatRefused) as caught:
                await desk.writer.take_seat(game, taking, key=fresh_key())
            assert caught.value.code == "seat.key-unfit"
            kept = [SeatWish(seat="p1", order_key=OrderKey(public=signing)), SeatWish(seat="p2")]
            with pytest.raises(BadSetup, match="plays in no seat"):
                await new_game(desk, seats=kept)

    asyncio.run(test())


def test_a_file_of_keepers_that_is_none_stops_the_start(tmp_path: Path) -> None:
    (tmp_path / "keepers").write_text("ann\n")

    async def start(name: str) -> None:
        async with desk_in(tmp_path, escrow=str(tmp_path / name)):
            raise AssertionError("it does not come so far")

    for name in ("keepers", "nowhere"):
        with pytest.raises(StoreRefused) as caught:
            asyncio.run(start(name))
        assert caught.value.code == "store.unsafe"
