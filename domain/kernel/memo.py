"""What was worked out last, for questions that are asked of the same state again and again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import wraps
from typing import Any, Generic, TypeVar

S = TypeVar("S")
A = TypeVar("A")


def latest(work: Callable[[S], A]) -> Callable[[S], A]:
    """``work`` of an immutable value, remembered for the last one, the very object.

    It is as pure as ``work``: equal objects get equal answers whether they are remembered or not.
    One pair is held, taken and put down as a whole, so threads may share it.
    """
    nothing: tuple[object, A] | None = None
    held = [nothing]

    @wraps(work)
    def remembered(value: S) -> A:
        last = held[0]
        if last is not None and last[0] is value:
            return last[1]
        answer = work(value)
        held[0] = (value, answer)
        return answer

    return remembered


def notes(value: object) -> dict[str, Any]:
    """What is noted on an immutable value, for as long as it lives; to be noted in place.

    The notes are no part of it: they are not compared, not written and not copied. A struct has
    room for them if it is defined with ``dict=True``; on all else nothing is kept. No note may
    hold the value, or it would outlive its last reader.
    """
    found: dict[str, Any] | None = getattr(value, "__dict__", None)
    return {} if found is None else found


def noted(work: Callable[[S, str], A]) -> Callable[[S, str], A]:
    """``work`` of an immutable value and a name, noted on the value; its answer does not hold it.

    So what was found when somebody was asked is there when he answers, whatever was asked of other
    values in the meantime.
    """
    key = f"{work.__module__}.{work.__qualname__}"

    @wraps(work)
    def remembered(value: S, name: str) -> A:
        answers: dict[str, A] = notes(value).setdefault(key, {})
        if name not in answers:
            answers[name] = work(value, name)
        return answers[name]

    return remembered


class LazyList(Generic[A]):
    """A list that is made one by one, only as far as somebody asks, and kept.

    Whoever goes on takes what is begun away as a whole, so threads may share it: who comes
    meanwhile begins anew, and finds the same.
    """

    __slots__ = ("_begun", "_made", "_make")

    def __init__(self, make: Callable[[], Iterable[A]]) -> None:
        self._make = make
        self._begun: list[tuple[tuple[A, ...], Iterator[A]]] = []
        self._made: tuple[A, ...] | None = None

    def any(self) -> bool:
        """Whether there is one; the first is made."""
        rest = iter(self._make())
        for first in rest:
            self._begun.append(((first,), rest))
            return True
        self._made = ()
        return False

    def all(self) -> tuple[A, ...]:
        """All of them."""
        if self._made is None:
            try:
                first, rest = self._begun.pop()
            except IndexError:
                first, rest = (), iter(self._make())
            self._made = (*first, *rest)
        return self._made
