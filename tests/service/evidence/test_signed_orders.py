"""Orders of seats with keys, in records of a service: what the clock gave, no seat has signed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from service.container import unpack
from service.evidence.bundle import EVENTS
from service.evidence.records import GameCreated, SeatTakenRecord
from service.evidence.seatkeys import (
    Given,
    OrderSignature,
    SeatKey,
    grade_of,
    stored,
    what_is_signed,
)
from service.evidence.signing import SigningKey
from service.evidence.verify import verify
from tests.support import pennant
from tests.support.damaged import relinked
from tests.support.pennant import Choose, Fire, Pass

from .playing import GAME_ID, GAMES, Cheat, Table, decode

ONE = SigningKey("one", b"1" * 32)
KEY = SeatKey(ONE.verify_key.public.hex(), "client")


def _with_key(record: Any) -> Any:
    if not isinstance(record, GameCreated):
        return record
    return msgspec.structs.replace(record, keys={"p1": KEY})


def signed(
    table: Table,
    *,
    by_clock: bool = False,
    question: str = "",
    rules: str = "",
    chains: str = "",
    by: Callable[[int], SigningKey | None] = lambda seq: ONE,
) -> Table:
    """The orders of p1 signed, as far as it gave them; ``by_clock``: the clock's as well.

    question  what it says that it answers, in place of what it was asked
    by        which key signs the order of that event, if one does
    rules, chains  to which it says that they are bound, in place of those of the game's beginning
    """
    rules = rules or decode(table.rows[0].body)["data"]["rules"]["digest"]
    chains = chains or table.book.g.hex()
    newest = 0
    first = {order.first: place for place, order in enumerate(table.orders)}
    for row in table.rows:
        event = decode(row.body)
        place = first.get(event["seq"], -1)
        own = place >= 0 and table.orders[place].seat == "p1"
        key = by(event["seq"])
        if own and key is not None and (by_clock or event["type"] != "decklog.deadline-passed"):
            order = table.orders[place]
            about, subject = table.questions[place]
            asked = OrderSignature(question or about, subject, "")
            given = Given(GAME_ID.hex(), "p1", newest, order.command, rules, chains)
            value = key.sign(what_is_signed(given, asked)).hex()
            made = msgspec.structs.replace(asked, value=value)
            table.orders[place] = msgspec.structs.replace(order, signature=stored(made))
        newest = event["seq"] if event["actor"] == "p1" else newest
    return table


def slow_game() -> Table:
    """The clock answers once for p1, which signs its orders."""
    table = Table(setup=pennant.setup(8), length=64, deadline=120, cheat=Cheat(record=_with_key))
    table.order("p1", Choose("bold"))
    table.order("p2", Choose("steady"))
    for turn in range(4):
        table.order(f"p{turn % 2 + 1}", Pass())
    table.by_clock("p1", 2)
    table.order("p2", Fire())
    return table.play(3)


def test_what_the_clock_gave_is_not_signed_and_all_else_is() -> None:
    table = signed(slow_game())
    told = verify(table.export(), GAMES)
    own = sum(bool(order.signature) for order in table.orders)
    assert (told.code, told.orders) == (0, "O0")
    assert f"{own} orders are signed by their seats" in told.text()
    assert own == sum(order.seat == "p1" for order in table.orders) - 1


@pytest.mark.parametrize("viewer", ["truth", "p1"])
def test_an_answer_to_another_question_is_none_to_this_one(viewer: str) -> None:
    """What a seat has signed is held back until it fits a question that it was not given for."""
    told = verify(signed(slow_game(), question="another").export(viewer), GAMES)
    assert (told.code, told.finding and told.finding.what) == (1, "question that is answered")


@pytest.mark.parametrize(("rules", "chains"), [("0" * 64, ""), ("", "0" * 64)])
def test_a_signature_is_bound_to_the_rules_and_chains_in_use(rules: str, chains: str) -> None:
    """Else an order that was given under some rules, or before the store went back, fits again."""
    told = verify(signed(slow_game(), rules=rules, chains=chains).export(), GAMES)
    assert (told.code, told.finding and told.finding.check) == (1, "order")
    assert told.finding is not None
    assert told.finding.what == "signature of p1's order"


def test_after_a_new_start_a_seat_signs_for_the_new_chains() -> None:
    def again() -> Table:
        table = Table(setup=pennant.setup(8), length=64, cheat=Cheat(record=_with_key))
        table.goes_back(b"n" * 32)
        return table.play(3)

    new = again()
    chains = new.epoch.params(new.book.g).hex()
    assert chains != new.book.g.hex()
    assert verify(signed(new, chains=chains).export(), GAMES).code == 0
    told = verify(signed(again()).export(), GAMES)
    assert (told.code, told.finding and told.finding.what) == (1, "signature of p1's order")


def test_a_seat_does_not_sign_for_the_clock_nor_the_clock_for_the_seat() -> None:
    forged = verify(signed(slow_game(), by_clock=True).export(), GAMES)
    assert (forged.code, forged.finding and forged.finding.found) == (1, "one")
    unsigned = verify(slow_game().export(), GAMES)
    assert (unsigned.code, unsigned.finding and unsigned.finding.found) == (1, "none")


@pytest.mark.parametrize("viewer", ["p1", "p2", "public"])
def test_a_game_in_play_shows_the_signatures_of_the_orders_that_it_shows(viewer: str) -> None:
    table = Table(setup=pennant.setup(8), length=64, cheat=Cheat(record=_with_key))
    table.order("p1", Choose("bold"))
    table.order("p2", Choose("steady"))
    table.order("p1", Fire())
    told = verify(signed(table).export(viewer), GAMES)
    assert told.code == 0
    checked = {passed.check: passed.count for passed in told.checks}
    assert checked.get("signed orders", 0) == (2 if viewer == "p1" else 1)
    hidden = {"p1": 1, "p2": 1, "public": 2}[viewer]
    said = next(each.by for each in told.vouched if each.what == "orders")
    assert said.endswith(f"; {hidden} orders are sealed in this file: nobody has checked them")


def test_the_grade_is_the_lowest_of_all_seats() -> None:
    page = SeatKey(KEY.public, "page")
    assert grade_of({"p1": KEY, "p2": KEY}, ("p1", "p2")) == "O1"
    assert grade_of({"p1": KEY, "p2": page}, ("p1", "p2")) == "O1p"
    assert grade_of({"p1": KEY}, ("p1", "p2")) == "O0"


def _seated(before: int = 1) -> Table:
    """p1 brings its key when it takes its seat: before its first order, so many times, or after."""

    def brings(record: Any) -> Any:
        own = isinstance(record, SeatTakenRecord) and record.seat == "p1"
        return msgspec.structs.replace(record, key=KEY) if own else record

    table = Table(setup=pennant.setup(8), length=64, waiting=("p1",), cheat=Cheat(record=brings))
    for _ in range(before):
        table.taken("p1")
    table.order("p1", Choose("bold"))
    if not before:
        table.taken("p1")
    table.order("p2", Choose("steady"))
    return table


def test_a_seat_is_taken_once_so_that_nobody_puts_another_key_in_its_place() -> None:
    honest = _seated().play(3)
    assert verify(signed(honest).export(), GAMES).code == 0
    told = verify(signed(_seated(before=2).play(3)).export(), GAMES)
    assert (told.code, told.finding and told.finding.what) == (1, "seat")


def test_the_key_of_a_seat_that_was_kept_stays() -> None:
    table = Table(setup=pennant.setup(8), length=64, cheat=Cheat(record=_with_key))
    table.taken("p1")
    told = verify(signed(table.play(3)).export(), GAMES)
    assert (told.code, told.finding and told.finding.what) == (1, "seat")


def test_no_order_of_a_seat_comes_before_its_key() -> None:
    told = verify(_seated(before=0).export("p1"), GAMES)
    assert told.code == 1
    assert told.finding is not None
    assert told.finding.expected == "after the seat was taken, event 4"


@pytest.mark.parametrize("g", ["0" * 63 + "x", "0" * 63, "A" * 64])
def test_chains_that_are_no_hex_are_refuted_and_no_fault_of_the_judge(g: str) -> None:
    """Every hash fits; in a file that opens no master nothing else reads them before."""
    files = unpack(Table(setup=pennant.setup(8)).play(1, 4).export("p1"))
    events = [msgspec.json.decode(line) for line in files[EVENTS].splitlines()]
    events[0]["data"]["params"]["g"] = g
    verdict = verify(relinked(files, events), GAMES)
    assert verdict.word == "REFUTED", verdict.text()
