"""The last answer is remembered for the very object that was asked about, and for no other."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from domain.kernel.codec import canonical, read_back
from domain.kernel.memo import LazyList, latest, noted, notes
from domain.kernel.tally import Tally
from domain.kernel.values import Value


def test_the_same_object_is_worked_out_once_and_an_equal_one_anew() -> None:
    asked: list[object] = []

    @latest
    def work(value: object) -> object:
        """Hands it back."""
        asked.append(value)
        return value

    one, equal = Tally(0, ()), Tally(0, ())
    assert one == equal
    assert [work(one), work(one), work(equal), work(one)] == [one] * 4
    assert [id(value) for value in asked] == [id(one), id(equal), id(one)]
    assert work.__doc__ == "Hands it back."


def test_an_answer_of_none_is_remembered_too() -> None:
    calls: list[object] = []

    @latest
    def work(value: object) -> None:
        calls.append(value)

    state = object()
    work(state)
    work(state)
    assert calls == [state]


class Table(Value, frozen=True, dict=True):
    """A state that has room for notes."""

    turn: int = 0


def test_what_is_noted_of_a_name_is_found_again_whatever_was_asked_meanwhile() -> None:
    asked: list[tuple[int, str]] = []

    @noted
    def work(table: Table, seat: str) -> str | None:
        asked.append((table.turn, seat))
        return None if seat == "p2" else f"{seat} in {table.turn}"

    one, other = Table(1), Table(2)
    answers = [work(one, "p1"), work(other, "p1"), work(one, "p2"), work(one, "p1")]
    assert answers == ["p1 in 1", "p1 in 2", None, "p1 in 1"]
    assert work(one, "p2") is None
    assert asked == [(1, "p1"), (2, "p1"), (1, "p2")]
    assert work(replace(one, turn=3), "p1") == "p1 in 3"


def test_two_functions_note_apart() -> None:
    @noted
    def low(table: Table, seat: str) -> str:
        return seat.lower()

    @noted
    def high(table: Table, seat: str) -> str:
        return seat.upper()

    table = Table()
    assert (low(table, "Ax"), high(table, "Ax")) == ("ax", "AX")


def test_a_list_is_made_as_far_as_it_is_asked_for_and_once() -> None:
    made: list[int] = []

    def work() -> Iterator[int]:
        for number in range(3):
            made.append(number)
            yield number

    begun = LazyList(work)
    assert begun.any()
    assert made == [0]
    assert begun.all() == begun.all() == (0, 1, 2)
    assert made == [0, 1, 2]


def test_who_comes_while_another_goes_on_begins_anew() -> None:
    """The second asks in the middle of the first: an iterator may not be entered twice."""
    found: list[tuple[int, ...]] = []

    def work() -> Iterator[int]:
        yield 0
        if not found:
            found.append(())
            found.append(begun.all())
        yield 1

    begun = LazyList(work)
    begun.any()
    assert begun.all() == (0, 1)
    assert found[1] == (0, 1)


def test_an_empty_list_is_known_to_be_empty() -> None:
    begun: LazyList[int] = LazyList(tuple)
    assert not begun.any()
    assert begun.all() == ()


class Roomy(Value, frozen=True, dict=True):
    number: int = 1


def test_a_note_is_no_part_of_the_value() -> None:
    noted, plain = Roomy(2), Roomy(2)
    notes(noted)["asked"] = "p1"
    assert notes(noted) == {"asked": "p1"}
    assert noted == plain
    assert canonical(noted) == canonical(plain)
    for other in (replace(noted), replace(noted, number=3), read_back(noted), plain):
        assert notes(other) == {}


def test_a_value_without_room_keeps_no_note() -> None:
    value = Tally(0, ())
    notes(value)["asked"] = "p1"
    assert notes(value) == {}
