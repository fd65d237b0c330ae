"""A game's events as a report that reads from top to bottom: turns, phases, one line an event.

It works on sentences that the game itself has written (``Game.says``), so it serves every ruleset
that says which of its events begin a turn and which a phase (:mod:`domain.kernel.shown.roles`). A
heading waits for its first line: phases in which nothing happened leave no trace.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

import msgspec

from domain.kernel.event import Event
from domain.kernel.game import Game
from domain.kernel.shown.roles import Part, Role

SET_UP = "Set-up"
TURN: Part = "turn"
PHASE: Part = "phase"


class Entry(NamedTuple):
    """One event as a report needs it.

    text   its sentence; empty for book-keeping
    roles  what it means
    """

    text: str
    roles: tuple[Role, ...] = ()

    @property
    def heads(self) -> bool:
        """Whether its sentence is a heading."""
        return bool(self.begins(TURN) or self.begins(PHASE))

    def begins(self, part: Part) -> Role | None:
        """The role by which it begins a turn, or a phase."""
        return next((role for role in self.roles if role.role == part), None)


class Section(NamedTuple):
    """What happened in one phase of a turn; turn 0 is the set-up."""

    turn: int
    phase: str
    lines: tuple[str, ...]


def told(game: Game[Any, Any, Any], events: Iterable[Event]) -> Iterator[Entry]:
    """The events of a game, from its first on, as entries; redacted events give less."""
    state = None
    for event in events:
        yield Entry(game.says(state, event), game.meaning(state, event))
        state = game.evolve(state, event)


def served(events: Iterable[Mapping[str, Any]]) -> Iterator[Entry]:
    """Events as the HTTP service sends them, as entries; its own events among them."""
    for event in events:
        text = event.get("text") or {}
        roles = msgspec.convert(event.get("roles") or (), tuple[Role, ...])
        yield Entry(str(text.get("en", "")), roles)


class Reporter:
    """Writes the report line by line as entries come in."""

    def __init__(self) -> None:
        self.turn = 0
        self.phase = SET_UP
        self._headings = [f"== {SET_UP} =="]

    def feed(self, entry: Entry) -> list[str]:
        """The lines that this entry adds to the report: headings that waited, and its sentence."""
        turn = entry.begins(TURN)
        if turn is not None:
            self.turn, self.phase = turn.number, ""
            self._headings = ["", f"== Turn {self.turn} =="]
            return []
        if entry.begins(PHASE):
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
        if entry.text and not entry.heads:
            lines.append(entry.text)
    found += [Section(*place, tuple(lines))] if lines else []
    return found
