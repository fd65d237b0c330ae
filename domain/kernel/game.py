"""The shape of a ruleset: four pure functions and what a stranger needs to know about them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypeVar

import msgspec

from .chance import PUBLIC_DOMAIN, Awaited, Faces
from .custom import Custom, Kind
from .event import Event, Upcaster
from .flow import led_to
from .fork import NAME as FORKED
from .fork import Fork
from .options import Described, Options, Pending
from .shown.bot import Bot
from .shown.insight import Insight
from .shown.option_texts import OptionTexts
from .shown.roles import Role, Roles, nothing
from .shown.rulebook import RuleText
from .shown.scene import Scene, of_text
from .shown.tables import Tables
from .values import TRUTH, Seat, Value, Viewer

Side = tuple[Seat, ...]
"""Seats that play, and win, together."""

S = TypeVar("S")
C = TypeVar("C")
E = TypeVar("E", bound=Event)


def _no_options() -> dict[str, Any]:
    """A default that is written out even where defaults are left out (msgspec knows ``dict``)."""
    return {}


class Setup(Value, frozen=True, omit_defaults=True):
    """What is agreed before a game: everything that ``opening`` may depend on.

    The dice are bound to its canonical form, which leaves ``customs`` out where there are none: so
    it is what it was before there were any.

    options  the ruleset's own options as plain JSON; :attr:`Game.options` is their typed form
    customs  documents that the players bring, by kind, as plain JSON; :attr:`Game.customs` reads
             them. With a scenario among them, ``scenario`` is ``"custom"``.
    fork     the position of another game that this one goes on from; the rest is that game's set-up
    """

    ruleset: str
    edition: str
    scenario: str
    seats: tuple[Seat, ...]
    options: dict[str, Any] = msgspec.field(default_factory=_no_options)
    customs: dict[Kind, Any] = msgspec.field(default_factory=dict)
    fork: Fork | None = None


class Result(Value, frozen=True):
    """How a game ended. ``winners`` is empty for a draw; ``rule`` is the rule that ended it."""

    winners: tuple[Seat, ...]
    reason: str
    rule: str


class Entry(Value, frozen=True):
    """One thing of the catalogue: a unit, a card, an ability, a scenario, a map.

    playable    whether it may be used now
    missing     why not: the abilities that are not implemented yet
    data        its figures, as the game defines them
    provenance  where the figures come from
    """

    id: str
    name: str
    text: str = ""
    playable: bool = True
    missing: tuple[str, ...] = ()
    data: dict[str, Any] = msgspec.field(default_factory=dict)
    provenance: dict[str, Any] = msgspec.field(default_factory=dict)


@dataclass(frozen=True)
class Catalogue:
    """What a ruleset ships besides rules. Functions: nothing is loaded before it is asked for."""

    units: Callable[[], tuple[Entry, ...]] = tuple
    abilities: Callable[[], tuple[Entry, ...]] = tuple
    scenarios: Callable[[], tuple[Entry, ...]] = tuple
    maps: Callable[[], tuple[Entry, ...]] = tuple
    rules: Callable[[], tuple[RuleText, ...]] = tuple


class Order(Protocol):
    """An order of play, as the record of a game knows it: ``kernel.play.Course`` is one."""

    @property
    def commands(self) -> frozenset[type]:
        """Every type of command that it can carry out."""


@dataclass(frozen=True)
class Game(Generic[S, C, E]):
    """A ruleset as a record of functions. Everything is pure.

    opening   the first events of a game, or Refused for a set-up that the rules do not allow
    decide    (state, seat, command) -> events; the chance seat's command is :class:`Faces`
    evolve    (state or None, event) -> state; total, no rules, never refuses
    legal     (state, seat) -> exactly what ``decide`` would accept from that seat
    redact    (event, viewer) -> what that viewer may know of it; same type
    pending   (state) -> the open questions, one for each seat that is asked
    awaiting  (state) -> the request to the chance seat, if one is open
    result    (state) -> how it ended, or None
    secrets   (state) -> whether any seat may still hold what another may not see
    describe  (state, command) -> the command in words
    odds      (state, command) -> exact odds if dice would roll, as plain JSON, else None
    preview   (state, command that is legal) -> what it comes to by itself, before dice and without
              anything that may not be measured yet, as plain JSON, else None
    scores    (state) -> points by seat
    sides     (set-up) -> who plays with whom: the seats of each side in order of sitting, each seat
              of the game in one of them. Public, as the set-up is
    side_score  (state, a side) -> its points; without it: those of its seats together
    board     (state) -> the board as text for a terminal
    scene     (state, state before the last action or None, events of the last action, ID of a piece
              that is asked about or "") -> the board as a picture with the last action drawn in;
              every state and event as one viewer may know it. Without it: the board's letters
    usual     (state, pending) -> the command that a missed deadline stands for
    says      (state before, event) -> the event as a sentence
    option_texts  what people read of each option, by its name (:mod:`~domain.kernel.agreed`)
    customs   the kinds of documents that players may bring; ``opening`` reads them with
              :func:`~domain.kernel.custom.read_customs` and puts them into its first event
    domains   (set-up) -> every dice domain that ``Awaited.domain`` may name in such a game: open
              dice only unless the game says otherwise. Their chains are committed to before the
              first seat is taken, so the answer depends on nothing but the set-up
    roles     for each type of event what it means to readers who do not know the game: a unit is
              lost, moved, fired at (:mod:`~domain.kernel.shown.roles`)
    insight   what a reader may ask besides: names, figures with reasons, chances of a roll
    upcasters (event's ``NAME``, an old schema number) -> from its data to that of the next number.
              Every number below an event's ``SCHEMA`` has one, so that all that was ever stored is
              read. ``("forked", n)`` carries the position of a fork, as ``{"state": ...}``, from
              ``position`` n to n + 1
    position  version of the stored form of a state: forks begin with one, for ever. A new form is
              a new number and an upcaster, as for an event
    bots      bots of the game by name, each made by a call, the best one first; pure as all else
              here: the same position gets the same answer
    tables    lists by which ``kernel.testing.completeness`` sees what was left out
    courses   the orders of play that ``decide`` follows, one or one for each agreement. What they
              carry out has to be ``commands``, no more and no less: ValueError otherwise, so that
              a game with a forgotten command cannot be imported
    """

    ruleset: str
    title: str
    version: str
    editions: tuple[str, ...]
    seat_counts: tuple[int, ...]
    phases: tuple[str, ...]
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
    describe: Callable[[S, C], Described]
    scores: Callable[[S], Mapping[Seat, int]]
    board: Callable[[S], str]
    usual: Callable[[S, Pending], C]
    says: Callable[[S | None, E], str]
    odds: Callable[[S, C], dict[str, Any] | None] = lambda state, command: None
    preview: Callable[[S, C], dict[str, Any] | None] = lambda state, command: None
    domains: Callable[[Setup], tuple[str, ...]] = lambda setup: (PUBLIC_DOMAIN,)
    sides: Callable[[Setup], tuple[Side, ...]] = lambda setup: tuple((s,) for s in setup.seats)
    side_score: Callable[[S, Side], int] | None = None
    bots: Mapping[str, Callable[[], Bot]] = field(default_factory=dict, hash=False)
    catalogue: Catalogue = field(default_factory=Catalogue)
    customs: tuple[Custom[Any], ...] = ()
    roles: Roles = field(default_factory=dict, hash=False)
    option_texts: OptionTexts = field(default_factory=dict, hash=False)
    insight: Insight = field(default_factory=Insight)
    scene: Callable[[S, S | None, tuple[E, ...], str], Scene] | None = None
    upcasters: Mapping[tuple[str, int], Upcaster] = field(default_factory=dict, hash=False)
    position: int = 1
    tables: Tables | None = None
    courses: tuple[Order, ...] = ()

    def __post_init__(self) -> None:
        """Raises ValueError where commands and orders of play do not cover each other."""
        if self.courses:
            self._check_covered(set[type]().union(*(course.commands for course in self.courses)))

    def _check_covered(self, done: set[type]) -> None:
        known: set[type] = set(self.commands)
        forgotten, strange = _names(known - done), _names(done - known)
        if forgotten:
            raise ValueError(f"{self.title}: no question, way out or pass takes {forgotten}")
        if strange:
            raise ValueError(f"{self.title}: {strange} is carried out, and is no command of it")

    def picture(self, state: S, before: S | None, events: tuple[E, ...], focus: str = "") -> Scene:
        """The board at ``state``; what led there from ``before`` is told to those who hear it."""
        for number, event in enumerate(events):
            if event.NAME == FORKED:  # a fork's position is where its first action begins
                before, events = event.state, events[number + 1 :]  # type: ignore[attr-defined]
                break
        drawn = (
            of_text(self.title, self.board(state))
            if self.scene is None
            else self.scene(state, before, events, focus)
        )
        told = " ".join(self.sentences(before, events))
        return msgspec.structs.replace(drawn, about=f"{drawn.about} {told}".strip())

    def sentences(self, before: S | None, events: Iterable[E]) -> Iterator[str]:
        """What the events say in words, from the state before them; book-keeping says nothing."""
        state = before
        for event in events:
            said = self.says(state, event)
            if said:
                yield said
            state = self.evolve(state, event)

    def meaning(self, before: S | None, event: E) -> tuple[Role, ...]:
        """What the event means to readers; without the state before it, it says less."""
        return self.roles.get(type(event), nothing)(before, event)

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
