"""``store put-back``: one game out of a copy, into the store that is at work."""

from __future__ import annotations

import asyncio
import sqlite3
import time
from contextlib import closing
from pathlib import Path

import httpx
import psycopg
import pytest

from service.evidence.records import EpochStarted
from service.evidence.verify import verify
from service.settings import Settings
from service.store.store import Store
from tests.service.cli.conftest import Run
from tests.service.cli.test_store_check import change, fill, filled, store
from tests.service.cli.test_store_repair import SIGNED, Filled, goes_on
from tests.service.desk.kit import GAMES, desk_in, order, play
from tests.service.ops.play import create
from tests.service.ops.play import play as play_over_http
from tests.service.ops.test_backup import made
from tests.service.store.test_opening import NOW
from tests.support import postgres
from tests.support.pennant import Pass
from tests.support.postgres import KEY
from tests.support.server import running

__all__ = ["filled", "store"]

GONE = (
    "UPDATE stored_events SET originator_id = 'cut/gone/GAME' WHERE originator_id = 'GAME'",
    "DELETE FROM followers WHERE name IN (SELECT projection FROM projected)",
    "DELETE FROM projected",
    "DELETE FROM games WHERE game = 'GAME'",
    "DELETE FROM commands WHERE game = 'GAME'",
    "DELETE FROM tokens WHERE game = 'GAME'",
    "DELETE FROM deadlines WHERE game = 'GAME'",
    "DELETE FROM unplayed WHERE game = 'GAME'",
)
"""As a deletion has it: places stay, and what followed the log does not know the game any more."""


def gone(database: Path, game: str) -> None:
    for sql in GONE:
        with closing(sqlite3.connect(database)) as connection, connection:
            connection.execute(sql.replace("GAME", game))


async def go_on(folder: Path, game: str) -> None:
    async with desk_in(folder) as desk:
        seat = (await desk.reader.summary(game)).to_move[0].seat
        await order(desk, game, seat, Pass(), expected=9)


def test_a_copy_that_is_not_there_is_named_by_its_own_option(
    run: Run, store: Path, filled: Filled, tmp_path: Path
) -> None:
    copy = tmp_path / "none.sqlite"
    words = ("store", "put-back", filled[1]["going"], "--from", copy, "--database", store)
    refused = run(*words, "--dry-run")
    refused.assert_mistake("There is no copy")
    assert "--from" in refused.err
    assert "--database" not in refused.err, "that is the store, and it is there"


def test_a_part_of_an_id_is_no_lost_game(
    run: Run, store: Path, filled: Filled, tmp_path: Path
) -> None:
    """Whoever types the first letters is not to believe that the game is gone."""
    part = filled[1]["going"][:8]
    copy = made("sqlite", store, tmp_path / "backups")
    for words in (("put-back", part, "--from", copy), ("repair", part)):
        refused = run("store", *words, "--dry-run", "--database", store)
        assert refused.code == 2
        assert "decklog store games" in refused.err
        assert "has no row" not in refused.err
        assert "not in the copy" not in refused.err


@pytest.mark.parametrize("what", ["going", "over"])
def test_a_game_that_is_missing_is_back_as_it_was(
    run: Run, store: Path, filled: Filled, tmp_path: Path, what: str
) -> None:
    game = filled[1][what]
    copy = made("sqlite", store, tmp_path / "backups")
    gone(store, game)
    words = ("store", "put-back", game, "--from", copy, "--database", store)
    run(*words).assert_mistake("--by and --why")
    dry = run(*words, "--dry-run")
    assert (dry.code, dry.out.splitlines()[-1]) == (0, "Nothing was done.")
    done = run(*words, *SIGNED)
    assert (done.code, done.out.splitlines()[-1]) == (0, "It is in the store again.")
    assert run("store", "check", "--json", "--database", store).json["games"] == 2
    assert run("store", "check", "--database", store).code == 0
    (act,) = run("store", "acts", game, "--json", "--database", store).json
    assert (act["act"], act["why"]) == ("put-back", "a bad disk")
    run(*words, *SIGNED).assert_mistake("cannot be put back")
    if what == "going":
        asyncio.run(goes_on(store.parent, game, 9))
    assert run("store", "check", "--database", store).code == 0
    assert run("projections", "check", "--database", store).code == 0


