"""A game that is deleted, and a token that is banned, while somebody still holds on to them."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from service.desk import Desk
from service.errors import Deleted, NotFound
from service.http.feeds import FeedPosition, Feeds
from service.http.streams import Follower, ndjson_frame
from service.store.tokens import listed
from service.webhooks import rows
from service.webhooks.keeper import NewWebhook, Owner
from tests.support import postgres

from .hands import Hands
from .kit import desk_in, fresh_key, instruct, new_game, play
from .test_clerk import Test, on_desk
from .test_expiry import at as days
from .test_expiry import forked


def follower(desk: Desk, game: str) -> Follower:
    async def allowed() -> bool:
        return True

    return Follower(
        desk, Feeds(desk.reader), FeedPosition(game, "public", 0), frame=ndjson_frame, alive=b"\n",
        ping=60, follow=True, closing=asyncio.Event(), farewell=b"", allowed=allowed,
        sent=lambda at: None,
    )  # fmt: skip


async def follow(desk: Desk, game: str, began: asyncio.Event) -> None:
    async for chunk in follower(desk, game).chunks():
        assert chunk
        began.set()


def test_a_stream_ends_with_its_game(tmp_path: Path) -> None:
    async def test(desk: Desk, hands: Hands) -> None:
        game, began = (await new_game(desk)).game.id, asyncio.Event()
        following = asyncio.create_task(follow(desk, game, began))
        await began.wait()
        assert (await instruct(desk, "delete", game)).code == ""
        with pytest.raises(Deleted):
            await asyncio.wait_for(following, 5)

    on_desk(tmp_path, test)


def test_a_stream_ends_with_its_game_at_whatever_worker(tmp_path: Path, postgresql: str) -> None:
    told: dict[str, Any] = {
        "store": postgres.place(postgresql, str(tmp_path)), "key": postgres.KEY
    }  # fmt: skip

    async def test() -> None:
        async with desk_in(tmp_path, **told) as one, desk_in(tmp_path, **told) as other:
            game, began = (await new_game(one)).game.id, asyncio.Event()
            following = asyncio.create_task(follow(other, game, began))
            await began.wait()
            assert (await instruct(one, "delete", game)).code == ""
            with pytest.raises(Deleted):
                await asyncio.wait_for(following, 5)

    asyncio.run(test())


def test_a_stream_of_a_fork_ends_when_its_time_is_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def test(desk: Desk, hands: Hands) -> None:
        fork, began = await forked(desk, (await new_game(desk)).game.id), asyncio.Event()
        following = asyncio.create_task(follow(desk, fork, began))
        await began.wait()
        go_on = desk.store.expiry.go_on
        monkeypatch.setattr(desk.store.expiry, "go_on", lambda now: go_on(days(31)))
        await asyncio.to_thread(desk.engine._tidy)
        with pytest.raises(NotFound):
            await asyncio.wait_for(following, 5)

    on_desk(tmp_path, test)


async def banned(desk: Desk, hands: Hands) -> None:
    game = (await new_game(desk, turns=5)).game.id
    token = next(t.token for t in listed(desk.store.recorder, game) if t.kind == "organiser")
    hook = NewWebhook(url="http://127.0.0.1:1/x")
    await desk.webhooks.create(Owner(game, "", token), hook, key=fresh_key())
    await play(desk, game, 3)

    def due() -> list[Any]:
        return rows.due(desk.store.recorder, "2999-01-01T00:00:00.000Z", 9)

    for _ in range(500):
        if due():
            break
        await asyncio.sleep(0.02)
    assert due() != []
    assert (await instruct(desk, "curb", who=f"token:{token}", rate="0")).code == ""
    assert due() == []
    assert rows.waiting(desk.store.recorder) > 0
    assert (await instruct(desk, "lift", who=f"token:{token}")).code == ""
    assert due() != [], "what was kept back is sent"
    assert (await instruct(desk, "curb", who=f"token:{token}", rate="3")).code == ""
    assert due() != [], "who may ask for less is told as much"


BANNED: Test = banned


def test_nothing_is_sent_for_a_token_that_is_banned(tmp_path: Path) -> None:
    on_desk(tmp_path, BANNED, webhook_private=True, webhook_seconds=0)


def test_the_lobby_goes_on_behind_a_game_that_is_deleted_meanwhile(tmp_path: Path) -> None:
    async def test(desk: Desk, hands: Hands) -> None:
        games = [(await new_game(desk)).game.id for _ in range(5)]
        page = await desk.reader.lobby(limit=2)
        assert [each.id for each in page] == [games[4], games[3]]
        place = await desk.reader.lobby_place(page)
        for each in (games[3], games[2]):
            assert (await instruct(desk, "delete", each)).code == ""
        rest = await desk.reader.lobby(below=place, limit=9)
        assert [each.id for each in rest] == [games[1], games[0]]
        assert await desk.reader.lobby_place(page[:1]) == place + 1
        assert await desk.reader.lobby_place(page[1:]) == 1, "all of the page are gone: no more"

    on_desk(tmp_path, test)
