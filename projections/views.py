"""What each viewer may see of a game: the fold of the viewer's redacted events, carried on.

There is no second view function: a view *is* the fold. It leaves a mark every so many events, so
that any version is a short walk from one. States are immutable and share what they have in common,
so marks are cheap.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Any, Protocol

from domain.kernel.values import TRUTH, Viewer

from .records import Rules, read_created, rules_of
from .stream import AnyGame, Observer, SeenEvent, SeeOwn, TrueEvent, ViewedEvent
from .trail import Checkpoint, Checkpoints

Read = Callable[[Checkpoint, int], Iterable[TrueEvent]]
"""The events of a game after a mark, up to a version."""

Ahead = Callable[[list[Any], Viewer, Any], Any]
"""Takes events that will be asked about next: how a viewer sees them, and where they lead; gives
where that is."""

FORESEEN = 100
"""Events of which rules that are asked elsewhere hear at once."""

STRETCH = 500
"""Events that are looked at before others who wait for the same game are let in."""


class GameHistory(Protocol):
    """What questions about a game's past are put to. Each may raise what reading it raises."""

    @property
    def game(self) -> AnyGame: ...

    def rules(self, version: int = 1) -> Rules:
        """By which rules the game was judged at a version: those that its first event names,
        unless all seats have agreed to others since."""
        ...

    def at(self, viewer: Viewer, version: int) -> Any:
        """The viewer's state at ``version``, which must exist."""
        ...

    def start(self, viewer: Viewer, version: int) -> Checkpoint:
        """Where a walk along the viewer's states begins: at ``version``."""
        ...

    def steps(
        self, viewer: Viewer, mark: Checkpoint, last: int
    ) -> tuple[list[ViewedEvent], Checkpoint]:
        """Each event from the mark to version ``last``, and the mark to go on from.

        No event is put into words before somebody reads it: of many only a few are looked at.
        """
        ...


def walk(past: GameHistory, viewer: Viewer, after: int, upto: int) -> Iterator[ViewedEvent]:
    """The events above ``after`` up to ``upto`` as the viewer knows them."""
    yield from walk_on(past, viewer, past.start(viewer, after), upto)


def walk_on(
    past: GameHistory, viewer: Viewer, mark: Checkpoint, upto: int
) -> Iterator[ViewedEvent]:
    """The same, from a mark."""
    while mark.version < upto:
        steps, mark = past.steps(viewer, mark, min(mark.version + STRETCH, upto))
        yield from steps


class Views:
    """All views of one game, by viewer. For one who asks at a time."""

    def __init__(self, game: AnyGame, read: Read, see_own: SeeOwn) -> None:
        self.game = game
        self._read = read
        self._see_own = see_own
        self._trails: dict[Viewer, Checkpoints] = {}

    def rules(self) -> Rules:
        return rules_of(read_created(self.told(0, 1)[0].own))

    def at(self, viewer: Viewer, version: int) -> Any:
        return self.start(viewer, version).state

    def start(self, viewer: Viewer, version: int) -> Checkpoint:
        trail = self._trails.setdefault(viewer, Checkpoints())
        mark = trail.before(version)
        if mark.version == version:
            return mark
        seen, state = self.game.seen, mark.state
        for told in self._foreseen(viewer, self._read(mark, version), state):
            if told.event is not None:
                state = self._after(state, told, seen(told.event, viewer))
            seq = told.head.seq
            if seq % trail.stride == 0 or seq == version:
                mark = Checkpoint(seq, told.hash, state)
                trail.keep(mark)
        return mark

    def steps(
        self, viewer: Viewer, mark: Checkpoint, last: int
    ) -> tuple[list[ViewedEvent], Checkpoint]:
        trail = self._trails.setdefault(viewer, Checkpoints())
        eyes = Observer(self.game, viewer, self._see_own)
        see, found = self.game.seen, list[ViewedEvent]()
        for told in self._foreseen(viewer, self._read(mark, last), mark.state):
            before = after = mark.state
            event = None
            if told.event is not None:
                event = see(told.event, viewer)
                after = self._after(before, told, event)
            found.append(ViewedEvent(eyes, told, event, before, after))
            mark = Checkpoint(told.head.seq, told.hash, after)
            if mark.version % trail.stride == 0 or mark.version == last:
                trail.keep(mark)
        return found, mark

    def seen(self, viewer: Viewer, after: int, last: int) -> list[SeenEvent]:
        """Events above ``after`` up to ``last``, as the viewer may know them."""
        if last <= after:
            return []
        mark = self.start(viewer, after)
        eyes, state, found = (
            Observer(self.game, viewer, self._see_own),
            mark.state,
            list[SeenEvent](),
        )
        for told in self._foreseen(viewer, self._read(mark, last), state):
            event = eyes.seen(told)
            found.append(eyes.in_full(state, told, event))
            if event is not None:
                state = self._after(state, told, event)
            mark = Checkpoint(told.head.seq, told.hash, state)
        self._trails[viewer].keep(mark)
        return found

    def _foreseen(
        self, viewer: Viewer, read: Iterable[TrueEvent], state: Any
    ) -> Iterator[TrueEvent]:
        """The events; rules that are asked elsewhere hear of many at a time what will be asked.

        state  the viewer's before them
        """
        ahead: Ahead | None = getattr(self.game, "ahead", None)
        rest = iter(read)
        while ahead is not None and (some := list(islice(rest, FORESEEN))):
            if any(told.common is not None for told in some):
                ahead = None  # they bring where they lead
            else:
                events = [told.event for told in some if told.event is not None]
                state = ahead(events, viewer, state)
            yield from some
        yield from rest

    def _after(self, before: Any, told: TrueEvent, seen: Any) -> Any:
        """The viewer's state after an event, which the viewer knows as ``seen``."""
        return self.game.evolve(before, seen) if told.common is None else told.common

    def told(self, after: int, last: int) -> list[TrueEvent]:
        """Events above ``after``, in truth."""
        return list(self._read(self.start(TRUTH, after), last))

    def reached(self, viewer: Viewer, version: int) -> int:
        """From which version on events are needed to come to ``version``."""
        trail = self._trails.get(viewer)
        return trail.before(version).version if trail else 0
