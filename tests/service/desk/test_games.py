"""Games on the desk: created, played, shown, shown again after a restart."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from domain.kernel.codec import canonical
from domain.kernel.rules import Refused
from domain.kernel.values import PUBLIC, TRUTH, Hidden, Known
from projections.stream import SeenEvent
from service.desk import Desk
from service.errors import BadSetup, GameOver, NotFound, ServiceError, UnknownVersion
from service.evidence.verify import verify
from service.models import NewGame, SeatWish
from tests.support.pennant import GAME, Choose, Fire, Pass

from .kit import GAMES, desk_in, fresh_key, new_game, on_desk, order, play


def test_a_game_is_played_to_its_end_and_judged_again(tmp_path: Path) -> None:
    async def test(desk: Desk) -> None:
        created = await new_game(desk, turns=8)
        assert [token.seat for token in created.tokens] == ["p1", "p2"]
        game = created.game.id
        await play(desk, game, seed=1)
        summary = await desk.reader.summary(game)
        assert summary.status == "finished"
        assert summary.result is not None
        assert summary.to_move == ()
        events = await desk.reader.events(game, PUBLIC, 0, 1000)
        assert [event.seq for event in events] == list(range(1, summary.version + 1))
        types = [event.type for event in events]
        assert types[0] == "decklog.game-created"
        assert types[-2:] == ["decklog.game-closed", "decklog.master-opened"]
        verdict = verify(await desk.reader.evidence(game, PUBLIC), GAMES)
        assert (verdict.word, verdict.scope, verdict.events) == (
            "UPHELD", "complete", summary.version,
        )  # fmt: skip
        with pytest.raises(GameOver):
            await order(desk, game, "p1", Pass())

    on_desk(tmp_path, test)


def test_every_view_is_the_fold_of_the_events_that_its_viewer_sees(tmp_path: Path) -> None:
    async def test(desk: Desk) -> None:
        game = (await new_game(desk, turns=60)).game.id
        await play(desk, game, seed=2)
        latest = (await desk.reader.summary(game)).version
        assert latest > 128, "the game is to be longer than what is kept of fresh events"
        for viewer in ("p1", "p2", PUBLIC, TRUTH):
            events = await desk.reader.events(game, viewer, 0, latest)
            state = None
            for event in events:
                if event.event is not None:
                    state = GAME.evolve(state, event.event)
                view = await desk.reader.view(game, viewer, event.seq)
                assert (view.version, view.state) == (event.seq, state)

    on_desk(tmp_path, test)


def test_events_in_pieces_are_the_events_in_one(tmp_path: Path) -> None:
    async def test(desk: Desk) -> None:
        game = (await new_game(desk, turns=60)).game.id
        await play(desk, game, seed=3)
        whole = await desk.reader.events(game, "p1", 0, 10_000)
        for step in (1, 7, 64, 100):
            pieces: list[SeenEvent] = []
            while piece := await desk.reader.events(game, "p1", len(pieces), step):
                assert len(piece) <= step
                pieces.extend(piece)
            assert canonical(pieces) == canonical(whole)

    on_desk(tmp_path, test)


def test_a_secret_is_seen_by_its_seat_alone(tmp_path: Path) -> None:
    async def test(desk: Desk) -> None:
        game = (await new_game(desk)).game.id
        outcome = await order(desk, game, "p1", Choose("bold"))
        assert outcome.events[0].event.choice == Known(("bold",))
        assert outcome.events[0].text == "p1 chooses bold."
        for viewer in ("p2", PUBLIC):
            (event,) = await desk.reader.events(game, viewer, outcome.version - 1, 10)
            assert event.event.choice == Hidden(1)
            assert event.text == "p1 chooses a colour in secret."
            assert b"bold" not in canonical((await desk.reader.view(game, viewer)).state)
            bundle = await desk.reader.evidence(game, viewer)
            assert b"bold" not in bundle
            assert verify(bundle, GAMES).word == "UPHELD"

    on_desk(tmp_path, test)


def test_after_a_restart_everything_is_as_it_was(tmp_path: Path) -> None:
    async def seen(desk: Desk, game: str) -> list[bytes]:
        latest = (await desk.reader.summary(game)).version
        return [
            canonical(await desk.reader.summary(game)),
            canonical(await desk.reader.events(game, "p1", 0, latest)),
            canonical(await desk.reader.view(game, "p2")),
            canonical(await desk.reader.view(game, "p2", latest // 2)),
            canonical(await desk.reader.rolls(game, PUBLIC)),
            await desk.reader.evidence(game, "p1"),
        ]

    async def run() -> None:
        async with desk_in(tmp_path) as desk:
            created = await new_game(desk, turns=40)
            game = created.game.id
            await play(desk, game, seed=4, commands=25)
            before = await seen(desk, game)
        async with desk_in(tmp_path) as desk:
            assert await seen(desk, game) == before
            assert await desk.reader.identify(created.tokens[0].token) is not None
            await play(desk, game, seed=5)
            assert verify(await desk.reader.evidence(game, PUBLIC), GAMES).word == "UPHELD"

    asyncio.run(run())


def test_the_state_that_is_played_on_is_the_one_that_is_read_back(tmp_path: Path) -> None:
    """A desk that forgets each game at once plays the same game, by a named seed."""

    async def run(folder: Path, **changes: Any) -> tuple[Any, list[Any]]:
        async with desk_in(folder, **changes) as desk:
            game = (await new_game(desk, turns=30, seed="trafalgar")).game.id
            other = (await new_game(desk)).game.id
            while (await desk.reader.summary(game)).result is None:
                await play(desk, game, seed=6, commands=1)
                await desk.reader.view(other, PUBLIC)
                if changes:
                    await order(desk, (await new_game(desk)).game.id, "p1", Choose("bold"))
            rolls = [(roll.id, roll.faces) for roll in await desk.reader.rolls(game, PUBLIC)]
            return (await desk.reader.view(game, TRUTH)).state, rolls

    remembering = asyncio.run(run(tmp_path / "one"))
    forgetful = asyncio.run(run(tmp_path / "two", cached_games=1))
    assert remembering == forgetful
    assert remembering[1]


def test_the_ledger_names_each_roll_with_its_reasons(tmp_path: Path) -> None:
    async def test(desk: Desk) -> None:
        game = (await new_game(desk, turns=40)).game.id
        await order(desk, game, "p1", Choose("bold"))
        await order(desk, game, "p2", Choose("steady"))
        outcome = await order(desk, game, "p1", Fire("hull"))
        (roll,) = await desk.reader.rolls(game, PUBLIC)
        resolved = outcome.events[-1]
        assert (roll.id, roll.owner, roll.batch, roll.caused_by) == (
            "fire/1", "p1", 1, outcome.command,
        )  # fmt: skip
        assert (roll.seq, roll.event) == (outcome.events[1].seq, resolved.seq)
        assert roll.faces == (resolved.event.faces,)
        assert (roll.pools[0].count, roll.pools[0].sides) == (3, 6)
        assert roll.reasons["dice"]["total"] == 3
        assert roll.result["pennant.fire-resolved"]["label"] == "fire/1"

    on_desk(tmp_path, test)


def test_two_rolls_of_one_command_share_a_batch(tmp_path: Path) -> None:
    async def test(desk: Desk) -> None:
        game = (await new_game(desk, turns=200)).game.id
        await order(desk, game, "p1", Choose("steady"))
        await order(desk, game, "p2", Choose("steady"))
        outcome = await order(desk, game, "p1", Fire("magazine"))
        while len(outcome.events[1].data["rolls"]) == 1:
            seat = (await desk.reader.summary(game)).to_move[0].seat
            outcome = await order(desk, game, seat, Fire("magazine"))
        labels = [roll["label"].split("/")[0] for roll in outcome.events[1].data["rolls"]]
        assert labels == ["fire", "magazine"]
        shown = [
            roll
            for roll in await desk.reader.rolls(game, "p2")
            if roll.seq == outcome.events[1].seq
        ]
        assert [roll.batch for roll in shown] == [outcome.next_batch - 1] * 2
        assert [roll.event for roll in shown] == [e.seq for e in outcome.events[2:4]]

    on_desk(tmp_path, test)


@pytest.mark.parametrize(
    ("fields", "code", "pointer"),
    [
        ({"ruleset": "chess"}, "ruleset.unknown", "/ruleset"),
        ({"edition": "ninth"}, "edition.unknown", "/edition"),
        ({"options": {"turns": 0}}, "options.invalid", "/options"),
        ({"options": {"turns": "4"}}, "options.invalid", "/options"),
        ({"options": {"speed": 4}}, "options.invalid", "/options"),
        ({"seats": [SeatWish(seat="p1")]}, "seats.invalid", "/seats"),
        ({"seats": [SeatWish(seat="p1"), SeatWish(seat="p1")]}, "seats.invalid", "/seats"),
        ({"seats": [SeatWish(seat="p1"), SeatWish(seat="p3")]}, "seats.invalid", "/seats"),
    ],
)
def test_a_set_up_that_cannot_be(
    tmp_path: Path, fields: dict[str, object], code: str, pointer: str
) -> None:
    async def test(desk: Desk) -> None:
        new = NewGame(**{"ruleset": "pennant", **fields})  # type: ignore[arg-type]
        with pytest.raises(BadSetup) as refused:
            await desk.writer.create_game(new, key=fresh_key(), caller="tests")
        assert (refused.value.code, refused.value.pointer) == (code, pointer)
        assert refused.value.status == 422
        assert await desk.reader.lobby(limit=10) == []

    on_desk(tmp_path, test)


def test_refusals_of_the_rules_come_through_and_change_nothing(tmp_path: Path) -> None:
    async def test(desk: Desk) -> None:
        game = (await new_game(desk)).game.id
        before = await desk.reader.summary(game)
        with pytest.raises(Refused) as refused:
            await order(desk, game, "p1", Fire("hull"))
        assert (refused.value.code, refused.value.rule) == ("turn.wrong-step", "PEN-2")
        assert await desk.reader.summary(game) == before
        with pytest.raises(ServiceError) as error:
            await order(desk, game, "p9", Fire("hull"))
        assert error.value.code == "seat.unknown"

    on_desk(tmp_path, test)


def test_the_dry_run_says_what_the_rules_say_and_does_nothing(tmp_path: Path) -> None:
    async def test(desk: Desk) -> None:
        game = (await new_game(desk, turns=2)).game.id
        await desk.reader.check(game, "p1", Choose("bold"))
        with pytest.raises(Refused, match=r"turn\.must-act"):
            await desk.reader.check(game, "p1", Pass())
        assert (await desk.reader.summary(game)).version == 2
        await play(desk, game, seed=7)
        with pytest.raises(GameOver):
            await desk.reader.check(game, "p1", Pass())

    on_desk(tmp_path, test)


def test_what_does_not_exist(tmp_path: Path) -> None:
    async def test(desk: Desk) -> None:
        nowhere = "0" * 32
        asked = [
            desk.reader.summary(nowhere),
            desk.reader.view(nowhere, PUBLIC),
            desk.reader.events(nowhere, PUBLIC, 0, 1),
            desk.reader.rolls(nowhere, PUBLIC),
            desk.reader.evidence(nowhere, PUBLIC),
            desk.reader.wait(nowhere, 0, 0.1),
            desk.reader.check(nowhere, "p1", Pass()),
            order(desk, nowhere, "p1", Pass(), expected=1),
        ]
        for answer in await asyncio.gather(*asked, return_exceptions=True):
            assert isinstance(answer, NotFound)
        game = (await new_game(desk)).game.id
        for version in (0, 3, -1):
            with pytest.raises(UnknownVersion):
                await desk.reader.view(game, PUBLIC, version)
        assert await desk.reader.events(game, PUBLIC, 2, 10) == []
        assert await desk.reader.events(game, PUBLIC, 99, 10) == []

    on_desk(tmp_path, test)


def test_the_lobby_is_newest_first_and_in_pages(tmp_path: Path) -> None:
    async def test(desk: Desk) -> None:
        games = [(await new_game(desk, turns=1)).game.id for _ in range(5)]
        await play(desk, games[2], seed=8)
        page = await desk.reader.lobby(limit=2)
        assert [game.id for game in page] == [games[4], games[3]]
        place = await desk.reader.lobby_place(page)
        page = await desk.reader.lobby(below=place, limit=10)
        assert [game.id for game in page] == [games[2], games[1], games[0]]
        finished = await desk.reader.lobby(limit=10, status="finished")
        assert [game.id for game in finished] == [games[2]]
        assert len(await desk.reader.lobby(limit=10, ruleset="pennant", status="playing")) == 4
        assert await desk.reader.lobby(limit=10, ruleset="chess") == []

    on_desk(tmp_path, test)


def test_waiting_ends_with_the_next_event(tmp_path: Path) -> None:
    async def test(desk: Desk) -> None:
        game = (await new_game(desk)).game.id
        assert await desk.reader.wait(game, 1, 5) == 2
        assert await desk.reader.wait(game, 2, 0.05) == 2
        waiting = [asyncio.create_task(desk.reader.wait(game, 2, 30)) for _ in range(10)]
        await asyncio.sleep(0.01)
        outcome = await order(desk, game, "p1", Choose("bold"))
        assert await asyncio.wait_for(asyncio.gather(*waiting), 5) == [outcome.version] * 10

    on_desk(tmp_path, test)
