"""A step is one value: from a list of them follow who is asked, what is legal, and ``decide``.

A :class:`Step` says what is asked at one place of a turn (``kernel.question``) and what happens
there by itself. :class:`Course` is a game's order of play, made of them. Steps ``above`` the
sequence are looked at first, wherever the game stands: a die that somebody may still change, an
attack under way, the rest of a card.

Nothing is ever suspended: what remains to be done in a step is worked out from the state, so a game
can be stopped and resumed between any two events.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, TypeVar

from . import memo
from .chance import Faces, check_faces
from .event import Upcaster
from .events import StepBegan
from .flow import Flow, decided, nothing
from .fork import NAME as FORKED
from .memo import LazyList, latest
from .options import Options, Pending
from .question import Act, Playing, Question
from .rules import No, Refused
from .values import Seat, StepKey

S = TypeVar("S", bound=Playing)
E = TypeVar("E")
C = TypeVar("C")


@dataclass(frozen=True)
class Step(Generic[S, E, C]):
    """One place of a turn.

    phase   the phase that it belongs to
    asks    the question that is put here
    part    which part of the phase it is; both are stable, and together unique in the course
    tend    do the next thing that happens by itself before anybody is asked; true if something was
    finish  the same once nobody has an answer left
    skip    the step is not entered
    leave   what happens on leaving it, which may end the game; nothing is awaited there
    sealed  something that not everybody may see may be sealed here: :meth:`Course.sealed`

    A step in which nobody was asked and nothing happened leaves no record: the one of its beginning
    is taken back. Whether anybody was asked, and that something happened, all see anyway; where
    something is sealed the record stays all the same, so that not even their number can tell.
    """

    phase: str
    asks: Question[S, E, C] | None = None
    part: str = ""
    tend: Callable[[Flow[S, E]], bool] = nothing
    finish: Callable[[Flow[S, E]], bool] = nothing
    skip: Callable[[S], bool] = lambda state: False
    leave: Callable[[Flow[S, E]], object] = lambda flow: None
    sealed: bool = False

    @property
    def key(self) -> StepKey:
        """The name that states and records have for it."""
        return StepKey(self.phase, self.part)


@dataclass(frozen=True)
class Way(Generic[S, E, C]):
    """A way out that is open at any time, in turn or not: resigning, agreeing to end."""

    command: C
    act: Act[S, E]


@dataclass(frozen=True)
class Hooks(Generic[S, E, C]):
    """What a game gives its course besides the steps.

    evolve     the fold of the game's events
    pass_      the type of its command that passes
    passed     the event of a seat that passes, by the rule that asked it
    rolled     chance has answered: hand the faces to whoever asked for them
    began      the event that opens a step; none where the state says by itself where one is. It
               says where one is and clears what belongs to a step, nothing else
               (``conformance.check_steps``)
    stranger   why somebody may do nothing in this game: :func:`a_seat`, and what the game adds
    dice_first why a command has to wait, or is not the seat's: :func:`dice_first`
    elsewhere  the refusal of a command that does not answer the open question, and by which rule
               (:attr:`Act.belongs`): the game's own, so that its code is listed where it is met
    begin_turn what a new turn begins with, before its first step is opened
    listed     what a seat may do, in the order in which it is listed: what is pointless at the end
    over       what is said to a command after the end
    """

    evolve: Callable[[S | None, E], S]
    pass_: type[Any]
    passed: Callable[[Seat, str], E]
    rolled: Callable[[Flow[S, E], Faces], object]
    stranger: Callable[[S, Seat], No | None]
    dice_first: Callable[[S, Seat, C | Faces], No | None]
    elsewhere: Callable[[S, Seat, C, Question[S, E, C], str], No]
    began: Callable[[StepKey], E] | None = None
    begin_turn: Callable[[Flow[S, E]], object] = lambda flow: None
    listed: Callable[[S, tuple[C, ...]], tuple[C, ...]] = lambda state, commands: commands
    over: str = "The game is over."


class Place(NamedTuple, Generic[S, E, C]):
    """A step of the sequence with all that is looked at while the game stands there.

    tends  what happens by itself before anybody is asked: what is above the sequence first
    asks   the questions that may be put there, in the same order
    """

    step: Step[S, E, C]
    tends: tuple[Callable[[Flow[S, E]], bool], ...]
    asks: tuple[Question[S, E, C], ...]
    after: StepKey


Open = tuple[Question[S, E, C], dict[Seat, LazyList[C]]]
"""A question, and the seats that it is put to with what each is offered."""

ASKED, PENDING = "asked", "pending"
"""What is noted on a state, by which course: who is asked what."""


class Course(Generic[S, E, C]):
    """A game's order of play: what it asks, what is legal, and what a command leads to.

    once   steps of the set-up; after the last of them the first turn begins
    turn   steps of a turn; after the last of them the next turn begins
    above  steps that are looked at first, wherever the game stands; the first open one wins
    ways   ways out, the mildest first
    """

    def __init__(
        self,
        hooks: Hooks[S, E, C],
        *,
        once: tuple[Step[S, E, C], ...] = (),
        turn: tuple[Step[S, E, C], ...] = (),
        above: tuple[Step[S, E, C], ...] = (),
        ways: tuple[Way[S, E, C], ...] = (),
    ) -> None:
        self.turn, self.steps = turn, (*once, *turn)
        self.above, self.ways = above, ways
        self._hooks = hooks
        self._way_of = {type(way.command): way.act for way in ways}
        asked = (step.asks for step in (*above, *self.steps) if step.asks is not None)
        self._belongs = {each.command: each.belongs for asks in asked for each in asks.acts}
        self._first = (turn or once)[0].key
        after = (*self.keys[1:], self._first)
        self._at = dict(zip(self.keys, map(self._place, self.steps, after), strict=True))
        self.open = latest(self._open)

    def _place(self, step: Step[S, E, C], after: StepKey) -> Place[S, E, C]:
        here = (*self.above, step)
        tends = tuple(each.tend for each in here if each.tend is not nothing)
        asks = tuple(each.asks for each in here if each.asks is not None)
        return Place(step, tends, asks, after)

    @property
    def keys(self) -> tuple[StepKey, ...]:
        """The steps' keys in order: those of the set-up, then those of a turn."""
        return tuple(step.key for step in self.steps)

    @property
    def questions(self) -> dict[str, Question[S, E, C]]:
        """Everything that a seat may be asked, by its key."""
        steps = (*self.above, *self.steps)
        return {step.asks.key: step.asks for step in steps if step.asks is not None}

    @property
    def commands(self) -> frozenset[type]:
        """Every type of command that answers something, ends something or passes."""
        return frozenset({*self._belongs, *self._way_of, self._hooks.pass_})

    def sealed(self, state: S) -> bool:
        """Whether something that not everybody may see may be sealed in the present step."""
        return self._at[state.step].step.sealed

    # --- what is asked ----------------------------------------------------------------------------

    def _open(self, state: S) -> Open[S, E, C] | None:
        """The open question with the seats it is put to; None while nobody has a choice."""
        notes = memo.notes(state)
        if (noted := notes.get(ASKED)) is not None and noted[0] is self:
            asks = noted[1]
            return None if asks is None else (asks, asks.put_to(state, noted[2]))
        found = self._find(state)
        asks, seats = found or (None, ())
        notes[ASKED] = (self, asks, tuple(seats))
        return found

    def _find(self, state: S) -> Open[S, E, C] | None:
        if state.result is not None or state.awaiting is not None:
            return None
        for asks in self._at[state.step].asks:
            if offers := asks.open(state):
                return asks, offers
        return None

    def asked(self, state: S) -> tuple[Seat, ...]:
        """The seats that have a choice to make now."""
        found = self.open(state)
        return () if found is None else tuple(found[1])

    def pending(self, state: S) -> tuple[Pending, ...]:
        """The open question, once for each seat that it is put to."""
        noted: tuple[Any, tuple[Pending, ...]] | None = memo.notes(state).get(PENDING)
        if noted is None or noted[0] is not self:
            noted = memo.notes(state)[PENDING] = (self, self._pending(state))
        return noted[1]

    def _pending(self, state: S) -> tuple[Pending, ...]:
        found = self.open(state)
        if found is None:
            return ()
        asks, seats = found
        subject = asks.subject(state)
        return tuple(
            Pending(
                seat,
                asks.key,
                asks.rule,
                asks.why_not_pass(state, seat) is None,
                asks.together,
                subject,
            )
            for seat in seats
        )

    def legal(self, state: S, seat: Seat) -> Options[C]:
        """Exactly what :meth:`decide` accepts from the seat."""
        if state.result is not None or self._hooks.stranger(state, seat) is not None:
            return Options()
        ways = tuple(
            way.command for way in self.ways if way.act.why_not(state, seat, way.command) is None
        )
        found = self.open(state)
        if found is None or seat not in found[1]:
            return Options(concessions=ways)
        optional = next(each.optional for each in self.pending(state) if each.seat == seat)
        passing = (self._hooks.pass_(),) if optional else ()
        commands = self._hooks.listed(state, (*found[1][seat].all(), *passing))
        return Options(commands, found[0].templates(state, seat), ways)

    def usual(self, state: S, pending: Pending) -> C:
        """The command of an absent seat, for any open question, so that no game hangs."""
        asks = next(each for each in self._at[state.step].asks if each.key == pending.question)
        if asks.usual is not None:
            return asks.usual(state, pending.seat)
        if pending.optional:
            passing: C = self._hooks.pass_()
            return passing
        return self.legal(state, pending.seat).commands[0]

    # --- what a command leads to ------------------------------------------------------------------

    def opening(self, opened: E, *more: E) -> tuple[E, ...]:
        """The first events of a game: those given, and on until somebody has to choose."""
        flow: Flow[S, E] = Flow(self._hooks.evolve(None, opened), self._hooks.evolve)
        flow.events.append(opened)
        flow.states.append(flow.state)
        for event in more:
            flow.emit(event)
        self.carry_on(flow)
        return decided(flow, None)

    def decide(self, state: S, seat: Seat, command: C | Faces) -> tuple[E, ...]:
        """The events that a command leads to; raises Refused, and then nothing has happened."""
        if state.result is not None:
            raise Refused("game.over", state.result.rule, self._hooks.over)
        flow: Flow[S, E] = Flow(state, self._hooks.evolve)
        if isinstance(command, Faces):
            self._chance(flow, seat, command)
        else:
            self._player(flow, seat, command)
        self.carry_on(flow)
        return decided(flow, state)

    def _chance(self, flow: Flow[S, E], seat: Seat, answer: Faces) -> None:
        no = self._hooks.dice_first(flow.state, seat, answer)
        if no is not None:
            raise no.refused()
        check_faces(flow.state.awaiting, answer)
        self._hooks.rolled(flow, answer)

    def _player(self, flow: Flow[S, E], seat: Seat, command: C) -> None:
        no = self._hooks.stranger(flow.state, seat)
        if no is not None:
            raise no.refused()
        way = self._way_of.get(type(command))
        if way is not None:
            way.carry_out(flow, seat, command)
        else:
            self._answer(flow, seat, command)

    def _answer(self, flow: Flow[S, E], seat: Seat, command: C) -> None:
        """A command answers the open question, or it is refused whole."""
        state = flow.state
        no = self._hooks.dice_first(state, seat, command)
        if no is not None:
            raise no.refused()
        found = self.open(state)
        assert found is not None, f"nobody is asked in {state.step}, and nothing happens there"
        asks, seats = found
        how = asks.act_of(command)
        if seat not in seats:
            raise self._not_yours(asks, seats, answers=how is not None).refused()
        if how is not None:
            how.carry_out(flow, seat, command)
        elif isinstance(command, self._hooks.pass_):
            self._let_go(flow, seat, asks)
        else:
            by = self._belongs.get(type(command)) or asks.rule
            raise self._hooks.elsewhere(state, seat, command, asks, by).refused()

    def _not_yours(self, asks: Question[S, E, C], seats: Iterable[Seat], *, answers: bool) -> No:
        """Why a seat that is not asked may not answer; whoever has answered may hear that."""
        if answers and asks.again is not None:
            return asks.again
        return No("turn.not-yours", asks.rule, f"It is for {', '.join(seats)} to {asks.about}.")

    def _let_go(self, flow: Flow[S, E], seat: Seat, asks: Question[S, E, C]) -> None:
        """A seat passes."""
        no = asks.why_not_pass(flow.state, seat)
        if no is not None:
            raise no.refused()
        if asks.on_pass is not None:
            asks.on_pass(flow, seat)
        else:
            flow.emit(self._hooks.passed(seat, asks.rule))

    # --- the sequence -----------------------------------------------------------------------------

    def carry_on(self, flow: Flow[S, E]) -> None:
        """Play on until somebody has to choose, dice are awaited, or the game is over."""
        while flow.state.result is None and flow.state.awaiting is None:
            here = self._at[flow.state.step]
            if any(tend(flow) for tend in here.tends):
                continue
            if self.open(flow.state) is not None:
                return
            if not here.step.finish(flow):
                self._move_on(flow, here)

    def _move_on(self, flow: Flow[S, E], here: Place[S, E, C]) -> None:
        """To the next step that is not skipped, or to a new turn; there is no way back."""
        step, after = here.step, here.after
        step.leave(flow)
        if flow.state.result is not None:
            return
        assert flow.state.awaiting is None, f"dice are awaited on leaving {step.key}"
        if not step.sealed:
            flow.unenter()
        while after != self._first and self._at[after].step.skip(flow.state):
            after = self._at[after].after
        if after == self._first:
            self._hooks.begin_turn(flow)
        began = self._hooks.began
        assert began is not None, f"nothing says that {step.key} is over"
        flow.enter(began(after))


def phases(*courses: Course[Any, Any, Any]) -> tuple[str, ...]:
    """The phases of a turn in order, of all agreements.

    One that only some have stands right before the phase that follows it there.
    """
    found: list[str] = []
    for course in courses:
        at = len(found)
        for phase in reversed(dict.fromkeys(step.phase for step in course.turn)):
            if phase not in found:
                found.insert(at, phase)
            at = found.index(phase)
    return tuple(found)


def named_steps(*courses: Course[Any, Any, Any]) -> dict[tuple[str, int], Upcaster]:
    """Upcasters of games in which a step was named by one text: its beginning, a fork's position.

    The text is looked up among the steps that there are, for no name of a step is taken apart.
    """
    keys = (key for course in courses for key in course.keys)
    fields = {str(key): {"phase": key.phase, "part": key.part} for key in keys}

    def named(data: dict[str, Any]) -> dict[str, Any]:
        return data | {"step": fields[data["step"]]}

    def placed(data: dict[str, Any]) -> dict[str, Any]:
        return data | {"state": named(data["state"])} if data.get("state") else data

    return {(StepBegan.NAME, 1): named, (FORKED, 1): placed}


__all__ = ["Course", "Hooks", "Step", "Way", "named_steps", "phases"]
