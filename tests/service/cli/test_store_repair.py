"""``store repair``: a damaged game is cut back to what is whole and goes on with new dice."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import psycopg
import pytest

from domain.kernel.values import PUBLIC
from service.evidence.records import EpochStarted
from service.evidence.verify import verify
from service.settings import Settings
from service.store.store import Store
from tests.service.cli.conftest import Run
from tests.service.cli.test_store_check import BESIDE, change, fill, filled, store
from tests.service.desk.kit import GAMES, desk_in, order, play
from tests.service.store.test_beside_the_chain import FLIPS
from tests.service.store.test_opening import NOW
from tests.support.pennant import Pass
from tests.support.postgres import KEY

__all__ = ["filled", "store"]

Filled = tuple[Path, dict[str, str]]
SIGNED = ("--by", "harbour master", "--why", "a bad disk")
HURT = "UPDATE stored_events SET state = x'7b' WHERE originator_version = 7 AND originator_id = "


async def goes_on(folder: Path, game: str, at: int, **changes: Any) -> None:
    """With new dice, to its end, and what is then exported is upheld; other games have theirs."""
    async with desk_in(folder, **changes) as desk:
        seat = (await desk.reader.summary(game)).to_move[0].seat
        await order(desk, game, seat, Pass(), expected=at + 1)
        assert (await desk.reader.summary(game)).renewals == 1
        (first,) = await desk.reader.events(game, PUBLIC, at, 1)
        assert first.type == EpochStarted.TYPE
        await play(desk, game, 3)
        assert verify(await desk.reader.evidence(game, PUBLIC), GAMES).word == "UPHELD"
        found = desk.store.recorder.query("SELECT count(*) FROM stored_events WHERE topic LIKE ?",
                                          (f"{EpochStarted.TYPE}%",))  # fmt: skip
        assert found == [(1,)]


def test_a_game_is_cut_back_and_goes_on(run: Run, store: Path, filled: Filled) -> None:
    game = filled[1]["going"]
    with closing(sqlite3.connect(store)) as connection:
        asked = "SELECT originator_version, state FROM stored_events WHERE originator_id = ?"
        hashes = {
            seq: json.loads(state)["hash"] for seq, state in connection.execute(asked, (game,))
        }
        places = connection.execute("SELECT max(rowid), count(*) FROM stored_events").fetchone()
    change(store, f"{HURT}'{game}'")
    with closing(sqlite3.connect(store)) as connection, connection:
        ((token,),) = connection.execute(
            "SELECT min(token) FROM tokens WHERE game = ? AND kind = 'seat'", (game,)
        )
        answered = f"command/{token}"  # as service/http has it
        row = (answered, "k", b"", b"", "2026-11-21T12:00:00.000Z")
        connection.execute("INSERT INTO idempotency VALUES (?,?,?,?,?)", row)
    run("store", "repair", game, "--database", store).assert_mistake("--by and --why")
    dry = run("store", "repair", game, "--dry-run", "--database", store)
    assert (dry.code, dry.out.splitlines()[-1]) == (0, "Nothing was done.")
    assert f"It is cut back to event 6 ({hashes[6]})" in dry.out
    assert run("store", "check", "--database", store).code == 1
    done = run("store", "repair", game, *SIGNED, "--database", store)
    assert (done.code, done.out.splitlines()[-1]) == (0, f"Game {game} is whole again.")
    assert run("store", "check", "--database", store).code == 0
    with closing(sqlite3.connect(store)) as connection:
        now = connection.execute("SELECT max(rowid), count(*) FROM stored_events").fetchone()
        assert now == places
        kept = connection.execute("SELECT 1 FROM idempotency WHERE caller = ?", (answered,))
        assert kept.fetchall() == [], "a command that is sent again is judged anew"
    (act,) = run("store", "acts", game, "--json", "--database", store).json
    assert (act["operator"], act["why"], act["act"]) == ("harbour master", "a bad disk", "repair")
    cut = {each["seq"]: each["hash"] for each in act["details"]["cut"]}
    assert cut == {7: "", 8: hashes[8], 9: hashes[9]}
    assert "a bad disk" in run("store", "acts", "--database", store).out
    asyncio.run(goes_on(store.parent, game, 6))
    assert run("store", "check", "--database", store).code == 0
    assert run("projections", "check", "--database", store).code == 0


@pytest.mark.parametrize("what", ["a summary", "a summary that is of another game", "a version"])
def test_a_summary_is_made_again_and_nothing_is_cut(
    run: Run, store: Path, filled: Filled, what: str
) -> None:
    game = filled[1]["going"]
    change(store, f"{BESIDE[what].replace('GAME', game)} WHERE game = '{game}'")
    done = run("store", "repair", game, *SIGNED, "--json", "--database", store).json
    assert (done["cut"], done["kept"], done["done"]) == ([], 9, True)
    assert run("store", "check", "--database", store).code == 0


def test_a_game_is_cut_before_an_order_that_is_not_the_one_that_was_given(
    run: Run, store: Path, filled: Filled
) -> None:
    game = filled[1]["going"]
    change(store, FLIPS["an order's seat"].replace("first = 3", f"first = 8 AND game = '{game}'"))
    done = run("store", "repair", game, *SIGNED, "--json", "--database", store).json
    assert (done["kept"], [each["seq"] for each in done["cut"]]) == (7, [8, 9])
    assert run("store", "check", "--database", store).code == 0


def test_what_cannot_be_repaired_is_left(run: Run, store: Path, filled: Filled) -> None:
    over, going = filled[1]["over"], filled[1]["going"]
    before = store.read_bytes()
    for game, word in ((going, "is whole"), ("f" * 32, "has no row")):
        refused = run("store", "repair", game, *SIGNED, "--database", store)
        refused.assert_mistake("cannot be repaired")
        assert word in refused.err
    assert store.read_bytes() == before
    change(store, f"{HURT}'{over}'")
    change(store, f"{HURT.replace('= 7', '= 1')}'{going}'")
    for game, word in ((over, "its dice are open"), (going, "from its beginning")):
        refused = run("store", "repair", game, *SIGNED, "--database", store)
        refused.assert_mistake("cannot be repaired")
        assert word in refused.err
    assert run("store", "acts", "--json", "--database", store).json == []
    with closing(sqlite3.connect(store)) as connection:
        connection.execute("DROP TABLE acts")
    assert run("store", "acts", "--json", "--database", store).json == []


def test_the_same_on_postgresql_when_nobody_is_at_work_on_it(
    run: Run, postgresql: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with psycopg.connect(postgresql, autocommit=True) as operator:
        operator.execute("CREATE DATABASE repaired")  # to which nobody else is connected
    address = postgresql.replace("/postgres?", "/repaired?")
    monkeypatch.setenv("DECKLOG_STORE", address)
    monkeypatch.setenv("DECKLOG_KEY", KEY)
    game = asyncio.run(fill(tmp_path, store=address, key=KEY))["going"]
    at_work = Store(Settings(store=address, key=KEY))
    at_work.open(NOW)
    hurt = HURT.replace("x'7b'", "?").replace("originator_id = ", "originator_id = ?")
    at_work.recorder.put((), [(hurt, (b"{", game))])
    run("store", "repair", game, *SIGNED).assert_mistake("Others are connected")
    at_work.close()
    done = run("store", "repair", game, *SIGNED)
    assert done.code == 0, done.err
    assert done.out.splitlines()[-1] == f"Game {game} is whole again."
    assert run("store", "check").code == 0
    asyncio.run(goes_on(tmp_path, game, 6, store=address, key=KEY))
    assert run("store", "check").code == 0
