"""Every recorded decision decided again by other rules, on the history as it was.

The old rules decide the orders and dice of a game, the new ones are asked at each position that
this leads to, as they fold the old events themselves. What they say is compared and thrown away: a
difference early in a game makes none of what follows it. Both are asked in texts (interface 1), so
rules with kernels of their own stand on one footing; the old events are compared in the form that
the new rules read them in, so by value.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import msgspec

from domain.kernel.chance import Awaited, Faces
from domain.kernel.rules import Refused
from domain.kernel.setup import Result, Setup
from domain.kernel.values import CHANCE

from ..engines.outside import Failed
from ..evidence.asked import Answers, Led, Position, Told
from ..evidence.chain import state_payload
from ..evidence.differing import MOST, Apart, apart
from ..evidence.verdict import Answer
from .history import Change, History, Order, Roll

FORM, FIGURES, OUTCOME, REFUSED, DICE, UNREAD, CRASHED = KINDS = (
    "form", "figures", "outcome", "refused", "dice", "unread", "crashed"
)  # fmt: skip
"""How a decision differs.

form     the same values, written otherwise
figures  other events, and the same state after them
outcome  another state
refused  the new rules do not take the order
dice     the new rules ask for other dice, or for none
unread   the new rules do not read the old events, or the command
crashed  the new rules broke down: it may be a position that they never come to
"""

Says = Callable[[Position | None, list[Told]], list[str]]
"""Events as sentences, from the position before them."""


class Event(Answer, frozen=True):
    """An event of one side: what it is called, and its true data."""

    name: str
    data: msgspec.Raw


class Difference(Answer, frozen=True):
    """One decision that differs.

    at       line of the recorded game, or number of the first event
    seat     who ordered; "chance" where dice fell, "" for the opening
    command  the order; null for dice and the opening
    rules    IDs of the rules that decided the first events which differ, or of the refusal
    old      events from the first that differs, in the form of the new rules where they read them
    new      events of the new rules from there
    said     the sentences of ``old``, and those of ``new``
    fields   where the first two events, or else the states, differ
    why      for what brought no events: what the new rules said
    """

    file: str
    at: int
    kind: str
    seat: str
    command: msgspec.Raw | None = None
    rules: tuple[str, ...] = ()
    old: tuple[Event, ...] = ()
    new: tuple[Event, ...] = ()
    said: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    fields: tuple[Apart, ...] = ()
    why: str = ""


class Ending(Answer, frozen=True):
    """A game that would have ended differently: where first, and how by either rules."""

    file: str
    at: int
    old: Result | None
    new: Result | None


class Compared(Answer, frozen=True):
    """What came of one game.

    decisions  orders and rolls that both were asked for, the opening among them
    stopped    why it was not compared to its end; "" where it was
    """

    file: str
    decisions: int
    differences: tuple[Difference, ...]
    ending: Ending | None
    stopped: str


class Stopped(Exception):
    """The game cannot be followed further; the message says why."""


GoesOver = Callable[[str], Answers]
"""The rules of a digest. Raises Stopped where they are not known."""


def _nobody_knows(digest: str) -> Answers:
    raise Stopped(f"it went over to the rules {digest[:12]}, which are not known here")


def compare(
    history: History,
    old: Answers,
    new: Answers,
    says: Says,
    *,
    changed: Setup | None = None,
    over: GoesOver | None = None,
) -> Compared:
    """A game of the old rules under the new ones. Raises nothing for what rules do.

    over     the rules of a digest, where the game went over to others than the old ones: from there
             they decide what was; raises Stopped where they are not known

    changed  the set-up that the new rules begin with, where options are compared and not rules:
             openings are not, since they tell the options
    """
    it = _Comparison(history, old, new, says, over or _nobody_knows)
    why = ""
    try:
        it.run(changed)
    except Stopped as error:
        why = str(error)
    return Compared(
        file=history.file, decisions=it.decisions, differences=tuple(it.differences),
        ending=it.ending, stopped=why,
    )  # fmt: skip


class _Comparison:
    """
    was, would  positions of the history, as the old rules and as the new ones fold it
    """

    def __init__(
        self, history: History, old: Answers, new: Answers, says: Says, over: GoesOver
    ) -> None:
        self._history, self._old, self._new, self._says = history, old, new, says
        self._over, self._changes = over, list(history.changes)
        self.was: Any = None
        self.would: Any = None
        self.decisions = 0
        self.differences: list[Difference] = []
        self.ending: Ending | None = None

    def run(self, changed: Setup | None) -> None:
        for number, order in enumerate(self._history.orders):
            while self._changes and self._changes[0].at < order.at:
                self._go_over(self._changes.pop(0))
            if number:
                self._decision(order, partial(_ordered, order=order))
            elif changed is None:
                self._decision(order, partial(_opened, setup=self._history.setup))
            else:
                self._begin(changed)
            for roll in self._rolls(order):
                self._roll(order, roll)
            self._check_true(order)

    def _go_over(self, change: Change) -> None:
        """The old rules are others from here on; both sides take the position over from them."""
        setup, at = self._history.setup, change.at
        newer = self._over(change.digest)
        try:
            self.was = newer.carried(self._old.text(self.was), self._old.position, setup)
            text = newer.text(self.was)
            self.would = self._new.carried(text, newer.position, setup)
        except (Refused, msgspec.ValidationError, Failed) as error:
            raise Stopped(f"{at}: its position is not taken over: {_told(error)}") from None
        if change.state and change.state != state_payload(text):
            raise Stopped(f"{at}: the rules that it went over to come to another position")
        self._old = newer

    def _begin(self, changed: Setup) -> None:
        """Both begin, each with options of its own."""
        opening = _led(self._old.opening(self._history.setup))
        try:
            self.would = _led(self._new.opening(changed)).after
        except (Refused, msgspec.ValidationError, Failed) as error:
            raise Stopped(f"it does not begin with that option: {_told(error)}") from None
        self.was = opening.after

    def _rolls(self, order: Order) -> Iterator[Roll]:
        """The dice of an order in the order in which the old rules ask for them."""
        left = list(order.rolls)
        while (awaited := self._old.awaiting(self.was)) is not None:
            roll = next((each for each in left if _fits(each, awaited)), None)
            if roll is None:
                raise Stopped(f"{order.at}: the old rules ask for dice that are not recorded")
            left.remove(roll)
            yield roll

    def _roll(self, order: Order, roll: Roll) -> None:
        asked, wanted = self._old.awaiting(self.was), self._new.awaiting(self.would)
        assert asked is not None
        faces = Faces(asked.label, roll.faces)
        at = order._replace(at=roll.at, seat=CHANCE, command=b"")
        differs = _dice(asked, wanted)
        self._decision(at, lambda rules, state: rules.decide(state, CHANCE, faces), differs)

    def _decision(self, order: Order, ask: Callable[[Answers, Any], Any], dice: str = "") -> None:
        try:
            true = _led(ask(self._old, self.was))
        except (Refused, msgspec.ValidationError, Failed) as error:
            raise Stopped(f"{order.at}: it is not of the old rules: {_told(error)}") from None
        self.decisions += 1
        carried = self._carried(order, true)
        if dice:
            self._note(order, DICE, true, why=dice)
        else:
            self._asked(order, true, carried, ask)
        self.was, self.would = true.after, carried.after

    def _carried(self, order: Order, true: Led) -> Led:
        try:
            return self._new.retold(true, self.would)
        except (msgspec.ValidationError, Refused) as error:
            kind, why = UNREAD, _told(error)
        except Failed as error:
            kind, why = CRASHED, str(error)
        self._note(order, kind, true, why=why)
        raise Stopped(f"{order.at}: the new rules cannot go on from its events: {why}")

    def _asked(
        self, order: Order, true: Led, carried: Led, ask: Callable[[Answers, Any], Any]
    ) -> None:
        try:
            found = _led(ask(self._new, self.would))
        except Refused as refused:
            rules = (refused.rule,) if refused.rule else ()
            self._note(order, REFUSED, true, why=_told(refused), rules=rules)
        except msgspec.ValidationError as error:
            self._note(order, UNREAD, true, why=str(error))
        except Failed as error:
            self._note(order, CRASHED, true, why=str(error))
        else:
            self._weigh(order, true, carried, found)

    def _weigh(self, order: Order, true: Led, carried: Led, found: Led) -> None:
        if _plain(carried) != _plain(found):
            state = bytes(carried.after.text) == bytes(found.after.text)
            self._differ(order, FIGURES if state else OUTCOME, carried, found)
        elif _plain(true) != _plain(found):
            self._differ(order, FORM, true, found)
        was, would = self._old.result(true.after), self._new.result(found.after)
        if was != would and self.ending is None:
            self.ending = Ending(file=self._history.file, at=order.at, old=was, new=would)

    def _differ(self, order: Order, kind: str, old: Led, new: Led) -> None:
        first = _first(old, new)
        ours, theirs = list(old[first:]), list(new[first:])
        pair = [*ours[:1], *theirs[:1]]
        fields = tuple(_fields(ours, theirs, old.after, new.after))[:MOST]
        self._note(
            order, kind, ours, theirs, fields=fields,
            rules=tuple(sorted({rule for e in pair for rule in self._new.decided_by(e)})),
            said=(self._sentences(old, first), self._sentences(new, first)),
        )  # fmt: skip

    def _sentences(self, events: Led, first: int) -> tuple[str, ...]:
        """Of the events from the first that differs; rules may break down at a half-way position"""
        before = self.would
        try:
            if first:
                before = self._new.states(events[:first], self.would)[-1]
        except (Failed, Refused, msgspec.ValidationError):
            before = None
        return tuple(self._says(before, list(events[first:])))

    def _note(self, order: Order, kind: str, old: Any, new: Any = (), **more: Any) -> None:
        if "said" not in more:
            more["said"] = (tuple(self._says(self.was, list(old))), ())
        self.differences.append(
            Difference(
                file=self._history.file, at=order.at, kind=kind, seat=order.seat,
                command=msgspec.Raw(order.command) if order.command else None,
                old=_events(old), new=_events(new), **more,
            )
        )  # fmt: skip

    def _check_true(self, order: Order) -> None:
        if order.state and order.state != state_payload(self._old.text(self.was)):
            raise Stopped(f"{order.at}: the old rules come to another state than is sealed there")


def _opened(rules: Answers, state: Any, setup: Setup) -> Any:
    return rules.opening(setup)


def _ordered(rules: Answers, state: Any, order: Order) -> Any:
    """The events of an order; its type with or without the ruleset before it, as there has been."""
    try:
        return rules.decide(state, order.seat, rules.command(order.command))
    except msgspec.ValidationError:
        other = _otherwise(order.command, f"{rules.ruleset}.")
        if not other:
            raise
        return rules.decide(state, order.seat, rules.command(other))


def _otherwise(command: bytes, prefix: str) -> bytes:
    """The command as it was called before, or has been called since; b"" where it has no type."""
    plain = msgspec.json.decode(command)
    if not isinstance(plain, dict) or not isinstance(plain.get("type"), str):
        return b""
    name = plain["type"]
    other = name.removeprefix(prefix) if name.startswith(prefix) else f"{prefix}{name}"
    return msgspec.json.encode({**plain, "type": other})


def _led(events: Any) -> Led:
    assert isinstance(events, Led)
    return events


def _told(error: Exception) -> str:
    if isinstance(error, Refused):
        rule = f" ({error.rule})" if error.rule else ""
        return f"refused, {error.code}{rule}: {error.hint}"
    return str(error)


def _fits(roll: Roll, awaited: Awaited) -> bool:
    return not roll.label or (roll.domain, roll.label) == (awaited.domain, awaited.label)


def _dice(asked: Awaited, wanted: Awaited | None) -> str:
    if asked == wanted:
        return ""
    return f"asked for {_pools(asked)}; the new rules ask for {_pools(wanted)}"


def _pools(awaited: Awaited | None) -> str:
    if awaited is None:
        return "none"
    dice = " and ".join(f"{pool.count}d{pool.sides}" for pool in awaited.pools)
    return f"{awaited.label}, {dice} of {awaited.domain}"


def _plain(events: Led) -> list[tuple[str, int, bytes]]:
    return [(event.name, event.schema, event.data) for event in events]


def _first(old: Led, new: Led) -> int:
    pairs = zip(_plain(old), _plain(new), strict=False)
    shorter = min(len(old), len(new))
    return next((n for n, (one, other) in enumerate(pairs) if one != other), shorter)


def _fields(ours: list[Told], theirs: list[Told], old: Position, new: Position) -> Iterator[Apart]:
    """Of the first two events, where they are of one type; else of the states."""
    if ours and theirs and ours[0].name == theirs[0].name:
        yield from apart(msgspec.json.decode(ours[0].data), msgspec.json.decode(theirs[0].data))
    else:
        yield from apart(msgspec.json.decode(old.text), msgspec.json.decode(new.text))


def _events(events: Any) -> tuple[Event, ...]:
    return tuple(Event(name=each.name, data=msgspec.Raw(each.data)) for each in events)
