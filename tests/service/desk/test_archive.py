"""A finished game that leaves the table of events is found as before, by whoever asks."""

from __future__ import annotations

import asyncio
import errno
import subprocess
import sys
from collections.abc import Awaitable, Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import msgspec
import pytest

from domain.kernel.values import PUBLIC
from projections.finder import found
from service.desk import Desk, open_desk
from service.dice.vault import Vault
from service.errors import (
    Damaged,
    GameOver,
    ServiceError,
    StoreFull,
    StoreRefused,
    StoreUnavailable,
)
from service.evidence.verify import verify
from service.following.follower import compare
from service.following.log import read_log
from service.following.meaning import Meanings
from service.play import archiving, archivist
from service.play.archiving import Judged, Unarchivable, put_away
from service.play.examining import walk
from service.store import acts, objects
from service.store.archive import Archived
from service.store.objects import Folder
from service.store.resealing import reseal
from service.work.nursery import Nursery
from service.work.outcomes import Failed
from service.work.tasks import Export
from tests.support.bucket import bucket
from tests.support.pennant import Choose

from . import kit
from .hands import DAYS, Hands
from .kit import GAMES, desk_in, instruct, new_game, order, play
from .test_expiry import forked

pytestmark = pytest.mark.slow("stores")

AGE = 5
EYES = (PUBLIC, "p1", "p2")
Test = Callable[[Desk, Hands], Awaitable[None]]


def on_desk(folder: Path, test: Test, **changes: Any) -> None:
    """A desk whose finished games are archived after five days, when they are looked at."""

    async def run() -> None:
        hands = Hands()
        more = {"archive": str(folder / "archive"), "archive_days": AGE, **changes}
        async with desk_in(folder, hands, **more) as desk:
            await test(desk, hands)

    asyncio.run(run())


async def finished(desk: Desk, seed: int = 1) -> str:
    game = (await new_game(desk)).game.id
    await play(desk, game, seed)
    return game


async def ages(desk: Desk, hands: Hands, days: float = AGE + 1) -> int:
    """So many days pass, and old games are archived; how many."""
    hands.passed += days * DAYS
    return await desk.archivist.look()


async def everything(desk: Desk, game: str) -> list[Any]:
    """All that anybody may ask of a game."""
    summary = await desk.reader.summary(game)
    told: list[Any] = [summary]
    desk.reader._cache.clear()
    for eyes in EYES:
        versions = range(1, summary.version + 1)
        told += [await desk.reader.view(game, eyes, version) for version in versions]
        told.append(await desk.reader.events(game, eyes, 0, 200))
        told.append(await desk.reader.events(game, eyes, 3, 4))
        told.append(await desk.reader.rolls(game, eyes))
    told.append(await desk.office.do(Export(game, PUBLIC), "x", lambda _: None))
    told.append(list(map(archiving._plain, desk.store.commands(game))))
    return told


def log_of(desk: Desk, step: int = 500) -> list[Any]:
    """Every entry of the log, read so many at a time. Two who look for its end wait for each other,
    on PostgreSQL for a moment only: so nobody else follows it from here on.
    """
    desk.following.stop()
    recorder, place, entries = desk.store.recorder, 0, list[Any]()
    upto = recorder.settled()
    while place < upto:
        place, told = read_log(recorder, place, upto, step, Meanings(GAMES))
        entries += told
    return entries


def hot(desk: Desk, game: str) -> tuple[int, int]:
    """How many of its events and orders the tables have."""
    query = desk.store.recorder.query
    return (
        query("SELECT count(*) FROM stored_events WHERE originator_id = ?", (game,))[0][0],
        query("SELECT count(*) FROM commands WHERE game = ?", (game,))[0][0],
    )


