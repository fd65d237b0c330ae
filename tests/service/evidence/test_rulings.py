"""The operator may stop a game, and end it: the record has to keep to what it says."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from service.deadlines import later
from service.evidence.records import DeadlinePassed
from service.evidence.verify import verify
from tests.support import pennant
from tests.support.pennant import Choose, Fire, Pass

from .playing import AT, GAMES, Cheat, Table

SECONDS = 120


def begun(cheat: Cheat | None = None, deadline: int = SECONDS, **more: Any) -> Table:
    """A game in which p1 is to move since AT."""
    setup = pennant.setup(8)
    table = Table(setup=setup, length=64, deadline=deadline, cheat=cheat or Cheat(), **more)
    table.order("p1", Choose("bold"))
    table.order("p2", Choose("steady"))
    return table


def stood_still(minutes: int = 1, left: int = 60, cheat: Cheat | None = None) -> Table:
    """A minute of p1's two has passed; for an hour the game is frozen; then the other passes."""
    table = begun(cheat)
    table.minutes += minutes
    table.stops({"p1": left}, "a complaint")
    table.minutes += 60
    table.resumes()
    return table


def said(due: str) -> Cheat:
    def change(record: Any) -> Any:
        late = isinstance(record, DeadlinePassed)
        return msgspec.structs.replace(record, due=due) if late else record

    return Cheat(record=change)


def found(table: Table) -> tuple[str, str]:
    verdict = verify(table.forge(), GAMES)
    assert verdict.finding is not None, verdict.text()
    return verdict.finding.check, verdict.finding.what


def test_a_game_that_stood_still_and_was_ended_is_upheld_and_the_verdict_says_so() -> None:
    table = stood_still(cheat=said(later(AT, 61 * 60 + 60)))
    table.by_clock("p1", 62)
    table.order("p2", Fire())
    table.ends('He said "no"\nto all.')
    verdict = verify(table.export(), GAMES)
    assert verdict.word == "UPHELD", verdict.text()
    assert verdict.result is None
    notes = "\n".join(verdict.notes)
    assert 'the operator froze the game: "a complaint".' in notes
    assert 'ended the game by ruling, and it has no result: "He said "no" to all.".' in notes
    assert table.forge() == table.export()
    for viewer in ("p1", "p2", "public"):
        at_play = stood_still().export(viewer)
        assert verify(at_play, GAMES).word == "UPHELD"


def test_while_only_the_clocks_stand_still_the_game_goes_on() -> None:
    table = begun(said(later(AT, 61 * 60 + SECONDS)))
    table.minutes += 1
    table.stops({"p1": 60}, orders=True)
    table.order("p1", Pass())
    table.minutes += 60
    table.resumes()
    table.by_clock("p2", 63)
    assert verify(table.play(2).export(), GAMES).word == "UPHELD"
    table = begun(said(later(AT, 61 * 60 + SECONDS - 1)))
    table.minutes += 1
    table.stops({"p1": 60}, orders=True)
    table.order("p1", Pass())
    table.minutes += 60
    table.resumes()
    table.by_clock("p2", 63)
    table.ends("")
    assert found(table) == ("time", "due")


def after(*steps: Callable[[Table], Any]) -> Table:
    table = begun()
    for step in steps:
        step(table)
    table.ends("")
    return table


def frozen(table: Table) -> None:
    table.stops({"p1": SECONDS})


@pytest.mark.parametrize(
    ("table", "check", "what"),
    [
        (lambda: after(frozen, lambda t: t.order("p1", Pass())), "record", "place"),
        (lambda: after(frozen, lambda t: t.taken("p1")), "record", "place"),
        (lambda: after(frozen, frozen), "record", "clocks"),
        (lambda: after(lambda t: t.resumes()), "record", "clocks"),
        (lambda: after(frozen, lambda t: t.resumes(), lambda t: t.resumes()), "record", "clocks"),
        (lambda: after(lambda t: t.stops({"p1": SECONDS - 1})), "time", "left to p1"),
        (lambda: after(lambda t: t.stops({"p2": SECONDS})), "time", "left"),
        (
            lambda: after(lambda t: t.stops({"p1": SECONDS}, orders=True), by_clock),
            "time",
            "clocks",
        ),
    ],
)
def test_what_does_not_keep_to_it_is_found_out(
    table: Callable[[], Table], check: str, what: str
) -> None:
    assert found(table()) == (check, what)


def by_clock(table: Table) -> None:
    table.by_clock("p1", 3)


def test_nobody_is_answered_for_before_what_was_left_has_passed() -> None:
    for left, due in ((60, 61 * 60 + 59), (90, 61 * 60 + 60)):
        table = stood_still(left=left, cheat=said(later(AT, due)))
        table.by_clock("p1", 63)
        table.order("p2", Fire())
        table.ends("")
        assert found(table) == ("time", "due")


def test_nothing_comes_after_a_ruling_that_ends_the_game() -> None:
    table = begun()
    table.ends("It was right.")
    table.order("p1", Pass())
    table.open_master()
    assert found(table) == ("record", "place")


def test_a_game_without_deadlines_stands_still_as_well() -> None:
    table = begun(deadline=0)
    table.stops({}, "a flood")
    table.resumes()
    table.ends("It was right.")
    assert verify(table.export(), GAMES).word == "UPHELD"
    table = begun(deadline=0)
    table.stops({"p1": 3}, "a flood")
    table.ends("It was right.")
    assert found(table) == ("time", "left")
