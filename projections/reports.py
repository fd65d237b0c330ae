"""A game's events as a report that reads from top to bottom: turns, phases, one line an event.

It works on sentences that the game itself has written (``Game.says``), so it serves every ruleset
that names its landmarks ``turn-began`` (with ``turn``) and ``step-began`` (with ``step``). A
heading waits for its first line: phases in which nothing happened leave no trace.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

import msgspec

from domain.kernel.event import Event
from domain.kernel.game import Game

SET_UP = "Set-up"
TURN, STEP = "turn-began", "step-began"


class Entry(NamedTuple):
    """One event as a report needs it.

    name  the event's type without the ruleset: ``unit-moved``
    data  what it carries, as plain JSON
    text  its sentence; empty for book-keeping
    """

    name: str
    data: Mapping[str, Any]
    text: str


class Section(NamedTuple):
    """What happened in one phase of a turn; turn 0 is the set-up."""

    turn: int
    phase: str
    lines: tuple[str, ...]


def told(game: Game[Any, Any, Any], events: Iterable[Event]) -> Iterator[Entry]:
    """The events of a game, from its first on, as entries; redacted events give less."""
    state = None
    for event in events:
        yield Entry(event.NAME, msgspec.to_builtins(event), game.says(state, event))
        state = game.evolve(state, event)


def served(events: Iterable[Mapping[str, Any]]) -> Iterator[Entry]:
    """Events as the HTTP service sends them, as entries; its own events among them."""
    for event in events:
        name = str(event["type"]).partition(".")[2]
        text = event.get("text") or {}
        yield Entry(name, event.get("data") or {}, str(text.get("en", "")))


class Reporter:
    """Writes the report line by line as entries come in."""

    def __init__(self) -> None:
        self.turn = 0
        self.phase = SET_UP
        self._headings = [f"== {SET_UP} =="]

    def feed(self, entry: Entry) -> list[str]:
        """The lines that this entry adds to the report: headings that waited, and its sentence."""
        if entry.name == TURN:
            self.turn, self.phase = int(entry.data.get("turn", 0)), ""
            self._headings = ["", f"== Turn {self.turn} =="]
            return []
        if entry.name == STEP:
            return self._step(entry.text)
        if not entry.text:
            return []
        lines = [*self._headings, f"  {entry.text}"]
        self._headings = []
        return lines

    def _step(self, text: str) -> list[str]:
        """A step with a sentence is a phase; one without belongs to the phase before it."""
        if text:
            self._headings = [h for h in self._headings if not h.startswith("--")]
            self.phase = text.rstrip(".")
            self._headings.append(f"-- {self.phase} --")
        return []


def report(entries: Iterable[Entry]) -> list[str]:
    """The whole report as lines."""
    reporter = Reporter()
    return [line for entry in entries for line in reporter.feed(entry)]


def sections(entries: Iterable[Entry]) -> list[Section]:
    """The report by turn and phase; phases in which nothing happened are left out."""
    reporter = Reporter()
    found: list[Section] = []
    lines: list[str] = []
    place = (reporter.turn, reporter.phase)
    for entry in entries:
        reporter.feed(entry)
        now = (reporter.turn, reporter.phase)
        if now != place:
            found += [Section(*place, tuple(lines))] if lines else []
            lines, place = [], now
        if entry.text and entry.name not in (TURN, STEP):
            lines.append(entry.text)
    found += [Section(*place, tuple(lines))] if lines else []
    return found
