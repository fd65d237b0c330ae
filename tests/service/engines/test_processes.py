"""The processes in which one engine is asked: how many, for whom, and what follows a failure."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from domain.kernel.codec import canonical
from service.engines import processes, wall
from service.engines.outside import Ended, Failed, NotBegun, Outside
from service.engines.processes import LOOKING, MOST, NO_MEMORY, Processes
from service.engines.room import Room
from service.engines.strange import Outsider, Postponed, putting_off
from service.errors import EngineMissing
from service.threads import SYSTEM
from tests.service.engines.harm import AHEAD, doing, loading
from tests.service.engines.trees import PENNANT, built
from tests.support.pennant import GAME, SETUP

STATE = GAME.fold(GAME.opening(SETUP))
ABOUT = b'{"call":"about"}'
ENOUGH = 60.0
TURNS = 60_000
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

    def __init__(self, monkeypatch: pytest.MonkeyPatch, room: Room | None = None) -> None:
        self.held = threading.Event()
        self.at_work: list[bytes] = []
        self.most = self.begun = self.ended = 0
        self.beginning: Callable[[], object] = int
        monkeypatch.setattr(processes, "Outside", made)
        monkeypatch.setattr(wall, "walled", wall.plain)
        archive: Any = lambda: self  # noqa: E731 - stands for the engine of these processes
        self.processes = Processes(archive, bytes, "pennant", SYSTEM, lambda: 1.0, room)

    def made(self) -> Any:
        self.beginning()
        self.begun += 1
        return Made(self)

    @staticmethod
    def until(so: Callable[[], bool]) -> None:
        """Have others go on until it is so."""
        for _ in range(TURNS):
            if so():
                return
            threading.Event().wait(0.001)
        raise AssertionError("it did not come to that")

    def __call__(self, request: bytes, game: str = "") -> Waiting:
        waiting = Waiting()
        self.processes.hand_in(request, waiting.tell, lambda: True, game)
        return waiting


def made(start: Any, archive: Any, *, seconds: float) -> Any:
    """A process of the ruleset that the archive stands for."""
    return archive.made()


class Made:
    """A process that answers in this one."""

    fence, closed = 1, True

    def __init__(self, asked: Asked) -> None:
        self._asked = asked
        self.worked = 0.0

    def ask(self, request: bytes) -> bytes:
        asked = self._asked
        asked.at_work.append(request)
        asked.most = max(asked.most, len(asked.at_work))
        if request.startswith(b"hold"):
            asked.held.wait(ENOUGH)
        asked.at_work.remove(request)
        used, self.worked = self.worked > 0, self.worked + 1
        if request == b"hold and fail":
            raise Failed("it was late")
        if request == b"ends" or (request == b"ends if used" and used):
            raise Ended("its process has ended")
        if request == b"exhausts" or (request == b"exhausts if used" and used):
            return NO_MEMORY + b': "}'
        return b"of " + request

    def waits(self) -> bool:
        return True

    def lay(self, shown: bytes) -> None:
        pass

    def end(self) -> None:
        self._asked.ended += 1

    def kill(self) -> None:
        self._asked.ended += 1


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


def test_who_asks_the_same_is_not_held_up_with_another_game(asked: Asked) -> None:
    """Whose own question is still at no end, while both stand at the same position."""
    held = asked(b"hold", "bad")
    first = asked(b"the same", "bad")
    assert asked(b"the same", "good").got() == first.got() == b"of the same"
    assert not held.done


def test_who_asks_what_somebody_else_gave_up_has_it_asked(
    asked: Asked, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It comes between that and its being told: it is not told the same."""
    settling, second = Processes._settle, list[Waiting]()

    def settle(self: Processes, question: Any, answer: bytes | Failed) -> None:
        own = self is asked.processes  # others of before may come to their end now
        if own and isinstance(answer, Failed) and not second:
            second.append(asked(b"x", "good"))
        settling(self, question, answer)

    monkeypatch.setattr(Processes, "_settle", settle)
    first = Waiting()
    asked.processes.hand_in(b"x", first.tell, lambda: False, "frozen")
    assert isinstance(first.got(), Failed)
    assert second[0].got() == b"of x"


@pytest.mark.parametrize("what", [b"ends", b"exhausts"])
def test_what_a_process_came_to_by_other_games_costs_no_game(asked: Asked, what: bytes) -> None:
    """Whoever asks then is asked for again, in one of its own; what is its own fault stays so."""
    assert asked(b"another game's").got() == b"of another game's"
    assert asked(what + b" if used", "good").got() == b"of " + what + b" if used"
    assert asked.begun == 2
    said = asked(what, "bad").got()
    assert isinstance(said, Ended) if what == b"ends" else said == NO_MEMORY + b': "}'
    assert asked.begun == 3, "once again, and no more"


