"""What stands in a summary: each field is filled in some game, and who is named has a seat."""

from __future__ import annotations

import asyncio
import hashlib
import random
import shutil
from datetime import timedelta
from pathlib import Path
from typing import Any

import msgspec
import pytest

from domain.games.naval_battles.game import GAME
from domain.games.naval_battles.rules.commands import Resign
from domain.kernel.codec import canonical
from domain.kernel.finder import games
from domain.kernel.fork import Fork
from domain.kernel.values import TRUTH, Seat
from service.bots import Signer
from service.clock import FixedClock
from service.desk import Desk
from service.models import (
    CustomWish,
    CustomWishes,
    GameSummary,
    NewAgreement,
    NewGame,
    OrderKey,
    SeatSummary,
    SeatWish,
    TakeSeat,
)
from service.store import engines
from tests.service.desk import test_takebacks as takebacks
from tests.service.desk.kit import desk_in, fresh_key, instruct, new_game, order, play
from tests.service.desk.test_beaconed import JUST_BEFORE, a_round_and_an_absence
from tests.service.desk.test_locked_orders import begun, give
from tests.service.desk.test_summaries import NOON, agree, genuine, rows
from tests.service.engines.harm import later
from tests.support import pennant
from tests.support.player import Player
from tests.support.values import named, unfilled

NEVER: dict[str, str] = {}
"""Fields that no game of these fills, with the reason."""


def summaries_of(desk: Desk, *, remade: bool = True) -> list[GameSummary]:
    """Every summary that is stored, each of which the log makes again."""
    if remade:
        agree(desk)
    return [genuine(desk, game, data) for game, data in rows(desk).items()]


APART = 10
"""Commands of a long game after which its summary is made again from the log."""


USUAL = 12
"""Orders in a game of each ruleset, each the usual answer."""


async def _renewed(folder: Path) -> list[GameSummary]:
    """Played out with hidden dice on short chains, under a name and a deadline."""
    found: list[GameSummary] = []
    clock = FixedClock(NOON)
    async with desk_in(folder, clock, chain_length=16) as desk:
        fields: dict[str, Any] = {"seed": "values", "name": "a name", "deadline": 600}
        game = (await new_game(desk, 48, "soundings", **fields)).game.id
        for seed in range(1_000):
            clock.at += timedelta(seconds=7)
            found += summaries_of(desk, remade=seed % APART == 0)
            if not await play(desk, game, seed, 1):
                agree(desk)
                return found
    raise AssertionError("the game does not end")


async def _shared(folder: Path) -> list[GameSummary]:
    """With seats to take, tips, a key, a document, and a what-if game."""
    found: list[GameSummary] = []
    async with desk_in(folder, FixedClock(NOON)) as desk:
        seats = [SeatWish(seat="p1"), SeatWish(seat="p2", hold="open")]
        customs = CustomWishes(scenario=CustomWish(document=pennant.REGATTA))
        made = await new_game(desk, grade="A1", seats=seats, customs=customs)
        game, player = made.game.id, Player(1, 512)
        found += summaries_of(desk)
        tip = player.tip(made.game).hex()
        key = OrderKey(public="d7" * 32)
        taking = TakeSeat(seat="p2", dice_tip=tip, order_key=key)
        await desk.writer.take_seat(game, taking, key=fresh_key())
        await order(desk, game, "p1", pennant.Choose("bold"))
        view = await desk.reader.view(game, TRUTH)
        fork = Fork(game, view.version, TRUTH, "seed", msgspec.json.decode(canonical(view.state)))
        await desk.writer.create_fork(
            pennant.setup(2), fork, "if", key=fresh_key(), fingerprint=b"", caller="tests"
        )
        return [*found, *summaries_of(desk)]


async def _locked(folder: Path) -> list[GameSummary]:
    """With an order that waits for links (grade A2), which come one after the other."""
    found: list[GameSummary] = []
    async with desk_in(folder, FixedClock(NOON)) as desk:
        game, players = await begun(desk)
        await order(desk, game, "p1", pennant.Fire())
        found += summaries_of(desk)
        for player in players:
            await give(desk, game, player)
            found += summaries_of(desk)
    return found


