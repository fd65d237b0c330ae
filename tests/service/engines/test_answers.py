"""What rules in a process of their own may answer: whatever it is, who asked hears that they fail,
nothing of it is told on, and no more of it is kept than is allowed.
"""

from __future__ import annotations

import importlib
import json
import logging
import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from domain.kernel.codec import canonical
from service.engines import wall, wire_shown
from service.engines.apart import Memory, apart
from service.engines.outside import Failed, Outside
from service.engines.strange import (
    MOST_ASKED,
    MOST_BYTES,
    Answers,
    Broken,
    Outsider,
    Postponed,
    putting_off,
    why_not,
)
from service.engines.wire import Wire
from service.threads import SYSTEM
from tests.service.engines.harm import AHEAD, doing, loading
from tests.service.engines.trees import PENNANT, built
from tests.support import pennant

GAME = pennant.GAME
LOADED: Any = SimpleNamespace(
    engine=GAME, has_kernel=lambda name: True,
    kernel=lambda name: importlib.import_module(f"domain.kernel.{name}"),
)  # fmt: skip
Twist = Callable[[bytes], bytes]


class Liar:
    """Answers as Pennant does, but for one answer, which is twisted."""

    name = "pennant, twisted"

    def __init__(self, call: str, twist: Twist) -> None:
        self._wire, self._call, self._twist = Wire(LOADED, wire_shown.CALLS), call, twist

    def ask(self, request: bytes) -> bytes:
        answer = self._wire.answer(request)
        return self._twist(answer) if json.loads(request)["call"] == self._call else answer


def told_by(call: str, twist: Twist) -> Any:
    liar: Any = Liar(call, twist)
    return apart(GAME, liar, SYSTEM)


OPENING = GAME.opening(pennant.SETUP)
STATE = GAME.fold(OPENING)
COMMAND = GAME.legal(STATE, "p1").commands[0]
QUESTION = next(q for q in GAME.pending(STATE) if q.seat == "p1")
ASKED: dict[str, Callable[[Any], Any]] = {
    "start": lambda game: game.opening(pennant.SETUP),
    "decide": lambda game: game.decide(STATE, "p1", COMMAND),
    "evolve": lambda game: game.fold(OPENING),
    "facts": lambda game: game.pending(STATE),
    "redact": lambda game: game.redact(OPENING[0], "p1"),
    "legal": lambda game: game.legal(STATE, "p1"),
    "usual": lambda game: game.usual(STATE, QUESTION),
    "odds": lambda game: game.odds(STATE, COMMAND),
    "describe": lambda game: game.describe(STATE, COMMAND),
    "board": lambda game: game.board(STATE),
    "says": lambda game: game.says(None, OPENING[0]),
    "scene": lambda game: game.scene(STATE, None, (), ""),
    "sides": lambda game: game.sides(pennant.SETUP),
}
OTHERS: tuple[Any, ...] = (
    None,
    -1,
    "x",
    [],
    [[]],
    {},
    [None],
    {"p1": []},
    [["pennant.gone", 1, {}]],
)
"""In place of each field of each answer."""


def twisted(call: str) -> Iterator[bytes]:
    """The answer with one field as something else, and texts that are none."""
    taken: list[bytes] = []

    def keep(text: bytes) -> bytes:
        taken.append(text)
        return text

    ASKED[call](told_by(call, keep))
    right = json.loads(taken[0])
    yield from (b"", b"\xff", b'{"a":' * 100_000, b"[" * 100_000, b'{"crashed":5}', b"{}")
    for field in right:
        for other in OTHERS:
            yield json.dumps({**right, field: other}).encode()
        yield json.dumps({key: each for key, each in right.items() if key != field}).encode()


@pytest.mark.parametrize("call", ASKED)
def test_an_answer_of_another_form_is_no_fault_of_the_service(call: str) -> None:
    """Each is taken as what it is, or it is the rules that fail."""
    failed = 0
    for text in twisted(call):
        try:
            ASKED[call](told_by(call, lambda _, text=text: text))  # type: ignore[misc]
        except Broken:
            failed += 1
    assert failed > 5, "most of them cannot be read"


def test_an_order_that_leads_to_nothing_is_a_fault_of_the_rules() -> None:
    nothing = json.dumps({"events": [], "states": [], "facts": [], "seen": {}}).encode()
    for call in ("start", "decide"):
        with pytest.raises(Broken):
            ASKED[call](told_by(call, lambda _: nothing))


@pytest.mark.parametrize("told", ["Steady: p1", "p1_hides_" + "9" * 10_000, "print: x", ": x", "x"])
def test_a_kind_of_fault_that_rules_name_themselves_is_told_to_nobody(
    told: str, caplog: pytest.LogCaptureFixture
) -> None:
    """Its name may be what somebody hides; and the log has no more than a line of it."""
    caplog.set_level(logging.ERROR)
    error = why_not(json.dumps({"crashed": told}).encode(), "pennant")
    assert isinstance(error, Broken)
    assert error.hint == "The rules of this game (pennant) fail: an exception of their own."
    assert all(len(each.getMessage()) < 600 for each in caplog.records)
    known = why_not(b'{"crashed":"KeyError: steady"}', "pennant")
    assert isinstance(known, Broken)
    assert known.hint.endswith("fail: KeyError.")


