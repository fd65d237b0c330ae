"""Rules that an operator installs decide in a process of their own: what they do there costs their
own game only, and they get at nothing of the service."""

from __future__ import annotations

import asyncio
import hashlib
import sys
import time
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import msgspec
import pytest

from domain.kernel.rules import Refused
from projections.records import Rules
from service.clock import FixedClock
from service.desk import Desk
from service.engines import outside, strange, wall
from service.engines.outside import Failed, Outside
from service.engines.processes import Processes
from service.engines.strange import Broken
from service.errors import EngineMissing, Stopping
from service.evidence.verify import verify
from service.models import NewGame
from service.play.patience import Frozen
from service.views import rulesets
from service.views.export import evidence_of
from tests.service.desk.hands import NOON
from tests.service.desk.kit import desk_in, fresh_key, new_game, order
from tests.service.engines.harm import later, loading
from tests.service.engines.trees import PENNANT, built
from tests.support import elsewhere, pennant, soundings

ENOUGH = 60.0


@pytest.fixture(scope="module")
def strangers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    with elsewhere.game(tmp_path_factory.mktemp("elsewhere")) as game:
        yield game


@pytest.fixture
def games(strangers: Any, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    monkeypatch.setattr(rulesets, "installed_games", lambda: {"pennant": strangers})
    return {"pennant": strangers, "soundings": soundings.GAME}


def choose(games: dict[str, Any], colour: str = "steady") -> Any:
    kind = next(each for each in games["pennant"].commands if each.__name__ == "Choose")
    return kind(colour=colour)


def test_a_game_is_played_to_its_end_and_upheld(tmp_path: Path, games: dict[str, Any]) -> None:
    async def test() -> None:
        async with desk_in(tmp_path, games=games) as desk:
            game = (await new_game(desk)).game.id
            assert desk.games["pennant"].decide is not games["pennant"].decide
            assert desk.games["soundings"] is games["soundings"]
            while (summary := await desk.reader.summary(game)).result is None:
                seat = summary.to_move[0].seat
                view = await desk.reader.view(game, seat)
                await order(desk, game, seat, games["pennant"].legal(view.state, seat).commands[0])
            told = await desk.reader.events(game, "public", 0, 200)
            assert any(each.type == "decklog.batch-rolled" for each in told)
            verdict = verify(evidence_of(desk.store, games["pennant"], game, "public"), games)
            assert "RULES NOT" not in verdict.word, verdict.text()
            assert verdict.word == "UPHELD", verdict.text()

    asyncio.run(test())


def test_what_the_rules_refuse_is_refused_as_before(tmp_path: Path, games: dict[str, Any]) -> None:
    async def test() -> None:
        async with desk_in(tmp_path, games=games) as desk:
            game = (await new_game(desk)).game.id
            await order(desk, game, "p1", choose(games))
            with pytest.raises(Refused) as known:
                await order(desk, game, "p1", choose(games))
            state = (await desk.reader.view(game, "truth")).state
            with pytest.raises(Refused) as here:
                games["pennant"].decide(state, "p1", choose(games))
            for name in ("code", "rule", "hint", "pointer"):
                assert getattr(known.value, name) == getattr(here.value, name)

    asyncio.run(test())


@pytest.mark.parametrize(
    ("turns", "error"),
    [(11, Frozen), (15, Frozen), (16, Frozen), (12, Broken), (13, Broken), (14, Broken)],
    ids=["sleeps", "exits", "loops", "memory", "socket", "file"],
)
def test_what_rules_do_costs_their_own_game_only(
    tmp_path: Path, games: dict[str, Any], monkeypatch: pytest.MonkeyPatch, turns: int, error: Any
) -> None:
    """Other rulesets play on at once, other games of the same rules as soon as they were ended."""
    monkeypatch.setattr(strange, "SECONDS", 3.0)

    async def test() -> None:
        async with desk_in(tmp_path, games=games) as desk:
            bad = (await new_game(desk, turns)).game.id
            good, other = (await new_game(desk)).game.id, (await new_soundings(desk)).game.id
            await order(desk, good, "p1", choose(games))  # the process has begun
            hanging = asyncio.ensure_future(order(desk, bad, "p1", choose(games)))
            same = asyncio.ensure_future(order(desk, good, "p2", choose(games)))
            await asyncio.sleep(0.05)
            began = time.monotonic()
            await order(desk, other, "p1", soundings.Pass())
            if error is Frozen and turns != 15:
                assert not hanging.done(), "nobody waited for them"
                assert time.monotonic() - began < 2.5
            with pytest.raises(error):
                await hanging
            assert (await same).version > 1
            assert (await desk.reader.summary(bad)).version == 2, "nothing came of it"
            if error is Frozen:
                with pytest.raises(Frozen):
                    await order(desk, bad, "p2", choose(games))
            assert desk.engine.frozen["rules"] == (error is Frozen)

    if turns in (13, 14) and not shut_in():
        assert wall.walled() is None, "only where neither a wall nor the kernel's fences are"
        return
    asyncio.run(asyncio.wait_for(test(), ENOUGH))


def shut_in() -> bool:
    """Whether this machine keeps files and sockets from a process, in any of the ways."""
    start = wall.walled() or wall.plain()
    with Outside(start, built(PENNANT)) as process:
        return start.walled or (process.fence > 0 and process.closed)


def test_orders_of_a_frozen_game_are_asked_no_more(
    tmp_path: Path, games: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever floods a game that hangs makes the others wait once."""
    monkeypatch.setattr(strange, "SECONDS", 2.0)

    async def test() -> None:
        async with desk_in(tmp_path, games=games) as desk:
            bad, good = (await new_game(desk, 11)).game.id, (await new_game(desk)).game.id
            await order(desk, good, "p1", choose(games))
            flood = [order(desk, bad, "p1", choose(games), expected=2) for _ in range(10)]
            gathered = asyncio.gather(*flood, return_exceptions=True)
            await asyncio.sleep(0.05)
            began = time.monotonic()
            await order(desk, good, "p2", choose(games))
            assert time.monotonic() - began < 12.0
            assert {type(each) for each in await gathered} == {Frozen}

    asyncio.run(asyncio.wait_for(test(), ENOUGH))


def test_the_clock_answers_by_their_process(
    tmp_path: Path, games: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(strange, "SECONDS", 2.0)
    clock = FixedClock(NOON)

    async def test() -> None:
        async with desk_in(tmp_path, clock, games=games, deadline_grace=0) as desk:
            made = [(await new_game(desk, turns, deadline=60)).game.id for turns in (17, 4)]
            clock.at += timedelta(seconds=61)
            await desk.timekeeper.tick()
            assert desk.engine.patience.frozen == {made[0]}
            assert (await desk.reader.summary(made[0])).version == 2
            told = await desk.reader.events(made[1], "public", 0, 9)
            assert "decklog.deadline-passed" in [each.type for each in told]

    asyncio.run(asyncio.wait_for(test(), ENOUGH))


def test_whoever_waits_when_the_service_stops_is_told(
    tmp_path: Path, games: dict[str, Any]
) -> None:
    async def test() -> None:
        async with desk_in(tmp_path, games=games) as desk:
            bad = (await new_game(desk, 11)).game.id
            hanging = asyncio.ensure_future(order(desk, bad, "p1", choose(games)))
            await asyncio.sleep(0.5)
        with pytest.raises(Stopping):
            await hanging

    asyncio.run(asyncio.wait_for(test(), ENOUGH))


def test_who_looks_hears_that_the_rules_fail(
    games: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Outside of the one thread that decides, the answer is waited for, and never longer."""
    monkeypatch.setattr(strange, "SECONDS", 1.0)
    found = rulesets.Rulesets(games, NOTHING, apart=True)
    try:
        rules = found["pennant"]
        state = rules.fold(rules.opening(pennant.setup(11)))
        with pytest.raises(EngineMissing, match="late"):
            rules.decide(state, "p1", choose(games))
        state = rules.fold(rules.opening(pennant.setup(4)))
        assert rules.decide(state, "p1", choose(games)), "it was started anew"
    finally:
        found.end()
    assert rules.decide(state, "p1", choose(games)), "what was answered is remembered"
    with pytest.raises(EngineMissing, match="stopping"):
        rules.decide(state, "p1", choose(games, "bold"))


def test_an_engine_that_is_kept_and_not_of_this_build_decides_apart_too(
    games: dict[str, Any],
) -> None:
    """With nothing that shows it: its events are told by name, which are words of ours."""
    archive = later()
    digest = hashlib.sha256(archive).hexdigest()
    found = rulesets.Rulesets(games, Kept({digest: archive}), apart=True)
    inside = rulesets.Rulesets(games, Kept({digest: archive}))
    used = Rules(ruleset="pennant", edition="", version="1.0.1", digest=digest)
    try:
        rules, plain = found.of(used), inside.of(used)
        state = rules.fold(rules.opening(pennant.setup(4)))
        kind = next(each for each in rules.commands if each.__name__ == "Choose")
        events = rules.decide(state, "p1", kind("bold"))
        assert events == plain.decide(state, "p1", kind("bold"))
        for name in ("decide", "evolve", "legal", "redact", "pending", "scores"):
            assert getattr(rules, name) != getattr(plain, name), name
        assert rules.says(state, events[0]) == plain.says(state, events[0]) == "Chosen."
        assert found.of(used) is rules, "one process for all its games"
    finally:
        found.end()


def test_what_is_kept_is_loaded_by_its_own_process_before_it_is_here(
    games: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What it does as it is loaded, it does behind the wall: it is refused, and nobody waits."""
    monkeypatch.setattr(outside, "START", 5.0)
    name = "decklog_tried_here"
    lines = f"__import__('sys').modules['{name}']=True\nwhile True:pass\n"
    archive = loading(lines)
    digest = hashlib.sha256(archive).hexdigest()
    found = rulesets.Rulesets(games, Kept({digest: archive}), apart=True)
    try:
        with pytest.raises(EngineMissing, match="late"):
            found.of(Rules(ruleset="pennant", edition="", version="1.0.0", digest=digest))
        assert name not in sys.modules, "nothing of it ran here"
    finally:
        found.end()


def test_who_still_loads_a_game_as_the_service_stops_begins_no_process(
    games: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody would end it."""
    archive = built(PENNANT)

    def started(self: Processes) -> Outside:
        raise Failed("one was begun")

    monkeypatch.setattr(Processes, "_started", started)
    digest = hashlib.sha256(archive).hexdigest()
    found = rulesets.Rulesets(games, Kept({digest: archive}), apart=True)
    found.end()
    with pytest.raises(EngineMissing, match="stopping"):
        found.of(Rules(ruleset="pennant", edition="", version="1.0.0", digest=digest))


class Kept:
    """Archives that are kept, without what shows them."""

    def __init__(self, archives: dict[str, bytes]) -> None:
        self._archives = archives

    def engine(self, digest: str) -> bytes | None:
        return self._archives.get(digest)

    def shown(self, digest: str) -> bytes | None:
        return None


NOTHING = Kept({})


async def new_soundings(desk: Desk) -> Any:
    new = NewGame(ruleset="soundings")
    return await desk.writer.create_game(new, key=fresh_key(), caller="tests")


def test_rules_that_ask_for_dice_without_end_are_ended(
    tmp_path: Path, games: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each of their answers is quick, and the position after it a new one. Other games play on."""
    asking, rolled = Outside.ask, list[int]()
    first: dict[str, Any] = {}

    def ask(self: Outside, request: bytes) -> bytes:
        asked = msgspec.json.decode(request)
        if asked["call"] != "decide":
            return asking(self, request)
        if not first:
            first.update(msgspec.json.decode(asking(self, request)))
        rolled.append(1)
        awaited = {"label": f"again/{len(rolled)}", "pools": [{"count": 1}]}
        first["facts"][-1]["awaiting"] = awaited
        first["states"][-1]["points"] = [len(rolled), 0]
        return msgspec.json.encode(first)

    async def test() -> None:
        async with desk_in(tmp_path, games=games) as desk:
            bad, other = (await new_game(desk)).game.id, (await new_soundings(desk)).game.id
            monkeypatch.setattr(Outside, "ask", ask)
            rolling = asyncio.ensure_future(order(desk, bad, "p1", choose(games)))
            await order(desk, other, "p1", soundings.Pass())
            with pytest.raises(Frozen, match="no end"):
                await rolling
            assert len(rolled) == strange.MOST_ASKED
            assert (await desk.reader.summary(bad)).version == 2, "nothing came of it"

    asyncio.run(asyncio.wait_for(test(), ENOUGH))
