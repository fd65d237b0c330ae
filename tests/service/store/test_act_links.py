"""The operator's log is a chain: what is changed in it afterwards is found."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from service.desk import Desk
from service.store import actlinks, acts
from service.store.actlinks import BEGINNING
from service.store.acts import Act
from tests.service.cli.conftest import Run, run
from tests.service.cli.test_store_check import change
from tests.service.desk.kit import desk_in, instruct, new_game
from tests.support import postgres

__all__ = ["run"]

Test = Callable[[Desk], Awaitable[None]]


def on_each(tmp_path: Path, postgresql: str, test: Test) -> None:
    """With a file, and with a database."""

    async def run() -> None:
        async with desk_in(tmp_path) as desk:
            await test(desk)
        address = postgres.place(postgresql, str(tmp_path))
        async with desk_in(tmp_path, store=address, key=postgres.KEY) as desk:
            await test(desk)

    asyncio.run(run())


async def acted(desk: Desk) -> str:
    """A game to which four things were done, and all of them linked."""
    game = (await new_game(desk)).game.id
    for act in ("freeze", "thaw", "hide", "show"):
        assert (await instruct(desk, act, game, tell="We look.")).code == ""
    await desk.clerk.link()
    return game


CHANGES = {
    "UPDATE acts SET why = 'no reason' WHERE act = 'thaw'": "act 2 is not the one that was linked",
    "DELETE FROM acts WHERE act = 'hide'": "act 3 is gone",
    "DELETE FROM act_links WHERE number = 2": "links 2 to 2 are gone",
    "UPDATE act_links SET hash = 'x' WHERE number = 1": "act 1 is not the one that was linked",
}


def test_an_act_that_is_changed_or_taken_away_is_named(tmp_path: Path, postgresql: str) -> None:
    async def test(desk: Desk) -> None:
        recorder = desk.store.recorder
        await acted(desk)
        before = actlinks.examined(recorder)
        assert (before.linked, before.loose, before.faults) == (4, 0, ())
        assert before.head == actlinks.head(recorder).hash != BEGINNING
        rows = {
            name: recorder.query(f"SELECT * FROM {name}") for name in ("acts", "act_links")
        }  # to be put back after each change
        for sql, said in CHANGES.items():
            recorder.put((), [(sql, ())])
            assert actlinks.examined(recorder).faults[0].startswith(said), sql
            _put_back(recorder, rows)
            assert actlinks.examined(recorder) == before

    on_each(tmp_path, postgresql, test)


def _put_back(recorder: Any, rows: dict[str, list[Any]]) -> None:
    for name, kept in rows.items():
        recorder.put((), [(f"DELETE FROM {name}", ())])
        identity = " OVERRIDING SYSTEM VALUE" if recorder.place != "rowid" else ""
        marks = ",".join("?" * len(kept[0]))
        for row in kept:
            recorder.put((), [(f"INSERT INTO {name}{identity} VALUES ({marks})", tuple(row))])


def test_an_act_that_comes_to_light_late_is_linked(tmp_path: Path, postgresql: str) -> None:
    """PostgreSQL gives out places in another order than that in which they are seen."""

    async def test(desk: Desk) -> None:
        recorder = desk.store.recorder
        await acted(desk)
        recorder.put((), [("DELETE FROM act_links WHERE number >= 2", ())])
        ((place,),) = recorder.query("SELECT max(place) FROM acts")
        # The newest is linked while the two before it are not seen yet.
        recorder.put(
            (), [("INSERT INTO act_links (number, place, hash) VALUES (?,?,?)", (2, place, "x"))]
        )
        head = actlinks.link(recorder)
        assert head is not None
        assert head.number == 4
        assert actlinks.examined(recorder).loose == 0

    on_each(tmp_path, postgresql, test)


def test_of_two_workers_one_links(tmp_path: Path, postgresql: str) -> None:
    address = postgres.place(postgresql, str(tmp_path))

    async def test() -> None:
        given: dict[str, Any] = {"store": address, "key": postgres.KEY}
        async with desk_in(tmp_path, **given) as one, desk_in(tmp_path, **given) as two:
            recorder = one.store.recorder
            for number in range(3 * actlinks.PAGE // 100):
                lines = [
                    acts.insertion(Act("2026", "x", f"act {number} {each}", "", "y"))
                    for each in range(100)
                ]
                recorder.put((), lines)
            while actlinks.examined(recorder).loose:
                await asyncio.gather(one.clerk.link(), two.clerk.link())
            found = actlinks.examined(recorder)
            assert (found.linked, found.faults) == (3 * actlinks.PAGE, ())

    asyncio.run(test())


def test_a_check_of_the_store_says_so(
    tmp_path: Path, run: Run, caplog: pytest.LogCaptureFixture
) -> None:
    """What is read of a person is an act, too, and stands in the chain like any other."""
    caplog.set_level("INFO", "service.play.clerk")
    where = ("--database", tmp_path / "games.sqlite")
    signed = ("--by", "harbour master", "--why", "was asked")

    async def filled() -> str:
        async with desk_in(tmp_path) as desk:
            game = await acted(desk)
            run("admin", "person", "export", game, "p1", *signed, *where)
            assert actlinks.examined(desk.store.recorder).loose == 1
            await desk.clerk.link()
            desk.store.recorder.put((), [acts.insertion(Act("2026", "x", "y", "", "z"))])
            return game

    game = asyncio.run(filled())
    listed = [each["act"] for each in run("store", "acts", game, "--json", *where).json]
    assert listed == ["freeze", "thaw", "hide", "show", "person-export"]
    found = run("store", "check", "--json", *where)
    assert (found.code, found.json["acts"]["linked"], found.json["acts"]["loose"]) == (0, 5, 1)
    assert f"the operator's log has 5 acts, head {found.json['acts']['head']}" in caplog.text
    said = run("store", "check", *where).out
    assert f"5 linked acts, head {found.json['acts']['head']}. 1 are not linked yet." in said
    change(tmp_path / "games.sqlite", "UPDATE acts SET operator = 'nobody' WHERE act = 'hide'")
    done = run("store", "check", *where)
    assert done.code == 1
    assert "operator's log: act 3 is not the one that was linked: now hide of " in done.out
    assert len(json.loads(run("store", "check", "--json", *where).out)["acts"]["faults"]) == 1
