"""The last answer is remembered for the very object that was asked about, and for no other."""

from __future__ import annotations

from domain.kernel.memo import latest
from domain.kernel.tally import Tally


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
