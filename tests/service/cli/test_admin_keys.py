"""Keys are changed while the service runs, and a rotation that was killed leaves no false word."""

from __future__ import annotations

import asyncio
import hashlib
import signal
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx
import pytest

from service.cli import rotating
from service.play.notary import Notary
from service.store import workers
from service.store.acts import time_of
from tests.service.cli.conftest import Run
from tests.service.desk.kit import desk_in, new_game, play
from tests.service.http.table import Table
from tests.support import postgres
from tests.support.server import Running, running
from tests.support.service_keys import service_keys

SIGNED = ("--by", "harbour master", "--why", "it leaked")
SOON = 15.0
NEW = hashlib.sha256(b"another").hexdigest()


def until(holds: Callable[[], Any], seconds: float = SOON) -> None:
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, "it did not come about in time"
        time.sleep(0.1)


def said(server: Running, words: str) -> bool:
    return any(words in line for line in server.lines)


def acts(run: Run, *where: object) -> list[str]:
    return [each["act"] for each in run("store", "acts", "--json", *where).json]


def test_a_running_service_takes_the_new_key_and_lets_the_old_one_go(
    tmp_path: Path, run: Run
) -> None:
    where = ("--database", tmp_path / "decklog.sqlite")
    with running(tmp_path, "pennant", chain_length=64) as server:
        with httpx.Client(base_url=server.url, timeout=20) as client:
            table = Table.at(client)
            match = table.create()
            done = run("admin", "rotate", *SIGNED, *where)
            assert "Every worker has taken it, without a restart." in done.out
            told = run("admin", "keys", "--json", *where).json
            new, old = told["keys"]
            assert set(map(tuple, told["workers"].values())) == {(new, old)}
            until(lambda: sealed(run, old, *where) == 0)
            table.play_out(match)
            assert "gone" in run("admin", "rotate", "--drop", *SIGNED, *where).out
            assert run("admin", "keys", "--json", *where).json["workers"].popitem()[1] == [new]
            other = table.create()
            table.play_out(other)
        assert server.stop() == 0
    with running(tmp_path, "pennant", chain_length=64) as server:
        assert httpx.get(server.url + match.path).json()["status"] == "finished"
    key = (tmp_path / "decklog.sqlite.key").read_text().strip()
    assert not said(server, key)


def sealed(run: Run, name: str, *where: object) -> int:
    told = run("admin", "keys", "--json", *where).json["sealed"]
    return sum(counts[name] for counts in told.values())


