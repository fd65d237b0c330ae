"""What is asked, of whom, and how each answer is judged and carried out.

A :class:`Question` says who may answer and with what, an :class:`Act` how one type of command is
judged and done. ``kernel.play`` makes an order of play of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any, Generic, Protocol, TypeVar

from .chance import Awaited, Faces
from .flow import Flow
from .memo import Begun
from .options import Template
from .rules import No
from .setup import Result
from .values import CHANCE, Seat, StepKey


class Playing(Protocol):
    """What the kernel reads of a game's state."""

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The players' seats."""

    @property
    def step(self) -> StepKey:
        """The step that the game stands in."""

    @property
    def awaiting(self) -> Awaited | None:
        """The request that chance has to answer."""

    @property
    def result(self) -> Result | None:
        """How the game ended."""


S = TypeVar("S", bound=Playing)
E = TypeVar("E")
C = TypeVar("C")
X = TypeVar("X")


@dataclass(frozen=True)
class Act(Generic[S, E]):
    """How one type of command is judged and carried out. :func:`act` makes it, and checks types.

    do       emits what the command leads to
    why_not  asked before ``do``: what it finds is the refusal
    belongs  the rule that says when such a command is given, for its refusal where something else
             is asked; without it the rule by which that is asked
    """

    command: type
    do: Callable[[Flow[S, E], Seat, Any], object]
    why_not: Callable[[S, Seat, Any], No | None]
    belongs: str = ""

    def carry_out(self, flow: Flow[S, E], seat: Seat, command: object) -> None:
        """Judge the command, and do it. Raises Refused."""
        no = self.why_not(flow.state, seat, command)
        if no is not None:
            raise no.refused()
        self.do(flow, seat, command)


def _nothing_against(state: object, seat: Seat, command: object) -> No | None:
    return None


def act(
    command: type[X],
    do: Callable[[Flow[S, E], Seat, X], object],
    why_not: Callable[[S, Seat, X], No | None] = _nothing_against,
    belongs: str = "",
) -> Act[S, E]:
    """An act of one type of command."""
    return Act(command, do, why_not, belongs)


@dataclass(frozen=True)
class Question(Generic[S, E, C]):
    """What is asked, of whom, and what the answers are.

    key        stable name of what is asked: ``"defend"``
    rule       the rule that asks
    who        seats that may be asked, in order; none: the question is not open
    offers     the answers besides passing, made one by one in a fixed order
    acts       how each type of answer is judged and carried out
    optional   whether the seat may pass at all
    must_act   why it may not pass just now, though it may as a rule
    on_pass    what passing does; without it the kernel records :attr:`Hooks.passed`
    able       only seats that have an offer are asked; their offers rest on public facts then
    together   all of ``who`` are asked at once, and none's answer depends on another's
    anyone     all of ``who`` are asked, and what one does may end or change another's question.
               Without either only the first of them is asked
    subject    what it is about, where a seat may be asked the same about several things
    templates  commands of too large a space to be listed
    usual      the command of an absent seat; without it passing, else the first offer
    again      the refusal of an answer by a seat that is not asked, where that is one that has
               answered: without it the answer is refused as another seat's
    """

    key: str
    rule: str
    who: Callable[[S], Iterable[Seat]]
    offers: Callable[[S, Seat], Iterable[C]]
    acts: tuple[Act[S, E], ...]
    optional: bool = True
    must_act: Callable[[S, Seat], No | None] = lambda state, seat: None
    on_pass: Callable[[Flow[S, E], Seat], object] | None = None
    able: bool = False
    together: bool = False
    anyone: bool = False
    subject: Callable[[S], str] = lambda state: ""
    templates: Callable[[S, Seat], tuple[Template, ...]] = lambda state, seat: ()
    usual: Callable[[S, Seat], C] | None = None
    again: No | None = None

    def open(self, state: S) -> dict[Seat, Begun[C]]:
        """Who is asked now, in order, each with the offers as far as they had to be made."""
        found: dict[Seat, Begun[C]] = {}
        for seat in self.who(state):
            offers = Begun(partial(self.offers, state, seat))
            if not self.able or offers.any():
                found[seat] = offers
                if not (self.together or self.anyone):
                    break
        return found

    def put_to(self, state: S, seats: Iterable[Seat]) -> dict[Seat, Begun[C]]:
        """The same where it is known already who is asked: no offer is made."""
        return {seat: Begun(partial(self.offers, state, seat)) for seat in seats}

    def why_not_pass(self, state: S, seat: Seat) -> No | None:
        """Why the seat may not pass; None where it may."""
        return self.must_act(state, seat) if self.optional else must_act(self.rule)

    def act_of(self, command: object) -> Act[S, E] | None:
        """How such a command is carried out here; None where it is no answer."""
        return next((each for each in self.acts if each.command is type(command)), None)

    @property
    def about(self) -> str:
        """What is asked, as a verb in a sentence."""
        return self.key.replace("-", " ")


def must_act(rule: str) -> No:
    """The seat has to do something.

    rule  the game's own that asks
    """
    return No("turn.must-act", rule, "Passing is not open here; see the legal commands.")


def dice_first(state: Playing, seat: Seat, command: object, rule: str) -> No | None:
    """Only chance throws, and while dice are awaited nobody else does anything.

    rule  the game's own that says so; its home calls this
    """
    if isinstance(command, Faces):
        if seat == CHANCE:
            return None
        return No("turn.not-chance", rule, "Only the chance seat throws dice.")
    if state.awaiting is None:
        return None
    return No("turn.dice-awaited", rule, "Dice are being thrown.")


def a_seat(state: Playing, seat: Seat, rule: str) -> No | None:
    """Only the players' seats play.

    rule  the game's own that says so
    """
    if seat in state.seats:
        return None
    return No("turn.no-seat", rule, f"The seats are {', '.join(state.seats)}.")
