"""Listeners of one game read once and send the same bytes, each what its own eyes may see."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from domain.kernel.values import PUBLIC
from projections.stream import SeenEvent
from service.desk import Desk
from service.errors import NotFound
from service.http import feeds
from service.http.feeds import FeedPosition, Feeds
from service.http.streams import ndjson_frame, sse_frame
from service.http.wire import event_bytes
from tests.support.pennant import Choose

from .kit import new_game, on_desk, order, play


def counted(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What the desk was asked to read, from now on."""
    asked: list[Any] = []
    read = desk.reader.events_upto

    async def events_upto(latest: int, *rest: Any) -> list[SeenEvent]:
        asked.append(rest)
        return await read(latest, *rest)

    monkeypatch.setattr(desk.reader, "events_upto", events_upto)
    return asked


def test_who_asks_at_the_same_place_shares_one_reading(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def test(desk: Desk) -> None:
        game = (await new_game(desk)).game.id
        await order(desk, game, "p1", Choose("bold"))
        asked = counted(desk, monkeypatch)
        shared = Feeds(desk.reader)
        eyes = [PUBLIC, "p1", "p2", PUBLIC, "p1", PUBLIC]
        found = await asyncio.gather(
            *(shared.ask(FeedPosition(game, viewer, 1)) for viewer in eyes)
        )
        assert len(asked) == 3, "one for each pair of eyes"
        assert found[0] is found[3] is found[5]
        assert found[1] is found[4]
        for viewer, feed in zip(eyes, found, strict=True):
            alone = await desk.reader.events(game, viewer, 1, 200)
            assert feed.framed(ndjson_frame) == b"".join(event_bytes(e) + b"\n" for e in alone)
            assert feed.framed(sse_frame) == b"".join(map(sse_frame, alone))
        assert b"bold" in found[1].framed(sse_frame)
        assert b"bold" not in found[0].framed(sse_frame) + found[2].framed(sse_frame)

    on_desk(tmp_path, test)


def test_a_feed_says_whether_there_is_more_and_whether_it_was_the_last(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(feeds, "CHUNK", 3)

    async def test(desk: Desk) -> None:
        game = (await new_game(desk, turns=1)).game.id
        first = await Feeds(desk.reader).ask(FeedPosition(game, PUBLIC, 0))
        assert (len(first.events), first.more, first.over) == (2, False, False)
        await play(desk, game, seed=8)
        last = (await desk.reader.summary(game)).version
        place, seen = FeedPosition(game, PUBLIC, 0), []
        while True:
            feed = await Feeds(desk.reader).ask(place)
            seen += [event.seq for event in feed.events]
            assert feed.over == (seen[-1] == last)
            if feed.over:
                break
            assert feed.more
            place = place._replace(after=seen[-1])
        assert seen == list(range(1, last + 1))
        beyond = await Feeds(desk.reader).ask(place._replace(after=last))
        assert (beyond.events, beyond.more, beyond.over) == ([], False, True)
        with pytest.raises(NotFound):
            await Feeds(desk.reader).ask(FeedPosition("0" * 32, PUBLIC, 0))

    on_desk(tmp_path, test)


def test_who_shares_a_reading_that_began_too_early_is_told_of_what_it_lacks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def test(desk: Desk) -> None:
        game = (await new_game(desk)).game.id
        shared, read, go = Feeds(desk.reader), desk.reader.events_upto, asyncio.Event()

        async def slowly(*asked: Any) -> list[SeenEvent]:
            await go.wait()
            return await read(*asked)

        # An order reads as well: only what the feed asks for is slow.
        with monkeypatch.context() as slow:
            slow.setattr(desk.reader, "events_upto", slowly)
            early = asyncio.create_task(shared.ask(FeedPosition(game, PUBLIC, 0)))
            await asyncio.sleep(0.02)
        await order(desk, game, "p1", Choose("bold"))
        latest = (await desk.reader.summary(game)).version
        early.cancel()  # who asked first is gone, and listened to nothing
        with desk.reader.listening(game) as ear:
            late = asyncio.create_task(shared.ask(FeedPosition(game, PUBLIC, 0)))
            await asyncio.sleep(0.02)
            go.set()
            found = (await late).events[-1].seq
            assert found == latest or await ear.above(found, 0.2), "it would wait for the next one"
        assert desk.reader.news.games == ()
        assert shared._together._next == {}

    on_desk(tmp_path, test)
