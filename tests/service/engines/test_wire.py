"""Interface 1: values and texts give the same answers, in all games, over recorded games.

The installed rules are asked in values; the archive, below a package of its own, in texts. Whatever
one side were to say otherwise, a judge would call a forgery.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from domain.kernel.chance import Faces
from domain.kernel.codec import Codec, canonical, read_back
from domain.kernel.finder import games
from domain.kernel.game import Game
from domain.kernel.rules import Refused
from domain.kernel.setup import Setup
from domain.kernel.values import CHANCE, PUBLIC, TRUTH
from service.engines import load, sample, wire
from tests.service.engines.trees import PENNANT, RULES, RULESETS, built, tree
from tests.support import pennant, recorded
from tests.support.cases import commands
from tests.support.suites import suites

AnyGame = Game[Any, Any, Any]
Line = dict[str, Any]
MOST = 3
"""Recorded games of each ruleset."""
EVERY = 23
"""Each so many positions, what costs more is asked."""


def raw(value: Any) -> Any:
    return json.loads(canonical(value))


def served(ruleset: str) -> wire.Wire:
    return wire.Wire(load.load(built(RULESETS[ruleset])))


def ask(served: wire.Wire, call: str, **given: Any) -> Any:
    return json.loads(served.answer(canonical({"call": call, **given})))


def after(game: AnyGame, events: Any, before: Any) -> tuple[Line, Any]:
    """What an answer has to say, from the values of the installed rules; and the state."""
    codec = Codec(game)
    events = [read_back(event) for event in events]
    states = game.states(events, before)
    state = states[-1]
    awaited = game.awaiting(state)
    said = {
        "events": [[codec.name(event), type(event).SCHEMA, raw(event)] for event in events],
        "kept": [game.secrets(each) for each in states],
        "state": raw(state), "awaiting": raw(awaited),
        "chances": raw(None if awaited is None else game.chances(state)),
        "pending": raw(game.pending(state)), "result": raw(game.result(state)),
        "scores": raw(game.scores(state)), "secrets": game.secrets(state),
    }  # fmt: skip
    return said, state


def played(game: AnyGame, lines: list[Line], it: wire.Wire) -> Iterator[tuple[Any, Any]]:
    """Each order of a game in both ways: the state before it, and its events."""
    state: Any = None
    for line in lines:
        if "setup" in line:
            events = game.opening(msgspec.convert(line["setup"], Setup))
            told = ask(it, "start", setup=line["setup"])
        elif "faces" in line or "command" in line:
            seat, command = _order(game, state, line)
            events = game.decide(state, seat, command)
            dice = {"label": command.label, "faces": command.faces} if seat == CHANCE else {}
            given = dice or {"command": command}
            told = ask(it, "decide", state=state, seat=seat, **given)
        else:
            continue
        before = state
        expected, state = after(game, events, before)
        assert told == expected
        yield before, events


def _order(game: AnyGame, state: Any, line: Line) -> tuple[str, Any]:
    if "faces" in line:
        awaited = game.awaiting(state)
        assert awaited is not None
        return CHANCE, Faces(awaited.label, tuple(map(tuple, line["faces"])))
    return line["seat"], msgspec.convert(line["command"], commands(game.commands))


def games_of(ruleset: str) -> list[list[Line]]:
    """Some recorded games; the example's sample is its one."""
    if ruleset == "pennant":
        return [sample.read(tree(PENNANT)[f"{RULES}sample.jsonl"])]
    suite = next(each for each in suites().values() if each.game.ruleset == ruleset)
    return [recorded.read(file) for file in recorded.files(suite)[:MOST]]


@pytest.mark.parametrize("ruleset", RULESETS)
def test_all_that_a_game_is_asked(ruleset: str) -> None:
    game = {**games(), "pennant": pennant.GAME}[ruleset]
    it, asked = served(ruleset), 0
    for lines in games_of(ruleset):
        setup = msgspec.convert(lines[0]["setup"], Setup)
        assert ask(it, "domains", setup=setup)["domains"] == [*game.domains(setup)]
        for number, (before, events) in enumerate(played(game, lines, it)):
            if number % (EVERY if len(lines) > EVERY else 2) == 0 and before is not None:
                _questions(game, it, before, setup)
                _told(game, it, events, setup)
                asked += 1
    assert asked > 4


