"""What decides a game: a record of pure functions, and nothing in it is a picture or a sentence."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypeVar

import msgspec

from .chance import PUBLIC_DOMAIN, Awaited, Faces
from .chances import Chances
from .commands import tag_of
from .custom import Custom
from .event import Event, Upcaster
from .flow import led_to
from .options import Options, Pending
from .setup import Result, Setup, Side
from .values import TRUTH, Seat, Viewer

S = TypeVar("S")
C = TypeVar("C")
E = TypeVar("E", bound=Event)


class Order(Protocol):
    """An order of play, as the record of a game knows it: ``kernel.play.Course`` is one."""

    @property
    def commands(self) -> frozenset[type]:
        """Every type of command that it can carry out."""


@dataclass(frozen=True, kw_only=True)
class Engine(Generic[S, C, E]):
    """What decides in a ruleset. Whatever is recorded of a game, and judged, comes out of it.

    opening   the first events of a game, or Refused for a set-up that the rules do not allow
    decide    (state, seat, command) -> events; the chance seat's command is :class:`Faces`
    evolve    (state or None, event) -> state; total, no rules, never refuses
    legal     (state, seat) -> exactly what ``decide`` would accept from that seat
    redact    (event, viewer) -> what that viewer may know of it; same type
    pending   (state) -> the open questions, one for each seat that is asked
    awaiting  (state) -> the request to the chance seat, if one is open
    result    (state) -> how it ended, or None
    secrets   (state) -> whether any seat may still hold what another may not see
    usual     (state, pending) -> the command that a missed deadline stands for
    scores    (state) -> points by seat
    sides     (set-up) -> who plays with whom: the seats of each side in order of sitting, each seat
              of the game in one of them. Public, as the set-up is
    side_score  (state, a side) -> its points; without it: those of its seats together
    odds      (state, command) -> exact odds if dice would roll, as plain JSON, else None
    chances   (state) -> what the awaited roll may come to; None where nothing is awaited, or where
              no score is kept of the roll. They are recorded with the roll
    prospects  (state) -> exact odds of the attack whose dice are awaited, as plain JSON, with
              whatever follows of them; None where there is none
    domains   (set-up) -> every dice domain that ``Awaited.domain`` may name in such a game: open
              dice only unless the game says otherwise. Their chains are committed to before the
              first seat is taken, so the answer depends on nothing but the set-up
    customs   the kinds of documents that players may bring; ``opening`` reads them with
              :func:`~domain.kernel.custom.read_customs` and puts them into its first event
    upcasters (event's ``NAME``, an old schema number) -> from its data to that of the next number.
              Every number below an event's ``SCHEMA`` has one, so that all that was ever stored is
              read. ``("forked", n)`` carries the position of a fork, as ``{"state": ...}``, from
              ``position`` n to n + 1
    position  version of the stored form of a state: forks begin with one, for ever. A new form is
              a new number and an upcaster, as for an event
    courses   the orders of play that ``decide`` follows, one or one for each agreement. What they
              carry out has to be ``commands``, no more and no less: ValueError otherwise, so that
              a game with a forgotten command cannot be imported
    """

    ruleset: str
    version: str
    editions: tuple[str, ...]
    seat_counts: tuple[int, ...]
    options: type[msgspec.Struct]
    state: type[S]
    commands: tuple[type[C], ...]
    events: tuple[type[E], ...]
    opening: Callable[[Setup], tuple[E, ...]]
    decide: Callable[[S, Seat, C | Faces], tuple[E, ...]]
    evolve: Callable[[S | None, E], S]
    legal: Callable[[S, Seat], Options[C]]
    redact: Callable[[E, Viewer], E]
    pending: Callable[[S], tuple[Pending, ...]]
    awaiting: Callable[[S], Awaited | None]
    result: Callable[[S], Result | None]
    secrets: Callable[[S], bool]
    usual: Callable[[S, Pending], C]
    scores: Callable[[S], Mapping[Seat, int]]
    sides: Callable[[Setup], tuple[Side, ...]] = lambda setup: tuple((s,) for s in setup.seats)
    side_score: Callable[[S, Side], int] | None = None
    odds: Callable[[S, C], dict[str, Any] | None] = lambda state, command: None
    chances: Callable[[S], Chances | None] = lambda state: None
    prospects: Callable[[S], dict[str, Any] | None] = lambda state: None
    domains: Callable[[Setup], tuple[str, ...]] = lambda setup: (PUBLIC_DOMAIN,)
    customs: tuple[Custom[Any], ...] = ()
    upcasters: Mapping[tuple[str, int], Upcaster] = field(default_factory=dict, hash=False)
    position: int = 1
    courses: tuple[Order, ...] = ()

    def __post_init__(self) -> None:
        """Raises ValueError where commands and orders of play do not cover each other, and where a
        command is not called by the ruleset (:func:`~domain.kernel.command.named`).
        """
        if self.courses:
            self._check_covered(set[type]().union(*(course.commands for course in self.courses)))
        own = f"{self.ruleset}."
        strange = {each for each in self.commands if not tag_of(each).startswith(own)}
        if strange:
            raise ValueError(f"the type of {_names(strange)} does not begin with {own}")

    def _check_covered(self, done: set[type]) -> None:
        known: set[type] = set(self.commands)
        forgotten, strange = _names(known - done), _names(done - known)
        if forgotten:
            raise ValueError(f"{self.ruleset}: no question, way out or pass takes {forgotten}")
        if strange:
            raise ValueError(f"{self.ruleset}: {strange} is carried out, and is no command of it")

    def score_of(self, state: S, side: Side) -> int:
        """Points of a side as a whole."""
        if self.side_score is not None:
            return self.side_score(state, side)
        scores = self.scores(state)
        return sum(scores[seat] for seat in side)

    def fold(self, events: Iterable[E], state: S | None = None) -> S:
        """The state after ``events``; at least one event, or a state to start from, is needed."""
        evolve = self.evolve
        known = led_to(evolve, state, events)
        if known:
            return known[-1]
        for event in events:
            state = evolve(state, event)
        if state is None:
            raise ValueError("a game without events has no state")
        return state

    def states(self, events: Iterable[E], state: S | None = None) -> tuple[S, ...]:
        """The state after each of the events, from the state before them."""
        known = led_to(self.evolve, state, events)
        if known is not None:
            return known
        found: list[S] = []
        for event in events:
            state = self.evolve(state, event)
            found.append(state)
        return tuple(found)

    def seen(self, event: E, viewer: Viewer) -> E:
        """``event`` as ``viewer`` may know it; the truth is never redacted."""
        return event if viewer == TRUTH else self.redact(event, viewer)


def _names(types: set[type]) -> str:
    return ", ".join(sorted(each.__name__ for each in types))