def test_it_is_found_by_whoever_asks(tmp_path: Path) -> None:
    async def test(desk: Desk, hands: Hands) -> None:
        one, other = await finished(desk, 1), await finished(desk, 2)
        going = (await new_game(desk)).game.id
        before = [await everything(desk, game) for game in (one, other)]
        log, events = log_of(desk), hot(desk, one)[0]
        assert await ages(desk, hands, AGE - 1) == 0
        assert await ages(desk, hands, 2) == 2
        assert [hot(desk, game) for game in (one, other)] == [(0, 0), (0, 0)]
        assert hot(desk, going)[0] > 0
        assert [await everything(desk, game) for game in (one, other)] == before
        assert log_of(desk) == log
        assert [game.id for game in await desk.reader.lobby(limit=9)] == [
            going, other, one,
        ]  # fmt: skip
        for act, game in zip(acts.listed(desk.store.recorder), (one, other), strict=True):
            assert (act.act, act.game, act.operator) == ("archive", game, archiving.SERVICE)
            assert b'"events":%d,' % events in bytes(act.details) or game == other

    on_desk(tmp_path, test)


def test_the_log_is_whole_in_steps_of_every_width_while_games_leave_it(tmp_path: Path) -> None:
    """Followers that begin anew read what was archived in the place where it stood."""

    async def test(desk: Desk, hands: Hands) -> None:
        games = [(await new_game(desk, turns=3)).game.id for _ in range(4)]
        for seed in range(60):  # turn about, so that their events lie between each other
            await play(desk, games[seed % 4], seed, commands=1)
        for seed, game in enumerate(games[:3]):
            await play(desk, game, seed)
        late = (await new_game(desk)).game.id
        log, half = log_of(desk), 0
        assert len({entry.entry.game for entry in log}) == 5
        assert await ages(desk, hands) in (3, 4)
        assert hot(desk, games[0]) == (0, 0)
        assert hot(desk, late)[0] > 0
        for step in (1, 2, 3, 7, 500):
            assert log_of(desk, step) == log, step
        half = len(log) // 2
        place = log[half].entry.place
        upto = desk.store.recorder.settled()
        reached, rest = read_log(desk.store.recorder, place, upto, 500, Meanings(GAMES))
        assert (reached, rest) == (upto, log[half + 1 :])

    on_desk(tmp_path, test)


def test_a_game_that_is_archived_between_two_steps_is_read_once(tmp_path: Path) -> None:
    async def test(desk: Desk, hands: Hands) -> None:
        games = [await finished(desk, seed) for seed in range(3)]
        await new_game(desk)
        log, recorder = log_of(desk), desk.store.recorder
        await archive(desk, games[0])
        upto, place, told = recorder.settled(), 0, list[Any]()
        for game in (None, None, games[1], None, games[2]):
            place, more = read_log(recorder, place, upto, 5, Meanings(GAMES))
            told += more
            if game:
                await archive(desk, game)
        while place < upto:
            place, more = read_log(recorder, place, upto, 5, Meanings(GAMES))
            told += more
        assert told == log

    on_desk(tmp_path, test)


async def archive(desk: Desk, game: str) -> archiving.Deposit:
    """At once, whatever its age."""
    judged = await desk.archivist._judge(game)
    return await asyncio.to_thread(put_away, desk.store, judged, game, "harbour master", "room")


def test_projections_are_made_anew_as_they_were(tmp_path: Path) -> None:
    async def test(desk: Desk, hands: Hands) -> None:
        for seed in range(3):
            await finished(desk, seed)
        await new_game(desk)
        for name in found():
            assert await desk.records.reached(name)
        assert await ages(desk, hands) == 3
        for projection in found().values():
            documents, differences = await asyncio.to_thread(
                compare, desk.store.recorder, projection, meanings=Meanings(GAMES)
            )
            assert documents > 0
            assert differences == []

    on_desk(tmp_path, test)


def test_it_is_forked_and_takes_no_order(tmp_path: Path) -> None:
    async def test(desk: Desk, hands: Hands) -> None:
        game = await finished(desk)
        await new_game(desk)
        assert await ages(desk, hands) == 1
        fork = await forked(desk, game)
        await order(desk, fork, "p1", Choose("bold"))
        with pytest.raises(GameOver):
            await order(desk, game, "p1", Choose("bold"))
        assert (await instruct(desk, "freeze", game)).code == "game.over"

    on_desk(tmp_path, test)