def test_a_damaged_game_is_replaced_and_goes_on_with_new_dice(
    run: Run, store: Path, filled: Filled, tmp_path: Path
) -> None:
    game = filled[1]["going"]
    copy = made("sqlite", store, tmp_path / "backups")
    asyncio.run(go_on(store.parent, game))
    words = ("store", "put-back", game, "--from", copy, "--database", store, *SIGNED)
    whole = run(*words)
    assert (whole.code, "is whole in the store" in whole.err) == (2, True)
    change(store, "UPDATE stored_events SET state = x'7b' WHERE originator_version = 1 "
                  f"AND originator_id = '{game}'")  # fmt: skip
    run("store", "repair", game, *SIGNED, "--database", store).assert_mistake("cannot be repaired")
    done = run(*words, "--json").json
    assert (done["version"], done["lost"] > 0, done["done"]) == (9, True, True)
    asyncio.run(goes_on(store.parent, game, 9))
    assert run("store", "check", "--database", store).code == 0
    assert run("projections", "check", "--database", store).code == 0
    with closing(sqlite3.connect(store)) as connection:
        asked = "SELECT count(*) FROM stored_events WHERE originator_id LIKE 'cut/%'"
        assert connection.execute(asked).fetchone()[0] > 9, "nothing is thrown away"


def test_what_cannot_be_put_back_is_left(
    run: Run, store: Path, filled: Filled, tmp_path: Path
) -> None:
    game, over = filled[1]["going"], filled[1]["over"]
    copy = made("sqlite", store, tmp_path / "backups")
    words = ("store", "put-back", "--database", store, *SIGNED, "--from")
    missing = run(*words, copy, "f" * 32)
    assert (missing.code, "is not in the copy" in missing.err) == (2, True)
    run(*words, tmp_path / "none", game).assert_mistake("There is no copy")
    change(copy, f"UPDATE stored_events SET state = x'7b' WHERE originator_id = '{over}' "
                 "AND originator_version = 2")  # fmt: skip
    hurt = run(*words, copy, over)
    assert (hurt.code, "is not whole in the copy" in hurt.err) == (2, True)
    asyncio.run(finish(store.parent, game))
    change(store, "UPDATE stored_events SET state = x'7b' WHERE originator_version = 1 "
                  f"AND originator_id = '{game}'")  # fmt: skip
    ended = run(*words, copy, game)
    assert (ended.code, "its dice are open" in ended.err) == (2, True)


def test_a_game_that_was_deleted_stays_away(
    run: Run, store: Path, filled: Filled, tmp_path: Path
) -> None:
    """Somebody wanted it gone: a backup of before does not change that."""
    game = filled[1]["over"]
    copy = made("sqlite", store, tmp_path / "backups")
    gone(store, game)
    change(store, "INSERT INTO tombstones (game, at, version, head, reason) "
                  f"VALUES ('{game}', '2026-11-25T20:00:00.000Z', 9, 'abc', '')")  # fmt: skip
    before = store.read_bytes()
    done = run("store", "put-back", game, "--from", copy, "--database", store, *SIGNED)
    assert (done.code, "was deleted" in done.err) == (2, True)
    assert store.read_bytes() == before


async def finish(folder: Path, game: str) -> None:
    async with desk_in(folder) as desk:
        await play(desk, game, 3)


