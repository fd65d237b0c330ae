"""A service that locks no order, or another one, or opens links before their time, is refuted."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from service.evidence.records import (
    BatchRolled,
    BatchVoided,
    LinksClosed,
    LinksGiven,
    OrdersLocked,
    Record,
)
from service.evidence.verify import verify
from tests.support import pennant
from tests.support.pennant import Fire, Pass

from .playing import GAMES, Cheat, Table
from .test_cheats import on_type

replace = msgspec.structs.replace
LONG = pennant.setup(10)
PASSED = '{"type":"pennant.pass"}'


def table(cheat: Cheat | None = None, **fields: Any) -> Table:
    return Table(setup=LONG, grade="A2", tips=True, cheat=cheat or Cheat(), **fields)


def finding(of: Table) -> Any:
    verdict = verify(of.forge(), GAMES)
    assert verdict.word == "REFUTED", verdict.text()
    return verdict.finding


def second(type_: type[Record], change: Callable[[Any], Record]) -> Cheat:
    """What is cheated with in the second batch alone."""
    return Cheat(record=on_type(type_, lambda record: change(record) if record.t == 2 else record))


def test_an_honest_one_is_upheld_at_grade_a2() -> None:
    verdict = verify(table().play(1).export(), GAMES, grade="A2")
    assert (verdict.word, verdict.grade) == ("UPHELD", "A2"), verdict.text()


def test_absences_are_counted_and_leave_the_grade_as_long_as_one_was_there() -> None:
    verdict = verify(table(prompt=("p2",)).play(1).export(), GAMES)
    assert (verdict.word, verdict.grade) == ("UPHELD", "A2"), verdict.text()
    assert verdict.absences == {"p1": len(verdict.batches)}


def test_links_that_were_given_ahead_never_print_a2() -> None:
    found = Table(setup=LONG, grade="A1", tips=True)
    for seat in found.setup.seats:
        found.gives(seat, 90)
    verdict = verify(found.play(1).export(), GAMES, grade="A2")
    assert (verdict.code, verdict.grade) == (4, "A1")


MISFITS = [
    (second(OrdersLocked, lambda r: replace(r, digest="ab" * 32)), "order that was locked"),
    (second(OrdersLocked, lambda r: replace(r, command="c_other")), "order that was locked"),
    (
        second(OrdersLocked, lambda r: replace(r, order='{"type":"pennant.pass"}')),
        "locked order",
    ),
    (second(OrdersLocked, lambda r: replace(r, t=3)), "first batch of the locked order"),
    (second(OrdersLocked, lambda r: replace(r, seconds=0)), "seconds for links"),
    (second(LinksClosed, lambda r: replace(r, t=3)), "batch whose links are closed"),
    (second(LinksClosed, lambda r: replace(r, absent=("p1",))), "seats that are absent"),
    (
        second(LinksClosed, lambda r: replace(r, unlogged=True)),
        "the lock was not in the public log",
    ),
]
CHEATS = [cheat for cheat, _ in MISFITS]


@pytest.mark.parametrize(("cheat", "what"), MISFITS)
def test_a_lock_that_does_not_fit(cheat: Cheat, what: str) -> None:
    assert finding(table(cheat).play(1)).what == what


def test_the_order_is_not_exchanged_when_the_links_are_known() -> None:
    """The whole point: having seen the links, the service and a player would like another one."""
    played = table().play(1, orders=2)
    seat = played.game.pending(played.state)[0].seat
    played.locks(seat, Fire("hull"))
    played.grade = "A1"  # the table locks nothing more
    played.order(seat, Pass())
    verdict = verify(played.export("public"), GAMES)
    assert verdict.finding is not None
    assert verdict.finding.what == "order that was locked"


def test_no_dice_without_a_lock() -> None:
    played = table()
    played.play(1, orders=2)
    played.locks = lambda seat, command: None  # type: ignore[method-assign]
    found = verify(played.play(1, orders=3).export("public"), GAMES).finding
    assert found is not None
    assert (found.expected, found.found) == ("of an order that was locked", "no lock")


def without(kept: type[Record]) -> Table:
    played = table()
    write = played.write

    def some(items: Any, *more: Any, **named: Any) -> None:
        if [type(item) for item in items] != [kept]:
            write(items, *more, **named)

    played.write = some  # type: ignore[method-assign]
    return played


def test_links_are_closed_before_the_dice_fall() -> None:
    assert finding(without(LinksClosed).play(1)).expected == "closed before it"


def test_links_are_taken_after_the_lock_and_for_its_batch_alone() -> None:
    early = table()
    early.gives("p1", 1)
    assert finding(early.play(1)).what == "links of p1"
    ahead = table(second_given())
    assert finding(ahead.play(1)).what.startswith("links of")


def second_given() -> Cheat:
    return Cheat(record=on_type(LinksGiven, lambda r: replace(r, upto=3) if r.upto == 2 else r))


def test_who_is_absent_was_waited_for() -> None:
    played = table(prompt=("p1",))
    played.minutes = 0
    close = played.locks

    def at_once(seat: str, command: Any) -> None:
        close(seat, command)
        played.minutes = 0

    played.locks = at_once  # type: ignore[method-assign]
    cheat = Cheat(envelope=lambda fields: {**fields, "at": "2030-01-01T00:00:00.000Z"})
    played.cheat = cheat
    found = finding(played.play(1))
    assert (found.check, found.what) == ("time", "links closed")


def test_a_link_is_not_left_out_after_all() -> None:
    def change(record: BatchRolled) -> BatchRolled:
        return replace(record, player_links=("", record.player_links[1]))

    assert finding(table(second(BatchRolled, change)).play(1)).what == "link of p1"


def test_no_lock_in_a_game_of_another_grade() -> None:
    played = Table(setup=LONG, grade="A1", tips=True).play(1, orders=2)
    seat = played.game.pending(played.state)[0].seat
    played.locks(seat, Fire("hull"))
    found = verify(played.export("public"), GAMES).finding
    assert found is not None
    assert found.expected == "in a game of grade A2 or A3"


def voided(cheat: Cheat | None = None) -> Table:
    """A game in which an order was locked, and its batch voided."""
    played = table(cheat).play(1, orders=4)
    played.voids(Fire("hull"), played.game.pending(played.state)[0].seat)
    return played.play(1)


def test_a_batch_that_was_voided_is_named_and_its_number_is_never_used_again() -> None:
    verdict = verify(voided().export(), GAMES)
    assert (verdict.word, verdict.grade) == ("UPHELD", "A2"), verdict.text()
    numbers = [batch.t for batch in verdict.batches]
    assert len(set(range(1, max(numbers) + 1)) - set(numbers)) == 1
    assert "the operator voided batch" in verdict.text()


VOIDS = [
    (lambda r: replace(r, link="ab" * 32), "link"),
    (lambda r: replace(r, t=r.t + 1), "batch that is voided"),
    (lambda r: replace(r, link=""), "server link"),
    (lambda r: replace(r, domain="side:p9"), "domain"),
]


def void_of(change: Any) -> Cheat:
    return Cheat(record=on_type(BatchVoided, change))


@pytest.mark.parametrize(("change", "what"), VOIDS)
def test_a_void_that_does_not_fit(change: Any, what: str) -> None:
    verdict = verify(voided(void_of(change)).export(), GAMES)
    assert verdict.finding is not None
    assert what in verdict.finding.what


def test_nothing_is_voided_that_is_not_locked() -> None:
    played = table().play(1, orders=4)
    write = played.write
    played.write = lambda items, *more, **named: (  # type: ignore[method-assign]
        None if isinstance(items[0], OrdersLocked) else write(items, *more, **named)
    )
    played.voids(Fire("hull"), "p1")
    found = verify(played.export("public"), GAMES).finding
    assert found is not None
    assert (found.what, found.expected) == ("batch that is voided", "0")


def stood(minutes: int) -> Table:
    """A game in which the clocks stood for so long while an order was locked; then one seat is
    absent half a minute after the lock at the earliest, as if they had run."""
    played = table(prompt=("p1",)).play(1, orders=2)
    locks = played.locks

    def standing(seat: str, command: Any) -> None:
        gives = played.gives

        def after(each: str, upto: int) -> None:
            played.stops({})
            played.minutes += minutes
            played.resumes()
            played.minutes -= 1
            gives(each, upto)

        played.gives = after  # type: ignore[method-assign,assignment]
        locks(seat, command)
        played.gives = gives  # type: ignore[method-assign]
        played.locks = locks  # type: ignore[method-assign]

    played.locks = standing  # type: ignore[method-assign]
    return played.play(1)


def test_while_the_clocks_stood_nobody_was_late_for_his_link() -> None:
    found = verify(stood(60).export(), GAMES).finding
    assert found is not None
    assert (found.check, found.what) == ("time", "links closed")