def test_a_start_finds_it_and_another_key_opens_it(tmp_path: Path) -> None:
    """Tokens of its seats let in as before; the ring seals its master anew like any other."""
    kept: list[Any] = []

    async def first(desk: Desk, hands: Hands) -> None:
        made = await new_game(desk)
        await play(desk, made.game.id, 1)
        await new_game(desk)
        token = next(each.token for each in made.tokens if each.seat == "p1")
        kept.extend([made.game.id, token, await everything(desk, made.game.id)])
        assert await ages(desk, hands) == 1

    async def second(desk: Desk, hands: Hands) -> None:
        game, token, before = kept
        assert await everything(desk, game) == before
        who = await desk.reader.identify(token)
        assert who is not None
        assert (who.game, who.seat) == (game, "p1")
        await asyncio.to_thread(reseal, desk.store.recorder, desk.store.box, lambda: None)
        assert await everything(desk, game) == before

    on_desk(tmp_path, first)
    on_desk(tmp_path, second)


def test_a_deleted_game_takes_its_file_with_it(tmp_path: Path) -> None:
    async def test(desk: Desk, hands: Hands) -> None:
        game = await finished(desk)
        await new_game(desk)
        assert await ages(desk, hands) == 1
        (key,) = desk.store.archive.listed()
        file = tmp_path / "archive" / key
        kept = file.read_bytes()
        assert (await instruct(desk, "delete", game)).code == ""
        assert list(desk.store.archive.listed()) == []
        assert game not in {entry.entry.game for entry in log_of(desk)}
        file.write_bytes(kept)  # as if whoever was to take it away had been killed
        assert archiving.clear_deleted(desk.store) == 1
        assert list(desk.store.archive.listed()) == []

    on_desk(tmp_path, test)


def test_the_newest_event_of_all_stays(tmp_path: Path) -> None:
    """SQLite would give its place to the next one, which followers would pass over."""

    async def test(desk: Desk, hands: Hands) -> None:
        game = await finished(desk)
        assert await ages(desk, hands) == 0
        with pytest.raises(Unarchivable):
            await archive(desk, game)
        assert hot(desk, game)[0] > 0
        fork = await forked(desk, game)
        newest = desk.following.newest()
        assert await ages(desk, hands) == 1
        desk.store.expiry.go_on("2099-01-01T00:00:00.000Z")
        assert hot(desk, fork) == (0, 0)
        assert desk.following.newest() == newest
        later = (await new_game(desk)).game.id
        assert log_of(desk)[-1].entry.game == later
        assert log_of(desk)[-1].entry.place > newest

    on_desk(tmp_path, test)


BROKEN: dict[str, tuple[Callable[[Path], object], type[Exception]]] = {
    "a file that is gone": (Path.unlink, Damaged),
    "a byte that is another": (
        lambda file: file.write_bytes(bytes([file.read_bytes()[0] ^ 1]) + file.read_bytes()[1:]),
        Damaged,
    ),
    "an empty file": (lambda file: file.write_bytes(b""), Damaged),
    "a folder that is not mounted": (
        lambda file: file.parent.parent.rename(file.parent.parent.with_name("away")),
        StoreUnavailable,
    ),
}


@pytest.mark.parametrize("name", BROKEN)
def test_what_is_wrong_with_a_file_is_told(tmp_path: Path, name: str) -> None:
    harm, error = BROKEN[name]

    async def test(desk: Desk, hands: Hands) -> None:
        other, game = await finished(desk, 2), await finished(desk, 1)
        await new_game(desk)
        assert await ages(desk, hands) == 2
        (key,) = (each for each in desk.store.archive.listed() if game in each)
        harm(tmp_path / "archive" / key)
        desk.store.archive._kept.clear()
        desk.reader._cache.clear()
        with pytest.raises(error):
            await desk.reader.view(game, PUBLIC, 3)
        if error is StoreUnavailable:
            with pytest.raises(error):
                log_of(desk)
            return
        assert (await desk.reader.view(other, PUBLIC, 3)).version == 3
        assert {e.entry.game for e in log_of(desk)} > {other}
        vault = Vault(512)
        faults = {e.game: e.faults for e in walk(desk.store, GAMES, vault, lambda _: None)}
        assert [name for name, found in faults.items() if found] == [game]
        assert "archive" in faults[game][0]

    on_desk(tmp_path, test)


