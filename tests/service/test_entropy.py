"""Chance that is asked for ahead: the source's own bytes, each once, in few draws."""

from __future__ import annotations

from itertools import count

import pytest

from service.entropy import Ahead


class Numbers:
    """A source whose bytes tell their place."""

    def __init__(self) -> None:
        self.asked: list[int] = []
        self._numbers = count()

    def draw(self, count: int) -> bytes:
        self.asked.append(count)
        return bytes(next(self._numbers) for _ in range(count))


@pytest.mark.parametrize("block", [0, 20, 40])
def test_no_byte_is_drawn_twice(block: int) -> None:
    source = Numbers()
    ahead = Ahead(source, block)
    drawn = [ahead.draw(size) for size in (8, 12, 8, 12, 32, 8)]
    assert [len(each) for each in drawn] == [8, 12, 8, 12, 32, 8]
    numbers = list(b"".join(drawn))
    assert numbers == sorted(set(numbers))
    assert max(numbers) < sum(source.asked)


def test_the_source_is_asked_once_for_a_whole_block_and_not_before_it_is_needed() -> None:
    source = Numbers()
    ahead = Ahead(source, 40)
    assert source.asked == []
    assert b"".join(ahead.draw(size) for size in (8, 12, 8, 12)) == bytes(range(40))
    assert source.asked == [40]
