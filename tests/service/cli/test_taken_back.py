"""A game with steps that were taken back, as a service tells it and as its file does."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from domain.games.war_at_sea.game import GAME
from domain.kernel.values import PUBLIC
from projections.records import TAKEBACK
from service.cli.console import Report, unheard
from service.cli.record import from_bytes, from_service
from service.cli.remote import Remote, WireEvent, WireText
from service.cli.tools import Tools
from tests.service.evidence.playing import Table
from tests.service.evidence.test_takebacks import SETUP, may, steps


class Told(Remote):
    """A service that tells of one game what is in its file."""

    def __init__(self, tools: Tools, data: bytes) -> None:
        self.case, self.record = from_bytes(tools, data, "the file", PUBLIC)

    def get(self, path: str, /, **query: Any) -> dict[str, Any]:
        return {"id": self.record.id, "rules": {"ruleset": GAME.ruleset}}

    def events(self, game: str, report: Report = unheard) -> Iterator[WireEvent]:
        for each, told in zip(self.case.envelopes, self.record.told, strict=True):
            data = msgspec.Raw(self.case.data(each, PUBLIC))
            yield WireEvent(
                each.seq, each.type, each.at, each.actor, each.cause.id, each.schema, data,
                WireText(told.text),
            )  # fmt: skip


def exported() -> bytes:
    """The evidence of a battle in which some steps were taken back."""
    table, taken = Table(game=GAME, setup=SETUP), 0
    for before, batch in steps(table, 5):
        if may(table, before, batch):
            table.takes_back(table.orders[-1].seat, before)
            taken += 1
        if taken == 4:
            return table.export(PUBLIC)
    raise AssertionError("there are no such steps")


def test_every_version_is_the_same_from_a_service_and_from_a_file() -> None:
    tools = Tools({GAME.ruleset: GAME})
    remote = Told(tools, exported())
    online, offline = from_service(tools, remote, remote.record.id, unheard), remote.record
    assert [each.type for each in online.told].count(TAKEBACK) == 4
    for version in range(1, offline.latest + 1):
        assert online.state(version) == offline.state(version), version
