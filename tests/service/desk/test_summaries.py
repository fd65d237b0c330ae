"""A stored summary is a read model: one of another form is made again from the log, and right."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any, NoReturn

import msgspec
import pytest

from domain.kernel.codec import canonical
from domain.kernel.fork import Fork
from domain.kernel.values import TRUTH
from service.clock import FixedClock
from service.desk import Desk
from service.errors import Damaged, StoreUnavailable
from service.models import GameSummary, SeatWish, TakeSeat
from service.play import renewal
from service.play import summaries as play_summaries
from service.play.summaries import UnloggedFields, rebuilt
from service.store import inventory, summaries
from service.store.overview import overview
from tests.service.desk.kit import GAMES, desk_in, fresh_key, new_game, order, play
from tests.support import pennant
from tests.support.player import Player

NOON = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)

Stored = dict[str, Any]


def rows(desk: Desk) -> dict[str, bytes]:
    """Every stored summary as it stands."""
    found = desk.store.recorder.query("SELECT game, summary FROM games", ())
    return {game: bytes(data) for game, data in found}


def agree(desk: Desk) -> None:
    """Every stored summary is what the log makes of its game."""
    for game, data in rows(desk).items():
        found, head = rebuilt(desk.store, desk.games, desk.engine.vault, game, data)
        assert found == genuine(desk, game, data)
        assert head == summaries.head_of(data)


def genuine(desk: Desk, game: str, data: bytes) -> GameSummary:
    """A stored summary that is as it was written."""
    return summaries.decode(desk.store.box, game, msgspec.json.decode(data)["version"], data)


async def _by_turns(desk: Desk, clock: FixedClock, game: str) -> None:
    for seed in count():
        clock.at += timedelta(seconds=7)
        if not await play(desk, game, seed, 1):
            return
        agree(desk)


@pytest.mark.parametrize("ruleset", ["pennant", "soundings"])
def test_after_every_command_it_is_what_the_log_makes(tmp_path: Path, ruleset: str) -> None:
    async def run() -> None:
        clock = FixedClock(NOON)
        async with desk_in(tmp_path, clock, chain_length=16) as desk:
            fields: dict[str, Any] = {"seed": "by turns", "name": "a name", "deadline": 600}
            game = (await new_game(desk, 7, ruleset, **fields)).game.id
            agree(desk)
            await _by_turns(desk, clock, game)
            assert (await desk.reader.summary(game)).result is not None

    asyncio.run(run())


def test_so_it_is_with_seats_to_take_tips_deadlines_and_forks(tmp_path: Path) -> None:
    async def run() -> None:
        clock = FixedClock(NOON)
        async with desk_in(tmp_path, clock, deadline_grace=0) as desk:
            seats = [SeatWish(seat="p1"), SeatWish(seat="p2", hold="open")]
            made = await new_game(desk, grade="A1", seats=seats, deadline=60, seed="tips")
            game, player = made.game.id, Player(1, 512)
            agree(desk)
            tip = player.tip(made.game).hex()
            await desk.writer.take_seat(
                game, TakeSeat(seat="p2", dice_tip=tip, accept_named_seed=True), key=fresh_key()
            )
            agree(desk)
            assert (await desk.reader.summary(game)).due
            clock.at += timedelta(seconds=10)
            await order(desk, game, "p1", pennant.Choose("bold"))
            agree(desk)
            clock.at += timedelta(seconds=60)
            await desk.timekeeper.tick()
            agree(desk)
            await order(desk, game, "p1", pennant.Fire())
            agree(desk)
            view = await desk.reader.view(game, TRUTH)
            position = msgspec.json.decode(canonical(view.state))
            fork = Fork(game, view.version, TRUTH, "seed", position)
            await desk.writer.create_fork(
                pennant.setup(4), fork, "if", key=fresh_key(), fingerprint=b"", caller="tests"
            )
            agree(desk)

    asyncio.run(run())


def without(*names: str) -> Callable[[Stored], Stored]:
    """What a program wrote that had no such fields yet."""
    return lambda stored: {name: each for name, each in stored.items() if name not in names}


def with_more(stored: Stored) -> Stored:
    """What a program wrote that had a field which is gone now, and showed another thing."""
    return {**stored, "weather": "fair", "toMove": "p1", "scores": [1, 2]}


OTHERS = {
    "without a field": without("scores"),
    "without all that the log has": without(*GameSummary.__struct_encode_fields__[2:20]),
    "with another field": with_more,
}


def spoil(desk: Desk, change: Callable[[Stored], Stored]) -> None:
    """Put what another program would have written in the place of every summary."""
    for game, data in rows(desk).items():
        stored = change(msgspec.json.decode(data))
        head = stored.pop("head")
        for first in ("mark", "form"):
            stored.pop(first)
        stored["seats"] = msgspec.json.decode(data)["seats"]
        plain = msgspec.json.encode(stored)[1:]
        text = f'","form":"0123456789abcdef","head":"{head}",'.encode() + plain
        _put(desk, game, summaries._MARKED + summaries._mark(desk.store.box, game, text) + text)


def _put(desk: Desk, game: str, data: bytes) -> None:
    desk.store.recorder.put((), [("UPDATE games SET summary = ? WHERE game = ?", (data, game))])


@pytest.mark.parametrize("what", OTHERS)
def test_one_of_another_form_is_shown_as_the_log_has_it(tmp_path: Path, what: str) -> None:
    async def write() -> GameSummary:
        async with desk_in(tmp_path) as desk:
            game = (await new_game(desk, name="a name")).game.id
            await play(desk, game, 1, 3)
            before = await desk.reader.summary(game)
            spoil(desk, OTHERS[what])
            return before

    async def read(before: GameSummary) -> None:
        async with desk_in(tmp_path) as desk:
            assert await desk.reader.summary(before.id) == before
            assert await desk.reader.lobby(limit=10) == [before]
            assert left(desk) == [before.id]
            assert await desk.renewal.go_through(1) == 1
            assert left(desk) == []
            assert await desk.reader.summary(before.id) == before
            await play(desk, before.id, 1)
            assert (await desk.reader.summary(before.id)).result is not None

    before = asyncio.run(write())
    asyncio.run(read(before))


def left(desk: Desk) -> list[str]:
    """The games whose summary is stored in another form."""
    return [row.game for row in summaries.of_another_form(desk.store.recorder)]


async def older_games(folder: Path, number: int) -> list[str]:
    """So many games, whose summaries another program has written."""
    async with desk_in(folder) as desk:
        games = [(await new_game(desk)).game.id for _ in range(number)]
        spoil(desk, without("scores"))
    return games


def test_a_start_makes_none_anew_before_the_service_is_ready(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """However many there are, and it is said how far it is."""
    monkeypatch.setattr(renewal, "BEGIN_SECONDS", 0)
    monkeypatch.setattr(renewal, "TOLD_SECONDS", 0)
    monkeypatch.setattr(play_summaries, "PAGE", 2)
    monkeypatch.setattr(renewal, "PAGE", 2)

    async def run() -> None:
        games = await older_games(tmp_path, 5)
        with monkeypatch.context() as slow:
            slow.setattr(play_summaries, "rebuilt", _none_yet)
            async with desk_in(tmp_path) as desk:
                assert left(desk) == games
        async with desk_in(tmp_path) as desk:
            for _ in range(2_000):
                if told("5 of 5 summaries are made anew"):
                    break
                await asyncio.sleep(0.01)
            assert left(desk) == []

    def told(text: str) -> bool:
        return (renewal.__name__, logging.INFO, text) in caplog.record_tuples

    with caplog.at_level(logging.INFO):
        asyncio.run(run())
    assert told("3 of 5 summaries have been gone over")
    assert told("5 of 5 summaries are made anew")


def _none_yet(*_: object) -> NoReturn:
    raise StoreUnavailable("The summary is made anew later.")


def test_those_that_are_damaged_are_no_others_hindrance(tmp_path: Path) -> None:
    """Neither made anew, for what no log has may have been changed, nor shown as the truth."""

    async def run() -> None:
        spoilt, whole = await older_games(tmp_path, 2)
        async with desk_in(tmp_path) as desk:
            row = rows(desk)[spoilt]
            _put(desk, spoilt, b'{"mark":"' + b"0" * 64 + row[row.index(b'",') :])
            assert await desk.renewal.go_through(2) == 1
            assert left(desk) == [spoilt]
            assert [each.id for each in await desk.reader.lobby(limit=10)] == [whole]
            with pytest.raises(Damaged):
                await desk.reader.summary(spoilt)

    asyncio.run(run())


def test_an_operator_sees_all_games_whatever_their_form(tmp_path: Path) -> None:
    """Clocks that run, what is frozen, how old it is: no game is passed over meanwhile."""

    async def run() -> None:
        async with desk_in(tmp_path) as desk:
            game = (await new_game(desk, deadline=60)).game.id
            at = (await desk.reader.summary(game)).created_at
            spoil(desk, without(*_PLACED_BEFORE))
            store = desk.store
            assert list(inventory.with_clocks(store.recorder, store.box, stopped=False)) == [game]
            (kept,) = inventory.games(store.recorder, store.box, {})
            assert (kept.begun, kept.last) == (at, at)
            seen = overview(store.recorder, store.box, "9999")
            assert (seen.silent, seen.damaged) == ((game,), ())

    asyncio.run(run())


_PLACED_BEFORE = ("toMove", "nextBatch", "seats", "scores")
"""Fields that a summary must have today: a program that knew none of them has left them out."""


def test_a_game_that_cannot_be_read_keeps_what_it_has(tmp_path: Path) -> None:
    async def write() -> None:
        async with desk_in(tmp_path) as desk:
            await new_game(desk)
            await new_game(desk, ruleset="soundings")
            spoil(desk, lambda stored: stored)

    async def read() -> None:
        async with desk_in(tmp_path, games={"pennant": GAMES["pennant"]}) as desk:
            listed = [each.rules.ruleset for each in await desk.reader.lobby(limit=10)]
            assert listed == ["soundings", "pennant"]
            assert await desk.renewal.go_through(2) == 1
            (kept,) = summaries.of_another_form(desk.store.recorder)
            assert genuine(desk, kept.game, kept.data).rules.ruleset == "soundings"
            assert [each.rules.ruleset for each in await desk.reader.lobby(limit=10)] == listed

    asyncio.run(write())
    asyncio.run(read())


def test_a_field_more_is_another_form() -> None:
    more = msgspec.defstruct("GameSummary", [("weather", str, "")], bases=(GameSummary,))
    assert summaries.form_of(more) != summaries.FORM
    assert summaries.form_of(GameSummary) == summaries.FORM


FIELDS = [(field.name, field.type) for field in msgspec.structs.fields(GameSummary)]


@pytest.mark.parametrize("left_out", [name for name, _ in FIELDS])
def test_every_field_is_of_the_form(left_out: str) -> None:
    whole = msgspec.defstruct("GameSummary", FIELDS)
    less = msgspec.defstruct("GameSummary", [each for each in FIELDS if each[0] != left_out])
    assert summaries.form_of(less) != summaries.form_of(whole)


def test_what_no_log_has_is_read_of_the_first_form_too() -> None:
    """Summaries stored before a field was thought of: it has a default, or none is made again."""
    first = UnloggedFields("a name", (UnloggedFields.Filled("p1", "kept"),))
    data = msgspec.json.encode({"name": first.name, "seats": first.seats})
    read = msgspec.json.decode(data, type=UnloggedFields)
    assert (read.name, read.seats) == (first.name, first.seats)
    later = [
        each
        for each in msgspec.structs.fields(UnloggedFields)
        if each.name not in ("name", "seats")
    ]
    assert [each.name for each in later if each.required] == []
