"""A seat of the command line has a key: its orders are signed, and another key takes its place."""

from __future__ import annotations

import json
import os
import shlex
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import msgspec
import pytest

from service.cli import play
from service.cli.seatfile import SeatFile, begin_seat, write_seat
from service.evidence.seatkeys import SeatKey, is_passed_on
from service.evidence.verify import verify
from tests.service.cli.conftest import Run
from tests.service.evidence.playing import GAMES
from tests.service.http.table import Table
from tests.support.server import Running, running

WHO = ("--by", "harbour master", "--why", "asked")


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Running]:
    with running(tmp_path, "pennant", chain_length=64) as found:
        yield found


@pytest.fixture
def table(server: Running) -> Iterator[Table]:
    with httpx.Client(base_url=server.url, timeout=20) as client:
        yield Table.at(client)


def typed(monkeypatch: pytest.MonkeyPatch, *answers: str) -> None:
    left = iter([*answers, "q"])
    monkeypatch.setattr(play, "_read", lambda: next(left))


def test_orders_are_signed_and_a_key_is_passed_on(
    run: Run, server: Running, table: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = table.create(seats=[{"seat": "p1", "hold": "open"}, {"seat": "p2"}])
    game, path, kept = match.id, match.path, tmp_path / "seat.json"
    own = (game, "--url", server.url)
    agent = ("agent", *own, "--seat", "p1", "--file", kept)
    public = run(*agent, "--take", "--signed", "--json").json["public"]
    assert kept.stat().st_mode & 0o777 == 0o600
    assert orders_key(table, path) == public

    table.command(match, "p2", {"type": "pennant.choose", "colour": "steady"})
    before = table.version(match)
    typed(monkeypatch, "1")
    assert run("play", *own, "--file", kept).code == 0
    assert table.version(match) > before, "p1 has chosen, and left when it was asked again"

    said = run(*agent, "--new-key").out.strip()
    assert said.startswith(f"decklog admin key {game} p1 --public ")
    done = run(*shlex.split(said)[1:], *WHO, "--database", tmp_path / "decklog.sqlite")
    assert done.code == 0, done
    assert orders_key(table, path) != public
    before = table.version(match)
    typed(monkeypatch, "1")
    answers = SimpleNamespace(sleep=lambda _: table.command(match, "p2", {"type": "pennant.pass"}))
    monkeypatch.setattr(play, "time", answers)
    assert run("play", *own, "--file", kept).code == 0
    assert table.version(match) > before + 1
    told = verify(table.get(f"{path}/evidence").content, GAMES)
    assert told.word == "UPHELD", told.text()
    assert "orders are signed: p1 (O1)" in told.text()


def test_another_key_is_passed_on_by_the_one_that_the_game_has(
    run: Run, server: Running, table: Table, tmp_path: Path
) -> None:
    """However many were made since: whoever lost the first command makes a key again."""
    made = table.create(seats=[{"seat": "p1", "hold": "open"}, {"seat": "p2"}])
    kept, own = tmp_path / "seat.json", (made.id, "--url", server.url)
    agent = ("agent", *own, "--seat", "p1", "--file", kept)
    registered = run(*agent, "--take", "--signed", "--json").json["public"]
    for _ in range(2):
        said = run(*agent, "--new-key", "--json").json
        new = SeatKey(said["public"], "client")
        assert is_passed_on(made.id, "p1", new, registered, said["signature"])
    told = json.loads(kept.read_text())
    kept.write_text(json.dumps({**told, "keys": told["keys"][1:]}))
    run(*agent, "--new-key").assert_mistake("has not the key of p1")
    assert len(json.loads(kept.read_text())["keys"]) == 2, "none was made"


def test_a_key_is_passed_on_without_the_organiser(
    run: Run, server: Running, table: Table, tmp_path: Path
) -> None:
    made = table.create(seats=[{"seat": "p1", "hold": "open"}, {"seat": "p2"}])
    kept, own = tmp_path / "seat.json", (made.id, "--url", server.url)
    agent = ("agent", *own, "--seat", "p1", "--file", kept)
    registered = run(*agent, "--take", "--signed", "--json").json["public"]
    public = run(*agent, "--pass-on", "--json").json["public"]
    assert orders_key(table, made.path) == public != registered
    told = run(*agent, "--pass-on")
    assert told.out == f"p1 signs its orders by {orders_key(table, made.path)} now.\n"
    assert orders_key(table, made.path) not in (public, registered)
    assert len(json.loads(kept.read_text())["keys"]) == 3


def test_what_cannot_be_made_again_is_on_the_disk_before_it_is_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept, synced = tmp_path / "seat.json", list[int]()
    monkeypatch.setattr(os, "fsync", lambda fd: synced.append(os.fstat(fd).st_size))
    told = SeatFile("g", "p1", "", "00" * 32)
    begin_seat(kept, told)
    assert synced == [kept.stat().st_size]
    write_seat(kept, msgspec.structs.replace(told, token="t" * 40))
    assert synced[1:] == [kept.stat().st_size]


def orders_key(table: Table, path: str) -> str:
    found: str = table.get(path).json()["seats"][0]["orderKey"]
    return found


def test_who_has_another_device_s_file_is_told_so(
    run: Run, server: Running, table: Table, tmp_path: Path
) -> None:
    made = table.create(seats=[{"seat": "p1", "hold": "open"}, {"seat": "p2"}])
    kept, own = tmp_path / "seat.json", (made.id, "--url", server.url)
    assert run("agent", *own, "--seat", "p1", "--file", kept, "--take", "--signed").code == 0
    told: dict[str, Any] = json.loads(kept.read_text())
    kept.write_text(json.dumps({**told, "keys": ["00" * 32]}))
    run("play", *own, "--file", kept).assert_mistake("has not the key of p1")
    kept.write_text(json.dumps({each: told[each] for each in told if each != "keys"}))
    run("agent", *own, "--seat", "p1", "--file", kept, "--new-key").assert_mistake("has no key")
    run("play", *own).assert_mistake("Which seat")
