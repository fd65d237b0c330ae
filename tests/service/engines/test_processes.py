"""The processes in which one engine is asked: how many, for whom, and what follows a failure."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from domain.kernel.codec import canonical
from service.engines import processes, wall
from service.engines.outside import Failed, NotBegun, Outside
from service.engines.processes import LOOKING, MOST, Processes
from service.engines.strange import Outsider, Postponed, putting_off
from service.errors import EngineMissing
from service.threads import SYSTEM
from tests.service.engines.harm import AHEAD, doing, loading
from tests.service.engines.trees import PENNANT, built
from tests.support.pennant import GAME, SETUP

STATE = GAME.fold(GAME.opening(SETUP))
ABOUT = b'{"call":"about"}'
ENOUGH = 60.0
NEVER = 1e9


def odds(name: str) -> bytes:
    """A question; each name makes another one."""
    return json.dumps(
        {"call": "prospects", "name": name, "state": json.loads(canonical(STATE))}
    ).encode()


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Iterator[Asked]:
    found = Asked(monkeypatch)
    yield found
    found.held.set()
    found.processes.end()


class Asked:
    """Processes that are none: questions that begin with ``hold`` have no answer before ``held``.

    at_work  what is being asked now
    most     how much that was, at most
    """

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.held = threading.Event()
        self.at_work: list[bytes] = []
        self.most = self.begun = 0
        monkeypatch.setattr(processes, "Outside", self.made)
        monkeypatch.setattr(wall, "walled", wall.plain)
        self.processes = Processes(bytes, bytes, "pennant", SYSTEM, lambda: 1.0)

    def made(self, start: Any, archive: bytes, *, seconds: float) -> Any:
        self.begun += 1
        return Made(self)

    def __call__(self, request: bytes, game: str = "") -> Waiting:
        waiting = Waiting()
        self.processes.hand_in(request, waiting.tell, lambda: True, game)
        return waiting


class Made:
    """A process that answers in this one."""

    fence, closed = 1, True

    def __init__(self, asked: Asked) -> None:
        self._asked = asked

    def ask(self, request: bytes) -> bytes:
        asked = self._asked
        asked.at_work.append(request)
        asked.most = max(asked.most, len(asked.at_work))
        if request.startswith(b"hold"):
            asked.held.wait(ENOUGH)
        asked.at_work.remove(request)
        if request == b"hold and fail":
            raise Failed("it was late")
        return b"of " + request

    def waits(self) -> bool:
        return True

    def lay(self, shown: bytes) -> None:
        pass

    kill = end = lambda self: None


class Waiting:
    """Who has handed a question in."""

    def __init__(self) -> None:
        self.answer: bytes | Failed = b""
        self._done = threading.Event()

    def tell(self, answer: bytes | Failed) -> None:
        self.answer = answer
        self._done.set()

    def got(self) -> bytes | Failed:
        assert self._done.wait(ENOUGH)
        return self.answer

    @property
    def done(self) -> bool:
        return self._done.is_set()


def test_a_game_whose_answer_does_not_come_holds_up_no_other(asked: Asked) -> None:
    """However many of its questions wait: one of them is at work."""
    held = [asked(b"hold %d" % number, "bad") for number in range(3 * MOST)]
    for number in range(20):
        assert asked(b"%d" % number, "good").got() == b"of %d" % number
    assert not any(each.done for each in held)
    assert asked.at_work == [b"hold 0"]
    asked.held.set()
    assert [each.got() for each in held] == [b"of hold %d" % n for n in range(3 * MOST)]


def test_those_who_look_leave_processes_to_orders(asked: Asked) -> None:
    held = [asked(b"hold %d" % number) for number in range(3 * MOST)]
    assert asked(b"an order", "good").got() == b"of an order"
    assert not any(each.done for each in held)
    asked.held.set()
    assert all(isinstance(each.got(), bytes) for each in held)
    assert asked.most <= LOOKING + 1


def test_no_more_are_begun_than_may_be(asked: Asked) -> None:
    held = [asked(b"hold %d" % number, f"game {number}") for number in range(3 * MOST)]
    asked.held.set()
    assert all(isinstance(each.got(), bytes) for each in held)
    assert asked.begun <= MOST
    assert asked.most <= MOST


def test_one_is_enough_where_nobody_waits(asked: Asked) -> None:
    for number in range(20):
        asked(b"%d" % number, f"game {number}").got()
    assert asked.begun == 1


def test_the_same_question_is_asked_once(asked: Asked) -> None:
    first, second = asked(b"hold", "one"), asked(b"hold", "another")
    asked.held.set()
    assert first.got() == second.got() == b"of hold"
    assert asked.most == 1


def test_who_waits_hears_that_the_service_stops(asked: Asked) -> None:
    held = [asked(b"hold %d" % number, "bad") for number in range(2)]
    asked.processes.end()
    assert "stopping" in str(held[1].got())
    assert "stopping" in str(asked(b"after", "good").got())


def test_what_had_no_answer_is_asked_again_after_a_while(
    asked: Asked, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked.held.set()
    monkeypatch.setattr(processes, "FORGOTTEN", NEVER)
    assert isinstance(asked(b"hold and fail").got(), Failed)
    assert isinstance(asked(b"hold and fail").got(), Failed)
    assert asked.begun == 1, "and not asked the second time"
    monkeypatch.setattr(processes, "FORGOTTEN", 0.0)
    asked.processes._failed.clear()
    for begun in (2, 3):
        assert isinstance(asked(b"hold and fail").got(), Failed)
        assert asked.begun == begun


def test_an_engine_that_did_not_begin_is_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """It fails first and starts later: after a while, and until then the reason is told."""
    monkeypatch.setattr(wall, "walled", lambda: None)
    archives = [loading("raise OSError('not yet')"), built(PENNANT)]
    outsider = Outsider(lambda: archives.pop(0), "pennant", SYSTEM)
    try:
        for _ in range(3):
            with pytest.raises(EngineMissing, match=r"do not begin \(.*not yet\)"):
                outsider.ask(ABOUT)
        assert len(archives) == 1, "not tried again at once"
        assert outsider.processes._unbegun is not None
        monkeypatch.setattr(
            outsider.processes, "_unbegun", outsider.processes._unbegun._replace(time=0.0)
        )
        assert b"pennant" in outsider.ask(ABOUT)
        assert b"pennant" in outsider.ask(ABOUT)
    finally:
        outsider.end()


def test_whoever_puts_off_hears_that_it_did_not_begin(monkeypatch: pytest.MonkeyPatch) -> None:
    """As such: it is no fault of the game for which it was asked."""
    outsider, answers, told = Outsider(bytes, "pennant", SYSTEM), dict[Any, Any](), Waiting()
    monkeypatch.setattr(wall, "walled", lambda: None)
    try:
        with putting_off(answers), pytest.raises(Postponed) as put_off:
            outsider.ask(ABOUT)
        put_off.value.asked.later(answers, ABOUT, lambda: True, lambda: told.tell(b""), "game")
        told.got()
        with putting_off(answers), pytest.raises(NotBegun, match="do not begin"):
            outsider.ask(ABOUT)
    finally:
        outsider.end()


def test_the_number_of_the_next_question_is_nobodys_guess() -> None:
    with Outside(wall.plain(), doing("prospects", *AHEAD)) as process:
        assert process.ask(odds("mine")) == b"{}", "its own it may answer as it likes"
        with pytest.raises(Failed, match="the answer to another request"):
            process.ask(ABOUT)
