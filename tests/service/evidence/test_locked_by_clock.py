"""The clock locks no answer before the time of its seat is over: its own order would be refused."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from msgspec import UNSET

from service.deadlines import later
from service.evidence.records import DeadlinePassed, OrdersLocked
from service.evidence.verify import verify
from tests.service.desk.test_links_ahead import FIRING
from tests.support import pennant

from .playing import AT, Cheat, Table

MINUTES = 60
"""That a seat has for an answer."""


def answered(waits: int, *, named: bool = True) -> Table:
    """The service locks the usual answer of a seat after so many minutes, and carries it out when
    its time is over.

    named  whether the lock says that the clock gave it
    """
    game, setup = FIRING["pennant"], pennant.setup(10)
    played = Table(game=game, setup=setup, grade="A2", tips=True, deadline=60 * MINUTES)
    played.play(1, orders=4)
    asked = played.game.pending(played.state)[0]
    due = later(AT, 60 * (played.minutes + MINUTES))
    passed = DeadlinePassed(asked.seat, asked.question, asked.subject, due)
    said = passed if named else UNSET

    def change(record: Any) -> Any:
        if isinstance(record, OrdersLocked):
            return msgspec.structs.replace(record, passed=said)
        return passed if isinstance(record, DeadlinePassed) else record

    played.cheat = Cheat(record=change)
    played.minutes += waits
    played.locks(asked.seat, played.game.usual(played.state, asked))
    played.by_clock(asked.seat, MINUTES - waits)
    return played


@pytest.mark.parametrize("viewer", ["p1", "p2", "public"])
def test_it_does_when_the_time_is_over(viewer: str) -> None:
    verdict = verify(answered(MINUTES).export(viewer), FIRING)
    assert verdict.word == "UPHELD", verdict.text()


@pytest.mark.parametrize("viewer", ["p1", "p2", "public"])
def test_not_before(viewer: str) -> None:
    finding = verify(answered(MINUTES - 1).export(viewer), FIRING).finding
    assert finding is not None
    assert (finding.check, finding.what) == ("time", "order locked by the clock")


@pytest.mark.parametrize("viewer", ["p1", "p2", "public"])
def test_not_under_the_name_of_the_seat(viewer: str) -> None:
    finding = verify(answered(1, named=False).export(viewer), FIRING).finding
    assert finding is not None
    assert finding.what == "given by the clock"
