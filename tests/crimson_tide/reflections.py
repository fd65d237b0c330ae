"""A battle played again on a turned or mirrored table: everything has to come out turned alike.

Two symmetries keep the players' edges where the rules want them: the mirror that exchanges east and
west, and the half turn, in which the seats change places too.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeVar

import msgspec
from msgspec.structs import replace

from domain.games.crimson_tide.commands import AnyCommand
from domain.games.crimson_tide.events import AnyEvent
from domain.games.crimson_tide.game import GAME
from domain.games.crimson_tide.state import Options, State
from domain.kernel.chance import Faces
from domain.kernel.conformance import Played

T = TypeVar("T")

SIDES = {"port": "starboard", "starboard": "port"}
SEATS = {"p1": "p2", "p2": "p1"}


@dataclass(frozen=True)
class Reflection:
    """Half turn: the table turned by 180 degrees, with the seats changed; else the mirror."""

    half_turn: bool
    width: int
    length: int

    @staticmethod
    def of(half_turn: bool, options: Options) -> Reflection:
        width, length = options.width * options.klick, options.length * options.klick
        return Reflection(half_turn, width, length)

    def of_value(self, value: T) -> T:
        """A state, event or command, as it is on the other table."""
        return msgspec.convert(self.plain(msgspec.to_builtins(value)), type(value))

    def plain(self, value: Any, key: str = "") -> Any:
        """The same for plain JSON; ``key`` is the name of the field it stands in."""
        if isinstance(value, str):
            return self._word(value)
        if key in ("wind", "direction") and value >= 0:
            return self._heading(value)
        if key in ("at", "corner") and isinstance(value, list | tuple):
            return self._point(*value)
        if key == "path":
            return value if self.half_turn else [-ticks for ticks in value]
        if isinstance(value, list | tuple):
            inner = "corner" if key == "corners" else ""
            return [self.plain(each, inner) for each in value]
        if isinstance(value, dict):
            return self._fields(value)
        return value

    def _fields(self, value: dict[str, Any]) -> dict[str, Any]:
        """Positions of poses and commands are fields of their own; names may be keys."""
        found: dict[str, Any] = {}
        for name, each in value.items():
            if name == "at" and isinstance(each, dict):
                found[name] = {self._word(k): self._point(*point) for k, point in each.items()}
            else:
                found[self._word(name)] = self.plain(each, name)
        if "x" in value and "y" in value:
            found["x"], found["y"] = self._point(value["x"], value["y"])
            found["heading"] = self._heading(value.get("heading", 0))
        if "scenario" in value:  # who has which edge is no name: it belongs to the table
            found["seats"] = value["seats"]
        return found

    def _point(self, x: int, y: int) -> list[int]:
        return [self.width - x, self.length - y if self.half_turn else y]

    def _heading(self, ticks: int) -> int:
        return (ticks + 360 if self.half_turn else -ticks) % 720

    def _word(self, word: str) -> str:
        """Sides, or seats and unit IDs, wherever they occur in a word."""
        swapped = SEATS if self.half_turn else SIDES
        for old, new in swapped.items():
            if old in word:
                return word.replace(new, "\0").replace(old, new).replace("\0", old)
        return word

    def faces(self, state: State, answer: Faces) -> tuple[tuple[int, ...], ...]:
        """The dice of the other table: the wind turns, and each seat keeps its initiative dice."""
        assert state.purpose is not None
        if state.purpose.kind == "wind":
            wind, *others = answer.faces
            return ((self._heading(wind[0] - 1) + 1,), *others)
        if state.purpose.kind == "initiative" and self.half_turn:
            return answer.faces[::-1]
        return answer.faces


def check_reflection(played: Played, half_turn: bool, every: int = 1) -> None:
    """Play a battle's commands again as they are on the other table; raises if states differ.

    every  after how many commands states are compared; they are compared at the end too
    """
    opening = played.events[: len(played.events) - sum(n for _, _, n in played.turns)]
    here = GAME.fold(opening)
    other = Reflection.of(half_turn, here.options)
    there = GAME.fold([other.of_value(event) for event in opening])
    for number, (seat, command, _) in enumerate(played.turns):
        mirrored = _command(other, here, there, command)
        there = _after(there, other.plain(seat), mirrored)
        here = _after(here, seat, command)
        if number % every == 0 or number == len(played.turns) - 1:
            same = _anonymous(other.of_value(here)) == _anonymous(there)
            assert same, f"not the same after command {number}: {command}"


def _command(
    other: Reflection, here: State, there: State, command: AnyCommand | Faces
) -> AnyCommand | Faces:
    if not isinstance(command, Faces):
        return other.of_value(command)
    assert there.awaiting is not None
    return Faces(there.awaiting.label, other.faces(here, command))


def _after(state: State, seat: str, command: AnyCommand | Faces) -> State:
    events: tuple[AnyEvent, ...] = GAME.decide(state, seat, command)
    return GAME.fold(events, state)


def _anonymous(state: State) -> Any:
    """The state as plain JSON, with storms in order of place and without their names.

    The die for the weather numbers its squalls from the west, on whichever table.
    """
    storms = sorted((storm.at, storm.radius) for storm in state.storms)
    names = {storm.id for storm in state.storms}
    return storms, _without(msgspec.to_builtins(replace(state, storms=())), names)


def _without(value: Any, names: set[str]) -> Any:
    if isinstance(value, dict):
        return {key: _without(each, names) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_without(each, names) for each in value]
    return "storm" if isinstance(value, str) and value in names else value
