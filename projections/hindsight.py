"""Looking back over a game as one viewer may know it: what differs, what changed, by which events.

Everything is worked out from the viewer's own events and the fold of them, so that no answer can
tell more than they do.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Any, NamedTuple

import msgspec
from msgspec import UNSET, UnsetType

from domain.kernel.tally import Tally
from domain.kernel.values import Viewer

from .differences import Causes, Change, Kind, changes
from .follow import Document
from .records import Rules
from .stream import AnyGame, SeenEvent
from .views import GameHistory, walk_on
from .wording import Calls, figure, sentence, subject


class Cause(Document, frozen=True):
    """An event that something comes from."""

    seq: int
    type: str
    actor: str
    caused_by: str
    text: str
    rules: tuple[str, ...]


def cause(event: SeenEvent) -> Cause:
    """The event in short."""
    return Cause(
        seq=event.seq,
        type=event.type,
        actor=event.actor,
        caused_by=event.caused_by,
        text=event.text,
        rules=event.rules,
    )


class Changed(Document, frozen=True):
    """One place of the state that differs.

    path    RFC 6901 pointer into the view's ``state``
    kind    "changed", "added", "removed"; the changes in order make one state of the other
    unit    id of the unit that it belongs to, and its ``name``; "" for none
    before  the value before; absent where there was none
    after   the value now; absent where there is none
    events  ``seq`` of the events that touched it, oldest first
    rules   IDs of the rules by which they did
    """

    path: str
    kind: Kind
    unit: str
    name: str
    text: str
    events: tuple[int, ...]
    rules: tuple[str, ...]
    before: Any | UnsetType = UNSET
    after: Any | UnsetType = UNSET


class FigureChanged(Document, frozen=True):
    """A unit's number that the rules work out (armor, speed) and that differs, with its reasons."""

    unit: str
    name: str
    figure: str
    before: Tally
    after: Tally
    text: str


class Difference(Document, frozen=True):
    """The difference between two positions.

    other   the game that ``to`` is a version of, where it is another one; else ""
    events  the events that the changes come from
    """

    game: str
    ruleset: str
    rules: Rules
    viewer: Viewer
    from_: int = msgspec.field(name="from")
    to: int
    other: str
    changes: tuple[Changed, ...]
    figures: tuple[FigureChanged, ...]
    events: tuple[Cause, ...]


class Side(NamedTuple):
    """A position: a game's views, whose eyes, which version."""

    views: GameHistory
    viewer: Viewer
    version: int

    @property
    def state(self) -> Any:
        return self.views.at(self.viewer, self.version)


def difference(one: Side, two: Side, game: str, other: str = "", since: int = 0) -> Difference:
    """From the first position to the second.

    Within one game the events between them are the causes; of another game (``other``) its own
    since the version ``since``, from which both have grown.
    """
    rules = one.views.game
    low, high = (since, two.version) if other else sorted((one.version, two.version))
    passage = _passage(two, low, high)
    ends = (passage.first, passage.last)
    before = one.state if other else ends[one.version > two.version]
    after = ends[other != "" or one.version <= two.version]
    causes, known = passage.causes, passage.known
    calls = _calls(rules, before, after)
    found = [_changed(each, causes, known, calls) for each in changes(before, after)]
    used = sorted(set().union(*(each.events for each in found)))
    return Difference(
        game=game,
        ruleset=rules.ruleset,
        rules=one.views.rules(one.version),
        viewer=one.viewer,
        from_=one.version,
        to=two.version,
        other=other,
        changes=tuple(found),
        figures=tuple(_figures(rules, before, after, calls)),
        events=tuple(known[seq] for seq in used),
    )


class Interval(NamedTuple):
    """What happened between two versions: the states at both ends, and what was touched by what."""

    first: Any
    last: Any
    causes: Causes
    known: dict[int, Cause]


def _passage(side: Side, low: int, high: int) -> Interval:
    """In one walk, which brings both states along: nothing is read or folded twice."""
    causes, known = Causes(), dict[int, Cause]()
    start = side.views.start(side.viewer, low)
    first = last = start.state
    for step in walk_on(side.views, side.viewer, start, high):
        before, last = step.before, step.after
        if before is not None and before is not last:
            causes.note(step.seq, before, last)
            known[step.seq] = cause(step.event)
    return Interval(first, last, causes, known)


def _calls(game: AnyGame, before: Any, after: Any) -> Calls:
    """Names of the later position, of the earlier one for what is gone."""
    kept: dict[str, str] = {}

    def calls(unit: str) -> str:
        if unit not in kept:
            named = (game.insight.calls(s, unit) for s in (after, before) if s is not None)
            kept[unit] = next((name for name in named if name), "")
        return kept[unit]

    return calls


def _changed(change: Change, causes: Causes, known: dict[int, Cause], calls: Calls) -> Changed:
    events = causes.of(change.path)
    unit, name = subject(change.path, calls)
    rules = dict.fromkeys(chain.from_iterable(known[seq].rules for seq in events))
    return Changed(
        path=change.pointer,
        kind=change.kind,
        unit=unit,
        name=name,
        text=sentence(change, calls),
        events=tuple(events),
        rules=tuple(rules),
        before=UNSET if change.kind == "added" else change.before,
        after=UNSET if change.kind == "removed" else change.after,
    )


def _figures(game: AnyGame, before: Any, after: Any, calls: Calls) -> Iterator[FigureChanged]:
    """Numbers that differ of every unit that is in both positions."""
    if before is None or after is None:
        return
    for unit in sorted(_units(before) & _units(after)):
        was, now = game.insight.figures(before, unit), game.insight.figures(after, unit)
        for name in was:
            if name in now and was[name].total != now[name].total:
                yield FigureChanged(
                    unit=unit,
                    name=calls(unit),
                    figure=name,
                    before=was[name],
                    after=now[name],
                    text=figure(calls(unit) or unit, name, was[name], now[name]),
                )


def _units(state: Any) -> set[str]:
    """Whatever the state keeps by name: the ruleset says which of it has figures."""
    parts = (getattr(state, name) for name in state.__struct_fields__)
    return {str(key) for part in parts if isinstance(part, dict) for key in part}
