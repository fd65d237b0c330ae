"""Games that nobody plays are ended in their time, and say from the beginning when that is."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from service.clock import SETTLED_SECONDS
from service.desk import Desk
from service.errors import GameOver
from service.evidence.records import GameAbandoned
from service.evidence.verify import verify
from service.models import CustomDocument, TakeSeat
from service.play.customs import name_of
from service.store import summaries
from service.views.export import evidence_of
from service.webhooks.keeper import NewWebhook, Owner
from tests.support.pennant import Choose

from .hands import DAYS, Hands, at
from .kit import GAMES, desk_in, fresh_key, new_game, order, wishes
from .test_expiry import forked
from .test_summaries import agree

KEPT = 90
Test = Callable[[Desk, Hands], Awaitable[None]]


def on_desk(folder: Path, test: Test, **changes: Any) -> None:
    async def run() -> None:
        hands = Hands()
        async with desk_in(folder, hands, **changes) as desk:
            await test(desk, hands)

    asyncio.run(run())


async def days(desk: Desk, hands: Hands, until: float) -> int:
    """So many days have passed, all served; how many games were looked at."""
    hands.passed = until * DAYS
    await asyncio.to_thread(desk.engine._tidy)
    return await desk.caretaker.look()


def waiting(desk: Desk) -> list[str]:
    return [game for (game,) in desk.store.recorder.query("SELECT game FROM unplayed", ())]


async def types(desk: Desk, game: str) -> list[str]:
    return [event.type for event in await desk.reader.events(game, "public", 0, 200)]


def test_a_game_that_nobody_plays_is_ended_and_says_when(tmp_path: Path) -> None:
    async def test(desk: Desk, hands: Hands) -> None:
        made = await new_game(desk, seats=wishes("keep", "open"))
        game = made.game.id
        assert made.game.expires_at == at(KEPT * DAYS)
        before = await types(desk, game)
        assert await days(desk, hands, KEPT - 0.1) == 0
        assert await types(desk, game) == before
        assert await days(desk, hands, KEPT + 0.1) == 1
        assert await types(desk, game) == [*before, GameAbandoned.TYPE, "decklog.master-opened"]
        (end,) = await desk.reader.events(game, "public", len(before), 1)
        assert (end.actor, end.data) == ("service", {"days": KEPT})
        known = await desk.reader.summary(game)
        assert (known.status, known.abandoned, known.expires_at) == ("finished", True, None)
        assert (known.result, known.to_move, known.due) == (None, (), {})
        assert waiting(desk) == []
        with pytest.raises(GameOver):
            await order(desk, game, "p1", Choose("bold"))
        verdict = verify(evidence_of(desk.store, GAMES["pennant"], game, "public"), GAMES)
        assert verdict.word == "UPHELD", verdict.text()
        agree(desk)

    on_desk(tmp_path, test)


def test_a_game_that_is_played_never_goes(tmp_path: Path) -> None:
    async def test(desk: Desk, hands: Hands) -> None:
        game = (await new_game(desk)).game.id
        await order(desk, game, "p1", Choose("bold"))
        agree(desk)
        assert (await desk.reader.summary(game)).expires_at is None
        assert await days(desk, hands, KEPT + 1) == 1
        assert waiting(desk) == []
        assert (await desk.reader.summary(game)).status == "playing"
        await order(desk, game, "p2", Choose("bold"))
        assert await days(desk, hands, 10_000) == 0
        assert (await desk.reader.summary(game)).status == "playing"

    on_desk(tmp_path, test)


def test_who_takes_a_seat_puts_it_off(tmp_path: Path) -> None:
    async def test(desk: Desk, hands: Hands) -> None:
        game = (await new_game(desk, seats=wishes("keep", "open"))).game.id
        await days(desk, hands, 60)
        await desk.writer.take_seat(game, TakeSeat(seat="p2"), key=fresh_key())
        agree(desk)
        assert (await desk.reader.summary(game)).expires_at == at((60 + KEPT) * DAYS)
        assert await days(desk, hands, KEPT + 1) == 1
        assert await days(desk, hands, 60 + KEPT - 1) == 0
        assert (await desk.reader.summary(game)).status == "playing"
        assert await days(desk, hands, 60 + KEPT + 1) == 1
        assert (await desk.reader.summary(game)).abandoned

    on_desk(tmp_path, test)


def test_no_clock_ends_a_game(tmp_path: Path) -> None:
    """Put forward, it is not believed; believed in the end, the store was not served as long."""

    async def test(desk: Desk, hands: Hands) -> None:
        game = (await new_game(desk)).game.id
        desk.store.ageing.at = at(1_000 * DAYS)
        assert await desk.caretaker.look() == 1
        assert not (await desk.reader.summary(game)).abandoned, "its own record says otherwise"
        desk.store.ageing.at = at(0)
        hands.wrong = 1_000 * DAYS
        assert await desk.caretaker.look() == 0
        for _ in range(3):
            hands.passed += SETTLED_SECONDS
            await desk.timekeeper.tick()
        assert not desk.clock.suspended
        assert await desk.caretaker.look() == 0
        assert not (await desk.reader.summary(game)).abandoned

    on_desk(tmp_path, test)


def test_nothing_goes_where_nobody_wants_it(tmp_path: Path) -> None:
    async def test(desk: Desk, hands: Hands) -> None:
        made = await new_game(desk)
        assert made.game.expires_at is None
        assert waiting(desk) == []
        assert (await desk.reader.summary(await forked(desk, made.game.id))).expires_at is None
        agree(desk)

    on_desk(tmp_path, test, unplayed_days=0, fork_days=0)


def test_a_fork_says_when_it_goes_and_every_command_puts_it_off(tmp_path: Path) -> None:
    async def test(desk: Desk, hands: Hands) -> None:
        fork = await forked(desk, (await new_game(desk)).game.id)
        assert (await desk.reader.summary(fork)).expires_at == at(30 * DAYS)
        await days(desk, hands, 29)
        await order(desk, fork, "p1", Choose("bold"))
        assert (await desk.reader.summary(fork)).expires_at == at(59 * DAYS)
        agree(desk)
        assert len(waiting(desk)) == 1, "of its parent alone"

    on_desk(tmp_path, test)


def test_a_document_says_when_it_goes(tmp_path: Path) -> None:
    id_ = name_of("pennant", "map", {})
    document = CustomDocument(id=id_, ruleset="pennant", kind="map", name="", document={})

    async def test(desk: Desk, hands: Hands) -> None:
        post = desk.writer.post_custom
        made = await post(document, listed=True, key=fresh_key(), caller="x")
        assert made.expires_at == at(KEPT * DAYS)
        hands.passed = DAYS
        await post(document, listed=True, key=fresh_key(), caller="x")
        shown = await desk.writer.custom(id_)
        assert shown is not None
        assert shown.expires_at == at((KEPT + 1) * DAYS)
        assert await desk.writer.customs("pennant", "map", after="", limit=2) == [shown]

    on_desk(tmp_path, test)


def test_a_game_of_before_is_kept_for_as_long_from_then_on(tmp_path: Path) -> None:
    """Its summary is of a form that told nobody when it goes: it is made again."""
    hands = Hands()

    async def write() -> str:
        async with desk_in(tmp_path, hands) as desk:
            game = (await new_game(desk)).game.id
            ((kept, version),) = desk.store.recorder.query(
                "SELECT summary, version FROM games WHERE game = ?", (game,)
            )
            summary = summaries.decode(desk.store.box, game, version, kept)
            older = _older(desk, summary, summaries.head_of(bytes(kept)))
            desk.store.recorder.put((), [("UPDATE games SET summary = ?", (older,))])
            desk.store.recorder.put((), [("DELETE FROM unplayed", ())])
            await days(desk, hands, 50)
            return game

    async def read(game: str) -> None:
        async with desk_in(tmp_path, hands) as desk:
            assert (await desk.reader.summary(game)).expires_at == at((50 + KEPT) * DAYS)
            assert await desk.renewal.go_through(1) == 1
            assert waiting(desk) == [game]
            assert await days(desk, hands, 50 + KEPT + 1) == 1
            assert (await desk.reader.summary(game)).abandoned

    asyncio.run(read(asyncio.run(write())))


def _older(desk: Desk, summary: Any, head: str) -> bytes:
    """The row as a program without that field has written it."""
    plain = msgspec.json.decode(msgspec.json.encode(summary))
    del plain["expiresAt"]
    text = f'","form":"0123456789abcdef","head":"{head}",'.encode() + msgspec.json.encode(plain)[1:]
    return summaries._MARKED + summaries._mark(desk.store.box, summary.id, text) + text


def test_webhooks_are_told_of_it(tmp_path: Path) -> None:
    async def test(desk: Desk, hands: Hands) -> None:
        game = (await new_game(desk)).game.id
        owner, hook = Owner(game, "", "0" * 64), NewWebhook(url="http://127.0.0.1:1/x")
        await desk.webhooks.create(owner, hook, key=fresh_key())
        version = (await desk.reader.summary(game)).version
        await days(desk, hands, KEPT + 1)
        sent: list[tuple[str, int]] = []
        async with asyncio.timeout(10):
            while ("game-over", version + 1) not in sent:
                sent = desk.store.recorder.query("SELECT type, seq FROM deliveries", ())
                await asyncio.sleep(0.02)
        assert sent.pop() == ("game-over", version + 1)
        assert sent == [("your-turn", version)] * 2, "both were asked when it was made"

    on_desk(tmp_path, test, webhook_private=True, webhook_seconds=0)
