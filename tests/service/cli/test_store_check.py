"""``store check``: every game is read, and each that is damaged is named."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest

from service.cli.store import Pace
from service.settings import Settings
from service.store import summaries
from service.store.schema import FORMAT
from service.store.store import FORK, Store
from tests.service.cli.conftest import Run
from tests.service.desk.kit import desk_in, instruct, new_game, order, play
from tests.service.store.test_beside_the_chain import FLIPS, replaced
from tests.service.store.test_opening import NOW
from tests.service.store.test_tampering import TAMPERED
from tests.support import postgres
from tests.support.old_store import kept as kept_stores
from tests.support.old_store import migrated
from tests.support.pennant import Choose, Pass
from tests.support.postgres import KEY


async def fill(folder: Path, **changes: Any) -> dict[str, str]:
    """A game that goes on (as ``test_tampering`` has it), and one that is over."""
    async with desk_in(folder, **changes) as desk:
        going = (await new_game(desk, turns=9, deadline=600, name="a name")).game.id
        for seat in ("p1", "p2"):
            await order(desk, going, seat, Choose("bold"))
        for seat in ("p1", "p2", "p1", "p2"):
            await order(desk, going, seat, Pass())
        over = (await new_game(desk)).game.id
        await play(desk, over, 1)
        return {"going": going, "over": over}


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, str]]:
    folder = tmp_path_factory.mktemp("filled")
    return folder, asyncio.run(fill(folder))


@pytest.fixture
def store(filled: tuple[Path, dict[str, str]], tmp_path: Path) -> Path:
    for file in filled[0].iterdir():
        shutil.copy(file, tmp_path)
    return tmp_path / "games.sqlite"


def change(database: Path, sql: str) -> None:
    with closing(sqlite3.connect(database)) as connection, connection:
        assert connection.execute(sql).rowcount


def test_a_store_that_is_whole_is_left_as_it_was(run: Run, store: Path) -> None:
    before = {path.name: path.read_bytes() for path in store.parent.iterdir()}
    done = run("store", "check", "--database", store)
    assert done.code == 0, done
    assert done.out.startswith("2 games with ")
    assert done.out.endswith("none of them damaged.\n")
    assert {path.name: path.read_bytes() for path in store.parent.iterdir()} == before
    run("store", "check", "--database", store.parent / "x").assert_mistake("There is no store")


BESIDE = {
    "a summary": f"UPDATE games SET summary = {replaced('summary', 'a name', 'b name')}",
    "a summary that is of another game": "UPDATE games SET summary = (SELECT summary FROM games "
    "WHERE game <> 'GAME')",
    "a version": "UPDATE games SET version = version - 1",
    "a dice master": "UPDATE games SET master = randomblob(60)",
    "a row that is gone": "DELETE FROM games",
    "a status": "UPDATE games SET status = 'finished'",
    "a ruleset": "UPDATE games SET ruleset = 'another'",
    "the time of its orders": "UPDATE commands SET at = '2020-01-01T00:00:00.000Z'",
}


@pytest.mark.parametrize("what", BESIDE)
def test_what_is_wrong_beside_the_chain_is_named(
    run: Run, store: Path, filled: tuple[Path, dict[str, str]], what: str
) -> None:
    game = filled[1]["going"]
    change(store, f"{BESIDE[what].replace('GAME', game)} WHERE game = '{game}'")
    found = run("store", "check", "--json", "--database", store)
    assert (found.code, [each["game"] for each in found.json["damaged"]]) == (1, [game])


@pytest.mark.parametrize("what", ["a status", "a ruleset"])
def test_words_by_which_a_game_is_listed_are_repaired(
    run: Run, store: Path, filled: tuple[Path, dict[str, str]], what: str
) -> None:
    game = filled[1]["going"]
    change(store, f"{BESIDE[what]} WHERE game = '{game}'")
    signed = ("--by", "harbour master", "--why", "a bad disk", "--database", store)
    done = run("store", "repair", game, *signed)
    assert (done.code, "Its row is written anew" in done.out) == (0, True), done
    assert run("store", "check", "--database", store).code == 0


STONES = {
    "gone": "DELETE FROM tombstones",
    "another head": "UPDATE tombstones SET head = replace(head, substr(head, 1, 1), 'x')",
    "another number": "UPDATE tombstones SET version = version + 1",
    "another reason": "UPDATE tombstones SET reason = 'none'",
    "an act that cannot be read": "UPDATE acts SET details = x'ff' WHERE place = 1",
    "of a game that nobody deleted": "INSERT INTO tombstones VALUES ('GAME', '', 1, 'x', '')",
}


@pytest.mark.parametrize("what", STONES)
def test_a_tombstone_that_is_not_as_the_operators_log_tells_is_named(
    run: Run, tmp_path: Path, what: str
) -> None:
    async def deleted() -> str:
        async with desk_in(tmp_path) as desk:
            game, fork = (await new_game(desk)).game.id, (await new_game(desk)).game.id
            await play(desk, game, 1)
            mark = f"UPDATE games SET status = '{FORK}' WHERE game = ?"
            desk.store.recorder.put((), [(mark, (fork,))])
            for each in (game, fork):
                assert (await instruct(desk, "delete", each, tell="The law.")).code == ""
            return game

    game, store = asyncio.run(deleted()), tmp_path / "games.sqlite"
    assert run("store", "check", "--database", store).code == 0
    named = "f" * 32 if "GAME" in STONES[what] else game
    change(store, STONES[what].replace("GAME", named))
    found = run("store", "check", "--json", "--database", store)
    assert (found.code, [each["game"] for each in found.json["damaged"]]) == (1, [named])


@pytest.mark.parametrize("what", FLIPS)
def test_an_order_that_is_not_the_one_that_was_given_is_named(
    run: Run, store: Path, filled: tuple[Path, dict[str, str]], what: str
) -> None:
    game = filled[1]["going"]
    with closing(sqlite3.connect(store)) as connection:
        asked = "SELECT min(first) FROM commands WHERE game = ?"
        (first,) = connection.execute(asked, (game,)).fetchone()
    here = FLIPS[what].replace("first = 3", f"first = {first} AND game = '{game}'")
    if "first = " not in here:
        here += f" WHERE game = '{game}' AND first = {first}"
    change(store, here)
    found = run("store", "check", "--json", "--database", store).json
    assert [each["game"] for each in found["damaged"]] == [game]
    assert found["damaged"][0]["whole"] < found["damaged"][0]["events"]


@pytest.mark.parametrize("what", TAMPERED)
def test_every_event_that_was_changed_is_named(
    run: Run, store: Path, filled: tuple[Path, dict[str, str]], what: str
) -> None:
    """The changes are those that a worker refuses to play on; they are made to one game alone."""
    game = filled[1]["going"]
    with closing(sqlite3.connect(store)) as connection, connection:
        aside = "UPDATE stored_events SET originator_version = originator_version + 1000 "
        connection.execute(f"{aside} WHERE originator_id <> '{game}'")
        TAMPERED[what](connection)
        back = aside.replace("+", "-")
        connection.execute(f"{back} WHERE originator_id <> '{game}'")
    found = run("store", "check", "--database", store)
    assert found.code == 1
    assert found.out.splitlines()[0].startswith(f"game {game}, whole up to event ")
    assert "2 games" in found.out


def test_a_summary_that_bears_its_mark_and_is_not_that_of_the_events_is_named(
    run: Run, store: Path, filled: tuple[Path, dict[str, str]]
) -> None:
    at_work = Store(Settings(database=store))
    at_work.open(NOW)
    kept = at_work.game(filled[1]["going"])
    assert kept is not None
    wrong = msgspec.structs.replace(kept.summary, next_batch=9)
    summaries.renew(at_work.recorder, at_work.box, wrong.version, wrong, kept.head)
    at_work.close()
    found = run("store", "check", "--database", store)
    assert found.code == 1
    assert f"The summary of game {wrong.id} is not what its events make of it." in found.out


def test_an_engine_that_is_not_the_one_of_its_name_is_named(run: Run, store: Path) -> None:
    change(store, "INSERT INTO engines (digest, archive) VALUES ('abc', x'00')")
    found = run("store", "check", "--database", store)
    assert found.code == 1
    assert "engine abc: its archive is not the one of that name." in found.out


def test_a_fault_beside_a_running_service_and_on_postgresql_is_named(
    run: Run, postgresql: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = postgres.place(postgresql, str(tmp_path))
    monkeypatch.setenv("DECKLOG_STORE", address)
    monkeypatch.setenv("DECKLOG_KEY", KEY)
    games = asyncio.run(fill(tmp_path, store=address, key=KEY))
    at_work = Store(Settings(store=address, key=KEY))
    at_work.open(NOW)
    assert run("store", "check").code == 0
    assert listed(run) == [games["going"], games["over"]]
    hurt = "UPDATE stored_events SET state = ? WHERE originator_id = ? AND originator_version = 4"
    at_work.recorder.put((), [(hurt, (b"{}", games["going"]))])
    (found,) = run("store", "check", "--json").json["damaged"]
    assert (found["game"], found["whole"]) == (games["going"], 3)
    at_work.close()


def listed(run: Run, *words: object) -> list[str]:
    return [row["game"] for row in run("store", "games", "--json", *words).json]


def test_games_are_listed_by_age_size_and_silence(
    run: Run, store: Path, filled: tuple[Path, dict[str, str]]
) -> None:
    going, over = filled[1]["going"], filled[1]["over"]
    here = ("--database", store)
    change(store, f"UPDATE stored_events SET state = state || zeroblob(9999) "
                  f"WHERE originator_id = '{over}'")  # fmt: skip
    assert listed(run, *here) == [going, over]
    assert listed(run, "--sort", "size", *here) == [over, going]
    assert listed(run, "--sort", "silence", *here) == [going, over]
    assert listed(run, "--sort", "silence", "--limit", 1, *here) == [going]
    change(store, f"{BESIDE['a summary']} WHERE game = '{over}'".replace("a name", '"version"'))
    rows = {row["game"]: row for row in run("store", "games", "--json", *here).json}
    assert (rows[going]["events"], rows[going]["status"], rows[over]["last"]) == (9, "playing", "")
    text = run("store", "games", *here).out
    assert going in text
    assert "a name" not in text


def test_the_kept_stores_of_the_past_are_whole(run: Run, tmp_path: Path) -> None:
    for number, dump in enumerate(kept_stores()):
        folder = tmp_path / str(number)
        folder.mkdir()
        migrated(dump, folder)
        found = run("store", "check", "--json", "--database", folder / "decklog.sqlite").json
        assert (found["damaged"], found["games"] > 0, FORMAT) == ([], True, FORMAT)


def test_it_reads_as_fast_as_it_may(run: Run, store: Path) -> None:
    slept: list[float] = []
    clock: Iterator[float] = iter([0.0, 1.0, 2.0])
    pace = Pace(10, lambda: next(clock), slept.append)
    pace.read(30)
    pace.read(5)
    assert slept == [2.0, 1.5]
    assert run("store", "check", "--rate", "100000", "--database", store).code == 0
