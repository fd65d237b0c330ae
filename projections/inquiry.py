"""Why something is as it is: the events, reasons and rules behind an event or a value of a game.

As a viewer may know it: everything comes from the viewer's own events.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

import msgspec

from domain.kernel.codec import full
from domain.kernel.shown.rulebook import RuleText
from domain.kernel.tally import Tally
from domain.kernel.values import Viewer

from .differences import (
    Change,
    Path,
    PlainStates,
    Step,
    changes,
    inside,
    names_in,
    place,
    standing,
    value_at,
)
from .follow import Document
from .hindsight import Cause, cause
from .ledger import Plain, holding, strings, tallies
from .odds import told as of_ruleset
from .records import Rules
from .rolls import RollRecord
from .stream import AnyGame, SeenEvent, ViewedEvent
from .views import GameHistory, walk
from .wording import sentence, subject

LOOK_BACK = 64
"""How many events before something its declaration is looked for."""


class RuleCited(Document, frozen=True):
    """A rule that decided, in our words."""

    id: str
    title: str
    text: str
    source: str


class ValueChange(Document, frozen=True):
    """An event that changed a value."""

    event: Cause
    path: str
    before: Any
    after: Any
    text: str


class Explanation(Document, frozen=True):
    """The explanation of an event, a roll or a value.

    judged_by the rules of the game; ``rules`` are those that have a part in it
    version   that was asked about
    event     the event, where one was asked about, or the last one that touched the value
    command   the events of the same command up to it, its declaration first
    declared  the newest event before the command that the same thing was declared by; null if none
    value     the value that was asked about; null when an event was
    changes   the changes of the value with their causes, oldest first; of many the newest
    earlier   version about which to ask for the changes before these; null where there are none
    figures   of the unit that it is about: numbers with their reasons
    tallies   numbers with their reasons that decided, by where they stand in the events
    rolls     dice of the command up to the event, with the odds that they had
    prospects exact odds of the whole attack before the last of these rolls; null where none
    rules     every rule that has a part in it, in words
    """

    game: str
    ruleset: str
    judged_by: Rules
    viewer: Viewer
    version: int
    event: Cause | None
    command: tuple[Cause, ...]
    declared: Cause | None
    value: Any
    changes: tuple[ValueChange, ...]
    earlier: int | None
    figures: dict[str, Tally]
    tallies: dict[str, Plain]
    rolls: tuple[RollRecord, ...]
    prospects: dict[str, Any] | None
    rules: tuple[RuleCited, ...]


class Turn(NamedTuple):
    """An event by which a value changed, as plain JSON."""

    step: ViewedEvent
    before: Any
    after: Any


class NoSuchPlace(Exception):
    """Nothing stands at the place that is asked about, and nothing ever did.

    there  the longest beginning of the path at which something stands; ``names`` lead on from it
    """

    def __init__(self, there: Path, names: Sequence[Step]) -> None:
        self.there = there
        self.names = names


class Inquiry:
    """Questions about one game by one viewer, about versions up to ``upto``."""

    def __init__(
        self, past: GameHistory, viewer: Viewer, game: str, rolls: tuple[RollRecord, ...]
    ) -> None:
        self._past = past
        self._viewer = viewer
        self._id = game
        self._rolls = rolls

    @property
    def _game(self) -> AnyGame:
        return self._past.game

    def event(self, seq: int) -> Explanation:
        """Why event ``seq`` came about."""
        return self._explain(seq, seq, None, (), "")

    def value(self, pointer: str, version: int, most: int) -> Explanation:
        """Why the value at an RFC 6901 pointer is what it is, with at most so many changes.

        Raises KeyError for a bad pointer; Nowhere where nothing stands or ever stood, and where
        there is no state yet.
        """
        state = self._past.at(self._viewer, version)
        path = place(pointer, state)
        turns = list(self._turns(path, version))
        there = standing(state, path)
        if state is None or not (turns or there == path):
            raise NoSuchPlace(there, () if state is None else names_in(value_at(state, there)))
        last = turns[-1].step.seq if turns else 0
        unit, _ = subject(path, lambda name: self._game.insight.calls(state, name))
        newest = tuple(_value_change(self._game, path, turn) for turn in turns[-most:])
        earlier = turns[-most].step.seq - 1 if most < len(turns) else None
        return self._explain(last, version, value_at(state, path), newest, unit, earlier)

    def _turns(self, path: Path, upto: int) -> Iterator[Turn]:
        """Every change of the value at a path."""
        plainly = PlainStates()
        for step in walk(self._past, self._viewer, 0, upto):
            one, two = inside(step.before, path), inside(step.after, path)
            if one is two:
                continue
            was, now = plainly.of(one), plainly.of(two)
            if was != now:
                yield Turn(step, was, now)

    def _explain(
        self,
        seq: int,
        version: int,
        value: Any,
        found: tuple[ValueChange, ...],
        unit: str,
        earlier: int | None = None,
    ) -> Explanation:
        state = self._past.at(self._viewer, version)
        around = self._around(seq)
        command = [s for s in around if s.event.seq <= seq and _same(s, around, seq)]
        events = [step.event for step in command]
        rolls = self._rolled(events)
        numbers = dict(_tallies_of(events))
        declared = self._declared(around, command, rolls)
        if declared is not None:
            numbers = dict(_tallies_of([declared])) | numbers
        cited = [rule for event in events for rule in event.rules]
        cited += [rule for tally in numbers.values() for rule in _cited(tally)]
        figures = dict(self._game.insight.figures(state, unit)) if unit and state else {}
        cited += [r.rule for tally in figures.values() for r in tally.reasons]
        return Explanation(
            game=self._id,
            ruleset=self._game.ruleset,
            judged_by=self._past.rules(version),
            viewer=self._viewer,
            version=version,
            event=cause(events[-1]) if events else None,
            command=tuple(map(cause, events)),
            declared=None if declared is None else cause(declared),
            value=value,
            changes=found,
            earlier=earlier,
            figures=figures,
            tallies=numbers,
            rolls=rolls,
            prospects=self._prospects(command),
            rules=tuple(rules_cited(self._game, cited)),
        )

    def _around(self, seq: int) -> list[ViewedEvent]:
        after = max(0, seq - LOOK_BACK)
        return list(walk(self._past, self._viewer, after, seq)) if seq else []

    def _rolled(self, events: list[SeenEvent]) -> tuple[RollRecord, ...]:
        """The dice that fell for the command, as far as the events have come."""
        told = [plain(event) for event in events]
        seqs = {event.seq for event in events}
        return tuple(
            roll
            for roll in self._rolls
            if roll.seq in seqs and any(any(holding(each, roll.id)) for each in told)
        )

    def _declared(
        self, around: list[ViewedEvent], command: list[ViewedEvent], rolls: tuple[RollRecord, ...]
    ) -> SeenEvent | None:
        """A declaration before the command, where the command itself has no tally.

        It has a tally and names every unit that the event names, a single one as its target. An
        order about those very units needs no other: it is its own declaration, and where it led to
        no dice (a shot that proves impossible) none was ever made for it.
        """
        if not command or any(True for _ in _tallies_of([step.event for step in command])):
            return None
        units = self._units(command[-1], rolls)
        order = next((step for step in command if step.event.event is not None), command[0])
        if not units or units <= set(strings(plain(order.event))):
            return None
        words = {word for roll in rolls for word in roll.id.split("/") if len(word) > 1}
        words |= set(strings(plain(command[-1].event)))
        best, fit = None, 0
        for step in around:
            told = plain(step.event)
            named = set(strings(told))
            if step.event.seq >= command[0].event.seq or not units <= named:
                continue
            if len(units) == 1 and "target" not in _roles(told, *units):
                continue
            likeness = len(words & named) if dict(_tallies_of([step.event])) else 0
            if likeness and likeness >= fit:
                best, fit = step.event, likeness
        return best

    def _units(self, step: ViewedEvent, rolls: tuple[RollRecord, ...]) -> set[str]:
        """The units that an event names, or else the dice that fell for it."""
        labels = [word for roll in rolls for word in roll.id.split("/")]
        for words in (strings(plain(step.event)), labels):
            found = {word for word in words if self._called(step, word)}
            if found:
                return found
        return set()

    def _called(self, step: ViewedEvent, word: str) -> bool:
        """Whether the ruleset has a unit of that name, before the event or after it."""
        states = (s for s in (step.before, step.after) if s is not None)
        return any(self._game.insight.calls(state, word) for state in states)

    def _prospects(self, command: list[ViewedEvent]) -> dict[str, Any] | None:
        """Before the last dice of the command were thrown."""
        for step in reversed(command):
            if step.after is not None and self._game.awaiting(step.after) is not None:
                found = self._game.prospects(step.after)
                if found is not None:
                    return of_ruleset(self._game, found)
        return None


def _same(step: ViewedEvent, around: list[ViewedEvent], seq: int) -> bool:
    """Whether an event belongs to the command of the event ``seq``."""
    cause_ = around[-1].event.caused_by
    return step.event.caused_by == cause_ if cause_ else step.event.seq == seq


def _value_change(game: AnyGame, path: Path, turn: Turn) -> ValueChange:
    step = turn.step

    def calls(unit: str) -> str:
        return game.insight.calls(step.after, unit) or (
            game.insight.calls(step.before, unit) if step.before is not None else ""
        )

    change = Change(path, "changed", turn.before, turn.after)
    return ValueChange(
        event=cause(step.event),
        path=change.pointer,
        before=turn.before,
        after=turn.after,
        text=sentence(change, calls),
    )


def plain(event: SeenEvent) -> Plain:
    """What an event says, as plain JSON; nothing of the service's own."""
    return dict(full(event.data)) if event.event is not None else {}


