"""Absences, rounds and forfeits that the record's own order and times contradict."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from service.evidence.beacon import NETWORKS, QUICKNET
from service.evidence.records import (
    BatchRolled,
    GameCreated,
    LinksClosed,
    OrdersLocked,
    Paused,
    Resumed,
)
from service.evidence.verify import verify
from tests.support import pennant
from tests.support.beacon import OWN
from tests.support.pennant import Fire

from .playing import AT, GAMES, SECRETS, Cheat, Table
from .test_cheats import on_type

replace = msgspec.structs.replace


@pytest.fixture(autouse=True)
def _own_beacon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(NETWORKS, QUICKNET, OWN)


def standing(*, orders: bool) -> Table:
    """The clocks stand, and p2 is said to be absent half a minute after the lock."""
    played = Table(setup=pennant.setup(12), grade="A2", tips=True, prompt=("p1",))
    closes = played.closes

    def while_they_stand(t: int, absent: tuple[str, ...]) -> None:
        played.minutes -= 1
        played.stops({}, orders=orders)
        played.minutes += 1
        closes(t, absent)
        played.resumes()
        played.closes = closes  # type: ignore[method-assign]

    played.closes = while_they_stand  # type: ignore[method-assign]
    return played.play(1)


def said_in_vain() -> Table:
    """An order has the absence of a seat, and no dice that it could be absent from."""
    more: dict[str, Any] = {"grade": "A1", "tips": True, "length": 64, "secrets": SECRETS}
    played = Table(setup=pennant.setup(12), **more)
    write, told = played.write, False

    def slandered(items: Any, cause: Any, *rest: Any, **named: Any) -> None:
        nonlocal told
        if not told and cause.id and not any(isinstance(each, BatchRolled) for each in items):
            items, told = [*items, LinksClosed(1, ("p2",))], True
        write(items, cause, *rest, **named)

    played.write = slandered  # type: ignore[method-assign]
    return played.play(1)


def of_an_old_round() -> Table:
    """By the record itself it was there when the links were closed: an event before is later."""
    played = Table(setup=pennant.setup(6), grade="A3", tips=True)
    played.minutes = 60
    locks = played.locks

    def back(seat: str, command: Any) -> None:
        closes = played.closes

        def closed(t: int, absent: tuple[str, ...]) -> None:
            played.minutes -= 30
            closes(t, absent)
            played.minutes += 30

        played.closes = closed  # type: ignore[method-assign]
        locks(seat, command)
        played.closes, played.locks = closes, locks  # type: ignore[method-assign]

    played.locks = back  # type: ignore[method-assign]
    return played.play(1)


def hurried() -> Table:
    """A seat that had one second for its link is called absent."""
    cheat = Cheat(record=on_type(OrdersLocked, lambda r: replace(r, seconds=1)))
    return Table(setup=pennant.setup(6), grade="A2", tips=True, prompt=("p1",), cheat=cheat).play(1)


def forfeiting(number: int, grade: str) -> Table:
    """A game says that one forfeits at an absence that there is not."""
    cheat = Cheat(record=on_type(GameCreated, lambda r: replace(r, forfeit=number)))
    return Table(setup=pennant.setup(6), grade=grade, tips=True, cheat=cheat).play(1)


LIES: dict[str, tuple[Callable[[], Table], str]] = {
    "absent while frozen": (lambda: standing(orders=False), "clocks"),
    "absent while the clocks stand": (lambda: standing(orders=True), "clocks"),
    "absent from nothing": (said_in_vain, "seats that are absent, on record before it"),
    "absent after a second": (hurried, "seconds for links"),
    "forfeit at no absence": (lambda: forfeiting(0, "A2"), "forfeit"),
    "forfeit below none": (lambda: forfeiting(-1, "A2"), "forfeit"),
    "forfeit without locks": (lambda: forfeiting(3, "A1"), "forfeit"),
    "a round that was there": (of_an_old_round, "named"),
}


@pytest.mark.parametrize("lie", LIES)
def test_a_record_that_contradicts_itself_is_refuted(lie: str) -> None:
    made, what = LIES[lie]
    verdict = verify(made().forge(), GAMES)
    assert verdict.word == "REFUTED", verdict.text()
    assert verdict.finding is not None
    assert what in verdict.finding.what


def turned_back() -> Table:
    """The clocks are stopped at the end of time, and go on at its beginning."""
    times = {Paused.TYPE: "9999-12-31T23:59:59.999Z", Resumed.TYPE: "0001-01-01T00:00:00.000Z"}
    cheat = Cheat(
        envelope=lambda fields: {**fields, "at": times.get(fields["type"], "0002" + AT[4:])}
    )
    played = Table(setup=pennant.setup(6), grade="A2", tips=True, cheat=cheat)
    closes = played.closes

    def stood(t: int, absent: tuple[str, ...]) -> None:
        played.stops({}, orders=True)
        played.resumes()
        closes(t, absent)

    played.closes = stood  # type: ignore[method-assign]
    return played.play(1)


def test_times_that_lead_out_of_the_calendar_break_no_judge() -> None:
    assert verify(turned_back().forge(), GAMES).word in {"UPHELD", "REFUTED"}


def before_the_store_went_back() -> Table:
    """A round has come for a batch, and the store went back before it fell: the seats begin no
    chain again, and the batch has no link and no round."""
    played = Table(setup=pennant.setup(12), grade="A3", tips=True, length=64).play(1, orders=4)
    seat = played.game.pending(played.state)[0].seat
    played.locks(seat, Fire("hull"))
    played.goes_back(b"\x2a" * 32)
    played.tips, played.renewing, played.given = False, set(), {}
    played.beacons.clear()
    return played.play(2)


def test_a_round_of_before_is_in_no_batch_after_a_new_start() -> None:
    verdict = verify(before_the_store_went_back().export(), GAMES)
    assert (verdict.word, verdict.grade) == ("UPHELD", "A0"), verdict.text()