def test_it_does_not_start_without_the_folder(tmp_path: Path) -> None:
    async def test(desk: Desk, hands: Hands) -> None:
        await finished(desk)
        await new_game(desk)
        assert await ages(desk, hands) == 1

    on_desk(tmp_path, test)
    for changes in ({"archive": ""}, {"archive": str(tmp_path / "elsewhere")}):
        with pytest.raises(StoreRefused) as refused:
            on_desk(tmp_path, test, archive_days=0, **changes)
        assert refused.value.code == "store.no-archive"
        assert "1 games" in refused.value.hint


def test_what_is_not_upheld_stays(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async def test(desk: Desk, hands: Hands) -> None:
        game = await finished(desk)
        await new_game(desk)
        judged = await desk.archivist._judge(game)
        assert judged.upheld
        assert verify(judged.data, GAMES).word == "UPHELD"
        other = await desk.archivist._judge(await finished(desk, 2))
        for wrong in (Judged(judged.data, False, "REFUTED"), other):
            with pytest.raises(Unarchivable):
                put_away(desk.store, wrong, game, "x", "y")
            assert hot(desk, game)[0] > 0
        with pytest.raises(ServiceError, match=r"game\.not-found"):
            await desk.archivist._judge("0" * 32)

    on_desk(tmp_path, test)


DYING = {
    "half a file is written": "os.fsync = die",
    "the file has no name": "pathlib.Path.replace = die",
    "its name may not be on the disk": "objects.synced = die",
    "it is not compared": "archiving._compared = die",
    "it has a name": "archiving._exchanged = die",
    "half of the transaction is done": "recorder.combined = postgres.combined = half",
    "all is done": "done, archiving._exchanged = archiving._exchanged, lambda *a: die(done(*a))",
}
SCRIPT = """
import os, pathlib, sys, msgspec
from service.clock import SYSTEM
from service.play import archiving
from service.settings import Settings
from service.store import objects, postgres, recorder
from service.store.store import Store

def die(*_):
    os._exit(9)

def half(statements):
    yield from list(combined(statements))[:2]
    die()

combined = recorder.combined
told = msgspec.json.decode(sys.stdin.buffer.read())
database = pathlib.Path(told["settings"].pop("database", "none"))
store = Store(Settings(database=database, **told["settings"]))
store.open(SYSTEM.now())
judged = msgspec.convert(told["judged"], archiving.Judged)
{how}
archiving.put_away(store, judged, told["game"], "x", "y")
"""


@pytest.mark.parametrize("when", DYING)
def test_whoever_is_killed_loses_nothing_and_doubles_nothing(tmp_path: Path, when: str) -> None:
    kept: list[Any] = []

    async def before(desk: Desk, hands: Hands) -> None:
        game = await finished(desk)
        await new_game(desk)
        judged = await desk.archivist._judge(game)
        kept.extend([game, judged, await everything(desk, game), log_of(desk), hot(desk, game)])

    async def after(desk: Desk, hands: Hands) -> None:
        game, _, said, log, rows = kept
        done = when == "all is done"
        assert hot(desk, game) == ((0, 0) if done else rows)
        assert (await everything(desk, game), log_of(desk)) == (said, log)
        assert [act.act for act in acts.listed(desk.store.recorder)] == ["archive"] * done
        assert await ages(desk, hands) == (not done)
        assert (await everything(desk, game), log_of(desk)) == (said, log)
        assert len(list(desk.store.archive.listed())) == 1

    on_desk(tmp_path, before)
    given = {**kit.store_of(tmp_path), "chain_length": 512, "archive": str(tmp_path / "archive")}
    told = {"settings": {**given}, "game": kept[0], "judged": kept[1]}
    if "database" in given:
        told["settings"]["database"] = str(given["database"])
    script = SCRIPT.replace("{how}", DYING[when])
    dying = [sys.executable, "-c", script]
    died = subprocess.run(dying, input=msgspec.json.encode(told), capture_output=True, check=False)
    assert died.returncode == 9, died.stderr.decode()
    on_desk(tmp_path, after)


def test_a_folder_that_takes_nothing_leaves_the_game(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")

    async def test(desk: Desk, hands: Hands) -> None:
        game = await finished(desk)
        await new_game(desk)
        before = hot(desk, game)
        for error, patch in ((StoreUnavailable, None), (StoreFull, errno.ENOSPC)):
            with pytest.MonkeyPatch.context() as broken:
                if patch is not None:
                    desk.store.archive.files = Folder(tmp_path / "archive")
                    full = OSError(patch, "No space left on device")
                    broken.setattr("service.store.objects._made", raising(full))
                with pytest.raises(error):
                    await archive(desk, game)
            assert hot(desk, game) == before
        assert await ages(desk, hands) == 1

    on_desk(tmp_path, test, archive=str(tmp_path / "file" / "archive"))


def raising(error: Exception) -> Callable[[Path], None]:
    def broken(folder: Path) -> None:
        raise error

    return broken


def test_old_games_go_by_themselves_judged_in_a_process_of_their_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(archivist, "BEGIN_SECONDS", 0.01)
    monkeypatch.setattr(archivist, "LOOK_SECONDS", 0.05)
    caplog.set_level("INFO", "service.play.archivist")
    nursery = Nursery.forked(GAMES)
    assert nursery is not None
    given = kit.settings(tmp_path, archive=str(tmp_path / "archive"), archive_days=AGE)

    async def test() -> None:
        hands = Hands()
        async with open_desk(given, GAMES, hands, nursery=nursery) as desk:
            games = [await finished(desk, seed) for seed in range(2)]
            await new_game(desk)
            hands.passed += (AGE + 1) * DAYS
            async with asyncio.timeout(60):
                while caplog.text.count("is in the archive: ") < 2:  # noqa: ASYNC110 it is told
                    await asyncio.sleep(0.05)
            assert not hot(desk, games[1])[0]
            assert desk.office._works._places[0].child is not None  # type: ignore[attr-defined]
            assert len(list(desk.store.archive.listed())) == 2

    asyncio.run(test())
    nursery.close()
    assert caplog.text.count("is in the archive: ") == 2


def test_games_go_into_a_bucket_and_are_found_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with bucket(tmp_path / "buckets") as server:
        for name, value in server.environment.items():
            monkeypatch.setenv(name, value)
        monkeypatch.setattr(objects, "TIMEOUT", timedelta(seconds=60))  # of a busy machine

        async def before(desk: Desk, hands: Hands) -> None:
            game, kept = await finished(desk), await finished(desk, 2)
            await new_game(desk)
            said = [await everything(desk, each) for each in (game, kept)]
            log = log_of(desk)
            assert await ages(desk, hands) == 2
            assert len(list(server.files.rglob("*.zip.gz"))) == 2
            assert (hot(desk, game), hot(desk, kept)) == ((0, 0), (0, 0))
            desk.store.archive._kept.clear()
            assert [await everything(desk, each) for each in (game, kept)] == said
            assert log_of(desk) == log
            assert (await instruct(desk, "delete", game)).code == ""
            assert len(list(server.files.rglob("*.zip.gz"))) == 1
            desk.store.archive._kept.clear()
            desk.reader._cache.clear()
            server.stop()
            with pytest.raises(StoreUnavailable):
                await desk.reader.view(kept, PUBLIC, 3)
            with pytest.raises(StoreUnavailable):
                await archive(desk, await finished(desk, 3))

        async def again(desk: Desk, hands: Hands) -> None:
            assert desk.store.archive.held(desk.store.recorder)[0] == 1

        on_desk(tmp_path, before, archive=server.address)
        with pytest.raises(StoreRefused, match="cannot be read"):
            on_desk(tmp_path, again, archive=server.address)
        server.start()
        on_desk(tmp_path, again, archive=server.address)
        (file,) = server.files.rglob("*.zip.gz")
        file.unlink()
        with pytest.raises(StoreRefused, match="and not in s3://games/decklog"):
            on_desk(tmp_path, again, archive=server.address)


def test_two_workers_archive_a_game_once(tmp_path: Path) -> None:
    async def test(desk: Desk, hands: Hands) -> None:
        game = await finished(desk)
        await new_game(desk)
        judged = await desk.archivist._judge(game)
        await archive(desk, game)
        before = await everything(desk, game)
        with pytest.raises(Unarchivable):
            put_away(desk.store, judged, game, "x", "y")
        assert await everything(desk, game) == before
        assert len(list(desk.store.archive.listed())) == 1

    on_desk(tmp_path, test)


def test_nothing_is_written_in_the_place_of_a_folder_that_is_not_mounted(tmp_path: Path) -> None:
    """It would be out of sight as soon as the folder is back, and all others damaged until then."""

    async def test(desk: Desk, hands: Hands) -> None:
        one, other = await finished(desk, 1), await finished(desk, 2)
        await new_game(desk)
        await archive(desk, one)
        before = await everything(desk, one)
        folder = tmp_path / "archive"
        folder.rename(folder.with_name("away"))
        folder.mkdir()
        with pytest.raises(StoreUnavailable):
            await ages(desk, hands)
        assert list(folder.iterdir()) == []
        assert hot(desk, other)[0] > 0
        with pytest.raises(StoreRefused) as refused:
            desk.store.archive.check(desk.store.recorder)
        assert refused.value.code == "store.no-archive"
        folder.rmdir()
        folder.with_name("away").rename(folder)
        assert await ages(desk, hands) == 1
        assert await everything(desk, one) == before

    on_desk(tmp_path, test)


@pytest.mark.parametrize("days", [0, AGE])
def test_a_game_that_is_deleted_while_its_folder_is_away_loses_its_file_later(
    tmp_path: Path, days: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Games that went by hand, too: then none goes by itself."""
    monkeypatch.setattr(archivist, "BEGIN_SECONDS", 0.0)
    monkeypatch.setattr(archivist, "LOOK_SECONDS", 0.05)

    async def test(desk: Desk, hands: Hands) -> None:
        game = await finished(desk, 1)
        await new_game(desk)
        await archive(desk, game)
        folder = tmp_path / "archive"
        folder.rename(folder.with_name("away"))
        assert (await instruct(desk, "delete", game)).code == ""
        folder.with_name("away").rename(folder)
        for _ in range(100):
            if not list(desk.store.archive.listed()):
                break
            await asyncio.sleep(0.05)
        assert list(desk.store.archive.listed()) == []

    on_desk(tmp_path, test, archive_days=days)


def test_a_folder_that_gives_no_file_away_holds_up_no_other_instruction(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def test(desk: Desk, hands: Hands) -> None:
        one, other = await finished(desk, 1), await new_game(desk)
        await archive(desk, one)

        def refuse(self: Path, *, missing_ok: bool = False) -> None:
            raise OSError(errno.EROFS, "Read-only file system")

        with monkeypatch.context() as patched:
            patched.setattr(Path, "unlink", refuse)
            assert (await instruct(desk, "delete", one)).code == ""
            assert (await instruct(desk, "hide", other.game.id)).code == ""
        assert len(list(desk.store.archive.listed())) == 1
        assert archiving.clear_deleted(desk.store) == 1

    on_desk(tmp_path, test)


def test_a_game_that_breaks_its_judge_stays_and_the_others_go(tmp_path: Path) -> None:
    """A fault of ours, or no room for it, ended the archivist for good, and nobody heard of it."""

    async def test(desk: Desk, hands: Hands) -> None:
        broken, other = await finished(desk, 1), await finished(desk, 2)
        await new_game(desk)
        keeper = desk.archivist
        judge = keeper._judge

        async def breaks(game: str) -> Judged:
            if game == broken:
                raise Failed("a trace")
            return await judge(game)

        keeper._judge = breaks
        hands.passed += (AGE + 1) * DAYS
        assert await keeper.look() == 1
        assert await keeper.look() == 0
        assert hot(desk, broken)[0] > 0
        assert hot(desk, other) == (0, 0)
        assert keeper.left == 1

    on_desk(tmp_path, test)


@pytest.mark.parametrize("mended", ["after a day", "by hand", "deleted"])
def test_a_game_that_had_to_stay_is_counted_until_that_is_mended(
    tmp_path: Path, mended: str
) -> None:
    async def test(desk: Desk, hands: Hands) -> None:
        game = await finished(desk)
        await new_game(desk)
        keeper = desk.archivist
        judge = keeper._judge

        async def refutes(game: str) -> Judged:
            return Judged((await judge(game)).data, False, "REFUTED")

        keeper._judge = refutes
        assert (await ages(desk, hands), keeper.left) == (0, 1)
        keeper._judge = judge
        assert (await keeper.look(), keeper.left) == (0, 1), "it is not tried again at once"
        if mended == "after a day":
            hands.passed += archivist.AGAIN_SECONDS
        elif mended == "by hand":
            put_away(desk.store, await judge(game), game, "x", "y")
        else:
            assert (await instruct(desk, "delete", game)).code == ""
        assert await keeper.look() == (mended == "after a day")
        assert keeper.left == 0

    on_desk(tmp_path, test)


@pytest.mark.parametrize("store", ["sqlite"], indirect=True)
def test_what_one_game_costs_does_not_grow_with_the_archive(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of 100,000 archived games, each one that went counted all that had gone before it."""

    async def test(desk: Desk, hands: Hands) -> None:
        await finished(desk)
        await new_game(desk)  # has the newest event
        assert await ages(desk, hands) == 1
        late = await finished(desk, 2)
        await new_game(desk)
        recorder, asked = desk.store.recorder, list[tuple[str, tuple[Any, ...]]]()
        query = recorder.query

        def noted(sql: str, parameters: tuple[Any, ...] = ()) -> Any:
            asked.append((sql, parameters))
            return query(sql, parameters)

        monkeypatch.setattr(recorder, "query", noted)
        put_away(desk.store, archiving.judged(desk.store, GAMES, late), late, "ann", "old")
        monkeypatch.undo()
        plans = {sql: query(f"EXPLAIN QUERY PLAN {sql}", given) for sql, given in asked}
        walked = [
            sql
            for sql, plan in plans.items()
            if "LIMIT" not in sql and any("SCAN" in step[-1] for step in plan)
        ]
        assert asked
        assert walked == [], "read from end to end"

    on_desk(tmp_path, test)


@pytest.mark.parametrize("store", ["sqlite"], indirect=True)
def test_of_games_that_are_read_the_last_ones_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def test(desk: Desk, hands: Hands) -> None:
        games = [await finished(desk, seed) for seed in range(4)]
        await new_game(desk)
        monkeypatch.setattr("service.store.archive.KEPT_BYTES", 1)
        assert await ages(desk, hands) == len(games)
        store, opened = desk.store, list[str]()
        read = store.archive.bundle

        def noted(row: Archived) -> bytes:
            opened.append(row.game)
            return read(row)

        monkeypatch.setattr(store.archive, "bundle", noted)

        def ask(*asked: str) -> list[str]:
            opened.clear()
            for game in asked:
                assert store.rows(game)
            return list(opened)

        ask(games[3])
        assert ask(games[0], games[0], games[1], games[0]) == [games[0], games[1], games[0]]
        one = max(sum(len(state) for _, _, state in store.rows(game)) for game in games)
        monkeypatch.setattr("service.store.archive.KEPT_BYTES", 2 * one)
        ask(*games)
        assert ask(games[3], games[2], games[3]) == [], "the last two are kept"
        assert ask(games[0], games[3], games[2]) == [games[0], games[2]], "the one asked last stays"
        monkeypatch.undo()
        monkeypatch.setattr(store.archive, "bundle", noted)
        ask(*games)
        assert ask(*games) == [], "there is room for all"

    on_desk(tmp_path, test)
