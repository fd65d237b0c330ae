"""What events mean to readers is so: lost or safe, by whom, and of which cause.

Readers know no game, and believe the roles. Who has left play is a loss where an enemy scores for
it, and else only by the word of a list (:attr:`Tables.unharmed`, :attr:`Tables.unpaid`). Whoever
did it is named by the event or by the order, is in play and of another side. A cause is a word of
the event, of its name, of the order or of what is under way, and of a loss the one that is kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from ..conformance import AnyGame, Nonconformance, Played
from ..shown.roles import Role
from ..values import Seat
from .completeness import file_of
from .leaving import texts

OUT = ("lost", "left")
CAUSED = ("lost", "left", "attacked", "damaged")
"""Roles that say why."""
DONE = ("lost", "attacked")
"""Roles that say who did it."""


class Told(NamedTuple):
    """An event with the position before and after it, and the order that led to it, if one did.

    answer  all events of that order or roll
    """

    before: Any
    event: Any
    after: Any
    seat: Seat
    order: Any
    answer: tuple[Any, ...]

    @property
    def ordered(self) -> set[str]:
        """What the order names; ``p1-2@5.4`` is two names."""
        if self.order is None:
            return set()
        return {name for each in texts(self.order) for name in each.text.split("@")}


class Meaning:
    """Follows games, and finds what their events are said to mean and do not."""

    def __init__(self, game: AnyGame) -> None:
        assert game.tables is not None
        self.game, self.tables = game, game.tables
        self.sides: tuple[tuple[Seat, ...], ...] = ()
        self.losses: set[str] = set()
        self.paid: set[str] = set()

    def begin(self, sides: Iterable[Sequence[Seat]] = ()) -> None:
        """Another game; without sides each seat plays for itself."""
        self.sides = tuple(map(tuple, sides))

    def happened(
        self, state: Any, events: Iterable[Any], seat: Seat = "", order: Any = None
    ) -> Iterator[str]:
        """What is wrong with what these events mean; ``order`` is None where chance answered."""
        answer = tuple(events)
        for event in answer:
            told = Told(state, event, self.game.evolve(state, event), seat, order, answer)
            for role in self.game.meaning(state, event):
                yield from (f"{event.NAME}: {fault}" for fault in self._wrong(told, role))
            state = told.after

    def _wrong(self, told: Told, role: Role) -> Iterator[str]:
        if told.before is None:
            return
        yield from self._by(told, role)
        yield from self._cause(told, role)
        if role.role in OUT:
            yield from self._loss(told, role)

    def _friends(self, seat: Seat) -> set[Seat]:
        """The seats of its side, itself among them."""
        return {seat, *(each for side in self.sides if seat in side for each in side)}

    # --- who did it -------------------------------------------------------------------------------

    def _by(self, told: Told, role: Role) -> Iterator[str]:
        if not role.by:
            if role.role in DONE:
                yield f"{role.unit} is {role.role} by nobody"
            return
        units, said = self.tables.units(told.before), f"{role.unit} is {role.role} by {role.by}"
        owner = units[role.by].seat if role.by in units else role.by
        if owner not in self.game.scores(told.before):
            yield f"{said}, which is neither in play nor a seat"
        elif role.by == role.unit or owner in self._friends(role.seat):
            yield f"{said}, of its own side"
        elif not self._named(told, role.by, owner):
            yield f"{said}, which neither the event nor its order names"

    def _named(self, told: Told, by: str, owner: Seat) -> bool:
        """A unit whose owner gave the order is named there; any other by event or position."""
        if by != owner and told.order is not None and owner == told.seat:
            return by in told.ordered
        named = {each.text for each in texts(told.event)} | {told.seat}
        if by == owner:  # the seat whose turn it is, which an event need not repeat
            named |= {each.text for each in texts(told.before) if "/" not in each.path}
        return by in named

    # --- of which cause ---------------------------------------------------------------------------

    def _cause(self, told: Told, role: Role) -> Iterator[str]:
        said = f"{role.unit} is {role.role} of the cause {role.cause!r}"
        if not role.cause:
            if role.role in CAUSED:
                yield f"{said}: why?"
        elif role.cause not in self._causes(told):
            yield f"{said}, which neither event, order nor position tells"
        kept = self._kept(told.after, role.unit)
        if role.role in OUT and kept not in ("", role.cause):
            yield f"{said}, and kept as {kept!r}"

    def _causes(self, told: Told) -> set[str]:
        listed = self.tables.losses.partition("/")[0]
        now = (each for each in texts(told.before) if each.path.partition("/")[0] != listed)
        words = told.event.NAME.split("-")
        return {
            *words, *(word.removesuffix("es") for word in words), *told.ordered,
            *(each.text for each in (*texts(told.answer), *now)),
        }  # fmt: skip

    def _kept(self, state: Any, unit: str) -> str:
        """The cause in the list of those who have left play, where that keeps one."""
        place, _, key = self.tables.losses.partition("/[]/")
        records = getattr(state, place) if key else ()
        found = [each for each in records if getattr(each, key) == unit]
        return getattr(found[-1], "cause", "") if found else ""

    # --- lost or safe -----------------------------------------------------------------------------

    def _loss(self, told: Told, role: Role) -> Iterator[str]:
        had, has = self.game.scores(told.before), self.game.scores(told.after)
        gained = {seat for seat in has if has[seat] > had.get(seat, 0)}
        enemies = gained - self._friends(role.seat)
        if role.role == "left":
            if enemies:
                yield f"{role.unit} has left, and {sorted(enemies)} score: that is a loss"
            if role.cause not in self.tables.unharmed():
                yield f"{role.unit} has left by {role.cause!r}, which is not among what is unharmed"
            return
        self.losses.add(role.cause)
        if enemies:
            self.paid.add(role.cause)
        if role.cause in self.tables.unharmed():
            yield f"{role.unit} is lost by {role.cause!r}, which is listed as unharmed"

    def lacking(self) -> list[str]:
        """What no game has shown: an enemy that scores for a loss, an entry that is met."""
        listed = self.tables.unpaid
        found = [
            f"cause {each}: an enemy that scores for it, or an entry why none does"
            for each in self.losses - self.paid - listed.keys()
        ]
        found += [f"cause {each}: listed as unpaid, and paid" for each in listed.keys() & self.paid]
        unmet = listed.keys() - self.losses
        found += [f"cause {each}: a game in which it is unpaid" for each in unmet]
        return sorted(f"{each} ({file_of(self.tables.where)})" for each in found)


def check_meaning(game: AnyGame, played: Played) -> None:
    """Over a whole game: what each event means is so."""
    follow, known = Meaning(game), len(played.events) - sum(n for *_, n in played.turns)
    follow.begin(game.sides(played.setup))
    state = game.fold(played.events[:known])
    for seat, order, count in played.turns:
        events = played.events[known : known + count]
        known += count
        told = None if game.awaiting(state) is not None else order
        for fault in follow.happened(state, events, seat, told):
            raise Nonconformance(f"event {known}: {fault}")
        state = game.fold(events, state)