def _questions(game: AnyGame, it: wire.Wire, state: Any, setup: Setup) -> None:
    for seat in setup.seats:
        options = game.legal(state, seat)
        told = ask(it, "legal", state=state, seat=seat)
        assert told["commands"] == raw(options.commands)
        assert told["concessions"] == raw(options.concessions)
        assert told["templates"] == wire.bare(raw(options.templates))
        for command in options.commands[:3]:
            assert ask(it, "odds", state=state, command=command) == {
                "odds": raw(game.odds(state, command))
            }
    for question in game.pending(state):
        usual = raw(game.usual(state, question))
        assert ask(it, "usual", state=state, question=question) == {"command": usual}
    assert ask(it, "prospects", state=state) == {"prospects": raw(game.prospects(state))}
    position = ask(it, "position", state=state)
    assert (position["state"], position["pending"]) == (raw(state), raw(game.pending(state)))


def _told(game: AnyGame, it: wire.Wire, events: Any, setup: Setup) -> None:
    codec, viewers = Codec(game), (*setup.seats, PUBLIC, TRUTH)
    texts = [[codec.name(event), type(event).SCHEMA, event] for event in events]
    told = ask(it, "redact", events=texts, viewers=viewers)
    for viewer in viewers:
        assert told["seen"][viewer] == [raw(game.seen(event, viewer)) for event in events]


def test_a_batch_is_answered_in_order_and_what_is_none_is_told() -> None:
    it = served("pennant")
    given = [
        {"call": "about"},
        {"call": "nothing"},
        {"call": "legal", "seat": "p1"},
        {"call": "about"},
    ]
    told = json.loads(it.answer(canonical(given)))
    assert [next(iter(sorted(each))) for each in told] == [
        "commands",
        "malformed",
        "malformed",
        "commands",
    ]
    assert told[0] == told[3]
    assert "no call is named 'nothing'" in told[1]["malformed"]
    for text in (b"", b"[", b"{", b"[1]", b'{"call":3}', b"\xff", b"[" * 100_000):
        assert "malformed" in json.loads(it.answer(text)), text
    assert "most" in json.loads(it.answer(canonical([{"call": "about"}] * 300)))["malformed"]


def test_documents_are_checked_as_the_installed_rules_check_them() -> None:
    it, (regatta, *_) = served("pennant"), pennant.GAME.customs
    good: Any = pennant.REGATTA
    documents: list[Any] = [good, {**good, "turns": -1}, {}, [], 3]
    for document in documents:
        told = ask(it, "check", kind=regatta.kind, document=document)
        assert told == {"faults": raw(regatta.check(document))}, document
    assert ask(it, "check", kind=regatta.kind, document=good) == {"faults": []}
    assert "take no document" in ask(it, "check", kind="deck", document=good)["malformed"]


def test_refusals_and_faults_of_the_rules_are_told_apart() -> None:
    it = served("pennant")
    begun = ask(it, "start", setup=pennant.SETUP)["state"]
    refused = ask(it, "decide", state=begun, seat="p1", command=pennant.Fire("hull"))["refused"]
    with pytest.raises(Refused) as here:
        pennant.GAME.decide(
            pennant.GAME.fold(pennant.GAME.opening(pennant.SETUP)), "p1", pennant.Fire("hull")
        )
    told = {name: getattr(here.value, name) for name in ("code", "rule", "hint", "pointer")}
    assert refused == told
    assert "malformed" in ask(
        it, "decide", state=begun, seat="p1", command={"type": "pennant.sink"}
    )
    assert "malformed" in ask(it, "decide", state={}, seat="p1", command=pennant.Pass())
    assert "malformed" in ask(it, "redact", events=[["pennant.sunk", 1, {}]], viewers=["p1"])
    assert "crashed" in ask(
        it, "usual", state=begun, question={"seat": "p9", "question": "x", "rule": "y"}
    )