async def _forfeited(folder: Path) -> list[GameSummary]:
    """With a beacon's round for which dice wait, and a seat that is absent once too often."""
    found: list[GameSummary] = []
    relay, clock = folder / "relay", FixedClock(JUST_BEFORE)
    async with desk_in(folder, clock, beacon=str(relay), deadline_grace=0) as desk:
        async for _ in a_round_and_an_absence(desk, clock, relay):
            found += summaries_of(desk)
    return found


async def _with_a_bot(folder: Path) -> list[GameSummary]:
    """With a seat that a bot of the service plays."""
    async with desk_in(folder, FixedClock(NOON)) as desk:
        await new_game(desk, seats=[SeatWish(seat="p1"), SeatWish(seat="p2", hold="bot")])
        return summaries_of(desk)


async def _left(folder: Path) -> list[GameSummary]:
    """Left by its creator before anybody joined."""
    async with desk_in(folder, FixedClock(NOON), {"naval-battles": GAME}) as desk:
        seats = [SeatWish(seat="p1"), SeatWish(seat="p2", hold="open")]
        wish = NewGame(ruleset="naval-battles", seats=seats)
        made = await desk.writer.create_game(wish, key=fresh_key(), caller="tests")
        await order(desk, made.game.id, "p1", Resign())
        return summaries_of(desk)


async def _gone_back(folder: Path) -> list[GameSummary]:
    """Under way when its store came back from a copy of before the last order."""
    async with desk_in(folder) as desk:
        game = (await new_game(desk)).game.id
    store = folder / "games.sqlite"
    shutil.copy(store, folder / "older.sqlite")
    async with desk_in(folder) as desk:
        await order(desk, game, "p1", pennant.Choose("bold"))
    shutil.copy(folder / "older.sqlite", store)
    async with desk_in(folder) as desk:
        await desk.announcer.look()
        return summaries_of(desk)


async def _gone_over(folder: Path) -> list[GameSummary]:
    """Under way when one seat, and then the other, agrees to another engine."""
    archive, found = later(), list[GameSummary]()
    digest = hashlib.sha256(archive).hexdigest()
    async with desk_in(folder, FixedClock(NOON)) as desk:
        desk.store.recorder.put((), [engines.insertion(digest, archive)])
        game = (await new_game(desk, deadline=600)).game.id
        await order(desk, game, "p1", pennant.Choose("bold"))
        for seat in ("p1", "p2"):
            wish = NewAgreement(digest=digest)
            await desk.writer.give_agreement(game, seat, wish, key=fresh_key(), caller="tests")
            found += summaries_of(desk)
        await order(desk, game, "p2", pennant.Choose("steady"))
        return [*found, *summaries_of(desk)]


async def _ruled(folder: Path) -> list[GameSummary]:
    """Stopped by an operator while somebody's time runs, let go on, and ended."""
    async with desk_in(folder, FixedClock(NOON)) as desk:
        game = (await new_game(desk, deadline=600)).game.id
        await play(desk, game, 1, 2)
        await instruct(desk, "freeze", game, tell="a complaint")
        found = summaries_of(desk)
        await instruct(desk, "thaw", game)
        found += summaries_of(desk)
        await instruct(desk, "end", game, tell="It was right.")
        return [*found, *summaries_of(desk)]


async def _key_lost(folder: Path) -> list[GameSummary]:
    """Of a seat whose key is gone, as the organiser alone says."""
    async with desk_in(folder, FixedClock(NOON)) as desk:
        key = OrderKey(public=str(Signer(b"1" * 32).registered["public"]))
        seats = [SeatWish(seat="p1", order_key=key), SeatWish(seat="p2")]
        game = (await new_game(desk, seats=seats)).game.id
        await instruct(desk, "key", game, seat="p1", tell="a new telephone")
        return summaries_of(desk)


async def _of_each_ruleset(folder: Path) -> list[GameSummary]:
    """As far as some usual answers lead in each game that is installed."""
    found: list[GameSummary] = []
    async with desk_in(folder, FixedClock(NOON), games()) as desk:
        for name, game in games().items():
            seats = [SeatWish(seat="p1"), SeatWish(seat="p2")]
            wish = NewGame(ruleset=name, seats=seats, name=name)
            made = (await desk.writer.create_game(wish, key=fresh_key(), caller="tests")).game.id
            for _ in range(USUAL):
                state = (await desk.reader.view(made, TRUTH)).state
                asked = game.pending(state)[0]
                await order(desk, made, asked.seat, game.usual(state, asked))
                found += summaries_of(desk)
    return found


