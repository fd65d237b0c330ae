"""A game as chapters: each phase of a turn with the versions it spans and the sentences in it.

What a slider jumps along and a report is read by. It rests on the same landmarks as
:mod:`projections.reports`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from .reports import SET_UP, Entry, Reporter


class Line(NamedTuple):
    """A sentence and the version that it led to."""

    version: int
    text: str


class Chapter(NamedTuple):
    """A phase of a turn; turn 0 is the set-up.

    first, last  versions of its first and its last event
    lines        its sentences; book-keeping has none
    """

    turn: int
    phase: str
    first: int
    last: int
    lines: tuple[Line, ...]


def chapters(entries: Iterable[tuple[int, Entry]]) -> list[Chapter]:
    """The chapters of the events, given with their versions from 1 on.

    A phase in which nothing was told is no chapter: its versions belong to the next one.
    """
    reporter, found = Reporter(), list[Chapter]()
    lines: list[Line] = []
    place, first, last = (0, SET_UP), 1, 0
    for version, entry in entries:
        reporter.feed(entry)
        now = (reporter.turn, reporter.phase)
        if now != place:
            if lines:
                found.append(Chapter(*place, first, last, tuple(lines)))
                lines, first = [], version
            place = now
        if entry.text and not entry.heads:
            lines.append(Line(version, entry.text))
        last = version
    if lines or last >= first:
        found.append(Chapter(*place, first, last, tuple(lines)))
    return found


def told(found: Iterable[Chapter]) -> list[str]:
    """The chapters as text to read from top to bottom."""
    lines: list[str] = []
    turn = -1
    for chapter in found:
        if chapter.turn != turn:
            turn = chapter.turn
            heading = f"== Turn {turn} ==" if turn else f"== {SET_UP} =="
            lines += ["", heading] if lines else [heading]
        if turn and chapter.phase:
            lines.append(f"-- {chapter.phase} --")
        lines += [f"  {line.version:>5}  {line.text}" for line in chapter.lines]
    return lines
