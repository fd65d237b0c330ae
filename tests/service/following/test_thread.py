"""The service follows by itself: at once for whoever asks, in one process, from old stores on."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec
import pytest

import projections
from projections.finder import found
from projections.follow import DocumentStore, Entry, Projection
from projections.lobby import PROJECTION as LOBBY
from projections.results import GameResult
from projections.statistics import RulesetStatistics
from service import desk as desk_module
from service.desk import Desk, open_desk
from service.errors import StoreRefused
from service.following import thread
from service.following.follower import compare, place_of
from service.play.migration import migrate
from service.settings import Settings
from service.store.schema import FORMAT
from service.store.store import Store
from service.webhooks.messages import Messages
from tests.service.desk.kit import GAMES, new_game, play
from tests.service.following.conftest import played
from tests.service.following.kit import MEANINGS, documents, opened

IMPORTS = "import msgspec\nfrom projections.follow import DocumentStore, Entry, Projection\n"
README = Path(projections.__file__).with_name("README.md")


def with_desk(given: Settings, test: Callable[[Desk], Any]) -> None:
    """Run ``test`` with a desk on the store."""

    async def run() -> None:
        async with open_desk(given, GAMES) as desk:
            await test(desk)

    asyncio.run(run())


async def lobby(desk: Desk) -> list[str]:
    rows = await desk.records.active(limit=200, ruleset="", status="")
    return [summary.id for _, summary in rows]


async def until(holds: Callable[[], Any], seconds: float = 20) -> None:
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end
        await asyncio.sleep(0.02)


def test_who_writes_reads_what_it_wrote(given: Settings) -> None:
    async def test(desk: Desk) -> None:
        made = []
        for _ in range(12):
            made.append((await new_game(desk)).game.id)
            assert await lobby(desk) == made[::-1]
        await play(desk, made[3], 1)
        assert (await lobby(desk))[0] == made[3], "what lives is on top"
        results = await desk.records.page("results", GameResult, limit=5)
        assert [each.game for _, each in results] == [made[3]]
        assert (
            results[0][1].winners
            == ((await desk.reader.summary(made[3])).result or _none()).winners
        )
        await until(lambda: not any(desk.following.lags().values()))

    with_desk(given, test)


def _none() -> Any:
    raise AssertionError("the game is finished")


def test_a_start_carries_on_where_the_stop_was(given: Settings) -> None:
    for _ in range(3):
        played(given, 7)
    with_desk(given, _asked)
    with opened(given) as recorder:
        for projection in found().values():
            documents_, differing = compare(recorder, projection, meanings=MEANINGS)
            assert documents_
            assert differing == []


def test_a_first_start_that_is_killed_passes_over_nothing(
    given: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who is new begins where the service did, however soon it died; the next takes all in."""
    monkeypatch.setattr(thread.Following, "_round", lambda self: None)
    for _ in range(2):  # the second knows the first one's beginning
        with_desk(given, new_game)
        with opened(given) as recorder:
            begun = place_of(recorder, Messages.name)
            assert begun is not None
            assert begun.place == 0


async def _asked(desk: Desk) -> None:
    for name in found():
        assert await desk.records.reached(name)


def test_a_projection_of_another_version_is_made_anew(
    given: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    def take(shelf: DocumentStore, entry: Entry) -> None:
        LOBBY.take(shelf, entry)
        shelf.write("news", Total(total=entry.place), rank=0)

    played(given)
    newer: Mapping[str, Projection] = {"lobby": Projection("lobby", 2, take)}
    monkeypatch.setattr(desk_module, "installed_projections", lambda: newer)

    async def test(desk: Desk) -> None:
        assert await desk.records.reached("lobby")

        def renewed() -> bool:
            known = place_of(desk.store.recorder, "lobby")
            return known is not None and known.version == 2

        made = (await new_game(desk)).game.id
        await until(renewed)
        assert (await lobby(desk))[0] == made
        kept = documents(desk.store.recorder, "lobby")
        assert kept["news"][2]["total"] == desk.store.recorder.settled()

    with_desk(given, test)


class Total(msgspec.Struct):
    total: int


def test_a_plug_in_is_one_file(
    given: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "more"
    folder.mkdir()
    shown = README.read_text("utf-8").partition("```python")[2].partition("```")[0]
    (folder / "counting.py").write_text(IMPORTS + shown, "utf-8")
    monkeypatch.setattr(projections, "__path__", [*projections.__path__, str(folder)])
    assert "counting" in found()

    async def test(desk: Desk) -> None:
        for _ in range(3):
            await new_game(desk)
        assert await desk.records.reached("counting")
        assert documents(desk.store.recorder, "counting")["all"][2] == {"games": 3}

    with_desk(given, test)


def test_one_that_fails_does_not_hold_up_the_others(
    given: Settings, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    broken = [True]

    def take(shelf: DocumentStore, entry: Entry) -> None:
        if broken[0]:
            raise ValueError("a plug-in at fault")
        shelf.write("total", Total(total=entry.place), rank=1)

    every = {**found(), "broken": Projection("broken", 1, take)}
    monkeypatch.setattr(desk_module, "installed_projections", lambda: every)
    monkeypatch.setattr(thread, "REST_SECONDS", 0.2)

    async def test(desk: Desk) -> None:
        made = (await new_game(desk)).game.id
        assert await lobby(desk) == [made]
        await until(lambda: "broken failed" in caplog.text)
        assert desk.following.lags()["broken"] > 0
        broken[0] = False
        await until(lambda: desk.following.lags()["broken"] == 0)

    with_desk(given, test)


def test_a_store_of_the_first_format_is_carried_on(given: Settings) -> None:
    played(given)
    with opened(given) as recorder:
        for table in ("followers", "projected", "webhooks", "deliveries", "attempts"):
            recorder.put((), [(f"DROP TABLE {table}", ())])
        recorder.put((), [("UPDATE meta SET value = '1' WHERE name = 'format'", ())])
    with pytest.raises(StoreRefused, match="decklog store migrate"):
        Store(given).open(datetime.now(UTC))
    migrate(given, GAMES)

    async def test(desk: Desk) -> None:
        rows = desk.store.recorder.query("SELECT value FROM meta WHERE name = 'format'")
        assert int(rows[0][0]) == FORMAT
        assert len(await desk.records.page("results", GameResult, limit=9)) == 3
        figures = await desk.records.page("statistics", RulesetStatistics, limit=9)
        assert sorted(each.ruleset for _, each in figures) == ["pennant", "soundings"]

    with_desk(given, test)


@pytest.mark.parametrize("given", ["postgresql"], indirect=True)
def test_of_two_workers_one_follows_and_the_other_takes_over(given: Settings) -> None:
    async def test(two: Desk) -> None:
        async with open_desk(given, GAMES) as one:
            made = (await new_game(one)).game.id
            assert await lobby(two) == [made], "what was written at one is read at the other"
        second = (await new_game(two)).game.id
        assert await lobby(two) == [second, made]
        await _asked(two)
        for projection in found().values():
            assert compare(two.store.recorder, projection, meanings=MEANINGS)[1] == []

    with_desk(given, test)