def _tallies_of(events: list[SeenEvent]) -> Iterator[tuple[str, Plain]]:
    for event in events:
        name = event.type.partition(".")[2]
        for at, tally in tallies(plain(event)):
            if tally["reasons"]:
                yield f"{event.seq}/{name}/{at}", tally


def _cited(tally: Plain) -> list[str]:
    return [str(reason["rule"]) for reason in tally["reasons"]]


def rules_cited(game: AnyGame, cited: list[str]) -> Iterator[RuleCited]:
    """The rules in words, each once, in the order in which they are cited."""
    known = _texts(game)
    for id in dict.fromkeys(cited):
        text = known.get(id)
        if text is not None:
            yield RuleCited(id=id, title=text.title, text=text.text, source=text.source)


@cache
def _texts(game: AnyGame) -> Mapping[str, RuleText]:
    """The rulebook by ID; reading it takes a while, and it does not change while we run."""
    return {text.id: text for text in game.catalogue.rules()}


# --- queries over the log -------------------------------------------------------------------------


class Mention(Document, frozen=True):
    """An event that fits a question.

    rules    of its game; ``event.rules`` are those that decided
    roles    its meaning for the unit of the question, or for any where the question names none
             (``lost``, ``moved``, ``attacked``), then the unit's part in it: ``target``,
             ``attacker``
    changes  its changes to the unit, in words, where the question names one
    """

    rules: Rules
    event: Cause
    roles: tuple[str, ...]
    changes: tuple[str, ...]


