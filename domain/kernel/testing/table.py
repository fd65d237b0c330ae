"""Given, when, then: a game in the middle of things, for tests of its rules.

    table = opened(GAME, setup)                        given: from its opening
    table = Table(GAME, state)                         ... or a position
    table.act("p1", Choose("bold")).roll([6], [2])     when: commands, and how the dice fall
    table.saw("fire-resolved", hits=1)                 then: an event with these values
    table.refused("p2", Fire(), "fire.turn", "PEN-4")  ... or a refusal, by which rule

Dice are given as faces, so that no test of a rule is random. What is not so raises AssertionError,
which every test framework understands.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Self

from ..chance import Faces
from ..codec import canonical
from ..game import Game
from ..rules import Refused
from ..setup import Setup
from ..values import CHANCE, Seat


class Table:
    """A game under way, with all that happened since it was given.

    state   now
    events  everything that happened since it was given, the opening included
    last    what the last command or roll led to
    """

    def __init__(self, game: Game[Any, Any, Any], state: Any, events: Iterable[Any] = ()) -> None:
        self.game, self.state = game, state
        self.events: list[Any] = list(events)
        self.last: tuple[Any, ...] = tuple(self.events)

    # --- when ---

    def act(self, seat: Seat, *commands: Any) -> Self:
        """One seat gives commands, each of which must be accepted. Raises Refused."""
        for command in commands:
            self.last = tuple(self.game.decide(self.state, seat, command))
            self.events.extend(self.last)
            self.state = self.game.fold(self.last, self.state)
        return self

    def answer(self, faces: Faces) -> Self:
        """The chance seat's answer, as it is."""
        return self.act(CHANCE, faces)

    def roll(self, *pools: Sequence[int]) -> Self:
        """The awaited dice fall so: one sequence of faces for each pool that was asked for."""
        awaited = self.game.awaiting(self.state)
        assert awaited is not None, f"no dice are awaited: {self.asked()} are asked"
        return self.answer(Faces(awaited.label, tuple(tuple(pool) for pool in pools)))

    # --- then ---

    def refusal(self, seat: Seat, command: Any) -> Refused | None:
        """Why a command is not accepted; None when it is."""
        try:
            self.game.decide(self.state, seat, command)
        except Refused as refusal:
            return refusal
        return None

    def refused(self, seat: Seat, command: Any, code: str, rule: str) -> Self:
        """The command is refused with this code, by this rule, and nothing changes."""
        before = canonical(self.state)
        refusal = self.refusal(seat, command)
        assert refusal is not None, f"accepted: {seat} {command}"
        assert (refusal.code, refusal.rule) == (code, rule), f"{refusal}, not {code} ({rule})"
        assert canonical(self.state) == before, f"refusing {command} changed the state"
        assert refusal.hint, "a refusal says what would be legal"
        return self

    def saw(self, name: str, **fields: Any) -> Any:
        """The first event of that name with those values; fails when there is none."""
        named = [event for event in self.events if name == event.NAME]
        for event in named:
            if all(getattr(event, key) == value for key, value in fields.items()):
                return event
        raise AssertionError(f"no {name} with {fields}; there were {named or self.names()}")

    def not_saw(self, name: str, **fields: Any) -> Self:
        """No such event has happened since the game was given."""
        try:
            event = self.saw(name, **fields)
        except AssertionError:
            return self
        raise AssertionError(f"it happened: {event}")

    def names(self) -> list[str]:
        """The names of all events in order."""
        return [event.NAME for event in self.events]

    def offers(self, seat: Seat) -> tuple[Any, ...]:
        """The commands that the seat may give now; neither templates nor concessions."""
        commands: tuple[Any, ...] = self.game.legal(self.state, seat).commands
        return commands

    def asked(self) -> tuple[Seat, ...]:
        """The seats that have an open question, in the game's order."""
        return tuple(question.seat for question in self.game.pending(self.state))


def opened(game: Game[Any, Any, Any], setup: Setup) -> Table:
    """A game from its opening. Raises Refused for a set-up that no rule allows."""
    events = tuple(game.opening(setup))
    return Table(game, game.fold(events), events)
