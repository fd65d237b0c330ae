"""What a game lists of itself, so that nothing new can be left out unseen.

Most of what belongs to a command, an event, a question or a step is asked of the game's own
functions by the completeness check. Here stands what no function can tell: which steps and
questions there are, and where silence is meant.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

from ..order import Owned
from ..values import StepKey
from .parts import Parts

Vain = Callable[[Any, Any], str | None]
"""Why an event came to nothing; None where it did not."""

Remains = str | Callable[[Any, str, str], bool]
"""Why the name of a unit that has left play may stand there, in words; where it may for a while,
(state, key of the record in which it stands, unit) -> whether it may now."""


@dataclass(frozen=True)
class Tables:
    """The lists of a game. An entry that is not true is named by the check like one that lacks.

    where      the module that holds these lists
    step       (state) -> its step
    titles     title of each step, by key; every step is here
    titled     the module that holds the titles
    questions  key of everything that a seat may be asked
    quiet      events that are book-keeping and say nothing
    unruled    events that decide nothing (book-keeping, the order of play): they name no rule
    undrawn    events that are in no picture of the last action: of most, the line over it tells
    vain       for events that may come to nothing: (state before, event) -> the words of its
               sentence that say why; None where it came to something, "" where nothing says it
    blind      (event, field) of what no seat ever sees: a sealed deck
    parts      how each field of each command is told as a part of an offer
    aboard     places in a state by which one unit is based on another: ``units/*/base``
    bare       events that take units away, and never one that others are based on
    losses     the place of the list of units that have left play: ``lost/[]/id``
    units      (state) -> the units in play by name, where events name any
    kind       (state, unit in play) -> what it is and where, in words: ``Ship on the map``
    offered    ``deed.role`` of parts that are units: each kind that is offered there, ``own`` or
               ``other`` before it: ``{"move.unit": {"own Ship on the map"}}``
    alone      questions that are never put to two players in one turn, with why
    phases     phases of a turn in the order of the book, as the words list them
    closes     the type of the event that ends a turn: no step follows it there
    unharmed   () -> causes by which a unit leaves play and is no loss
    unpaid     causes of losses for which no enemy ever scores, with why
    remains    places where the name of a unit that has left play may still stand, with why
    unlit      ``deed.role`` of parts whose key may be in no picture, with why: ``deploy.card``
    """

    where: str
    step: Any = None
    titles: Mapping[StepKey, str] = field(default_factory=dict, hash=False)
    titled: str = ""
    questions: frozenset[str] = frozenset()
    quiet: frozenset[type] = frozenset()
    unruled: frozenset[type] = frozenset()
    undrawn: frozenset[type] = frozenset()
    vain: Mapping[type, Vain] = field(default_factory=dict, hash=False)
    blind: frozenset[tuple[type, str]] = frozenset()
    parts: Parts = field(default_factory=dict, hash=False)
    unlit: Mapping[str, str] = field(default_factory=dict, hash=False)
    aboard: frozenset[str] = frozenset()
    bare: frozenset[type] = frozenset()
    losses: str = ""
    units: Callable[[Any], Mapping[str, Owned]] = lambda state: {}
    kind: Callable[[Any, str], str] = lambda state, unit: "unit"
    offered: Mapping[str, frozenset[str]] = field(default_factory=dict, hash=False)
    alone: Mapping[str, str] = field(default_factory=dict, hash=False)
    phases: tuple[str, ...] = ()
    closes: type | None = None
    unharmed: Callable[[], Collection[str]] = frozenset
    unpaid: Mapping[str, str] = field(default_factory=dict, hash=False)
    remains: Mapping[str, Remains] = field(default_factory=dict, hash=False)
