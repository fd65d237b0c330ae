"""Grade A3: a round of a public beacon is in each batch, that was named before it came."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from msgspec import UNSET

from service.evidence.beacon import NETWORKS, QUICKNET
from service.evidence.chain import NO_CAUSE
from service.evidence.records import SERVICE, BeaconSeen, GameCreated, LinksClosed, Record
from service.evidence.verify import verify
from tests.support import pennant
from tests.support.beacon import OWN, REAL, signed
from tests.support.pennant import Fire

from .playing import GAMES, Cheat, Table
from .test_cheats import on_type
from .test_locked import second

replace = msgspec.structs.replace


@pytest.fixture(autouse=True)
def _own_beacon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(NETWORKS, QUICKNET, OWN)


def table(cheat: Cheat | None = None, **fields: Any) -> Table:
    setup = pennant.setup(6)
    return Table(setup=setup, grade="A3", tips=True, cheat=cheat or Cheat(), **fields)


def finding(of: Table) -> Any:
    verdict = verify(of.forge(), GAMES)
    assert verdict.word == "REFUTED", verdict.text()
    return verdict.finding


def test_an_honest_one_is_upheld_at_grade_a3() -> None:
    verdict = verify(table().play(1).export(), GAMES, grade="A3")
    assert (verdict.word, verdict.grade) == ("UPHELD", "A3"), verdict.text()
    assert "the service, p1, p2, a public beacon" in verdict.text()
    assert "named before they came" in verdict.text()
    for viewer in ("p1", "p2", "public"):
        assert verify(table().play(1, orders=8).export(viewer), GAMES).grade == "A3"


def test_a_game_of_grade_a2_is_of_a_lower_grade() -> None:
    played = Table(setup=pennant.setup(6), grade="A2", tips=True).play(1)
    verdict = verify(played.export(), GAMES, grade="A3")
    assert (verdict.code, verdict.grade) == (4, "A2")


def test_a_batch_without_a_seats_link_is_of_none_for_all_its_beacon() -> None:
    verdict = verify(table(prompt=()).play(1).export(), GAMES)
    assert (verdict.word, verdict.grade) == ("UPHELD", "A0")


def test_one_honest_seat_is_enough() -> None:
    verdict = verify(table(prompt=("p2",)).play(1).export(), GAMES)
    assert (verdict.word, verdict.grade) == ("UPHELD", "A3")
    assert verdict.absences == {"p1": len(verdict.batches)}


def closing(change: Callable[[Any], Record]) -> Cheat:
    return second(LinksClosed, change)


def coming(change: Callable[[Any], Record]) -> Cheat:
    return second(BeaconSeen, change)


def created(**fields: Any) -> Cheat:
    return Cheat(record=on_type(GameCreated, lambda record: replace(record, **fields)))


MISFITS = [
    (closing(lambda r: replace(r, round=UNSET)), "round of the beacon"),
    (closing(lambda r: replace(r, round=0)), "round of the beacon"),
    (closing(lambda r: replace(r, round=r.round + 1)), "round of the beacon"),
    (closing(lambda r: replace(r, round=r.round - 3)), "named"),
    (closing(lambda r: replace(r, t=3)), "batch whose links are closed"),
    (coming(lambda r: replace(r, round=r.round + 1)), "round of the beacon"),
    (coming(lambda r: replace(r, t=3)), "batch of the beacon"),
    (coming(lambda r: replace(r, signature=signed(r.round, secret=9))), "signature of round"),
    (coming(lambda r: replace(r, signature=signed(r.round + 1))), "signature of round"),
    (coming(lambda r: replace(r, signature=REAL[123])), "signature of round"),
    (coming(lambda r: replace(r, signature="")), "signature of round"),
    (created(beacon=UNSET), "beacon"),
    (created(grade="A2"), "beacon"),
]
CHEATS = [cheat for cheat, _ in MISFITS]


@pytest.mark.parametrize(("cheat", "what"), MISFITS)
def test_a_beacon_that_does_not_fit(cheat: Cheat, what: str) -> None:
    assert what in finding(table(cheat).play(1)).what


def test_a_network_that_the_judge_does_not_know_is_not_judged() -> None:
    verdict = verify(table(created(beacon="ab" * 32)).play(1).forge(), GAMES)
    assert verdict.word == "CANNOT JUDGE"
    assert "is none that this judge knows" in verdict.reason


@pytest.mark.parametrize("number", [2**40, 2**53 - 1])
def test_a_round_that_no_calendar_has_is_waited_for(number: int) -> None:
    """It breaks no judge: until it comes, which is never, no dice fall."""
    cheat = closing(lambda r: replace(r, round=number))
    assert "round of the beacon" in finding(table(cheat).play(1)).what


def test_no_dice_before_the_beacon() -> None:
    played = table()
    write = played.write

    def some(items: Any, *more: Any, **named: Any) -> None:
        if [type(item) for item in items] != [BeaconSeen]:
            write(items, *more, **named)

    played.write = some  # type: ignore[method-assign]
    assert finding(played.play(1)).expected == "closed before it"


def test_a_beacon_counts_where_it_was_waited_for() -> None:
    played = table().play(1, orders=2)
    played.write([BeaconSeen(1, 5, signed(5))], NO_CAUSE, SERVICE, sealing=False)
    assert finding(played.play(1)).what == "beacon"


def test_a_round_that_is_there_before_its_time_tells_of_a_wrong_clock() -> None:
    played = table()
    early = Cheat(
        envelope=lambda fields: (
            {**fields, "at": "2026-11-21T14:00:00.500Z"}
            if fields["type"] == BeaconSeen.TYPE
            else fields
        )
    )
    played.cheat = early
    found = finding(played.play(1))
    assert (found.check, found.expected[-8:]) == ("time", "or later")


def test_no_link_is_taken_while_the_beacon_is_waited_for() -> None:
    played = table(prompt=("p1",))
    write = played.write

    def late(items: Any, *more: Any, **named: Any) -> None:
        write(items, *more, **named)
        if [type(item) for item in items] == [LinksClosed]:
            played.gives("p2", items[0].t)

    played.write = late  # type: ignore[method-assign]
    assert finding(played.play(1)).expected == "before they are closed"


def test_in_a_game_of_grade_a2_nothing_waits_for_a_beacon() -> None:
    played = Table(setup=pennant.setup(6), grade="A2", tips=True).play(1, orders=2)
    seat = played.game.pending(played.state)[0].seat
    closes = played.closes
    played.closes = lambda t, absent: played.write(  # type: ignore[method-assign]
        [LinksClosed(t, absent, round=10)], NO_CAUSE, SERVICE, sealing=False
    )
    played.locks(seat, Fire("hull"))
    played.closes = closes  # type: ignore[method-assign]
    found = verify(played.export("public"), GAMES).finding
    assert found is not None
    assert found.what == "round of a beacon"
