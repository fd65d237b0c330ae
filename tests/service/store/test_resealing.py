"""Another key in the place of a former one: nothing is lost, and the former one opens nothing."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from service.cli import rotating
from service.errors import StoreRefused
from service.evidence.verify import verify
from service.play.locksmith import Locksmith
from service.settings import Settings
from service.store.box import box_of
from service.store.resealing import counts
from service.webhooks.keeper import NewWebhook, Owner
from tests.service.cli.conftest import Run, run
from tests.service.desk.kit import GAMES, desk_in, fresh_key, new_game, order, play
from tests.support import postgres
from tests.support.pennant import Choose
from tests.support.postgres import KEY

__all__ = ["run"]

NEW = "0123456789abcdef" * 4
Store = Callable[[str], dict[str, Any]]


@pytest.fixture(params=["sqlite", "postgresql"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Store:
    """Settings of one store, with the keys that are given."""
    if request.param == "sqlite":
        return lambda key: {"database": tmp_path / "games.sqlite", "key": key}
    address = request.getfixturevalue("postgresql")
    return lambda key: {"store": postgres.place(address, str(tmp_path)), "key": key}


async def filled(folder: Path, **told: Any) -> tuple[str, str]:
    """A game that goes on with a webhook, and one that is over."""
    async with desk_in(folder, webhook_private=True, webhook_seconds=0, **told) as desk:
        going, over = [(await new_game(desk)).game.id for _ in range(2)]
        owner, hook = Owner(going, "", "0" * 64), NewWebhook(url="http://127.0.0.1:1/x")
        await desk.webhooks.create(owner, hook, key=fresh_key())
        await order(desk, going, "p1", Choose("bold"), key="remembered-key")
        await play(desk, over, 1)
        return going, over


async def goes_on(folder: Path, game: str, **told: Any) -> None:
    """With its dice, its webhook and its answers."""
    async with desk_in(folder, webhook_private=True, webhook_seconds=0, **told) as desk:
        again = await order(desk, game, "p1", Choose("bold"), key="remembered-key", expected=2)
        assert again.replayed
        await play(desk, game, 3)
        assert verify(await desk.reader.evidence(game, "public"), GAMES).word == "UPHELD"


def test_all_is_sealed_anew_while_the_service_goes_on(tmp_path: Path, store: Store) -> None:
    going, over = asyncio.run(filled(tmp_path, **store(KEY)))

    async def both() -> None:
        async with desk_in(tmp_path, webhook_private=True, webhook_seconds=0,
                           **store(f"{NEW} {KEY}")) as desk:  # fmt: skip
            new, old = desk.store.box.names
            before = counts(desk.store.recorder, desk.store.box)
            assert {name: told[new] for name, told in before.items()} == dict.fromkeys(before, 0)
            assert before["masters"][old] == before["summaries"][old] == 2
            assert before["webhooks"][old] == 2
            assert before["answers"][old] > 2
            await order(desk, going, "p2", Choose("steady"))
            keeper = Locksmith(desk.store, desk.threads.read)
            left, _ = await asyncio.gather(keeper.go_through(), play(desk, going, 5, 2))
            assert left == 0
            after = counts(desk.store.recorder, desk.store.box)
            assert {name: told[old] for name, told in after.items()} == dict.fromkeys(after, 0)
            assert after["masters"][new] == 2
            assert (await desk.reader.summary(over)).status == "finished"

    asyncio.run(both())
    with pytest.raises(StoreRefused, match=r"store\.wrong-key"):
        asyncio.run(goes_on(tmp_path, going, **store(KEY)))
    asyncio.run(goes_on(tmp_path, going, **store(NEW)))


def test_a_former_key_cannot_be_left_away_too_soon(tmp_path: Path, store: Store) -> None:
    going, _ = asyncio.run(filled(tmp_path, **store(KEY)))
    with pytest.raises(StoreRefused, match=r"store\.wrong-key"):
        asyncio.run(goes_on(tmp_path, going, **store(NEW)))
    asyncio.run(goes_on(tmp_path, going, **store(f"{KEY} {NEW}")))


def test_a_worker_with_the_old_key_first_reads_what_one_with_the_new_writes(
    tmp_path: Path, store: Store
) -> None:
    """So that a fleet may be given both, worker by worker, without a stop."""
    going, _ = asyncio.run(filled(tmp_path, **store(KEY)))
    asyncio.run(goes_on(tmp_path, going, **store(f"{NEW} {KEY}")))

    async def read() -> None:
        async with desk_in(tmp_path, **store(f"{KEY} {NEW}")) as desk:
            assert (await desk.reader.summary(going)).status == "finished"

    asyncio.run(read())


def test_a_key_file_is_rotated(tmp_path: Path, run: Run) -> None:
    going, _ = asyncio.run(filled(tmp_path))
    where = ("--database", tmp_path / "games.sqlite")
    signed = ("--by", "harbour master", "--why", "it leaked")
    path = tmp_path / "games.sqlite.key"
    old = path.read_text().strip()
    assert run("admin", "rotate", *signed, *where).code == 0
    new, kept = path.read_text().split()
    assert (kept, path.stat().st_mode & 0o777) == (old, 0o600)
    run("admin", "rotate", "--drop", *signed, *where).assert_mistake("under a former key")
    told = run("admin", "keys", "--json", *where).json
    assert told["sealed"]["masters"] == {told["keys"][0]: 0, told["keys"][1]: 2, "": 0}

    async def start() -> None:
        async with desk_in(tmp_path) as desk:
            assert await Locksmith(desk.store, desk.threads.read).go_through() == 0

    asyncio.run(start())
    assert run("admin", "rotate", "--drop", *signed, *where).code == 0
    assert path.read_text().split() == [new]
    asyncio.run(goes_on(tmp_path, going))
    acts = run("store", "acts", "--json", *where)
    assert [each["act"] for each in acts.json] == [
        "rotate-begun", "rotate", "drop-keys-begun", "drop-keys",
    ]  # fmt: skip
    assert not [key for key in (new, old) if key in acts.out]
    refused = run("admin", "keys", "--database", tmp_path / "none.sqlite")
    refused.assert_mistake("There is no store")


@pytest.mark.parametrize("where", ["before its line", "behind its line"])
def test_a_rotation_that_breaks_off_is_logged_once_and_done(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    asyncio.run(filled(tmp_path))
    store = ("--database", tmp_path / "games.sqlite")
    signed = ("--by", "harbour master", "--why", "it leaked")
    path = tmp_path / "games.sqlite.key"
    old = path.read_text().split()

    class PowerCut(BaseException):
        """Nothing more is done."""

    def cut(*given: Any, **more: Any) -> None:
        raise PowerCut

    before = where == "before its line"
    broken: tuple[Any, str] = (rotating, "logged") if before else (Path, "replace")
    with monkeypatch.context() as patch:
        patch.setattr(*broken, cut)
        with pytest.raises(PowerCut):
            run("admin", "rotate", *signed, *store)
    assert path.read_text().split() == old
    assert run("admin", "rotate", *signed, *store).code == 0
    new, *kept = path.read_text().split()
    assert kept == old, "one key more, and no second one"
    *first, act = run("store", "acts", "--json", *store).json
    told = [] if before else ["rotate-begun", "rotate-undone"]
    assert [each["act"] for each in (*first, act)] == [*told, "rotate-begun", "rotate"]
    assert act["details"]["keys"] == " ".join(box_of(path, [new, *old]).names)
    assert run("admin", "rotate", *signed, *store).code == 0
    assert len(path.read_text().split()) == 3, "what was done is done no more"


def test_several_keys_are_read_and_none_is_shown() -> None:
    assert Settings(key=f"{NEW} {KEY}").store_keys == (NEW, KEY)
