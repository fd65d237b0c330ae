"""The second opinion on steps taken back: it follows them, and refutes what it can see."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from service.evidence.verify import verify
from tests.service.evidence.test_takebacks import GAMES, at_step, hides, last, may, rolled
from tests.support.second import opinions, owed


def taken(step: Any = may, seat: str = "", **other: Any) -> bytes:
    """The file of a battle in which a step is taken back, by whom and as the record says."""
    table, before = at_step(step)
    told = msgspec.structs.replace(last(table, before), **other)
    giver = seat or table.orders[-1].seat
    table.takes_back(giver, before, msgspec.structs.replace(told, seat=giver))
    table.ends("enough")
    return table.forge()


def anothers() -> bytes:
    table, _ = at_step(may)
    (other,) = {"p1", "p2"} - {table.orders[-1].seat}
    return taken(seat=other)


def twice() -> bytes:
    table, before = at_step(may)
    for _ in range(2):
        table.takes_back(table.orders[-1].seat, before)
    table.ends("enough")
    return table.forge()


def test_both_say_the_same_of_steps_that_were_taken_back(tmp_path: Path) -> None:
    files = [taken(), anothers(), twice(), taken(first=1), taken(command="c_0"), taken(rolled),
             taken(hides)]  # fmt: skip
    told = opinions(files, tmp_path)
    assert [each["word"] for each in told] == ["CONSISTENT", *["REFUTED"] * 6], told
    for data, each in zip(files, told, strict=True):
        assert each["word"] in owed(verify(data, GAMES)), (each, verify(data, GAMES).text())