class Question(msgspec.Struct, frozen=True):
    """Which events: those that fit everything that is not empty.

    unit  id of the unit that they name
    role  what they mean for it, or for any unit; or as what they name it
    rule  that decided, or is among the reasons of a number
    type  of the event, without the ruleset's name too
    """

    unit: str = ""
    role: str = ""
    rule: str = ""
    type: str = ""


def mentions(
    past: GameHistory, viewer: Viewer, question: Question, after: int, upto: int
) -> Iterator[Mention]:
    """The events above ``after`` that fit, oldest first."""
    for step in walk(past, viewer, after, upto):
        if question.type and question.type not in (step.type, step.type.partition(".")[2]):
            continue
        told: Plain = {} if step.known is None else full(step.known)
        if question.rule and not _decided(step, told, question.rule):
            continue
        roles = tuple(dict.fromkeys((*_meant(step, question.unit), *_roles(told, question.unit))))
        if question.role and question.role not in roles:
            continue
        touched = tuple(_touched(past.game, step, question.unit))
        if question.unit and not roles and not touched:
            continue
        yield Mention(
            rules=past.rules(step.seq), event=cause(step.event), roles=roles, changes=touched
        )


def _decided(step: ViewedEvent, told: Plain, rule: str) -> bool:
    """Whether the rule decided the event, or is among the reasons of a number in it."""
    return step.known is not None and (rule in step.known.rules or rule in _reasoned(told))


def _reasoned(told: Plain) -> Iterator[str]:
    for _, tally in tallies(told):
        yield from _cited(tally)


def _meant(step: ViewedEvent, unit: str) -> Iterator[str]:
    """What an event means for the unit; for any where none is asked about."""
    for role in step.roles:
        if not unit or role.unit == unit:
            yield role.role


def _roles(value: Any, unit: str, key: str = "") -> Iterator[str]:
    """The names of the fields that hold the unit."""
    if not unit:
        return
    if isinstance(value, dict):
        for name, item in value.items():
            if name == unit:
                yield key or name
            yield from _roles(item, unit, name)
    elif isinstance(value, list):
        for item in value:
            yield from _roles(item, unit, key)
    elif value == unit:
        yield key


def _touched(game: AnyGame, step: ViewedEvent, unit: str) -> Iterator[str]:
    """What the event changed of the unit itself."""
    if not unit or step.before is None or step.before is step.after:
        return
    calls: Callable[[str], str] = lambda name: (  # noqa: E731 two words
        game.insight.calls(step.after, name) or game.insight.calls(step.before, name)
    )
    for change in changes(step.before, step.after):
        if unit in change.path:
            yield sentence(change, calls)
