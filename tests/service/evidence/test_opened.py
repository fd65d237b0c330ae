"""The master is opened once, after the end, by an event of its own; until then nothing is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from service import container
from service.evidence import bundle
from service.evidence.chain import NO_CAUSE
from service.evidence.records import (
    SERVICE,
    GameClosed,
    MasterOpened,
    Record,
    SeatTakenRecord,
    opens_master,
)
from service.evidence.verify import verify

from .playing import GAMES, Cheat, Table

replace = msgspec.structs.replace


def finding(table: Table) -> Any:
    verdict = verify(table.forge(), GAMES)
    assert verdict.word == "REFUTED", verdict.text()
    return verdict.finding


def appended(record: Record) -> Table:
    """A finished game with a record more, in no command."""
    table = Table().play(3)
    actor = record.seat if isinstance(record, SeatTakenRecord) else SERVICE
    table.write([record], NO_CAUSE, actor, sealing=False)
    return table


def test_a_finished_game_ends_with_the_opening_of_its_master() -> None:
    table = Table().play(3)
    types = [msgspec.json.decode(row.body)["type"] for row in table.rows]
    assert types[-2:] == [GameClosed.TYPE, MasterOpened.TYPE]
    assert verify(table.export(), GAMES).scope == "complete"


@pytest.mark.parametrize("viewer", ["p1", "public"])
def test_a_game_that_is_over_and_not_opened_keeps_its_secrets(viewer: str) -> None:
    table = Table(unopened=True).play(3)
    verdict = verify(table.export(viewer), GAMES)
    assert (verdict.word, verdict.scope) == ("UPHELD", "partial"), verdict.text()
    assert verdict.result is not None
    assert "its master is not opened yet" in verdict.text()
    files = container.unpack(table.export(viewer))
    assert bundle.SECRETS not in files
    assert table.book.master.hex().encode() not in b"".join(files.values())


def test_its_end_is_judged_all_the_same() -> None:
    def change(record: Record) -> Record:
        if not isinstance(record, GameClosed):
            return record
        return replace(record, result=replace(record.result, winners=("p1", "p2")))

    table = Table(unopened=True, cheat=Cheat(record=change)).play(3)
    verdict = verify(table.export("public"), GAMES)
    assert verdict.finding is not None
    assert verdict.finding.what == "result"


@pytest.mark.parametrize(
    "record", [SeatTakenRecord("p1"), MasterOpened("00" * 32)], ids=lambda record: record.TYPE
)
def test_nothing_stands_after_the_opened_master(record: Record) -> None:
    assert finding(appended(record)).what == "place"


def test_a_master_is_opened_after_the_end_only() -> None:
    table = Table().play(3, orders=3)
    table.open_master()
    assert finding(table).expected == "the end of the game"


def _in_the_order(fields: dict[str, Any], cause: list[Any]) -> dict[str, Any]:
    cause.append(fields["cause"])
    if fields["type"] != MasterOpened.TYPE:
        return fields
    return {**fields, "cause": cause[-2]}


def test_no_order_opens_it() -> None:
    causes: list[Any] = []
    table = Table(cheat=Cheat(envelope=lambda fields: _in_the_order(fields, causes))).play(3)
    assert finding(table).check in ("order", "record", "seal")


def old_end(table: Table) -> Callable[[dict[str, Any]], dict[str, Any]]:
    """Games were closed in this form before: the end itself opened the master."""

    def change(fields: dict[str, Any]) -> dict[str, Any]:
        if fields["type"] != GameClosed.TYPE:
            return fields
        told = {**msgspec.json.decode(fields["data"]), "master": table.book.master.hex()}
        return {**fields, "schema": 1, "data": msgspec.json.encode(told, order="sorted")}

    return change


def test_the_first_form_of_an_end_is_judged_for_ever() -> None:
    table = Table(unopened=True)
    table.cheat = Cheat(envelope=old_end(table))
    table.play(3)
    verdict = verify(table.export(), GAMES)
    assert (verdict.word, verdict.scope) == ("UPHELD", "complete"), verdict.text()
    assert opens_master(GameClosed.TYPE, 1)
    assert not opens_master(GameClosed.TYPE, 2)


def test_the_first_form_opens_it_once() -> None:
    table = Table()
    table.cheat = Cheat(envelope=old_end(table))
    table.play(3)
    assert finding(table).found == "opened twice"


def test_the_form_of_today_does_not_open_it_in_the_end() -> None:
    def change(record: Record) -> Record:
        return replace(record, master="ab" * 32) if isinstance(record, GameClosed) else record

    assert finding(Table(cheat=Cheat(record=change)).play(3)).what == "opens the master"
