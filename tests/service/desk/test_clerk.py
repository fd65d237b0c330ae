"""What an operator puts into the store is done by the service that is at work on it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from domain.kernel.values import PUBLIC
from service.desk import Desk
from service.errors import Damaged, Deleted, GameFrozen, GameOver, NotFound
from service.evidence.records import EndedByRuling, GameAbandoned, MasterOpened, Paused, Resumed
from service.evidence.verify import verify
from service.following.follower import compare
from service.following.meaning import Meanings
from service.models import NewAgreement, TakeSeat
from service.problems import BY_CODE
from service.store import acts, idempotency, instructions, tokens
from service.store.instructions import Instruction
from service.store.persons import data_of
from service.views.whole import is_whole
from service.webhooks.keeper import NewWebhook, Owner
from tests.support.pennant import Choose, Pass

from .hands import Hands, at, go_on, turn
from .kit import GAMES, desk_in, fresh_key, instruct, new_game, order, play, wishes
from .test_expiry import forked
from .test_summaries import agree
from .test_unplayed import KEPT, days, types

Test = Callable[[Desk, Hands], Awaitable[None]]
PUT_BACK = (
    "INSERT INTO games (game, ruleset, status, version, summary, master) "
    "SELECT ?, ruleset, status, version, summary, master FROM games WHERE game = ?"
)
ENDED = [EndedByRuling.TYPE, MasterOpened.TYPE]


def on_desk(folder: Path, test: Test, **changes: Any) -> None:
    async def run() -> None:
        hands = Hands()
        async with desk_in(folder, hands, deadline_grace=0, **changes) as desk:
            await test(desk, hands)

    asyncio.run(run())


async def upheld(desk: Desk, game: str) -> str:
    verdict = verify(await desk.reader.evidence(game, "public"), GAMES)
    assert verdict.word == "UPHELD", verdict.text()
    return verdict.text()


def test_a_frozen_game_takes_nothing_until_it_is_thawed(tmp_path: Path) -> None:
    async def test(desk: Desk, hands: Hands) -> None:
        game = (await new_game(desk, seats=wishes("keep", "open"))).game.id
        version = (await desk.reader.summary(game)).version
        done = await instruct(desk, "freeze", game, tell="a complaint")
        assert (done.code, done.told) == ("", {"version": str(version + 1)})
        known = await desk.reader.summary(game)
        assert known.frozen
        assert known.paused is not None
        assert (known.paused.since, known.paused.reason) == (at(0), "a complaint")
        agree(desk)
        for going_on in (
            order(desk, game, "p1", Choose("bold")),
            desk.writer.take_seat(game, TakeSeat(seat="p2"), key=fresh_key()),
            desk.reader.check(game, "p1", Choose("bold")),
            desk.writer.give_agreement(
                game, "p1", NewAgreement(digest=known.rules.digest), key=fresh_key(), caller=""
            ),
        ):
            with pytest.raises(GameFrozen, match="a complaint"):
                await going_on
        assert (await instruct(desk, "freeze", game)).code == "ruling.impossible"
        assert (await instruct(desk, "resume", game)).code == "ruling.impossible"
        assert (await instruct(desk, "thaw", game)).code == ""
        assert (await instruct(desk, "thaw", game)).code == "ruling.impossible"
        assert (await desk.reader.summary(game)).paused is None
        await desk.writer.take_seat(game, TakeSeat(seat="p2"), key=fresh_key())
        await play(desk, game, 1)
        found = [each for each in await types(desk, game) if each in (Paused.TYPE, Resumed.TYPE)]
        assert found == [Paused.TYPE, Resumed.TYPE]
        assert 'froze the game: "a complaint"' in await upheld(desk, game)
        agree(desk)
        assert [(a.act, a.operator, a.why) for a in acts.listed(desk.store.recorder, game)] == [
            (act, "harbour master", "as was asked") for act in ("freeze", "thaw")
        ]

    on_desk(tmp_path, test)


@pytest.mark.parametrize("act", ["freeze", "pause"])
def test_the_time_for_which_it_stood_is_given_back(tmp_path: Path, act: str) -> None:
    async def test(desk: Desk, hands: Hands) -> None:
        game = await turn(desk, 60)
        assert await go_on(desk, hands, 40.5) == 0
        await instruct(desk, act, game)
        known = await desk.reader.summary(game)
        assert known.paused is not None
        assert (known.due, known.paused.left) == ({}, {"p1": 20})
        agree(desk)
        assert await go_on(desk, hands, 500) == 0
        if act == "pause":  # only the clocks stand still
            await order(desk, game, "p1", Pass())
            assert (await desk.reader.summary(game)).paused.left == {}  # type: ignore[union-attr]
            agree(desk)
            await instruct(desk, "resume", game)
            assert (await desk.reader.summary(game)).due == {"p2": at(560)}
        else:
            await instruct(desk, "thaw", game)
            assert (await desk.reader.summary(game)).due == {"p1": at(520)}
            assert await go_on(desk, hands, 519) == 0
            assert await go_on(desk, hands, 521) == 1
        agree(desk)
        await play(desk, game, 3)
        await upheld(desk, game)

    on_desk(tmp_path, test)


def test_a_game_is_ended_by_ruling_and_everybody_is_told(tmp_path: Path) -> None:
    async def test(desk: Desk, hands: Hands) -> None:
        game = await turn(desk, 60)
        owner, hook = Owner(game, "", "0" * 64), NewWebhook(url="http://127.0.0.1:1/x")
        await desk.webhooks.create(owner, hook, key=fresh_key())
        before = await types(desk, game)
        await instruct(desk, "pause", game)
        waits = asyncio.create_task(desk.reader.wait(game, len(before) + 1, 20))
        await instruct(desk, "end", game, tell="Both seats were one person.")
        assert await waits == len(before) + 3
        assert await types(desk, game) == [*before, Paused.TYPE, *ENDED]
        known = await desk.reader.summary(game)
        assert (known.status, known.abandoned, known.result) == ("finished", True, None)
        assert (known.ruling, known.paused) == ("Both seats were one person.", None)
        assert (known.to_move, known.due, known.expires_at) == ((), {}, None)
        agree(desk)
        with pytest.raises(GameOver):
            await order(desk, game, "p1", Pass())
        for again in ("end", "freeze", "resume"):
            assert (await instruct(desk, again, game)).code == "game.over"
        text = await upheld(desk, game)
        assert (
            'ended the game by ruling, and it has no result: "Both seats were one person."' in text
        )
        view = await desk.reader.view(game, "truth")
        assert view.version == len(before) + 3
        sent: list[tuple[str, int]] = []
        async with asyncio.timeout(10):
            while ("game-over", len(before) + 2) not in sent:
                sent = desk.store.recorder.query("SELECT type, seq FROM deliveries", ())
                await asyncio.sleep(0.02)
        assert sent.pop() == ("game-over", len(before) + 2)
        assert {*sent} == {("your-turn", len(before))}, "whoever was asked when it was made"

    on_desk(tmp_path, test, webhook_private=True, webhook_seconds=0)


def test_a_hidden_game_is_in_no_list(tmp_path: Path) -> None:
    async def test(desk: Desk, hands: Hands) -> None:
        game, other = [(await new_game(desk)).game.id for _ in range(2)]
        for each in (game, other):
            await play(desk, each, 1)
        everywhere = [{game, other}] * 4
        assert await listed(desk) == everywhere
        await instruct(desk, "hide", game)
        assert await listed(desk) == [{other}] * 4
        assert (await desk.reader.summary(game)).id == game
        await instruct(desk, "show", game)
        assert await listed(desk) == everywhere
        assert (await instruct(desk, "hide", "0" * 32)).code == "game.not-found"

    on_desk(tmp_path, test)


async def listed(desk: Desk) -> list[set[str]]:
    """The games of each list."""
    from projections.dice import GameRoll
    from projections.results import GameResult

    lobby = await desk.reader.lobby(limit=50)
    active = await desk.records.active(limit=50, ruleset="", status="")
    results = await desk.records.page("results", GameResult, limit=50)
    dice = await desk.records.page("dice", GameRoll, limit=50)
    return [
        {each.id for each in lobby},
        {each.id for _, each in active},
        {each.game for _, each in results},
        {each.game for _, each in dice},
    ]


def test_a_deleted_game_leaves_a_tombstone_and_nothing_else(tmp_path: Path) -> None:
    async def test(desk: Desk, hands: Hands) -> None:
        game, other = [(await new_game(desk, name="SECRETNAME")).game.id for _ in range(2)]
        for each in (game, other):
            await play(desk, each, 1)
        await listed(desk)
        known, place = await desk.reader.summary(game), desk.following.newest()
        head = verify(await desk.reader.evidence(game, "public"), GAMES).head
        assert (await instruct(desk, "delete", game, tell="The law asks for it.")).code == ""
        for reading in (
            desk.reader.summary(game),
            desk.reader.view(game, "public"),
            desk.reader.events(game, "public", 0, 9),
            order(desk, game, "p1", Pass(), expected=1),
        ):
            with pytest.raises(Deleted) as gone:
                await reading
            assert {game in gone.value.hint, "The law asks for it." in gone.value.hint} == {
                False, True,
            }  # fmt: skip
            assert f"number {known.version}, {head}" in gone.value.hint
        assert await listed(desk) == [{other}] * 4
        assert desk.following.newest() == place, "places are never given again"
        for table in ("games", "commands", "projected", "tokens", "deadlines", "unplayed"):
            kept = desk.store.recorder.query(f"SELECT * FROM {table}", ())
            assert table == "tokens" or game not in repr(kept), table
        (left,) = desk.store.recorder.query(
            "SELECT count(*) FROM stored_events WHERE originator_id LIKE ? AND length(state) > 0",
            (f"%{game}",),
        )
        assert left == (0,)
        assert (await instruct(desk, "delete", game)).code == "game.not-found"
        desk.store.recorder.put((), [(PUT_BACK, (game, other))])  # as out of a copy
        assert (await instruct(desk, "delete", game)).code == ""
        for _ in range(200):
            if await whole(desk):
                break
            await asyncio.sleep(0.05)
        assert await whole(desk)
        await order_again(desk)

    on_desk(tmp_path, test)


async def whole(desk: Desk) -> bool:
    """Whether projections are what a rebuild makes of the log."""
    from projections.finder import found
    from service.following.follower import places_of

    if any(each.version < 0 for each in places_of(desk.store.recorder).values()):
        return False
    for each in found().values():
        assert compare(desk.store.recorder, each, meanings=Meanings(GAMES))[1] == []
    return True


async def order_again(desk: Desk) -> None:
    """The service goes on."""
    game = (await new_game(desk)).game.id
    await play(desk, game, 2)


def test_a_what_if_game_goes_without_a_tombstone(tmp_path: Path) -> None:
    """Nobody but its owner knows that there was one."""

    async def test(desk: Desk, hands: Hands) -> None:
        fork = await forked(desk, (await new_game(desk)).game.id)
        assert (await instruct(desk, "delete", fork)).code == ""
        with pytest.raises(NotFound) as gone:
            await desk.reader.summary(fork)
        assert not isinstance(gone.value, Deleted)

    on_desk(tmp_path, test)


def hurt(desk: Desk, game: str) -> None:
    """Its second event is none any more."""
    broken = "UPDATE stored_events SET state = ? WHERE originator_id = ? AND originator_version = 2"
    desk.store.recorder.put((), [(broken, (b"{", game))])
    desk.engine.forget(game)


def test_who_meets_a_damaged_game_is_told_of_nothing_that_is_refused(tmp_path: Path) -> None:
    """Its evidence is refused as the game is: so the hint does not send anybody to export it."""

    async def test(desk: Desk, hands: Hands) -> None:
        game = (await new_game(desk)).game.id
        hurt(desk, game)
        with pytest.raises(Damaged) as refused:
            await desk.reader.evidence(game, PUBLIC)
        hint = BY_CODE[refused.value.code].hint
        assert "export" not in hint
        assert "operator" in hint

    on_desk(tmp_path, test)


def test_a_damaged_game_is_deleted_and_nothing_else_is_done_to_it(tmp_path: Path) -> None:
    async def test(desk: Desk, hands: Hands) -> None:
        game = (await new_game(desk)).game.id
        hurt(desk, game)
        with pytest.raises(Damaged):
            await order(desk, game, "p1", Choose("bold"))
        assert (await instruct(desk, "freeze", game)).code == "game.damaged"
        assert acts.listed(desk.store.recorder, game) == []
        assert (await instruct(desk, "delete", game)).code == ""

    on_desk(tmp_path, test)


def test_what_was_not_given_with_the_key_is_not_done(tmp_path: Path) -> None:
    async def test(desk: Desk, hands: Hands) -> None:
        game = (await new_game(desk)).game.id
        asked = Instruction(fresh_key(), "delete", "somebody", "", game)
        sql, (name, _, told) = instructions.insertion(desk.store.box, asked)
        desk.store.recorder.put((), [(sql, (name, "0" * 64, told))])
        assert await desk.clerk.look() == 0
        assert (await desk.reader.summary(game)).id == game

    on_desk(tmp_path, test)


def test_a_frozen_game_is_not_ended_because_nobody_plays(tmp_path: Path) -> None:
    async def test(desk: Desk, hands: Hands) -> None:
        game = (await new_game(desk)).game.id
        await instruct(desk, "freeze", game)
        await days(desk, hands, KEPT + 5)
        assert (await desk.reader.summary(game)).status == "playing"
        await instruct(desk, "thaw", game)
        await days(desk, hands, KEPT + 6)
        assert (await desk.reader.summary(game)).status == "playing", "it began anew"
        await days(desk, hands, 2 * KEPT + 7)
        assert (await types(desk, game))[-2] == GameAbandoned.TYPE
        await upheld(desk, game)

    on_desk(tmp_path, test)


def test_what_is_kept_of_a_person_goes_and_the_others_keep_theirs(tmp_path: Path) -> None:
    async def test(desk: Desk, hands: Hands) -> None:
        game = (await new_game(desk)).game.id
        for seat in ("p1", "p2"):
            owner, hook = Owner(game, seat, "0" * 64), NewWebhook(url=f"http://127.0.0.1:1/{seat}")
            await desk.webhooks.create(owner, hook, key=fresh_key())
        await instruct(desk, "end", game, tell="It was right.")
        recorder = desk.store.recorder
        for _ in range(200):
            if len(recorder.query("SELECT 1 FROM deliveries", ())) == 2:
                break
            await asyncio.sleep(0.05)
        (mine,) = data_of(recorder, desk.store.box, game, "p1").webhooks
        assert mine["url"] == "http://127.0.0.1:1/p1"
        assert (await instruct(desk, "forget", game, seat="p1")).code == ""
        left = data_of(recorder, desk.store.box, game, "p1")
        assert (left.webhooks, [t.revoked != "" for t in left.tokens]) == ((), [True])
        other = data_of(recorder, desk.store.box, game, "p2")
        assert (len(other.webhooks), [t.revoked for t in other.tokens]) == (1, [""])
        assert len(recorder.query("SELECT 1 FROM deliveries", ())) == 1
        await upheld(desk, game)

    on_desk(tmp_path, test, webhook_private=True, webhook_seconds=0)


def test_between_two_rulings_is_no_middle_of_a_command(tmp_path: Path) -> None:
    """A check at such a version is judged; so a what-if game may begin there."""

    async def test(desk: Desk, hands: Hands) -> None:
        game = (await new_game(desk)).game.id
        stood = (await desk.reader.summary(game)).version
        await instruct(desk, "freeze", game)
        await instruct(desk, "thaw", game)
        await order(desk, game, "p1", Choose("bold"))
        for version in (stood, stood + 1, stood + 2):
            await desk.reader.check(game, "p1", Choose("bold"), version)
            assert is_whole(await desk.reader.events(game, "p1", version - 1, 2))

    on_desk(tmp_path, test)


def test_answers_go_with_whom_they_were_given_to(tmp_path: Path) -> None:
    """That of a webhook has its address and its secret; the others may repeat what they asked."""

    async def test(desk: Desk, hands: Hands) -> None:
        game = (await new_game(desk)).game.id
        recorder = desk.store.recorder
        own = {each.seat: each.token for each in tokens.listed(recorder, game)}
        kinds = ("command/{}", "rules/token:{}", "webhooks/{}")
        scopes = {seat: {kind.format(own[seat]) for kind in kinds} for seat in ("p1", "p2")}
        for scope in (*scopes["p1"], *scopes["p2"], f"take/{game}/address:203.0.113.7"):
            kept = idempotency.insertion(desk.store.box, (scope, "key"), b"", b"{}", at(0))
            recorder.put((), [kept])

        def left() -> set[str]:
            found = {caller for (caller,) in recorder.query("SELECT caller FROM idempotency")}
            return {each for each in found if not each.startswith("create/")}

        for nobody in ("p3", ""):
            assert (await instruct(desk, "forget", game, seat=nobody)).code == "ruling.impossible"
        await instruct(desk, "forget", game, seat="p1")
        assert left() == scopes["p2"]
        await instruct(desk, "delete", game)
        assert left() == set()

    on_desk(tmp_path, test)