def test_what_is_remembered_has_a_bound_in_bytes() -> None:
    memory = Memory(100, SYSTEM, size=1_000)
    for place in range(50):
        memory.put(place, "x", 300)
    assert [place for place in range(50) if memory.get(place) == "x"] == [47, 48, 49]
    memory.put(49, "y", 900)  # in place of what was there
    assert [place for place in range(50) if memory.get(place) == "y"] == [49]
    for place in range(100, 104):
        memory.put(place, "z", 100)
    assert memory.get(103) == "z"


def test_positions_too_big_to_be_remembered_are_folded_all_the_same() -> None:
    """More of them than the memory holds: a game is read by what was answered."""
    game = told_by("", bytes)
    game.apart._answers = Memory(1, SYSTEM)
    state = game.fold(OPENING)
    bold = COMMAND
    events = (*OPENING, *GAME.decide(STATE, "p1", bold))
    assert game.fold(events) == GAME.fold(events)
    assert state == STATE


@pytest.mark.parametrize(
    ("size", "most"), [(2, MOST_ASKED), (8 << 20, MOST_BYTES // (8 << 20) + 1)]
)
def test_an_order_that_asks_and_asks_is_ended(size: int, most: int) -> None:
    """Each answer is quick, and the next question follows from it: dice without end."""
    outsider, answers, answer = Outsider(bytes, "pennant", SYSTEM), Answers(), bytes(size)
    with putting_off(answers):
        for place in range(most):
            with pytest.raises(Postponed):
                outsider.ask(str(place).encode())
            answers[id(outsider), str(place).encode()] = answer
        with pytest.raises(Failed, match="no end"):
            outsider.ask(b"and again")


PATIENT = 1_000
LEGAL = json.dumps({"call": "legal", "seat": "p1", "state": json.loads(canonical(STATE))}).encode()


@pytest.fixture
def outsider(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[bytes], Outsider]]:
    """Who asks an archive, without a wall: what is begun is the process itself."""
    monkeypatch.setattr(wall, "walled", lambda: None)
    made: list[Outsider] = []

    def make(archive: bytes) -> Outsider:
        made.append(Outsider(lambda: archive, "pennant", SYSTEM))
        return made[0]

    yield make
    made[0].end()


def test_an_answer_given_ahead_is_nobodys(outsider: Callable[[bytes], Outsider]) -> None:
    """Rules that are asked in one game answer the next question too, which is another game's."""
    asked = outsider(doing("legal", *AHEAD))
    assert asked.ask(LEGAL) == b"{}", "its own question it may answer as it likes"
    ((process, _),) = asked.processes.resting
    for _ in range(PATIENT):  # what it said ahead is there
        if not process.waits():
            break
        time.sleep(0.01)
    assert b"forged" not in asked.ask(b'{"call":"about"}')


def test_a_process_that_ended_after_its_answer_is_followed_by_another(
    outsider: Callable[[bytes], Outsider],
) -> None:
    """Whoever asks next has asked for nothing bad, and is answered."""
    asked = outsider(built(PENNANT))
    before = asked.ask(LEGAL)
    ((process, _),) = asked.processes.resting
    begun: Any = process
    os.kill(begun._process.pid, signal.SIGKILL)
    os.waitid(os.P_PID, begun._process.pid, os.WEXITED | os.WNOWAIT)
    assert asked.ask(LEGAL) == before
    assert [each for each, _ in asked.processes.resting] != [process]


LYING = """
os, struct, sys = map(__import__, ("os", "struct", "sys"))
def say(text):
    frame = sys._getframe()
    while frame.f_code.co_name != "main":
        frame = frame.f_back
    number = frame.f_locals["number"]
    for fd in range(3, 12):
        try:
            os.write(fd, struct.pack(">IQ", len(text), number) + text)
        except OSError:
            pass
"""


@pytest.mark.parametrize("said", ["""{"fence":"x"}""", """{"fence":[1],"closed":{}}""", "[]", "["])
def test_a_process_that_begins_with_nonsense_is_ended(
    said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rules may answer in its place while they are loaded: none is left behind."""
    begun: list[subprocess.Popen[bytes]] = []
    start = subprocess.Popen.__init__

    def noting(self: Any, *given: Any, **named: Any) -> None:
        begun.append(self)
        start(self, *given, **named)

    monkeypatch.setattr(subprocess.Popen, "__init__", noting)
    with pytest.raises(Failed, match="nonsense"):
        Outside(wall.plain(), loading(f"{LYING}say({said.encode()!r})"))
    assert [each.returncode is not None for each in begun] == [True]