def test_a_rotation_that_is_killed_is_put_down_as_what_it_was(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def made() -> None:
        async with desk_in(tmp_path) as desk:
            await new_game(desk)

    asyncio.run(made())
    where = ("--database", tmp_path / "games.sqlite")
    path = tmp_path / "games.sqlite.key"
    before = path.read_text()

    class Killed(BaseException):
        pass

    def killed(*args: object) -> None:
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(rotating, "write_keys", killed)
        with pytest.raises(Killed):
            run("admin", "rotate", *SIGNED, *where)
    assert (acts(run, *where), path.read_text()) == (["rotate-begun"], before)
    with monkeypatch.context() as patch:
        patch.setattr(rotating, "_done", killed)
        with pytest.raises(Killed):
            run("admin", "rotate", *SIGNED, *where)
    assert acts(run, *where)[1:] == ["rotate-undone", "rotate-begun"]
    assert len(path.read_text().split()) == 2
    assert run("admin", "rotate", *SIGNED, *where).code == 0
    assert acts(run, *where)[3:] == ["rotate", "rotate-begun", "rotate"]
    assert len(path.read_text().split()) == 3


def test_no_worker_seals_under_what_another_cannot_open(
    tmp_path: Path, run: Run, postgresql: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Keys from files, read again at a word of the operator: both first, then each seals."""
    address = postgres.place(postgresql, str(tmp_path))
    monkeypatch.setenv("DECKLOG_STORE", address)
    files = [tmp_path / name for name in ("one.key", "two.key")]
    for file in files:
        file.write_text(postgres.KEY)
    monkeypatch.setenv("DECKLOG_KEY_FILE", str(files[1]))

    def told(number: int) -> dict[str, Any]:
        folder = tmp_path / str(number)
        folder.mkdir()
        return {"folder": folder, "games": "pennant", "chain_length": 64, "store": address,
                "key_file": files[number]}  # fmt: skip

    with ExitStack() as stack:
        first, second = [stack.enter_context(running(**told(number))) for number in (0, 1)]
        clients = [stack.enter_context(httpx.Client(base_url=w.url)) for w in (first, second)]
        tables = [Table.at(client) for client in clients]
        match = tables[0].create()
        files[0].write_text(f"{NEW} {postgres.KEY}")
        assert run("admin", "reload", *SIGNED).code == 0
        until(lambda: said(first, "the keys stay as they are"))
        assert said(first, "give it to all first")
        for file in files:
            file.write_text(f"{postgres.KEY} {NEW}")
        first.process.send_signal(signal.SIGHUP)
        second.process.send_signal(signal.SIGHUP)
        until(lambda: knowing(run) == {2})
        files[0].write_text(f"{NEW} {postgres.KEY}")
        assert run("admin", "reload", *SIGNED).code == 0
        until(lambda: said(first, "the keys of the store are"))
        until(lambda: len(set(map(tuple, ring(run)))) == 2)
        tables[1].play_out(match)
        assert tables[0].get(match.path).json()["status"] == "finished"


def ring(run: Run) -> list[list[str]]:
    return [*run("admin", "keys", "--json").json["workers"].values()]


def knowing(run: Run) -> set[int]:
    return {len(keys) for keys in ring(run)}


def test_a_key_that_has_ended_signs_nothing_and_another_is_taken(tmp_path: Path, run: Run) -> None:
    keys = service_keys(tmp_path)

    async def through() -> None:
        async with desk_in(tmp_path, keys=str(keys.folder)) as desk:
            game = (await new_game(desk)).game.id
            now = [time_of(desk.store.recorder)]
            notary = Notary(desk.store, desk.threads.read, lambda: now[0])
            notary.look()
            first = desk.store.signers
            assert first is not None
            assert (
                run("keys", "rotate", keys.folder, "receipts", "--root", keys.root_file).code == 0
            )
            notary.look()
            assert desk.store.signers is first, "it has an hour yet"
            now[0] = desk.store.signing_ends()
            notary.look()
            assert desk.store.signing_ended
            await play(desk, game, 1, 2)
            different = desk.store.take_keys(None, desk.clerk.presence.id)
            assert different == ["other keys sign"]
            assert desk.store.signers != first
            notary.look()
            assert not desk.store.signing_ended

    asyncio.run(through())


def test_a_life_that_was_killed_a_moment_ago_stands_in_nobodys_way(tmp_path: Path) -> None:
    """On a file there is one worker: the one of before is gone, however lately it was there."""
    twin: list[workers.Worker] = []

    async def before() -> None:
        async with desk_in(tmp_path) as desk:
            twin.extend(workers.listed(desk.store.recorder, time_of(desk.store.recorder)))

    async def leaves_its_row() -> None:
        async with desk_in(tmp_path) as desk:
            desk.store.recorder.put((), [workers.said(twin[0])])

    async def after() -> None:
        async with desk_in(tmp_path) as desk:
            found = workers.listed(desk.store.recorder, time_of(desk.store.recorder))
            assert [each.id for each in found] == [desk.clerk.presence.id]
            assert twin[0].id not in {each.id for each in found}

    for each in (before, leaves_its_row, after):
        asyncio.run(each())


def test_who_was_killed_is_forgotten(tmp_path: Path) -> None:
    async def through() -> None:
        async with desk_in(tmp_path) as desk:
            recorder = desk.store.recorder
            old = workers.Worker("00", "gone", "2001-01-01T00:00:00.000Z", 10.0, "0")
            recorder.put((), [workers.said(old), *workers.draining([old], drains=True)])
            now = time_of(recorder)
            assert [each.id for each in workers.listed(recorder, now)] == [desk.clerk.presence.id]
            recorder.put((), workers.dead(recorder, now))
            assert recorder.query("SELECT name FROM meta WHERE name LIKE '%/00'") == []

    asyncio.run(through())