async def _taken_back(folder: Path) -> list[GameSummary]:
    """With a step that may be taken back, and then is."""
    async with desk_in(folder, FixedClock(NOON), takebacks.GAMES) as desk:
        game = await takebacks.begun(desk)
        offered = await takebacks.until_offered(desk, game, random.Random(1))
        found = summaries_of(desk)
        await takebacks.take_back(desk, game, offered)
        return [*found, *summaries_of(desk)]


KINDS = (
    _renewed, _shared, _locked, _with_a_bot, _left, _gone_back, _gone_over, _ruled, _key_lost,
    _of_each_ruleset, _forfeited, _taken_back,
)  # fmt: skip


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> list[GameSummary]:
    """Summaries of games of every kind, after each thing that was done."""

    async def play_all() -> list[GameSummary]:
        found: list[GameSummary] = []
        for number, kind in enumerate(KINDS):
            found += await kind(tmp_path_factory.mktemp(f"values{number}"))
        return found

    return asyncio.run(play_all())


def strangers(summary: Any) -> list[str]:
    """Who is named as a seat and has none in this game."""
    seats = {"", *(each.seat for each in summary.seats)}
    return [f"{where} is {seat!r}" for where, seat in named(summary) if seat not in seats]


def test_every_field_is_filled_in_some_game(shown: list[GameSummary]) -> None:
    seats = [seat for summary in shown for seat in summary.seats]
    lacking = {*unfilled(GameSummary, shown), *unfilled(SeatSummary, seats)}
    wrong = sorted(lacking ^ NEVER.keys())
    assert not wrong, (
        f"never filled in any of these games, or listed in NEVER without need: {wrong}; fill it in "
        "summarise or begun (staging.py, opening.py in service/play), or play a game that does"
    )


def test_who_is_named_as_a_seat_has_one(shown: list[GameSummary]) -> None:
    wrong = sorted({each for summary in shown for each in strangers(summary)})
    assert not wrong, f"no seat of the game: {wrong} (staging.py, opening.py in service/play)"


def test_fields_that_name_seats_are_found(shown: list[GameSummary]) -> None:
    found = {where for summary in shown for where, _ in named(summary)}
    assert {"SeatSummary.seat", "Pending.seat", "Result.winners"} < found
    assert {"GameSummary.scores", "GameSummary.due"} < found


class WithLeader(GameSummary, frozen=True):
    """What somebody might add."""

    leader: Seat = ""


@pytest.mark.parametrize(("leader", "wrong"), [("service", True), ("p9", True), ("p1", False)])
def test_a_field_that_names_the_service_is_found(
    shown: list[GameSummary], leader: str, wrong: bool
) -> None:
    more = [WithLeader(**msgspec.structs.asdict(each), leader=leader) for each in shown]
    found = {said for each in more for said in strangers(each)}
    assert (f"WithLeader.leader is {leader!r}" in found) is wrong
    never = [WithLeader(**msgspec.structs.asdict(each)) for each in shown]
    assert "WithLeader.leader" in unfilled(WithLeader, never)


def test_a_seat_that_is_asked_the_same_again_has_all_its_time(tmp_path: Path) -> None:
    """Who commanded is told by the log as well: his own question begins anew, others' run on."""
    game = pennant.mutant(evolve=_one_moves)

    async def run() -> None:
        clock = FixedClock(NOON)
        async with desk_in(tmp_path, clock, {"pennant": game}) as desk:
            made = (await new_game(desk, 6, deadline=600)).game.id
            for seat in ("p1", "p2"):
                await order(desk, made, seat, pennant.Choose("steady"))
            before = (await desk.reader.summary(made)).due
            clock.at += timedelta(seconds=60)
            await order(desk, made, "p1", pennant.Pass())
            after = (await desk.reader.summary(made)).due
            assert before.keys() == after.keys() == {"p1"}
            assert before["p1"] < after["p1"]
            agree(desk)

    asyncio.run(run())


def _one_moves(state: Any, event: Any) -> Any:
    """Pennant, in which the first seat has every turn: it is asked the same question again."""
    return msgspec.structs.replace(pennant.GAME.evolve(state, event), mover=0)
