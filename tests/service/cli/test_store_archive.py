"""``store archive`` and ``store shrink``; what ``check``, backups and ``put-back`` make of it."""

from __future__ import annotations

import asyncio
import gzip
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from service.evidence.verify import verify
from service.play import archiving
from service.play.archiving import Judged
from service.play.staging import AnyGame
from service.settings import Settings
from service.store.archive import packed, unpacked
from service.store.beside import Beside, beside
from service.store.bulk import Statement
from service.store.instructions import Instruction, insertion
from service.store.lock import WriterLock
from service.store.recorder import Recorder
from service.store.schema import FORMAT, FORMAT_OF_ARCHIVES
from service.store.source import Source
from service.store.store import Store
from tests.service.cli.conftest import Done, Run
from tests.service.cli.test_store_check import change
from tests.service.desk.kit import GAMES, desk_in, new_game, play
from tests.service.ops.test_backup import backup, made
from tests.service.store.test_opening import NOW
from tests.support import postgres
from tests.support.postgres import KEY
from tests.support.server import ROOT

SIGNED = ("--by", "harbour master", "--why", "room", "--days", "0")


async def filled(folder: Path, **changes: Any) -> list[str]:
    """Three games that are over, and one that goes on."""
    async with desk_in(folder, **changes) as desk:
        games = [(await new_game(desk)).game.id for _ in range(4)]
        for seed, game in enumerate(games[:3]):
            await play(desk, game, seed)
        await play(desk, games[3], 9, commands=2)
        return games


@pytest.fixture
def games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    monkeypatch.setenv("DECKLOG_ARCHIVE", str(tmp_path / "archive"))
    monkeypatch.setenv("DECKLOG_DATABASE", str(tmp_path / "games.sqlite"))
    return asyncio.run(filled(tmp_path))


def file_of(folder: Path, game: str) -> Path:
    (found,) = (folder / "archive").glob(f"*/{game}.*")
    return found


def number(folder: Path) -> int:
    with closing(sqlite3.connect(folder / "games.sqlite")) as connection:
        return int(connection.execute("SELECT value FROM meta WHERE name='format'").fetchone()[0])


