"""A game that the service ended because nobody played: so it is upheld, and nothing else is."""

from __future__ import annotations

from typing import Any

from msgspec import UNSET

from service.evidence.verify import verify
from tests.support.pennant import Choose

from .playing import GAMES, Table


def finding(table: Table) -> Any:
    verdict = verify(table.export(), GAMES)
    assert verdict.word == "REFUTED", verdict.text()
    return verdict.finding


def test_a_game_that_nobody_played_is_upheld_and_the_verdict_says_so() -> None:
    for waiting in ((), ("p2",)):
        table = Table(waiting=waiting)
        for seat in waiting:
            table.taken(seat)
        table.left(90)
        verdict = verify(table.export(), GAMES)
        assert (verdict.word, verdict.result) == ("UPHELD", None), verdict.text()
        assert any("Nobody gave a command for 90 days" in note for note in verdict.notes)


def test_it_is_not_ended_before_its_time() -> None:
    table = Table()
    table.left(90, kept=89)
    found = finding(table)
    assert (found.check, found.what) == ("time", "at")
    assert found.expected.startswith("2027-02-19T14:00:00.000Z")


def test_a_seat_that_was_taken_counts() -> None:
    table = Table(waiting=("p2",))
    table.minutes += 24 * 60
    table.taken("p2")
    table.left(90, kept=89)
    assert finding(table).check == "time"


def test_a_game_that_was_played_is_not_ended_so() -> None:
    table = Table()
    table.order("p1", Choose("bold"))
    table.left(90)
    assert finding(table).what == "orders before it"


def test_it_says_for_how_long_and_nobody_gave_the_order() -> None:
    for days in (UNSET, 0, -1):
        table = Table()
        table.left(days, kept=90)
        assert finding(table).what == "days"
    table = Table()
    table.left(90, seat="p1")
    assert finding(table).what == "actor"


def test_who_gives_up_says_nothing_of_days() -> None:
    table = Table(waiting=("p2",))
    table.abandon("p1", Choose("bold"), days=90)
    assert finding(table).what == "days"
