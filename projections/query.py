"""Questions to the whole of a game: at which moments something holds, as one viewer may know it.

``first(P)``, ``last(P)``, ``all(P)``, ``count(P)``, ``when(P)`` over every event of a game, where P
is a predicate of :mod:`.language` over the state after and before the event, itself and its dice.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from domain.kernel.codec import full
from domain.kernel.values import Viewer

from .follow import Document
from .language import Expression, Meter, Place, Unclear
from .rolls import RollRecord
from .stream import ViewedEvent
from .views import GameHistory, walk

NAMES = ("state", "before", "event", "rolls", "seq", "game")
"""What a predicate may ask for.

state   after the event, as JSON of a view; null before the opening
before  it
event   ``type``, without the ruleset; ``name``, with it; ``seq``, ``at``, ``actor``, ``causedBy``,
        ``text``, ``rules``, ``data``, and ``roles``: what it means in words that all games share
rolls   that fell at this event, as in the dice ledger
seq     of the event
game    ``ruleset``, ``edition``, ``version`` of its rules
"""

KINDS = ("first", "last", "all", "count", "when")
"""What is told: of the moments at which it holds the first, the last, each, how many they are; or
each at which it holds and did not before."""

_KIND = re.compile(rf"\s*({'|'.join(KINDS)})\s*\(")


class Holding(Document, frozen=True):
    """An event after which it holds.

    seq    its number
    type   its name, with that of its ruleset
    actor  the seat that gave the order, or "service"
    text   it in words
    """

    seq: int
    type: str
    actor: str
    text: str


class Found(Document, frozen=True):
    """What came of a question to a game.

    count    moments at which it holds (of ``when``: at which it begins to)
    moments  that are told
    """

    count: int
    moments: tuple[Holding, ...]


class Query(NamedTuple):
    """A question, ready to be put to any number of games.

    places  that it names
    """

    kind: str
    predicate: Expression

    @property
    def places(self) -> tuple[Place, ...]:
        return self.predicate.places


def read(text: str) -> Query:
    """The question that a text is; a predicate alone asks for all moments. Raises Unclear."""
    found = _KIND.match(text)
    if found is None or not text.rstrip().endswith(")"):
        return Query("all", Expression(text, NAMES))
    inner = text.rstrip()[:-1]
    start = found.end()
    try:
        return Query(found[1], Expression(inner[start:], NAMES))
    except Unclear as error:
        raise Unclear(str(error), error.at + start) from None


def ask(
    past: GameHistory,
    viewer: Viewer,
    upto: int,
    rolls: Sequence[RollRecord],
    query: Query,
    meter: Meter,
) -> Found:
    """What comes of it, up to a version. Raises TooMuch."""
    fallen: dict[int, list[Any]] = {}
    if "rolls" in query.predicate.names:
        for roll in rolls:
            fallen.setdefault(roll.seq, []).append(full(roll))
    count, kept = 0, list[Holding]()
    for step in _moments(past, viewer, upto, fallen, query, meter):
        count += 1
        if query.kind == "last":
            kept.clear()
        if query.kind != "count":
            kept.append(_moment(step))
        if query.kind == "first":
            break
    return Found(count=count, moments=tuple(kept))


def _moments(
    past: GameHistory,
    viewer: Viewer,
    upto: int,
    fallen: dict[int, list[Any]],
    query: Query,
    meter: Meter,
) -> Iterator[ViewedEvent]:
    held = False
    told = _Told(past, viewer, fallen, query.predicate.names)
    for step in walk(past, viewer, 0, upto):
        holds = query.predicate.ask(told.values(step), meter) is True
        if holds and not (held and query.kind == "when"):
            yield step
        held = holds


class _Told:
    """The values of the names at each event; only those that are asked for are worked out."""

    def __init__(
        self,
        past: GameHistory,
        viewer: Viewer,
        fallen: dict[int, list[Any]],
        names: frozenset[str],
    ) -> None:
        self._past = past
        self._fallen = fallen
        self._state: tuple[Any, Any] = (None, None)
        works: dict[str, Callable[[ViewedEvent], Any]] = {
            "before": lambda step: self._plain(step.before),
            "state": lambda step: self._plain(step.after),
            "event": _event,
            "rolls": lambda step: self._fallen.get(step.seq, []),
            "seq": lambda step: step.seq,
            "game": self._game,
        }
        self._works = {name: work for name, work in works.items() if name in names}

    def values(self, step: ViewedEvent) -> dict[str, Any]:
        return {name: work(step) for name, work in self._works.items()}

    def _plain(self, state: Any) -> Any:
        """The state as JSON; the same one is not written twice."""
        if self._state[0] is not state or state is None:
            self._state = (state, None if state is None else full(state))
        return self._state[1]

    def _game(self, step: ViewedEvent) -> dict[str, str]:
        rules = self._past.rules(step.seq)
        return {"ruleset": rules.ruleset, "version": rules.version, "edition": rules.edition}


def _event(step: ViewedEvent) -> dict[str, Any]:
    seen = step.event
    return {
        "type": seen.type.partition(".")[2],
        "name": seen.type,
        "seq": seen.seq,
        "at": seen.at,
        "actor": seen.actor,
        "causedBy": seen.caused_by,
        "text": seen.text,
        "rules": list(seen.rules),
        "roles": full(seen.roles),
        "data": full(seen.data),
    }


def _moment(step: ViewedEvent) -> Holding:
    seen = step.event
    return Holding(seq=seen.seq, type=seen.type, actor=seen.actor, text=seen.text)