def test_beside_a_running_service(run: Run, tmp_path: Path) -> None:
    with running(tmp_path, "pennant", chain_length=256) as server:
        with httpx.Client(base_url=server.url, timeout=60) as client:
            game = create(client, "pennant", options={"turns": 40})
            play_over_http(client, game, 5)
            version = client.get(game.path).json()["version"]
        copy = made("sqlite", server.database, tmp_path / "backups")
    gone(server.database, game.id)
    with (
        running(tmp_path, "pennant", chain_length=256) as server,
        httpx.Client(base_url=server.url, timeout=60) as client,
    ):
        assert client.get(game.path).status_code == 404
        words = ("store", "put-back", game.id, "--from", copy, "--database", server.database)
        assert run(*words, *SIGNED).code == 0
        until = time.monotonic() + 60
        while client.get(game.path).json()["version"] == version and time.monotonic() < until:
            time.sleep(0.1)
        (event,) = client.get(f"{game.path}/events?after={version}&limit=1").json()["items"]
        assert event["type"] == EpochStarted.TYPE, "new dice, though nobody has played"
        play_over_http(client, game, 3, seed="after")
        play_over_http(client, create(client, "pennant"), 2)


def test_on_postgresql(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with postgres.running() as address:
        old = address.replace("/postgres?", "/old?")
        game = asyncio.run(fill(tmp_path, store=address, key=KEY))["going"]
        with psycopg.connect(address, autocommit=True) as operator:
            operator.execute("CREATE DATABASE old TEMPLATE postgres")
            for sql in GONE:
                operator.execute(sql.replace("GAME", game).encode())
        monkeypatch.setenv("DECKLOG_STORE", address)
        monkeypatch.setenv("DECKLOG_KEY", KEY)
        at_work = Store(Settings(store=address, key=KEY))
        at_work.open(NOW)
        done = run("store", "put-back", game, "--from", old, *SIGNED)
        assert done.code == 0, done
        assert run("store", "check").code == 0
        at_work.close()
        asyncio.run(goes_on(tmp_path, game, 9, store=address, key=KEY))


async def upheld(folder: Path, game: str) -> None:
    async with desk_in(folder) as desk:
        from domain.kernel.values import PUBLIC

        assert verify(await desk.reader.evidence(game, PUBLIC), GAMES).word == "UPHELD"


def test_a_game_that_is_over_is_judged_as_before(
    run: Run, store: Path, filled: Filled, tmp_path: Path
) -> None:
    game = filled[1]["over"]
    copy = made("sqlite", store, tmp_path / "backups")
    gone(store, game)
    assert run("store", "put-back", game, "--from", copy, "--database", store, *SIGNED).code == 0
    asyncio.run(upheld(store.parent, game))


@pytest.mark.parametrize("state", ["missing", "damaged"])
def test_what_seats_have_signed_is_back_as_well(
    run: Run, store: Path, filled: Filled, tmp_path: Path, state: str
) -> None:
    """An order of a seat with a key is nobody's without its signature."""
    game = filled[1]["going"]
    sign = f"INSERT INTO signatures SELECT game, id, x'5e' FROM commands WHERE game = '{game}'"
    change(store, sign)
    signed = signatures(store, game)
    assert signed
    copy = made("sqlite", store, tmp_path / "backups")
    if state == "missing":
        gone(store, game)
        change(store, f"DELETE FROM signatures WHERE game = '{game}'")
    else:
        change(store, "UPDATE stored_events SET state = x'7b' WHERE originator_version = 1 "
                      f"AND originator_id = '{game}'")  # fmt: skip
        change(store, f"INSERT INTO signatures VALUES ('{game}', 'lost', x'5e')")
    done = run("store", "put-back", game, "--from", copy, "--database", store, *SIGNED)
    assert done.code == 0
    assert signatures(store, game) == signed


def signatures(database: Path, game: str) -> list[tuple[str, bytes]]:
    with closing(sqlite3.connect(database)) as connection:
        asked = "SELECT command, signature FROM signatures WHERE game = ? ORDER BY command"
        return connection.execute(asked, (game,)).fetchall()