def test_what_goes_is_said_first(
    run: Run, games: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dry = run("store", "archive", "--dry-run", "--days", "0")
    assert (dry.code, dry.out) == (0, "3 games would go, if they are upheld. Nothing was done.\n")
    assert run("store", "archive", "--dry-run", "--days", "1").out.startswith("0 games")
    assert not (tmp_path / "archive").exists()
    run("store", "archive", "--days", "0").assert_mistake("--by and --why")
    monkeypatch.delenv("DECKLOG_ARCHIVE")
    run("store", "archive", *SIGNED).assert_mistake("No folder")


def test_games_go_and_are_checked_and_listed_there(
    run: Run, games: list[str], tmp_path: Path
) -> None:
    assert number(tmp_path) == FORMAT
    sizes = {each["game"]: each["bytes"] for each in run("store", "games", "--json").json}
    done = run("store", "archive", "--json", "--limit", "2", *SIGNED)
    assert done.code == 0
    assert [each["game"] for each in done.json["games"]] == games[:2]
    assert number(tmp_path) == FORMAT_OF_ARCHIVES
    assert run("store", "archive", *SIGNED).out.startswith("1 games are in the archive: ")
    acts = run("store", "acts", "--json").json
    assert [(act["act"], act["game"], act["why"]) for act in acts] == [
        ("archive", game, "room") for game in games[:3]
    ]
    for act in acts:
        size = file_of(tmp_path, act["game"]).stat().st_size
        assert act["details"]["bytes"] == sizes[act["game"]]
        assert act["details"]["size"] == size < sizes[act["game"]]
    checked = run("store", "check")
    assert (checked.code, checked.out.splitlines()[0]) == (
        0, "3 of the games are in the archive, and were read there.",
    )  # fmt: skip
    assert checked.out.splitlines()[1].startswith("4 games with ")
    listed = {each["game"]: each["archived"] for each in run("store", "games", "--json").json}
    assert listed == {game: game != games[3] for game in games}
    assert run("projections", "check").code == 0
    told = run("admin", "person", "export", games[0], "p1", *SIGNED[:4]).json
    assert len(told["orders"]) > 1
    data = gzip.decompress(file_of(tmp_path, games[0]).read_bytes())
    assert verify(data, GAMES).word == "UPHELD"


def test_a_game_that_breaks_its_judge_stays_and_the_others_go(
    run: Run, games: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A fault of ours ended the command at that game, with a trace and no word of the others."""
    judged = archiving.judged

    def breaks(source: Source, rules: Mapping[str, AnyGame], game: str) -> Judged:
        if game == games[0]:
            raise RecursionError("too deep")
        return judged(source, rules, game)

    monkeypatch.setattr(archiving, "judged", breaks)
    done = run("store", "archive", "--json", *SIGNED)
    assert (done.code, [each["game"] for each in done.json["games"]]) == (1, games[1:3])
    assert done.json["stayed"] == {games[0]: "Its judge broke down: RecursionError."}
    again = run("store", "archive", *SIGNED)
    assert (again.code, again.out.splitlines()[0]) == (
        1, f"game {games[0]} stays: Its judge broke down: RecursionError.",
    )  # fmt: skip
    monkeypatch.setattr(archiving, "judged", judged)
    assert run("store", "archive", *SIGNED).code == 0


def test_a_full_disk_is_told_in_its_words(
    run: Run, games: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the store could not even be opened it was called a fault of the program."""

    def full(_: Recorder) -> None:
        error = sqlite3.OperationalError("database or disk is full")
        error.sqlite_errorcode = sqlite3.SQLITE_FULL
        raise error

    monkeypatch.setattr(Recorder, "create_table", full)
    done = run("store", "archive", *SIGNED)
    done.assert_mistake("The store cannot be opened.")
    assert "The disk is full: nothing was written." in done.err


def test_an_archived_game_without_its_row_is_named(
    run: Run, games: list[str], tmp_path: Path
) -> None:
    """Games were read by row and events: a backup without one let the copy go that had it."""
    assert archived(run).code == 0
    change(tmp_path / "games.sqlite", f"DELETE FROM games WHERE game = '{games[1]}'")
    found = run("store", "check", "--json")
    (each,) = found.json["damaged"]
    assert (found.code, each["game"], each["faults"]) == (
        1, games[1], [f"Game {games[1]} has no row."],
    )  # fmt: skip
    assert (found.json["games"], each["whole"], each["events"] > 3) == (4, 0, True)


def _repacked(steps: Callable[[list[int]], list[int]]) -> Callable[[bytes], bytes]:
    return lambda kept: packed(steps(unpacked(kept)))


ROWS_OF_ARCHIVES: dict[str, tuple[str, Callable[[Any], Any]]] = {
    "another head": ("head", lambda head: head[::-1]),
    "places that cannot be read": ("places", lambda kept: kept[:-1] + bytes([kept[-1] ^ 1])),
    "places moved on": ("places", _repacked(lambda places: [each + 1 for each in places])),
    "a place twice": ("places", _repacked(lambda each: [each[0], each[0], *each[2:]])),
    "another first place": ("first", lambda place: place + 1),
    "another last place": ("last", lambda place: place + 1),
}


@pytest.mark.parametrize("what", ROWS_OF_ARCHIVES)
def test_a_row_of_the_archive_that_is_not_its_files_is_named(
    run: Run, games: list[str], tmp_path: Path, what: str
) -> None:
    """Of an archived game its file was read, and of what its row says beside that nothing."""
    assert archived(run).code == 0
    column, made_of = ROWS_OF_ARCHIVES[what]
    with closing(sqlite3.connect(tmp_path / "games.sqlite")) as connection, connection:
        asked = f"SELECT {column} FROM archived WHERE game = ?"
        (was,) = connection.execute(asked, (games[1],)).fetchone()
        said = f"UPDATE archived SET {column} = ? WHERE game = ?"
        connection.execute(said, (made_of(was), games[1]))
    found = run("store", "check", "--json")
    assert found.code == 1
    assert [each["game"] for each in found.json["damaged"]] == [games[1]]


def test_the_game_with_the_newest_event_is_named(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever has one game that is over was told that none would go, and not why."""
    monkeypatch.setenv("DECKLOG_ARCHIVE", str(tmp_path / "archive"))
    monkeypatch.setenv("DECKLOG_DATABASE", str(tmp_path / "games.sqlite"))

    async def alone() -> str:
        async with desk_in(tmp_path) as desk:
            game = (await new_game(desk)).game.id
            await play(desk, game, 1)
            return game

    game = asyncio.run(alone())
    said = f"game {game} has the newest event of all: it stays until another game goes on.\n"
    for words in (("--dry-run", "--days", "0"), SIGNED):
        assert run("store", "archive", *words).out.startswith(said)


def test_status_tells_what_is_in_the_archive_and_how_many_events_there_are(
    run: Run, games: list[str], tmp_path: Path
) -> None:
    """It told the number of the newest event, whatever was deleted meanwhile, and no archive."""
    kept = {each["game"]: each["events"] for each in run("store", "games", "--json").json}
    assert archived(run).code == 0
    gone, *others = games
    change(tmp_path / "games.sqlite", f"DELETE FROM games WHERE game = '{gone}'")
    change(tmp_path / "games.sqlite", f"DELETE FROM archived WHERE game = '{gone}'")
    found = run("admin", "status", "--json").json
    assert found["newest"] == sum(kept.values())
    assert found["events"] == sum(kept[game] for game in others)
    files = [file_of(tmp_path, game) for game in games[1:3]]
    assert found["archived"] == {
        "games": 2,
        "events": kept[games[1]] + kept[games[2]],
        "bytes": sum(file.stat().st_size for file in files),
    }
    assert "archive    2 of the games with " in run("admin", "status").out


def archived(run: Run) -> Done:
    done = run("store", "archive", *SIGNED)
    assert done.code == 0, done
    return done


def test_a_damaged_file_and_a_stray_one_are_named(
    run: Run, games: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    archived(run)
    good = file_of(tmp_path, games[1])
    stray = good.with_name(f"{'5' * 32}.{'0' * 16}.zip.gz")
    stray.write_bytes(good.read_bytes())
    good.write_bytes(good.read_bytes()[:-1])
    found = run("store", "check", "--json")
    assert found.code == 1
    assert [each["game"] for each in found.json["damaged"]] == [games[1]]
    assert (found.json["archived"], found.json["strays"]) == (3, [stray.name])
    said = run("store", "check").out
    assert "its archive is not the file that was written" in said
    assert f"archive: {stray.name} is of no game" in said
    monkeypatch.delenv("DECKLOG_ARCHIVE")
    run("store", "check").assert_mistake("store.no-archive")


def test_a_backup_names_what_lies_in_the_archive(
    run: Run, games: list[str], tmp_path: Path
) -> None:
    assert "archive" not in backup("sqlite", tmp_path / "games.sqlite", tmp_path / "b").stdout
    archived(run)
    told = backup("sqlite", tmp_path / "games.sqlite", tmp_path / "b").stdout
    size = sum(file.stat().st_size for file in (tmp_path / "archive").rglob("*.gz"))
    assert f"not in it are 3 games in the archive, {size} bytes" in told


@pytest.mark.parametrize("when", ["before it was archived", "afterwards"])
def test_a_game_with_a_damaged_file_is_put_back(
    run: Run, games: list[str], tmp_path: Path, when: str
) -> None:
    """Out of a copy that has its events. One that has but its row needs the file itself."""
    database, game = tmp_path / "games.sqlite", games[0]
    early = made("sqlite", database, tmp_path / "b")
    archived(run)
    copy = early if when != "afterwards" else made("sqlite", database, tmp_path / "b")
    file = file_of(tmp_path, game)
    kept = file.read_bytes()
    file.unlink()
    done = run("store", "put-back", game, "--from", copy, *SIGNED[:4])
    if when == "afterwards":
        done.assert_mistake("cannot be put back")
        file.write_bytes(kept)
    else:
        assert done.code == 0, done
        assert run("store", "check", "--json").json["archived"] == 2
    assert run("store", "check").code == 0
    archived(run)
    # What was put back has the newest events of all, and stays until there are others.
    left = 3 if when == "afterwards" else 2
    assert run("store", "check", "--json").json["archived"] == left


def test_a_game_whose_row_is_gone_is_put_back_into_the_archive(
    run: Run, games: list[str], tmp_path: Path
) -> None:
    archived(run)
    copy = made("sqlite", tmp_path / "games.sqlite", tmp_path / "b")
    for table in ("games", "archived", "tokens"):
        change(tmp_path / "games.sqlite", f"DELETE FROM {table} WHERE game = '{games[0]}'")
    assert run("store", "put-back", games[0], "--from", copy, *SIGNED[:4]).code == 0
    checked = run("store", "check", "--json").json
    assert (checked["games"], checked["archived"], checked["damaged"]) == (4, 3, [])
    assert run("projections", "check").code == 0


def test_a_file_is_shrunk_and_every_event_keeps_its_place(
    run: Run, games: list[str], tmp_path: Path
) -> None:
    """VACUUM may number the rows of a table anew; of this one it does not."""
    database = tmp_path / "games.sqlite"

    def places() -> list[Any]:
        asked = "SELECT rowid, originator_id, originator_version FROM stored_events ORDER BY rowid"
        with closing(sqlite3.connect(database)) as connection:
            return connection.execute(asked).fetchall()

    archived(run)
    before, size = places(), database.stat().st_size
    assert before[0][0] > 1
    assert before[-1][0] > len(before)
    done = run("store", "shrink", "--json")
    assert done.json == {"before": size, "after": database.stat().st_size}
    assert done.json["after"] < size
    assert places() == before
    assert run("store", "check").code == 0
    lock = WriterLock(database)
    lock.acquire()
    run("store", "shrink").assert_mistake("store.locked")
    lock.release()
    assert sorted(path.name for path in tmp_path.iterdir() if "shrunk" in path.name) == []
    copy = made("sqlite", database, tmp_path / "b")
    with closing(sqlite3.connect(copy)) as connection:
        asked = "SELECT rowid, originator_id, originator_version FROM stored_events ORDER BY rowid"
        assert connection.execute(asked).fetchall() == before


def test_a_file_that_somebody_has_open_is_not_shrunk(
    run: Run, games: list[str], tmp_path: Path
) -> None:
    """The operator's page would write to the old file by the log of the new one, and ruin both."""
    archived(run)
    database = tmp_path / "games.sqlite"
    with beside(Settings(database=database)) as page:
        shrunk = [
            sys.executable,
            "-m",
            "service.cli",
            "store",
            "shrink",
            "--database",
            str(database),
        ]
        for number in (1, 2):
            page.recorder.put((), [announced(page, f"{number}" * 16)])
            done = subprocess.run(shrunk, cwd=ROOT, capture_output=True, text=True, check=False)
            assert (done.returncode, done.stdout) == (2, "")
            assert "stop decklog admin page" in done.stderr
    with closing(sqlite3.connect(database)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    assert len(run("admin", "waiting", "--json").json) == 2
    assert run("store", "shrink").code == 0
    assert run("store", "check").code == 0


def announced(page: Beside, id_: str) -> Statement:
    asked = Instruction(id_, "announce", "harbour master", "room", "", {"text": "."})
    return insertion(page.box, asked)


def test_a_database_is_archived_beside_its_workers(
    run: Run, postgresql: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = postgres.place(postgresql, "archived beside")
    for name, value in {"STORE": address, "KEY": KEY, "ARCHIVE": str(tmp_path / "a")}.items():
        monkeypatch.setenv(f"DECKLOG_{name}", value)
    games = asyncio.run(filled(tmp_path, store=address, key=KEY))
    worker = Store(Settings(store=address, key=KEY, archive=str(tmp_path / "a")))
    worker.open(NOW)
    before = [(worker.rows(game), worker.commands(game)) for game in games]
    archived(run)
    assert worker.archive.row(worker.recorder, games[0]) is not None
    assert [(worker.rows(game), worker.commands(game)) for game in games] == before
    worker.close()
    run("store", "shrink").assert_mistake("SQLite file")
    assert run("store", "check", "--json").json["archived"] == 3
    assert run("projections", "check").code == 0
    told = backup("postgresql", address, tmp_path / "b").stdout
    assert "not in it are 3 games in the archive" in told


def test_places_are_packed_and_unpacked() -> None:
    for places in ([1], [7, 8, 9], [3, 900, 1 << 40]):
        assert unpacked(packed(places)) == places
    assert len(packed(list(range(100, 3_000)))) < 100
