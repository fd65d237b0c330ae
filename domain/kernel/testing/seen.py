"""What was seen of a game while it was played or replayed: one example of each thing, or a few."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..game import Game
from ..options import Pending
from ..setup import Setup
from ..values import Seat, StepKey
from .marked import drawn, marks

AnyGame = Game[Any, Any, Any]
ENOUGH = 4
"""Examples that are kept of each event."""


def _tells_more(game: AnyGame, kept: list[tuple[Any, Any, Any]], state: Any, event: Any) -> bool:
    """Whether it is the first of its type that says something."""
    if len(kept) > ENOUGH or any(game.says(before, each) for before, each, _ in kept):
        return False
    return bool(game.says(state, event))


def _scores(game: AnyGame, kept: list[tuple[Any, Any, Any]], state: Any, after: Any) -> bool:
    """Whether it is the first of its type that gives or takes points."""
    if state is None or len(kept) > ENOUGH or game.scores(state) == game.scores(after):
        return False
    return all(b is None or game.scores(b) == game.scores(a) for b, _, a in kept)


@dataclass
class Seen:
    """Examples from recorded and random games, and what they do not show.

    events     type to (state before or None, event, state after)
    commands   type to (state, seat, command)
    questions  key to (state, question)
    steps      key to a state in it
    passing    key of a step in which somebody may pass to (state, seat)
    readings   option to the values that it was played with, as written
    rare       types, questions and steps that games seldom reach, each with an example elsewhere
    pictured   fields of the state that have their line in the tests of pictures
    marked     types of which an example that leaves a mark in the picture was looked for, and found
    drawn_in   where those lines are
    """

    events: dict[type, list[tuple[Any, Any, Any]]] = field(default_factory=dict)
    commands: dict[type, list[tuple[Any, Seat, Any]]] = field(default_factory=dict)
    questions: dict[str, list[tuple[Any, Pending]]] = field(default_factory=dict)
    steps: dict[StepKey, Any] = field(default_factory=dict)
    passing: dict[StepKey, tuple[Any, Seat]] = field(default_factory=dict)
    readings: dict[str, set[str]] = field(default_factory=dict)
    rare: frozenset[Any] = frozenset()
    pictured: frozenset[str] = frozenset()
    marked: set[type] = field(default_factory=set)
    drawn_in: str = ""

    def opened(self, setup: Setup) -> None:
        """What a game was agreed on."""
        self.played_with(setup.options)

    def played_with(self, options: Mapping[str, Any]) -> None:
        """Each option with the value it has in a game."""
        for name, value in options.items():
            self.readings.setdefault(name, set()).add(str(value))

    def happened(self, game: AnyGame, state: Any, events: Sequence[Any]) -> Any:
        """Events of one command, from the state before them; gives the state after."""
        for event in events:
            after = game.evolve(state, event)
            kept = self.events.setdefault(type(event), [])
            if (
                self._marked(game, state, event, after)
                or len(kept) < ENOUGH
                or _tells_more(game, kept, state, event)
                or _scores(game, kept, state, after)
            ):
                kept.append((state, event, after))
            state = after
            self.placed(game, state)
        return state

    def _marked(self, game: AnyGame, state: Any, event: Any, after: Any) -> bool:
        """Whether it is the first of its type that leaves a mark in the picture, if it is to."""
        if type(event) in self.marked or game.scene is None or not marks(game, state, event):
            return False
        if drawn(game, state, event, after):
            self.marked.add(type(event))
        return type(event) in self.marked

    def placed(self, game: AnyGame, state: Any) -> None:
        """A position, settled or not."""
        if game.tables is not None and game.tables.step is not None:
            self.steps.setdefault(game.tables.step(state), state)

    def ordered(self, state: Any, seat: Seat, command: Any) -> None:
        """A command that was given."""
        kept = self.commands.setdefault(type(command), [])
        if len(kept) < ENOUGH:
            kept.append((state, seat, command))

    def settled(self, game: AnyGame, state: Any) -> None:
        """A position in which somebody is asked."""
        if game.result(state) is not None or game.awaiting(state) is not None:
            return
        for question in game.pending(state):
            kept = self.questions.setdefault(question.question, [])
            if len(kept) < ENOUGH or question.optional != kept[-1][1].optional:
                kept.append((state, question))
            if question.optional and game.tables is not None and game.tables.step is not None:
                self.passing.setdefault(game.tables.step(state), (state, question.seat))