def test_a_process_that_has_worked_for_long_is_followed_by_another(
    asked: Asked, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between two questions: its share of the processor would end in the middle of one."""
    monkeypatch.setattr(processes, "WORKED", 10.0)
    for number in range(25):
        assert asked(b"%d" % number, f"game {number}").got() == b"of %d" % number
    assert asked.begun == 3


def test_processes_that_nobody_asks_are_ended_while_one_is_asked(asked: Asked) -> None:
    """Who asks now and then keeps one of them, and not all that there ever were."""
    held = [asked(b"hold %d" % number, f"game {number}") for number in range(MOST)]
    asked.held.set()
    assert all(isinstance(each.got(), bytes) for each in held)
    asked.processes.resting[:] = [(each, -NEVER) for each, _ in asked.processes.resting]
    rested = len(asked.processes.resting)
    for number in range(3):
        assert isinstance(asked(b"now and then %d" % number).got(), bytes)
    assert asked.begun == rested
    assert len(asked.processes.resting) == 1
    assert asked.ended == rested - 1


def test_while_no_other_process_begins_those_that_work_are_waited_for(asked: Asked) -> None:
    """There is memory for one: an order of another game has its answer all the same."""
    held = asked(b"hold", "one")

    def beginning() -> None:
        raise OSError("no memory")

    asked.until(lambda: asked.at_work == [b"hold"])
    asked.beginning = beginning
    other = asked(b"other", "another")
    asked.until(lambda: asked.processes._unbegun is not None)
    third = asked(b"third", "a third")
    asked.held.set()
    assert [each.got() for each in (held, other, third)] == [b"of hold", b"of other", b"of third"]


def test_those_who_waited_for_a_process_that_did_not_begin_hear_it_at_once(asked: Asked) -> None:
    """It may have taken a minute: nobody behind them is to wait for another minute."""
    trying, go = list[None](), threading.Event()

    def beginning() -> None:
        trying.append(None)
        go.wait(ENOUGH)
        raise OSError("no memory")

    asked.beginning = beginning
    waiting = [asked(b"%d" % number, f"game {number}") for number in range(5 * MOST)]
    go.set()
    assert all(isinstance(each.got(), NotBegun) for each in waiting)
    assert len(trying) <= MOST


@pytest.fixture
def several(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[int, Room], list[Asked]]]:
    """Rulesets that share the room for their processes."""
    made = list[Asked]()

    def make(many: int, room: Room) -> list[Asked]:
        made.extend(Asked(monkeypatch, room) for _ in range(many))
        return made

    yield make
    for each in made:
        each.held.set()
    for each in made:
        each.processes.end()


def alive(rulesets: list[Asked]) -> int:
    return sum(each.processes.alive for each in rulesets)


def test_rulesets_share_the_room_for_their_processes(
    several: Callable[[int, Room], list[Asked]],
) -> None:
    """What rests gives way, and nobody has more at work than all may have together."""
    asked = several(3 * MOST, Room(MOST, SYSTEM))
    for _ in range(2):
        for number, each in enumerate(asked):
            assert each(b"%d" % number, "a game").got() == b"of %d" % number
            assert alive(asked) <= MOST


def test_who_finds_no_room_waits_until_another_ruleset_has_its_answer(
    several: Callable[[int, Room], list[Asked]],
) -> None:
    first, second = several(2, Room(1, SYSTEM))
    held = [first(b"hold", "one"), first(b"hold more", "another")]
    first.until(lambda: first.at_work == [b"hold"])
    waiting = second(b"x", "a third")
    second.until(lambda: second.processes._room.wanted)
    assert not waiting.done
    first.held.set()
    assert waiting.got() == b"of x", "before all that waits for the other ruleset"
    assert [each.got() for each in held] == [b"of hold", b"of hold more"]
    assert alive([first, second]) <= 1


def test_no_room_for_long_is_no_fault_of_a_game_and_tried_again_at_once(
    several: Callable[[int, Room], list[Asked]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(processes, "ROOM_SECONDS", 0.0)
    first, second = several(2, Room(1, SYSTEM))
    held = first(b"hold", "one")
    first.until(lambda: first.at_work == [b"hold"])
    answer = second(b"x", "another").got()
    assert isinstance(answer, NotBegun)
    assert "DECKLOG_RULES_PROCESSES" in str(answer)
    assert second.begun == 0
    first.held.set()
    assert held.got() == b"of hold"
    assert second(b"x", "another").got() == b"of x"


def test_one_that_does_not_begin_leaves_its_room_to_others(
    several: Callable[[int, Room], list[Asked]],
) -> None:
    def beginning() -> None:
        raise OSError("no memory")

    first, second = several(2, Room(1, SYSTEM))
    first.beginning = beginning
    assert isinstance(first(b"x", "one").got(), NotBegun)
    assert second(b"y", "another").got() == b"of y"


def test_what_shows_a_game_is_read_before_its_process_begins(asked: Asked) -> None:
    """Where it cannot be read, nothing is left over that nobody knows of."""

    def shown() -> bytes:
        raise OSError("it is gone")

    asked.processes = Processes(bytes, shown, "pennant", SYSTEM, lambda: 1.0)
    assert isinstance(asked(b"anything").got(), NotBegun)
    assert asked.begun == 0


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
