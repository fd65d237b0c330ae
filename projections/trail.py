"""Marks along a fold: any version is a short walk from the mark before it."""

from __future__ import annotations

from bisect import bisect_right
from typing import Any

import msgspec

STRIDE = 64
"""Events between marks, at first."""

MOST_MARKS = 16
"""Marks of one fold. States share what they have in common, but a thousand games add up; with more
marks than this the stride doubles, so that a long game costs no more memory than a short one."""


class Checkpoint(msgspec.Struct, frozen=True):
    """The state after event ``version``, whose hash is ``hash``; neither before the first."""

    version: int
    hash: str
    state: Any


START = Checkpoint(0, "", None)


class Checkpoints:
    """The marks of one viewer's fold: one every ``stride`` events, the newest of all, the last two.

    Who reads a game page by page goes on where the last page ended, and who asks for a page again
    begins where it began: seldom on the stride.
    """

    __slots__ = ("last", "marks", "stride")

    def __init__(self) -> None:
        self.marks = [START]
        self.stride = STRIDE
        self.last = (START, START)

    def before(self, version: int) -> Checkpoint:
        """The newest mark that is not after ``version``."""
        found = self.marks[bisect_right(self.marks, version, key=_version) - 1]
        for mark in self.last:
            if found.version < mark.version <= version:
                found = mark
        return found

    def keep(self, mark: Checkpoint) -> None:
        """Note that somebody came so far; stay there if it is on the stride or newer than all."""
        if mark.version != self.last[1].version:
            self.last = (self.last[1], mark)
        newest = self.marks[-1]
        if mark.version > newest.version:
            if newest.version % self.stride:
                self.marks.pop()
            self.marks.append(mark)
        elif mark.version % self.stride == 0:
            place = bisect_right(self.marks, mark.version, key=_version)
            if self.marks[place - 1].version != mark.version:
                self.marks.insert(place, mark)
        if len(self.marks) > MOST_MARKS:
            self._thin_out()

    def _thin_out(self) -> None:
        self.stride *= 2
        newest = self.marks[-1]
        kept = [mark for mark in self.marks if mark.version % self.stride == 0]
        self.marks = kept if kept[-1] is newest else [*kept, newest]


def _version(mark: Checkpoint) -> int:
    return mark.version
