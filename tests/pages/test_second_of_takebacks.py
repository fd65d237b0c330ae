"""The second opinion on a step that was taken back: it refutes what no rules are needed for."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from service.evidence.verify import verify
from tests.service.evidence.playing import Table
from tests.service.evidence.test_takebacks import (
    GAMES,
    at_step,
    hands_over,
    hides,
    last,
    may,
    rolled,
)
from tests.support.second import opinions, owed

Takes = Callable[[Table, Any], None]


def taken_back(step: Any, takes: Takes, **more: Any) -> bytes:
    """A battle with a step that was taken back in some way, and was ended then."""
    table, before = at_step(step, **more)
    takes(table, before)
    table.ends("enough")
    forged: bytes = table.forge()
    return forged


def own(table: Table, before: Any) -> None:
    table.takes_back(table.orders[-1].seat, before)


def another(table: Table, before: Any) -> None:
    (other,) = {"p1", "p2"} - {table.orders[-1].seat}
    table.takes_back(other, before)


def longer(table: Table, before: Any) -> None:
    earlier, later = table.orders[-2:]
    table.takes_back(later.seat, before, last(table, before, first=earlier.first))


def earlier(table: Table, before: Any) -> None:
    one = table.orders[-2]
    told = last(table, before, command=one.id, first=one.first)
    table.takes_back(table.orders[-1].seat, before, told)


def twice(table: Table, before: Any) -> None:
    own(table, before)
    own(table, before)


def later(table: Table, before: Any) -> None:
    table.stops({}, orders=True)
    own(table, before)


LIES: list[tuple[Any, Takes]] = [
    (rolled, own), (hides, own), (may, another), (may, longer), (may, earlier), (may, twice),
    (may, later),
]  # fmt: skip


def test_what_is_no_last_step_is_refuted_by_both(tmp_path: Path) -> None:
    files = [taken_back(step, takes) for step, takes in LIES]
    for (_, takes), data, said in zip(LIES, files, opinions(files, tmp_path), strict=True):
        assert verify(data, GAMES).word == "REFUTED" == said["word"], (takes, said)


def test_what_is_true_holds_by_both_and_of_what_is_asked_only_rules_know(tmp_path: Path) -> None:
    files = [taken_back(may, own), taken_back(may, own, skip=2), taken_back(hands_over, own)]
    found = [verify(data, GAMES) for data in files]
    assert [each.word for each in found] == ["UPHELD", "UPHELD", "REFUTED"]
    for each, said in zip(found, opinions(files, tmp_path), strict=True):
        assert said["word"] == "CONSISTENT", said
        assert said["word"] in owed(each)
