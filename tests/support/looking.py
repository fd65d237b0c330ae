"""Views of a game that is in no store: what looks back over games, on recorded battles."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from domain.kernel.values import Viewer
from projections.records import Rules
from projections.stream import OwnSeen, TrueEvent
from projections.trail import Checkpoint
from projections.views import Views
from service.play.opening import rules_of
from tests.support.suites import Suite


class RecordedCause(NamedTuple):
    """The command that led to an event."""

    id: str


class RecordedHead(NamedTuple):
    """What a log would say of an event."""

    seq: int
    type: str
    schema: int
    at: str
    actor: str
    cause: RecordedCause


class RecordedViews(Views):
    """Of a battle's events, each with the id of its command.

    read  how many events were looked at so far, each time one is
    """

    def __init__(self, suite: Suite, events: Iterable[tuple[Any, str]]) -> None:
        super().__init__(suite.game, self._told, _none_of_its_own)
        self._events = [_told(suite, seq, *each) for seq, each in enumerate(events, 1)]
        self.read = 0

    def rules(self, version: int = 1) -> Rules:
        return rules_of(self.game, "")

    @property
    def latest(self) -> int:
        return len(self._events)

    def _told(self, mark: Checkpoint, last: int) -> Iterator[TrueEvent]:
        for told in self._events[mark.version : last]:
            self.read += 1
            yield told


def _told(suite: Suite, seq: int, event: Any, command: str) -> TrueEvent:
    type_ = suite.codec.name(event)
    head = RecordedHead(seq, type_, event.SCHEMA, "", "", RecordedCause(command))
    return TrueEvent(head, f"{seq:064x}", event)


def _none_of_its_own(told: TrueEvent, viewer: Viewer) -> OwnSeen:
    raise AssertionError(f"the service tells nothing of its own in {told}")
