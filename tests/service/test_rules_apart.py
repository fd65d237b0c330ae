"""Whatever rules from elsewhere do in any of their functions: who asks hears that they fail, and
everything else goes on.
"""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from domain.kernel.chance import Awaited, Dice
from domain.kernel.codec import canonical
from service.desk import Desk
from service.engines import strange, wall
from service.engines.outside import Outside
from service.errors import EngineMissing
from service.play.patience import Frozen
from service.views import rulesets
from tests.service.desk.kit import desk_in, fresh_key, new_game, order
from tests.service.desk.test_pinned import on
from tests.service.engines.trees import PENNANT, built
from tests.service.test_strange_rules import ENOUGH, NOTHING, choose, new_soundings
from tests.support import elsewhere, pennant, soundings

ENDED = ("loops", "exits", "answers late", "answers another request")
"""After these the process is another one."""

REFUSED = ("eats memory", "opens a socket", "reads a file")


@pytest.fixture(scope="module")
def stranger(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    with elsewhere.game(tmp_path_factory.mktemp("apart")) as game:
        yield game


@pytest.fixture
def rules(stranger: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    monkeypatch.setattr(rulesets, "installed_games", lambda: {"pennant": stranger})
    monkeypatch.setattr(strange, "SECONDS", 1.0)
    found = rulesets.Rulesets({"pennant": stranger}, NOTHING, apart=True)
    yield found["pennant"]
    found.end()


def asked(rules: Any, function: str, turns: int) -> Any:
    """What a function says of a game of so many turns."""
    if function in ("opening", "domains", "sides"):
        return getattr(rules, function)(pennant.setup(turns))
    opened, seats = next(e for e in rules.events if e.NAME == "opened"), ("p1", "p2")
    event = opened(seats=seats, turns=turns)
    state = rules.state(seats, turns, (None, None), awaited=ROLL)
    command = next(e for e in rules.commands if e.__name__ == "Fire")("hull")
    question = next(q for q in pennant.GAME.pending(pennant.GAME.fold(OPENING)))
    given: dict[str, tuple[Any, ...]] = {
        "decide": (state, "p1", command), "evolve": (None, event), "legal": (state, "p1"),
        "redact": (event, "p1"), "usual": (state, question), "odds": (state, command),
        "describe": (state, command), "says": (None, event), "scene": (state, None, (event,), ""),
        "calls": (state, "p1"), "figures": (state, "p1"), "suppose": (state, lambda n: 0),
    }  # fmt: skip
    where = rules.insight if function in ("calls", "figures", "suppose") else rules
    return getattr(where, function)(*given.get(function, (state,)))


OPENING = pennant.GAME.opening(pennant.SETUP)
ROLL = Awaited("main", (Dice(1),), "p1")


def fails(rules: Any, function: str, kind: str, reason: str) -> None:
    with pytest.raises(EngineMissing, match=reason):
        asked(rules, function, elsewhere.turns_for(function, kind))


def shut_in() -> bool:
    """Whether this machine keeps files and sockets from a process, in any of the ways."""
    start = wall.walled() or wall.plain()
    with Outside(start, built(PENNANT)) as process:
        return start.walled or (process.fence > 0 and process.closed)


@pytest.mark.parametrize("function", elsewhere.FUNCTIONS)
def test_a_function_that_comes_to_no_end_is_ended(
    rules: Any, function: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(strange, "SECONDS", 0.2)
    fails(rules, function, "loops", "late")
    monkeypatch.setattr(strange, "SECONDS", 10.0)
    assert len(rules.opening(pennant.setup(4))) == 1, "another process answers"


@pytest.mark.parametrize("kind", ENDED)
@pytest.mark.parametrize("function", ["evolve", "legal", "redact", "describe"])
def test_a_process_that_has_ended_or_lies_is_followed_by_another(
    rules: Any, function: str, kind: str
) -> None:
    fails(rules, function, kind, "another request|ended|late")
    assert len(rules.opening(pennant.setup(4))) == 1


def test_nothing_of_the_machine_is_had_in_any_function(rules: Any) -> None:
    """Of memory, files and sockets; the process goes on, and says what kind of fault it was."""
    kinds = REFUSED if shut_in() else REFUSED[:1]
    assert kinds == REFUSED or wall.walled() is None, "only where the kernel has no fences either"
    for function in elsewhere.FUNCTIONS:
        for kind in kinds:
            fails(rules, function, kind, "fail: (MemoryError|PermissionError|OSError|FileNotFound)")
    assert len(rules.opening(pennant.setup(4))) == 1


LOOKING = ("legal", "odds", "describe", "says", "board", "scene")
"""What only those need who look at a game, or choose in it: it can still be played."""


@pytest.mark.parametrize(
    ("function", "kind"),
    [(each, "exits") for each in ("opening", "evolve", "redact", "scores", "sides", *LOOKING)]
    + [("evolve", "loops"), ("redact", "opens a socket"), ("legal", "eats memory")],
)
def test_at_a_service_it_costs_their_own_game_only(
    stranger: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, function: str, kind: str
) -> None:
    """A game that cannot begin is refused with its reason; others begin and are played on."""
    monkeypatch.setattr(rulesets, "installed_games", lambda: {"pennant": stranger})
    monkeypatch.setattr(strange, "SECONDS", 2.0)
    games = {"pennant": stranger, "soundings": soundings.GAME}
    turns = elsewhere.turns_for(function, kind)

    async def test() -> None:
        async with desk_in(tmp_path, games=games) as desk:
            good, other = (await new_game(desk)).game.id, (await new_soundings(desk)).game.id
            bad = asyncio.ensure_future(new_game(desk, turns))
            await order(desk, other, "p1", soundings.Pass())
            if function in LOOKING:
                await looked_at(desk, (await bad).game.id, function)
            else:
                with pytest.raises(EngineMissing, match="fail"):
                    await bad
            await order(desk, good, "p1", choose({"pennant": stranger}))
            view = await desk.reader.view(good, "p1")
            assert view.state is not None

    asyncio.run(asyncio.wait_for(test(), ENOUGH))


async def looked_at(desk: Desk, game: str, function: str) -> None:
    """Who looks hears that it cannot be; the seats play on."""
    views = await desk.reader.views(game)
    state = (await desk.reader.view(game, "p1")).state
    shown = {"says": lambda: views.seen("p1", 0, 2, 2)}
    game_ = views.game
    offered = {"legal": partial(game_.legal, state, "p1"), "board": partial(game_.board, state)}
    command = views.game.commands[0]("bold")
    of_command = {n: partial(getattr(views.game, n), state, command) for n in ("odds", "describe")}
    scene = {"scene": partial(views.game.picture, state, None, ())}
    ways: dict[str, Any] = {**shown, **offered, **of_command, **scene}
    with pytest.raises(EngineMissing, match="fail"):
        await asyncio.to_thread(ways[function])
    if function != "says":
        assert (await order(desk, game, "p1", command)).version > 2


def test_a_game_that_came_to_a_bad_position_is_frozen_as_it_is_read(
    stranger: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Its events are folded elsewhere, many at a time; where that comes to no end it is frozen."""
    monkeypatch.setattr(rulesets, "installed_games", lambda: {"pennant": stranger})
    monkeypatch.setattr(strange, "SECONDS", 2.0)
    games = {"pennant": stranger, "soundings": soundings.GAME}

    async def begun() -> tuple[str, str]:
        async with desk_in(tmp_path, games={**games, "pennant": pennant.GAME}) as desk:
            turns = elsewhere.turns_for("evolve", "exits")
            return (await new_game(desk, turns)).game.id, (await new_soundings(desk)).game.id

    async def test(bad: str, other: str) -> None:
        monkeypatch.setattr(rulesets, "digests_known", lambda game: ())
        async with desk_in(tmp_path, games=games) as desk:
            with pytest.raises(Frozen, match="ended"):
                await order(desk, bad, "p1", choose({"pennant": stranger}))
            await order(desk, other, "p1", soundings.Pass())
            assert desk.engine.frozen["rules"] == 1

    asyncio.run(test(*asyncio.run(begun())))


@pytest.fixture
def sent(stranger: Any, monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """Every request that goes out, from now on."""
    found: list[bytes] = []
    asking = Outside.ask

    def ask(self: Outside, request: bytes) -> bytes:
        found.append(request)
        return asking(self, request)

    monkeypatch.setattr(Outside, "ask", ask)
    return found


def calls(sent: list[bytes]) -> list[str]:
    """By name, what was asked."""
    return [json.loads(each)["call"] for each in sent]


def test_what_is_asked_there_holds_no_key_and_nobody_elses_secret(
    stranger: Any, sent: list[bytes], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Every frame that goes out while one seat has chosen and the other looks on."""
    monkeypatch.setattr(rulesets, "installed_games", lambda: {"pennant": stranger})

    async def test() -> None:
        async with desk_in(tmp_path, games={"pennant": stranger}) as desk:
            made = await new_game(desk)
            await order(desk, made.game.id, "p1", choose({"pennant": stranger}))
            live = desk.engine.peek(made.game.id)
            assert live is not None
            deciding = len(sent)
            view = await desk.reader.view(made.game.id, "p2")
            await asyncio.to_thread(desk.games["pennant"].legal, view.state, "p2")
            await asyncio.to_thread(desk.games["pennant"].board, view.state)
            looked = b"".join(sent[deciding:])
            assert looked, "something was asked for p2"
            assert b"steady" not in looked, "what p1 chose"
            secrets = [live.dice.master, *(each.token.encode() for each in made.tokens)]
            for secret in secrets:
                assert secret not in b"".join(sent)
                assert secret.hex().encode() not in b"".join(sent)

    asyncio.run(asyncio.wait_for(test(), ENOUGH))


def test_an_order_costs_as_many_questions_as_decisions(
    stranger: Any, sent: list[bytes], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """One, and one for each roll of dice: all the rest comes with the answer."""
    monkeypatch.setattr(rulesets, "installed_games", lambda: {"pennant": stranger})

    async def test() -> None:
        async with desk_in(tmp_path, games={"pennant": stranger}) as desk:
            game = (await new_game(desk)).game.id
            assert Counter(calls(sent)) == {"start": 1, "domains": 1, "sides": 1}
            fire = next(each for each in stranger.commands if each.__name__ == "Fire")
            orders = [choose({"pennant": stranger}, "bold"), choose({"pennant": stranger}), fire()]
            for seat, command in zip(("p1", "p2", "p1"), orders, strict=True):
                sent.clear()
                key: Any = {"key": fresh_key(), "fingerprint": b"", "caller": seat}
                version = (await desk.reader.summary(game)).version
                giving = desk.writer.command(game, seat, command, expected=version, **key)
                outcome = await giving
                rolls = sum(each.type.endswith("fire-resolved") for each in outcome.events)
                beside = ("evolve", "says", "redact")
                deciding = [each for each in calls(sent) if each not in beside]
                assert deciding == ["decide"] * (1 + rolls)

    asyncio.run(asyncio.wait_for(test(), ENOUGH))


def test_a_long_game_is_read_with_few_questions(
    stranger: Any, sent: list[bytes], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """After a restart, to play on and to look: not one for each event, and the same as before."""
    monkeypatch.setattr(rulesets, "installed_games", lambda: {"pennant": stranger})

    async def begun() -> tuple[str, list[str]]:
        async with desk_in(tmp_path, games={"pennant": pennant.GAME}) as desk:
            game = (await new_game(desk, 90)).game.id
            await on(desk, game, 80)
            events = await desk.reader.events(game, "p1", 0, 1_000)
            return game, [canonical(each.event).decode() for each in events if each.event]

    async def test(game: str, told: list[str]) -> None:
        monkeypatch.setattr(rulesets, "digests_known", lambda game: ())
        async with desk_in(tmp_path, games={"pennant": stranger}) as desk:
            command = next(each for each in stranger.commands if each.__name__ == "Pass")()
            seat = (await desk.reader.summary(game)).to_move[0].seat
            await order(desk, game, seat, command)
            folding = [each for each in calls(sent) if each in ("evolve", "redact")]
            assert len(folding) * 8 < len(told), "to play on"
            views = await desk.reader.views(game)
            steps, _ = await asyncio.to_thread(
                lambda: views.steps("p1", views.start("p1", 0), len(told))
            )
            seen = [canonical(each.known).decode() for each in steps if each.known]
            assert seen == told[: len(seen)]
            folding = [each for each in calls(sent) if each in ("evolve", "redact")]
            assert len(folding) * 8 < len(told), "and to look"

    game, told = asyncio.run(begun())
    assert len(told) > 150
    asyncio.run(asyncio.wait_for(test(game, told), ENOUGH))


@pytest.mark.parametrize(
    "answer",
    [
        b'{"events":[["pennant.unheard-of",1,{}]],"states":[{}],"facts":[{}],"seen":{}}',
        b'{"events":[["pennant.turn-passed",1,{"seat":7}]],"states":[{}],"facts":[{}],"seen":{}}',
        b'{"events":[["pennant.turn-passed",1,{}]],"states":[{}],"facts":[{}],"seen":{}}',
        b'{"events":[],"states":[{}],"facts":[],"seen":{}}',
        b"[]",
    ],
)
def test_an_answer_that_is_none_is_a_fault_of_the_rules(
    rules: Any, monkeypatch: pytest.MonkeyPatch, answer: bytes
) -> None:
    state = rules.fold(rules.opening(pennant.setup(4)))
    monkeypatch.setattr(Outside, "ask", lambda self, request: answer)
    with pytest.raises(EngineMissing, match="do not answer as they should"):
        rules.decide(state, "p1", choose({"pennant": rules}))
