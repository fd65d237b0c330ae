"""A game with steps that were taken back, as a service tells it and as its file does."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from domain.games.war_at_sea.game import GAME
from domain.kernel.values import PUBLIC
from projections.records import TAKEBACK
from service.cli.console import Report, unheard
from service.cli.filed import file_desk
from service.cli.record import from_bytes, from_service
from service.cli.remote import Remote, WireEvent, WireText
from service.cli.tools import Tools
from service.work.tasks import Review
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


def played() -> tuple[Table, list[int]]:
    """A battle in which some steps were taken back, and the first events of those."""
    table, taken = Table(game=GAME, setup=SETUP), list[int]()
    for before, batch in steps(table, 5):
        if may(table, before, batch):
            taken.append(table.orders[-1].first)
            table.takes_back(table.orders[-1].seat, before)
        if len(taken) == 4:
            return table, taken
    raise AssertionError("there are no such steps")


def test_every_version_is_the_same_from_a_service_and_from_a_file() -> None:
    tools = Tools({GAME.ruleset: GAME})
    remote = Told(tools, played()[0].export(PUBLIC))
    online, offline = from_service(tools, remote, remote.record.id, unheard), remote.record
    assert [each.type for each in online.told].count(TAKEBACK) == 4
    for version in range(1, offline.latest + 1):
        assert online.state(version) == offline.state(version), version


def test_a_review_looks_at_the_orders_that_stand(tmp_path: Path) -> None:
    table, taken = played()
    table.ends("enough")
    file = tmp_path / "ended.decklog"
    file.write_bytes(table.forge())
    desk = file_desk(Tools({GAME.ruleset: GAME}), str(file))
    found = [
        desk.ask(Review(desk.id, after, 50, desk.latest))["decisions"]
        for after in (0, taken[0] - 1, taken[-1])
    ]
    looked_at = [{each["event"] for each in decisions} for decisions in found]
    given = {order.first for order in table.orders}
    assert looked_at == [
        given - {*taken}, {each for each in given - {*taken} if each >= taken[0]}, set(),
    ]  # fmt: skip
