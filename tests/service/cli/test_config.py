"""``config`` and ``store``: what is set, what a start would find, and a store that is migrated."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from service.settings import FIELDS, Settings, variable
from service.store.schema import FORMAT
from service.store.store import Store
from tests.service.cli.conftest import Run
from tests.service.store.test_opening import NOW
from tests.support import postgres
from tests.support.old_store import kept, unpack
from tests.support.postgres import KEY


def test_every_setting_is_shown_with_where_it_came_from(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "decklog.toml"
    file.write_text("port = 8123\n")
    monkeypatch.setenv("DECKLOG_KEY", KEY)
    monkeypatch.setenv("DECKLOG_STREAM_LIMIT", "9")
    done = run("config", "--config", file, "--database", tmp_path / "x.sqlite")
    assert done.code == 0
    for name in FIELDS:
        assert f"{variable(name)} = " in done.out
    assert f"DECKLOG_PORT = 8123  ({file}; 0 to 65,535)" in done.out
    assert "DECKLOG_STREAM_LIMIT = 9  (environment; 1 to 100,000)" in done.out
    assert "DECKLOG_KEY = (set)  (environment)" in done.out
    assert KEY not in done.out
    rows = {row["name"]: row for row in run("config", "--json", "--config", file).json}
    assert rows["port"]["from"] == str(file)
    assert rows["port"]["default"] == "8000"
    assert rows["rate_limit"]["live"]
    monkeypatch.setenv("DECKLOG_PORT", "many")
    wrong = run("config")
    assert (wrong.code, wrong.err.split(":")[0]) == (2, "DECKLOG_PORT")


def test_a_check_says_what_it_looked_at_and_changes_nothing(run: Run, tmp_path: Path) -> None:
    database = tmp_path / "decklog.sqlite"
    unpack(kept()[0], tmp_path)
    before = {p.name: p.read_bytes() for p in tmp_path.iterdir()}
    for command in (("config", "check"), ("serve", "--check")):
        done = run(*command, "--database", database)
        assert (done.code, done.out.splitlines()[-1]) == (2, "would not start")
        assert "store.older-format" in done.err
        assert f"becomes {FORMAT}" in done.out
    assert {p.name: p.read_bytes() for p in tmp_path.iterdir()} == before
    assert run("config", "check", "--json", "--database", database).json["starts"] is False


def test_a_store_is_migrated_by_an_operator_alone(run: Run, tmp_path: Path) -> None:
    database = tmp_path / "decklog.sqlite"
    run("store", "migrate", "--database", database).assert_mistake("There is no store")
    unpack(kept()[0], tmp_path)
    refused = run("projections", "list", "--database", database)
    refused.assert_mistake("store.older-format")

    def number() -> int:
        with closing(sqlite3.connect(database)) as connection:
            found = connection.execute("SELECT value FROM meta WHERE name = 'format'").fetchone()
        return int(found[0])

    dry = run("store", "migrate", "--dry-run", "--database", database)
    assert (dry.code, dry.out.splitlines()[-1], number()) == (0, "Nothing was done.", 1)
    done = run("store", "migrate", "--database", database)
    assert (done.code, done.out.splitlines()[-1], number()) == (0, "The store is migrated.", FORMAT)
    assert "summaries of games are written anew from their events: 1" in done.out
    again = run("store", "migrate", "--json", "--database", database).json
    assert (again["found"], again["done"]) == (FORMAT, False)
    told = run("config", "check", "--json", "--database", database).json
    assert [each for each in told["faults"] if not each.startswith("port.")] == []


def test_no_store_is_migrated_beside_others(
    run: Run, postgresql: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = postgres.place(postgresql, str(tmp_path))
    monkeypatch.setenv("DECKLOG_STORE", address)
    monkeypatch.setenv("DECKLOG_KEY", KEY)
    at_work = Store(Settings(store=address, key=KEY))
    at_work.open(NOW)
    at_work.recorder.put((), [("UPDATE meta SET value = '2' WHERE name = 'format'", ())])
    run("store", "migrate").assert_mistake("Others are connected")
    assert at_work.recorder.query("SELECT value FROM meta WHERE name = 'format'") == [(b"2",)]
    done = run("store", "migrate", "--beside-others")
    assert (done.code, done.out.splitlines()[-1]) == (0, "The store is migrated.")
    at_work.close()
