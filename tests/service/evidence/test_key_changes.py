"""A seat's key is lost, or another takes its place: by a ruling, which every verdict names."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from msgspec import UNSET

from service.evidence.casefile import open_case, unpack
from service.evidence.records import KeyChanged
from service.evidence.seatkeys import SeatKey, what_is_passed_on
from service.evidence.signing import SigningKey
from service.evidence.verdict import Verdict
from service.evidence.verify import verify
from service.log.keywatch import of_own
from tests.support import pennant
from tests.support.pennant import Choose, Fire

from .playing import GAME_ID, GAMES, Cheat, Table
from .test_signed_orders import KEY, ONE, _with_key, signed

TWO, THREE = SigningKey("two", b"2" * 32), SigningKey("three", b"3" * 32)
GAME = GAME_ID.hex()
NEVER_HAD = "a public key of Ed25519 that the seat never had"


def seat_key(key: SigningKey, keeper: Any = "client") -> SeatKey:
    return SeatKey(key.verify_key.public.hex(), keeper)


def passed_on(new: SeatKey, by: SigningKey = ONE, seat: str = "p1") -> str:
    return by.sign(what_is_passed_on(GAME, seat, new)).hex()


def rotation(new: SeatKey | None = None, **other: Any) -> KeyChanged:
    new = new or seat_key(TWO)
    return msgspec.structs.replace(
        KeyChanged("p1", KEY.public, "a new telephone", new, passed_on(new)), **other
    )


def lost() -> KeyChanged:
    return KeyChanged("p1", KEY.public, "it is gone")


def played(change: KeyChanged, then: SigningKey | None = TWO) -> Table:
    """A game in which p1 signs, by ``then`` after its key is another."""
    table = Table(setup=pennant.setup(8), length=64, cheat=Cheat(record=_with_key))
    table.order("p1", Choose("bold"))
    table.order("p2", Choose("steady"))
    table.order("p1", Fire())
    at = table.rekeys(change)
    table.play(3)
    return signed(table, by=lambda seq: ONE if seq < at else then)


def told(table: Table) -> Verdict:
    return verify(table.export(), GAMES)


def vouched(verdict: Verdict) -> str:
    return next(each.by for each in verdict.vouched if each.what == "orders")


def test_a_key_that_the_seat_has_passed_on_keeps_its_grade() -> None:
    verdict = told(played(rotation()))
    assert verdict.word == "UPHELD", verdict.text()
    assert "p1 (O1)" in vouched(verdict)
    assert "another key, as it has signed by the old one" in verdict.text()
    assert '"a new telephone"' in verdict.text()


def test_to_a_page_it_falls_to_what_a_page_is_worth() -> None:
    assert "p1 (O1p)" in vouched(told(played(rotation(seat_key(TWO, "page")))))


@pytest.mark.parametrize(
    ("change", "then"),
    [
        (KeyChanged("p1", KEY.public, "he says so", seat_key(TWO)), TWO),
        (msgspec.structs.replace(lost(), reason="he says so"), None),
    ],
)
def test_by_the_operators_word_alone_the_orders_are_the_services(
    change: KeyChanged, then: SigningKey | None
) -> None:
    verdict = told(played(change, then))
    assert (verdict.word, verdict.orders) == ("UPHELD", "O0"), verdict.text()
    assert "the service alone for p1" in vouched(verdict)
    assert '"he says so"' in verdict.text()
    # Of p1's orders two came before the ruling: by the operator's key none is the seat's.
    assert "2 orders are signed by their seats" in verdict.text()
    assert "of which 2 orders are signed" in vouched(verdict)


@pytest.mark.parametrize(
    ("change", "then", "what"),
    [
        (rotation(), ONE, "signature of p1's order"),
        (rotation(), None, "signature of p1's order"),
        (rotation(signature="00" * 64), TWO, "signature of p1's new key"),
        (rotation(signature=passed_on(seat_key(THREE))), TWO, "signature of p1's new key"),
        (rotation(signature=passed_on(seat_key(TWO), TWO)), TWO, "signature of p1's new key"),
        (rotation(old=seat_key(THREE).public), TWO, "key of p1"),
        (rotation(seat="p2"), TWO, "key of p2"),
        (rotation(key=UNSET), None, "key of p1"),
        (rotation(key=SeatKey("00" * 32, "client"), signature=UNSET), TWO, "key of p1"),
        (rotation(key=KEY, signature=UNSET), ONE, "key of p1"),
    ],
)
def test_what_does_not_fit_is_refuted(
    change: KeyChanged, then: SigningKey | None, what: str
) -> None:
    verdict = told(played(change, then))
    assert verdict.finding is not None, verdict.text()
    assert verdict.finding.what == what


def replayed() -> Table:
    """TWO leaks, p1 goes back to ONE; then the operator puts TWO in again by the first signature,
    which anybody finds in the record."""
    table = Table(setup=pennant.setup(8), length=64, cheat=Cheat(record=_with_key))
    table.order("p1", Choose("bold"))
    table.order("p2", Choose("steady"))
    table.rekeys(rotation())
    back = passed_on(seat_key(ONE), TWO)
    table.rekeys(KeyChanged("p1", seat_key(TWO).public, "it leaked", seat_key(ONE), back))
    at = table.rekeys(rotation())
    table.play(3)
    return signed(table, by=lambda seq: ONE if seq < at else TWO)


def test_a_key_that_was_taken_away_does_not_come_back() -> None:
    verdict = told(replayed())
    assert verdict.finding is not None, verdict.text()
    assert (verdict.finding.what, verdict.finding.expected) == ("key of p1", NEVER_HAD)


def test_a_key_is_watched_for_as_long_as_it_is_the_seats() -> None:
    case = open_case(*unpack(played(rotation()).export()))

    def counted(key: SigningKey) -> int:
        found = of_own("file", case, seat_key(key).public, ())
        return sum(each.kind == "alarm" for each in found)

    signed_by_p1 = sum(order.signature is not UNSET for order in case.orders)
    assert (counted(ONE), counted(TWO)) == (2, signed_by_p1 - 2)
    assert counted(TWO) > 0
