"""Times of a record that are none, or that nobody lives to see, are refuted or wait for ever: they
end no judge."""

from __future__ import annotations

import msgspec
import pytest

from service.deadlines import later
from service.evidence.records import OrdersLocked
from service.evidence.verify import verify
from tests.support import pennant

from .playing import GAMES, Cheat, Table
from .test_cheats import on_type

LAST = "9999-12-31T23:59:59.999Z"


def sealed(cheat: Cheat) -> Table:
    """Of grade A2, in which p2 is absent throughout."""
    setup = pennant.setup(6)
    return Table(setup=setup, grade="A2", tips=True, prompt=("p1",), cheat=cheat).play(1)


def dated(at: str) -> Cheat:
    return Cheat(envelope=lambda fields: {**fields, "at": at})


IMPOSSIBLE = [
    "2026-99-99T00:00:00.000Z",
    "2026-02-30T00:00:00.000Z",
    "2026-01-01T25:00:00.000Z",
    "2026-01-01T23:59:60.000Z",
    "0000-01-01T00:00:00.000Z",
]


@pytest.mark.parametrize("at", IMPOSSIBLE)
def test_a_time_that_no_calendar_has_is_refuted(at: str) -> None:
    finding = verify(sealed(dated(at)).forge(), GAMES).finding
    assert finding is not None
    assert (finding.check, finding.seq, finding.what, finding.found) == ("chain", 1, "at", at)


@pytest.mark.parametrize("seconds", [2**40, 2**53 - 1])
def test_links_that_are_waited_for_longer_than_time_lasts_are_not_closed(seconds: int) -> None:
    change = on_type(OrdersLocked, lambda r: msgspec.structs.replace(r, seconds=seconds))
    finding = verify(sealed(Cheat(record=change)).forge(), GAMES).finding
    assert finding is not None
    assert (finding.what, finding.expected) == ("links closed", f"{LAST} or later")


def test_what_is_dated_at_the_end_of_time_is_judged() -> None:
    assert verify(sealed(dated(LAST)).forge(), GAMES).word == "UPHELD"


@pytest.mark.parametrize(
    ("seconds", "told"),
    [(30, "2026-01-01T00:00:30.000Z"), (2**60, LAST), (-(2**60), "0001-01-01T00:00:00.000Z")],
)
def test_time_has_two_ends(seconds: int, told: str) -> None:
    assert later("2026-01-01T00:00:00.000Z", seconds) == told
