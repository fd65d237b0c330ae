"""What a step leaves on record: nothing where nobody was asked and nothing happened."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest
from msgspec.structs import replace as replaced

from domain.games.naval_battles.game import GAME as NAVAL_BATTLES
from domain.kernel import conformance
from domain.kernel.chance import Awaited
from domain.kernel.event import Event
from domain.kernel.events import StepBegan
from domain.kernel.flow import Flow, Led
from domain.kernel.play import Course, Hooks, Step
from domain.kernel.question import Question, a_seat, act, dice_first
from domain.kernel.rules import No
from domain.kernel.setup import Result
from domain.kernel.values import StepKey, Value
from tests.naval_battles.random_games import check_game


class State(Value, frozen=True, dict=True):
    """What happened, besides where one is."""

    step: StepKey = StepKey("ask")
    seen: tuple[str, ...] = ()
    seats: tuple[str, ...] = ("p1",)
    awaiting: Awaited | None = None
    result: Result | None = None


class Go(Value, frozen=True):
    pass


class Pass(Value, frozen=True):
    pass


class Happened(Event, frozen=True, kw_only=True):
    what: str


def evolve(state: State | None, event: Event) -> State:
    assert state is not None
    if isinstance(event, StepBegan):
        return replaced(state, step=event.step)
    assert isinstance(event, Happened)
    if event.what == "end":
        return replaced(state, result=Result((), "end", "T-1"))
    return state if event.what in state.seen else replaced(state, seen=(*state.seen, event.what))


OneFlow = Flow[State, Event]
HOOKS: Hooks[State, Event, Any] = Hooks(
    evolve=evolve,
    pass_=Pass,
    passed=lambda seat, by: Happened(what="passed"),
    rolled=lambda flow, faces: None,
    began=lambda key: StepBegan(step=key),
    stranger=lambda state, seat: a_seat(state, seat, "T-1"),
    dice_first=lambda state, seat, command: dice_first(state, seat, command, "T-1"),
    elsewhere=lambda state, seat, command, asks, by: No("elsewhere", by, "Not here."),
)
ASK: Question[State, Event, Any] = Question(
    "ask",
    "T-1",
    who=lambda state: () if "went" in state.seen else ("p1",),
    offers=lambda state, seat: (Go(),),
    acts=(act(Go, lambda flow, seat, command: flow.emit(Happened(what="went"))),),
)
AGAIN = replace(ASK, key="again", who=lambda state: ("p1",))


def recorded(*between: Step[State, Event, Any]) -> list[str]:
    """What is on record from the answer in one step to the question in another."""
    course = Course(HOOKS, turn=(Step("ask", ASK), *between, Step("again", AGAIN)))
    before = State()
    events = course.decide(before, "p1", Go())
    assert isinstance(events, Led)
    folded = [before]
    for event in events:
        folded.append(evolve(folded[-1], event))
    assert list(events.states) == folded[1:]
    return [str(event.step) if isinstance(event, StepBegan) else event.what for event in events]


def once(what: str) -> Any:
    def tend(flow: OneFlow) -> bool:
        if what in flow.state.seen:
            return False
        flow.emit(Happened(what=what))
        return True

    return tend


def test_a_step_in_which_nothing_happens_leaves_no_record() -> None:
    assert recorded(Step("a"), Step("b")) == ["went", "again"]


def test_a_step_in_which_something_happens_keeps_its_record() -> None:
    assert recorded(Step("a", tend=once("x")), Step("b")) == ["went", "a", "x", "again"]
    assert recorded(Step("a", finish=once("x"))) == ["went", "a", "x", "again"]
    assert recorded(Step("a", leave=once("x"))) == ["went", "a", "x", "again"]


def test_a_step_in_which_something_may_be_sealed_keeps_its_record() -> None:
    assert recorded(Step("a"), Step("b", sealed=True)) == ["went", "b", "again"]


def test_what_is_noted_is_recorded_where_it_changes_the_state_only() -> None:
    def note(what: str) -> Any:
        return lambda flow: flow.note(Happened(what=what))

    assert recorded(Step("a", leave=note("went"))) == ["went", "again"]
    assert recorded(Step("a", leave=note("new"))) == ["went", "a", "new", "again"]


def test_leaving_a_step_may_end_the_game() -> None:
    def end(flow: OneFlow) -> object:
        return flow.emit(Happened(what="end"))

    assert recorded(Step("a", leave=end)) == ["went", "a", "end"]


@pytest.fixture(scope="module")
def played() -> conformance.Played:
    return check_game(3, 0, whole=False)


def test_the_record_of_a_step_may_say_where_one_is_only(played: conformance.Played) -> None:
    choose = random.Random(1).randrange
    conformance.check_steps(NAVAL_BATTLES, played, choose)

    def evolve(state: Any, event: Any) -> Any:
        after = NAVAL_BATTLES.evolve(state, event)
        if isinstance(event, StepBegan) and event.step == StepKey("prepare"):
            return replaced(after, calm=after.calm + 1)
        return after

    with pytest.raises(conformance.Nonconformance, match="prepare leaves something to"):
        conformance.check_steps(replace(NAVAL_BATTLES, evolve=evolve), played, choose)
