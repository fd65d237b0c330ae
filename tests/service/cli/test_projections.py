"""``decklog projections``: listed, compared with a rebuild, rebuilt, on a store at rest."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from projections.finder import found
from service.following.meaning import Meanings
from service.settings import Settings
from tests.service.cli.conftest import Run
from tests.service.desk.kit import desk_in, new_game, play
from tests.service.following.kit import documents, opened
from tests.support import postgres


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """A store with a finished game; everything has been followed to the end."""

    async def fill() -> None:
        async with desk_in(tmp_path) as desk:
            made = await new_game(desk)
            await play(desk, made.game.id, 2)
            for name in found():
                assert await desk.records.reached(name)

    asyncio.run(fill())
    return tmp_path / "games.sqlite"


def test_list_says_how_far_each_is(run: Run, store: Path) -> None:
    rows = run("projections", "list", "--database", store, "--json").json
    assert [row["name"] for row in rows] == list(found())
    assert {row["behind"] for row in rows} == {0}
    assert {row["stored"] == row["version"] for row in rows} == {True}
    text = run("projections", "list", "--database", store).out
    assert all(name in text for name in found())


def test_check_finds_and_rebuild_mends(run: Run, store: Path) -> None:
    assert run("projections", "check", "--database", store).code == 0
    with opened(Settings(database=store)) as recorder:
        before = {name: documents(recorder, name) for name in found()}
        recorder.put((), [("DELETE FROM projected WHERE projection = 'dice'", ())])
        recorder.put((), [("UPDATE projected SET rank = 9 WHERE projection = 'lobby'", ())])
    done = run("projections", "check", "--database", store)
    assert done.code == 1
    assert f"dice: {len(before['dice'])} documents, {len(before['dice'])} differ." in done.out
    assert f"statistics: {len(before['statistics'])} documents, 0 differ." in done.out
    assert run("projections", "check", "results", "--database", store).code == 0
    differing = run("projections", "check", "lobby", "--database", store, "--json").json
    assert len(differing["lobby"]) == 1
    assert "lobby is rebuilt" in run("projections", "rebuild", "lobby", "--database", store).out
    rebuilt = run("projections", "rebuild", "--database", store, "--json").json
    assert [row["name"] for row in rebuilt] == list(found())
    assert run("projections", "check", "--database", store).code == 0
    with opened(Settings(database=store)) as recorder:
        assert {name: documents(recorder, name) for name in found()} == before


def test_events_mean_what_the_rulesets_at_hand_say(
    run: Run, store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not only those that are found by entry point: who lost a ship was counted by no rebuild."""
    asked: list[str] = []
    of = Meanings.of

    def spied(self: Meanings, ruleset: str, *event: Any) -> Any:
        asked.extend(name for name in self._games if name == ruleset)
        return of(self, ruleset, *event)

    monkeypatch.setattr(Meanings, "of", spied)
    assert run("projections", "check", "statistics", "--database", store).code == 0
    assert set(asked) == {"pennant"}
    asked.clear()
    assert run("projections", "rebuild", "statistics", "--database", store).code == 0
    assert set(asked) == {"pennant"}


def test_what_cannot_be_done_is_said(run: Run, store: Path, tmp_path: Path) -> None:
    run("projections", "rebuild", "kraken", "--database", store).assert_mistake("kraken")
    run("projections", "list", "--database", tmp_path / "no.sqlite").assert_mistake("no.sqlite")
    with opened(Settings(database=store)):
        busy = run("projections", "check", "--database", store)
        busy.assert_mistake("store.locked")


def test_it_works_beside_workers_on_postgresql(
    run: Run, postgresql: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place: dict[str, Any] = {
        "store": postgres.place(postgresql, str(tmp_path)),
        "key": postgres.KEY,
    }
    for name, value in place.items():
        monkeypatch.setenv(f"DECKLOG_{name.upper()}", value)

    async def beside() -> None:
        async with desk_in(tmp_path, **place) as desk:
            made = await new_game(desk)
            playing = asyncio.create_task(play(desk, made.game.id, 3))
            assert (await asyncio.to_thread(run, "projections", "rebuild", "--json")).code == 0
            await playing
            assert (await asyncio.to_thread(run, "projections", "check", "--json")).code == 0

    asyncio.run(beside())
