"""A service that answers for a seat too soon, or otherwise than usual, is found out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from domain.kernel.codec import canonical
from service.deadlines import later
from service.evidence.bundle import Order
from service.evidence.records import DeadlinePassed, GameCreated
from service.evidence.verify import verify
from tests.support import pennant
from tests.support.pennant import Choose, Fire, Pass

from .playing import AT, GAMES, Cheat, Table, decode

replace = msgspec.structs.replace
CLOCK = 10
"""The event that says that p1's time was over: after creation, opening, colours, and four turns."""


def slow_game(cheat: Cheat | None = None, minutes: int = 2, seconds: int = 120) -> Table:
    """A game in which the clock answers once, for p1, in its fifth turn; dice may fall or not."""
    table = Table(setup=pennant.setup(8), length=64, deadline=seconds, cheat=cheat or Cheat())
    table.order("p1", Choose("bold"))
    table.order("p2", Choose("steady"))
    for turn in range(4):
        table.order(f"p{turn % 2 + 1}", Pass())
    table.by_clock("p1", minutes)
    table.order("p2", Fire())
    return table


def test_the_same_game_without_a_cheat_is_upheld() -> None:
    table = slow_game().play(3)
    assert verify(table.export(), GAMES).code == 0
    assert table.forge() == table.export()
    passed = decode(table.rows[CLOCK - 1].body)
    assert passed["type"] == DeadlinePassed.TYPE
    assert passed["data"]["due"] == later(AT, 120)
    for viewer in ("p1", "p2", "public"):
        assert verify(slow_game().export(viewer), GAMES).code == 0


def passed(**changes: Any) -> Cheat:
    def change(record: Any) -> Any:
        return replace(record, **changes) if isinstance(record, DeadlinePassed) else record

    return Cheat(record=change)


def created(**changes: Any) -> Cheat:
    def change(record: Any) -> Any:
        return replace(record, **changes) if isinstance(record, GameCreated) else record

    return Cheat(record=change)


def too_soon(fields: dict[str, Any]) -> dict[str, Any]:
    """Answered a second before the time is over."""
    if fields["at"] == later(AT, 120):
        fields["at"] = later(AT, 119)
    return fields


class Instead:
    """Another command in place of the clock's."""

    def __init__(self) -> None:
        self.given = 0

    def __call__(self, command: Any) -> Any:
        self.given += 1
        return Fire() if self.given == 7 else command


@pytest.mark.parametrize(
    ("cheat", "check", "what"),
    [
        (lambda: passed(due=later(AT, 119)), "time", "due"),
        (lambda: passed(due=later(AT, 121)), "time", "at"),
        (lambda: passed(due="soon"), "time", "due"),
        (lambda: passed(seat="p2"), "time", "question"),
        (lambda: passed(question="choose"), "time", "question"),
        (lambda: passed(subject="gale"), "time", "question"),
        (lambda: created(deadline=121), "time", "due"),
        (lambda: created(deadline=msgspec.UNSET), "time", "deadline"),
        (lambda: Cheat(envelope=too_soon), "time", "at"),
        (lambda: Cheat(command=Instead()), "order", "the usual answer"),
    ],
)
def test_a_cheat_with_time(cheat: Callable[[], Cheat], check: str, what: str) -> None:
    verdict = verify(slow_game(cheat()).play(3).forge(), GAMES)
    assert verdict.code == 1
    assert verdict.finding is not None
    assert (verdict.finding.check, verdict.finding.what) == (check, what), verdict.text()
    assert verdict.finding.seq == CLOCK


def test_a_deadline_of_no_time_at_all() -> None:
    verdict = verify(slow_game(created(deadline=0)).play(3).forge(), GAMES)
    assert verdict.finding is not None
    assert (verdict.finding.check, verdict.finding.seq) == ("time", 1)


def test_the_word_of_the_clock_stands_first() -> None:
    """Behind an event of the game it would speak of something that has happened already."""
    table = slow_game()
    asked = table.game.pending(table.state)[0]
    first = table.game.decide(table.state, "p1", Pass())
    late = DeadlinePassed("p1", asked.question, asked.subject, later(AT, 240))
    table.minutes += 2
    start, text = table.chain.seq + 1, canonical(Pass())
    table.write([*first, late], table.seals.cause("c_late", text), "p1")
    table.orders.append(Order("c_late", "p1", text, start, table.chain.seq))
    verdict = verify(table.export("p1"), GAMES)
    assert verdict.finding is not None
    assert (verdict.finding.check, verdict.finding.what) == ("record", "place")


def test_an_early_clock_shows_in_a_bundle_of_a_game_in_play_too() -> None:
    verdict = verify(slow_game(minutes=1).export("p2"), GAMES)
    assert verdict.finding is not None
    assert (verdict.finding.check, verdict.finding.what) == ("time", "at")
