"""A course made by hand: who is asked, when passing is open, how offers are listed."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from dataclasses import replace
from types import FunctionType
from typing import cast

import pytest
from msgspec.structs import replace as replaced

from domain.kernel.chance import Awaited
from domain.kernel.flow import Flow
from domain.kernel.play import Course, Hooks, Step, named_steps, phases
from domain.kernel.question import Question, a_seat, act, dice_first
from domain.kernel.rules import No, Refused
from domain.kernel.setup import Result
from domain.kernel.values import Seat, StepKey, Value

SEATS = ("p1", "p2", "p3")


class State(Value, frozen=True, dict=True):
    """How many stones each seat has left; who passed."""

    stones: dict[Seat, int]
    done: tuple[Seat, ...] = ()
    step: StepKey = StepKey("take")
    seats: tuple[Seat, ...] = SEATS
    awaiting: Awaited | None = None
    result: Result | None = None


class Take(Value, frozen=True):
    number: int


class Leave(Value, frozen=True):
    number: int


class Pass(Value, frozen=True):
    pass


class Event(Value, frozen=True):
    what: str
    seat: Seat = ""
    number: int = 0


def evolve(state: State | None, event: Event) -> State:
    if event.what == "opened":
        return State(dict(zip(SEATS, (2, 0, 1), strict=True)))
    assert state is not None
    if event.what == "began":
        return state
    left = {**state.stones}
    if event.seat:
        left[event.seat] -= event.number
    return State(left, state.done if event.number else (*state.done, event.seat))


def _first_two_stones(state: State, seat: Seat) -> No | None:
    return No("take.first", "T-2", "Take one first.") if state.stones[seat] > 1 else None


def _offers(state: State, seat: Seat) -> Iterator[Take]:
    return (Take(n + 1) for n in range(state.stones[seat]))


def _took(flow: Flow[State, Event], seat: Seat, command: Take) -> None:
    flow.emit(Event("took", seat, command.number))


def _left(flow: Flow[State, Event], seat: Seat, command: Leave) -> None:
    flow.emit(Event("left", seat))


def course(
    *, able: bool = True, together: bool = False, anyone: bool = False, again: No | None = None
) -> Course[State, Event, Take | Pass]:
    asks: Question[State, Event, Take | Pass] = Question(
        "take",
        "T-1",
        who=lambda state: (seat for seat in SEATS if seat not in state.done),
        offers=_offers,
        acts=(act(Take, _took),),
        must_act=_first_two_stones,
        able=able,
        together=together,
        anyone=anyone,
        again=again,
    )
    hooks: Hooks[State, Event, Take | Pass] = Hooks(
        evolve=evolve,
        pass_=Pass,
        passed=lambda seat, by: Event("passed", seat),
        rolled=lambda flow, faces: None,
        stranger=lambda state, seat: a_seat(state, seat, "T-3"),
        dice_first=lambda state, seat, command: dice_first(state, seat, command, "T-3"),
        began=lambda key: Event("began"),
        elsewhere=lambda state, seat, command, asks, by: No("take.elsewhere", by, asks.about),
        listed=lambda state, commands: commands[::-1],
    )
    return Course(hooks, turn=(Step("take", asks),))


def start(played: Course[State, Event, Take | Pass]) -> State:
    (opened,) = played.opening(Event("opened"))
    return evolve(None, opened)


@pytest.mark.parametrize(
    ("able", "together", "asked"),
    [
        (True, False, ("p1",)),
        (True, True, ("p1", "p3")),
        (False, True, SEATS),
    ],
)
def test_only_the_able_are_asked(able: bool, together: bool, asked: tuple[Seat, ...]) -> None:
    played = course(able=able, together=together)
    assert played.asked(start(played)) == asked


def test_a_seat_that_must_act_may_not_pass_and_hears_why() -> None:
    played = course()
    state = start(played)
    assert [each.optional for each in played.pending(state)] == [False]
    assert Pass() not in played.legal(state, "p1").commands
    with pytest.raises(Refused, match=r"take\.first \(T-2\): Take one first"):
        played.decide(state, "p1", Pass())
    after = evolve(state, *played.decide(state, "p1", Take(1)))
    assert played.pending(after)[0].optional
    assert Pass() in played.legal(after, "p1").commands


def test_offers_are_listed_as_the_game_wants() -> None:
    played = course()
    assert played.legal(start(played), "p1").commands == (Take(2), Take(1))


def test_a_game_may_begin_with_more_than_one_event() -> None:
    events = course().opening(Event("opened"), Event("took", "p1", 1))
    assert [each.what for each in events] == ["opened", "took"]


def test_partners_are_asked_together_though_their_answers_depend_on_each_other() -> None:
    played = course(anyone=True)
    state = start(played)
    assert [(each.seat, each.together) for each in played.pending(state)] == [
        ("p1", False),
        ("p3", False),
    ]
    assert played.decide(state, "p3", Take(1))


def test_who_answers_again_hears_the_questions_own_refusal() -> None:
    once = No("take.again", "T-4", "One takes once.", "/number")
    played = course(again=once)
    state = start(played)
    with pytest.raises(Refused, match=r"take\.again \(T-4\)"):
        played.decide(state, "p3", Take(1))
    with pytest.raises(Refused, match=r"turn\.not-yours \(T-1\)"):
        played.decide(state, "p3", Pass())
    with pytest.raises(Refused, match=r"turn\.not-yours \(T-1\)"):
        course().decide(state, "p3", Take(1))


def test_a_step_that_ends_by_itself_needs_an_event_that_says_so() -> None:
    """A game whose state says where it stands never comes there."""
    played = course()
    silent = Course(replace(played._hooks, began=None), turn=played.turn)
    with pytest.raises(AssertionError, match="nothing says that take is over"):
        silent.opening(Event("opened"), Event("took", "p1", 2), Event("took", "p3", 1))


def test_a_command_that_is_given_elsewhere_is_refused_by_its_own_rule_if_it_has_one() -> None:
    played = course()
    taking = played.steps[0].asks
    assert taking is not None
    for belongs, by in (("T-9", "T-9"), ("", "T-1")):
        leaving = replace(taking, key="leave", acts=(act(Leave, _left, belongs=belongs),))
        both = Course(played._hooks, turn=(*played.turn, Step("leave", leaving)))
        with pytest.raises(Refused, match=rf"take\.elsewhere \({by}\)"):
            both.decide(start(played), "p1", Leave(1))  # type: ignore[arg-type]


def test_a_command_that_is_given_nowhere_is_refused_by_the_rule_that_asks() -> None:
    """A game that names no courses is not held to its commands, and is played all the same."""
    played = course()
    with pytest.raises(Refused, match=r"take\.elsewhere \(T-1\)"):
        played.decide(start(played), "p1", Leave(1))  # type: ignore[arg-type]


def test_a_question_of_the_same_name_in_another_step_has_its_own_usual_answer() -> None:
    played = course()
    taking = played.steps[0].asks
    assert taking is not None
    here = replace(taking, usual=lambda state, seat: Take(1))
    both = Course(played._hooks, turn=(Step("take", here), Step("later", taking)))
    state = start(both)
    assert [both.usual(state, each) for each in both.pending(state)] == [Take(1)]


def test_a_step_says_whether_anything_is_sealed_in_it() -> None:
    played = course()
    steps = (
        Step("take", played.steps[0].asks),
        replace(played.steps[0], phase="dark", sealed=True),
    )
    both = Course(played._hooks, turn=steps)
    state = start(both)
    assert [both.sealed(replaced(state, step=key)) for key in both.keys] == [False, True]


def test_a_phase_that_only_some_agreements_have_stands_before_what_follows_it() -> None:
    asks, hooks = course().steps[0].asks, course()._hooks

    def turn(phases: str) -> Course[State, Event, Take | Pass]:
        parts = zip(phases, "12345", strict=False)
        return Course(hooks, turn=tuple(Step(phase, asks, part) for phase, part in parts))

    one, other = turn("aatz"), turn("asz")
    assert phases(one) == ("a", "t", "z")
    assert phases(one, other) == ("a", "t", "s", "z")
    assert phases(other, one) == ("a", "s", "t", "z")


class Counted:
    """A question that counts how often it is asked whom it is put to, and for offers."""

    def __init__(self) -> None:
        self.who = self.offers = 0
        plain = course().steps[0].asks
        assert plain is not None
        self.course: Course[State, Event, Take | Pass] = Course(
            course()._hooks,
            turn=(Step("take", replace(plain, who=self._who, offers=self._offers)),),
        )

    def _who(self, state: State) -> tuple[Seat, ...]:
        self.who += 1
        return SEATS

    def _offers(self, state: State, seat: Seat) -> Iterator[Take]:
        self.offers += 1
        return _offers(state, seat)


def test_who_is_asked_is_worked_out_once_in_each_of_many_games() -> None:
    counted = Counted()
    games = [start(counted.course) for _ in range(32)]
    counted.who = counted.offers = 0
    for _ in range(3):
        for state in games:
            assert counted.course.pending(state)[0].seat == "p1"
            assert counted.course.asked(state) == ("p1",)
    assert (counted.who, counted.offers) == (32, 32)
    assert counted.course.legal(games[0], "p1").commands == (Take(2), Take(1))


def test_what_one_course_noted_another_does_not_believe() -> None:
    asks = course().steps[0].asks
    assert asks is not None
    played = course()
    state = start(played)
    other = Course(played._hooks, turn=(Step("take", replace(asks, key="other")),))
    assert [each.question for each in played.pending(state)] == ["take"]
    assert [each.question for each in other.pending(state)] == ["other"]
    assert [each.question for each in played.pending(state)] == ["take"]


def test_nothing_that_is_noted_holds_the_state() -> None:
    """Or no position of any game would go before the collector of garbage comes."""
    played = course()
    state = start(played)
    played.pending(state)
    played.legal(state, "p1")
    held, found = [cast("object", state.__dict__)], set[int]()
    while held:
        value = held.pop()
        if id(value) not in found and not isinstance(value, type | Course):
            found.add(id(value))
            held.extend(_held_by(value))
    assert id(state) not in found


def _held_by(value: object) -> list[object]:
    """A function holds what it closed over; its module, and so all modules, it only names."""
    if isinstance(value, FunctionType):
        return [value.__closure__, value.__defaults__, value.__kwdefaults__, value.__dict__]
    return gc.get_referents(value)


def test_a_step_that_was_named_by_one_text_is_read_still() -> None:
    asks, hooks = course().steps[0].asks, course()._hooks
    played = Course(hooks, once=(Step("set-up", asks),), turn=(Step("air", asks, "last"),))
    upcasters = named_steps(played)
    began, position = upcasters["step-began", 1], upcasters["forked", 1]
    air = {"step": {"phase": "air", "part": "last"}, "seat": "p1"}
    assert began({"step": "air.last", "seat": "p1"}) == air
    assert began({"step": "set-up"}) == {"step": {"phase": "set-up", "part": ""}}
    assert position({"state": {"step": "air.last", "seat": "p1"}}) == {"state": air}
    assert position({}) == {}
    with pytest.raises(KeyError):
        began({"step": "air.first"})
