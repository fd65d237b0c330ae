"""Who is asked what, when and about whom: a step for one player only, a step that comes when the
turn is over, and an offer of a unit that has no business there are legal games, and wrong ones.

What is asked of a player is asked of another in the same turn, somewhere in the games, or is listed
with why (:attr:`Tables.alone`). Phases come in the order of :attr:`Tables.phases`, which is that of
the book, and none after the event that ends a turn. Units that are offered are of the kinds that
are listed for their part of the command (:attr:`Tables.offered`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from ..commands import deed, tag_of
from ..conformance import AnyGame
from ..options import Pending
from ..shown.parts import parts_of
from ..values import Seat
from .completeness import file_of

PIECES = ("unit", "target")
"""Roles of parts that are units."""


class Asking:
    """Follows games; what is wrong with a single game is yielded, what none shows is lacking."""

    def __init__(self, game: AnyGame) -> None:
        assert game.tables is not None
        self.game, self.tables = game, game.tables
        self.asked: set[str] = set()
        self.shared: set[str] = set()
        self.kinds: dict[str, set[str]] = {}
        self.begin()

    def begin(self) -> None:
        """Another game."""
        self.now: dict[str, set[Seat]] = {}
        self.at, self.over = -1, False

    # --- when -------------------------------------------------------------------------------------

    def happened(self, state: Any, events: Iterable[Any]) -> Iterator[str]:
        """Events from the state before them."""
        for event in events:
            after = self.game.evolve(state, event)
            for role in self.game.meaning(state, event):
                if role.role == "turn":
                    self.at, self.over = -1, False
                    self.now = self.now if role.seat else {}
                if role.role == "phase":
                    yield from self._enters(after)
            self.over = self.over or type(event) is self.tables.closes
            state = after

    def _enters(self, state: Any) -> Iterator[str]:
        phase, order = self.tables.step(state).phase, self.tables.phases
        if self.over:
            yield f"{phase} comes when the turn is over"
        if phase not in order or phase not in self.game.phases:
            return
        if order.index(phase) < self.at:
            yield f"{phase} comes after {order[self.at]}"
        self.at = order.index(phase)

    # --- whom, and about whom ---------------------------------------------------------------------

    def settled(self, state: Any) -> None:
        """A position in which somebody may be asked."""
        if self.game.result(state) is not None or self.game.awaiting(state) is not None:
            return
        for question in self.game.pending(state):
            seats = self.now.setdefault(question.question, set())
            seats.add(question.seat)
            self.asked.add(question.question)
            if len(seats) > 1:
                self.shared.add(question.question)
            self._offers(state, question)

    def _offers(self, state: Any, question: Pending) -> None:
        for command in self.game.legal(state, question.seat).commands:
            for part in parts_of(self.tables.parts, state, command):
                if part.role in PIECES:
                    kinds = self.kinds.setdefault(
                        f"{deed(tag_of(type(command)))}.{part.role}", set()
                    )
                    kinds.add(self._kind(state, question.seat, part.key))

    def _kind(self, state: Any, seat: Seat, unit: str) -> str:
        known = self.tables.units(state).get(unit)
        if known is None:
            return "one that is not in play"
        whose = "own" if known.seat == seat else "other"
        return f"{whose} {self.tables.kind(state, unit)}"

    # --- what lacks -------------------------------------------------------------------------------

    def lacking(self) -> list[str]:
        """Over all games."""
        where = file_of(self.tables.where)
        found = [*self._alone(), *self._kinds(), *self._order()]
        return sorted(f"{each} ({where})" for each in found)

    def _alone(self) -> Iterator[str]:
        listed = self.tables.alone.keys()
        for key in self.asked - self.shared - listed:
            yield f"question {key}: a turn in which two are asked, or an entry why one alone is"
        for key in listed & self.shared:
            yield f"question {key}: listed as of one alone, and two are asked in a turn"
        for key in listed - self.asked:
            yield f"question {key}: listed as of one alone, and never asked"

    def _kinds(self) -> Iterator[str]:
        for place in sorted(self.kinds.keys() | self.tables.offered.keys()):
            seen, listed = self.kinds.get(place, set()), self.tables.offered.get(place, frozenset())
            for kind in sorted(seen - listed):
                yield f"{place}: {kind} is offered, and is no kind that is listed"
            for kind in sorted(listed - seen):
                yield f"{place}: {kind} is listed, and never offered"

    def _order(self) -> Iterator[str]:
        order = self.tables.phases
        played = [each for each in self.game.phases if each in order]
        if played != sorted(played, key=order.index):
            yield f"phases: the course has them as {', '.join(played)}"
        for phase in self.game.phases:
            if phase not in order:
                yield f"phase {phase}: its place in the order of the phases"
