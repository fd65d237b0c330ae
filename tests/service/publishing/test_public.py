"""The log of a service at work: signed within a second, at once when a game ends, by one worker."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from service.desk import Desk, open_desk
from service.errors import StoreRefused
from service.log.note import VerifyKey
from service.publishing.folder import CHECKPOINT, LogFolder
from service.publishing.public import EVERY, PublicLog
from service.settings import Settings
from service.store.acts import listed
from service.store.figures import newest
from tests.service.desk.kit import GAMES, new_game, play
from tests.service.following.conftest import given
from tests.service.following.test_thread import until
from tests.service.publishing.kit import published

__all__ = ["given"]


def with_log(settings: Settings, folder: Path, **more: Any) -> Settings:
    """The settings with a log in the folder."""
    told = {name: getattr(settings, name) for name in Settings.__struct_fields__}
    more = {"log_dir": str(folder / "log"), "log_head": str(folder / "head"), **more}
    return Settings(**{**told, "log_key": "07" * 32, "log_name": "example.org/log", **more})


def run(settings: Settings, test: Callable[[Desk, PublicLog], Awaitable[None]]) -> None:
    async def at_work() -> None:
        async with open_desk(settings, GAMES) as desk:
            assert desk.public_log is not None
            await test(desk, desk.public_log)

    asyncio.run(at_work())


def size(folder: Path, key: VerifyKey) -> int:
    return published(folder, key)[0].size if LogFolder(folder / "log").text(CHECKPOINT) else 0


def test_all_that_is_played_is_signed(given: Settings, tmp_path: Path) -> None:
    async def test(desk: Desk, log: PublicLog) -> None:
        game = (await new_game(desk, 12)).game.id
        await play(desk, game, 1, 5)
        await until(lambda: size(tmp_path, log.key) == newest(desk.store.recorder))
        await until(lambda: log.waiting == (0, 0.0))
        await play(desk, game, 2, 3)

    run(with_log(given, tmp_path), test)

    async def stopped(desk: Desk, log: PublicLog) -> None:
        """What was played last was signed before the end, or is when it goes on."""
        await until(lambda: size(tmp_path, log.key) == newest(desk.store.recorder))

    run(with_log(given, tmp_path), stopped)


def test_the_end_of_a_game_waits_for_no_second(
    given: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.publishing.public.EVERY", 600.0)

    async def test(desk: Desk, log: PublicLog) -> None:
        game = (await new_game(desk)).game.id
        await asyncio.sleep(0)
        await play(desk, game, 1)
        await until(lambda: size(tmp_path, log.key) == newest(desk.store.recorder))

    assert EVERY == 1.0
    run(with_log(given, tmp_path), test)


def test_games_of_before_there_was_a_log_are_in_it(given: Settings, tmp_path: Path) -> None:
    async def test() -> None:
        async with open_desk(given, GAMES) as desk:
            assert desk.public_log is None
            await play(desk, (await new_game(desk)).game.id, 1)

    asyncio.run(test())

    async def later(desk: Desk, log: PublicLog) -> None:
        await until(lambda: size(tmp_path, log.key) == newest(desk.store.recorder) > 0)

    run(with_log(given, tmp_path), later)


def test_a_store_that_went_back_does_not_start(given: Settings, tmp_path: Path) -> None:
    settings = with_log(given, tmp_path)

    async def test(desk: Desk, log: PublicLog) -> None:
        await new_game(desk)
        await until(lambda: size(tmp_path, log.key) > 0)

    run(settings, test)

    async def back(desk: Desk, log: PublicLog) -> None:
        desk.store.recorder.put((), [("DELETE FROM log_leaves", ())])

    run(settings, back)
    with pytest.raises(StoreRefused, match="are signed, and the store has no leaf 0") as refusal:
        run(settings, test)
    assert refusal.value.code == "log.disagrees"


def test_a_log_that_cannot_go_on_is_ended_and_another_begins(
    given: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from service.cli import main

    async def test(desk: Desk, log: PublicLog) -> None:
        await new_game(desk)
        await until(lambda: size(tmp_path, log.key) > 0)

    run(with_log(given, tmp_path), test)
    monkeypatch.setenv("DECKLOG_STORE", given.store)
    monkeypatch.setenv("DECKLOG_DATABASE", str(given.database))
    if given.key:
        monkeypatch.setenv("DECKLOG_KEY", given.key)
    assert main(["store", "end-log"]) == 2
    assert main(["store", "end-log", "--by", "me", "--why", "restored"]) == 0
    with pytest.raises(StoreRefused, match="are signed, and the store has no leaf 0"):
        run(with_log(given, tmp_path), test)
    other = tmp_path / "other"

    async def anew(desk: Desk, log: PublicLog) -> None:
        await until(lambda: size(other, log.key) == newest(desk.store.recorder) > 0)
        acts = [(each.act, each.operator, each.why) for each in listed(desk.store.recorder)]
        assert acts == [("end-log", "me", "restored")]

    run(with_log(given, other, log_name="example.org/log2"), anew)


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ({"log_name": "two words"}, "is no name of a key"),
        ({"log_name": "example.org/other"}, "not of example.org/other"),
        ({"log_key": "08" * 32}, "is not signed by"),
    ],
)
def test_another_name_or_key_does_not_start(
    given: Settings, tmp_path: Path, more: dict[str, str], why: str
) -> None:
    async def test(desk: Desk, log: PublicLog) -> None:
        await new_game(desk)
        await until(lambda: size(tmp_path, log.key) > 0)

    run(with_log(given, tmp_path), test)
    with pytest.raises(StoreRefused, match=why):
        run(with_log(given, tmp_path, **more), test)


def test_a_log_that_disagrees_while_it_runs_signs_nothing_and_says_so(
    given: Settings, tmp_path: Path
) -> None:
    async def test(desk: Desk, log: PublicLog) -> None:
        game = (await new_game(desk, 12)).game.id
        await until(lambda: size(tmp_path, log.key) > 0)
        before = size(tmp_path, log.key)
        desk.store.recorder.put((), [("UPDATE log_leaves SET leaf = ? WHERE number = 0", (b"x",))])
        (tmp_path / "log" / CHECKPOINT).rename(tmp_path / "aside")
        (tmp_path / "log" / CHECKPOINT).mkdir()
        await play(desk, game, 1, 4)
        await until(lambda: bool(log.refuses) and log.waiting.seconds > 0)
        (tmp_path / "log" / CHECKPOINT).rmdir()
        (tmp_path / "aside").rename(tmp_path / "log" / CHECKPOINT)
        assert size(tmp_path, log.key) == before

    run(with_log(given, tmp_path), test)


def test_beside_a_postgresql_key_and_second_place_are_named(given: Settings) -> None:
    folder = Path(given.database).parent if not given.store else Path("/nonexistent")
    for more in ({"log_key": ""}, {"log_head": ""}):
        settings = with_log(given, folder, **more)
        if given.store:
            with pytest.raises(StoreRefused, match=r"DECKLOG_LOG_(KEY|HEAD)"):
                run(settings, _nothing)
        else:
            run(settings, _nothing)


async def _nothing(desk: Desk, log: PublicLog) -> None:
    assert not log.refuses


def test_two_workers_sign_one_log(postgresql: str, tmp_path: Path) -> None:
    """One has the office; when it stops, the other goes on where it was."""
    from tests.support import postgres

    store = postgres.place(postgresql, str(tmp_path))
    shared = Settings(store=store, key=postgres.KEY, chain_length=256)
    settings = with_log(shared, tmp_path)

    async def test() -> None:
        async with open_desk(settings, GAMES) as second:
            async with open_desk(settings, GAMES) as first:
                for desk in (first, second, first, second):
                    await play(desk, (await new_game(desk, 6)).game.id, 1, 6)
                log = first.public_log
                assert log is not None
                await until(lambda: size(tmp_path, log.key) == newest(first.store.recorder))
            await play(second, (await new_game(second, 6)).game.id, 1, 6)
            await until(lambda: size(tmp_path, log.key) == newest(second.store.recorder))
            leaves = published(tmp_path, log.key)[1]
            assert len({(leaf.tag, leaf.seq) for leaf in leaves}) == len(leaves)

    asyncio.run(test())
