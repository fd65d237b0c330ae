"""Views of a game that is in no store: what looks back over games, on recorded battles."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from types import SimpleNamespace
from typing import Any

from projections.records import Rules
from service.play.opening import rules_of
from service.views.trail import Mark
from service.views.views import GameViews, Told
from tests.support.suites import Suite


class RecordedViews(GameViews):
    """Of a battle's events, each with the id of its command.

    read  how many events were looked at so far, each time one is
    """

    def __init__(self, suite: Suite, events: Iterable[tuple[Any, str]]) -> None:
        super().__init__("0" * 32, suite.game, suite.codec, *_nothing())
        self._events = [_told(suite, seq, *each) for seq, each in enumerate(events, 1)]
        self.read = 0

    def rules(self) -> Rules:
        return rules_of(self.game, "")

    @property
    def latest(self) -> int:
        return len(self._events)

    def _told(self, mark: Mark, last: int) -> Iterator[Told]:
        for told in self._events[mark.version : last]:
            self.read += 1
            yield told


def _told(suite: Suite, seq: int, event: Any, command: str) -> Any:
    body = SimpleNamespace(
        seq=seq, type=suite.codec.name(event), schema=event.SCHEMA, at="", actor="",
        cause=SimpleNamespace(id=command),
    )  # fmt: skip
    record = SimpleNamespace(body=body, hash=f"{seq:064x}", truth=b"")
    return SimpleNamespace(seq=seq, record=record, event=event)


def _nothing() -> tuple[Any, Any]:
    """Neither a store nor seals: nothing is read."""
    return None, None
