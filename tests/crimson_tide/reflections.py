"""A battle played again on a turned or mirrored table: everything has to come out turned alike.

There are sixteen tables: four quarter turns, each also mirrored, each also with changed seats. The
players' edges turn along (the option ``home``), and so does what chance gives: the wind.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar

import msgspec
from msgspec.structs import replace

from domain.games.crimson_tide.game import GAME
from domain.games.crimson_tide.rules.commands import AnyCommand
from domain.games.crimson_tide.rules.edges import HOMES
from domain.games.crimson_tide.rules.events import AnyEvent, DiceThrown
from domain.games.crimson_tide.rules.state import State
from domain.kernel.chance import Faces
from domain.kernel.conformance import Played

T = TypeVar("T")

SIDES = {"port": "starboard"}
SEATS = {"p1": "p2", "p3": "p4", "p5": "p6", "p7": "p8"}
SQUALL = "storm-"
"""What the IDs of squalls that the die brings begin with."""


class Turning(NamedTuple):
    """Mirrored east for west or not, then so many quarter turns to starboard, then other seats."""

    quarters: int = 0
    mirrored: bool = False
    changed: bool = False

    def __str__(self) -> str:
        parts = [f"{90 * self.quarters}", *["mirrored"] * self.mirrored, *["seats"] * self.changed]
        return "-".join(parts)


TURNINGS = tuple(
    Turning(quarters, mirrored, changed)
    for quarters in range(4)
    for mirrored in (False, True)
    for changed in (False, True)
)[1:]
"""All but the one that leaves everything as it is."""


@dataclass(frozen=True)
class Reflection:
    """A turning of one table, whose far corner is (``width``, ``height``) in wu."""

    turning: Turning
    width: int
    height: int

    @staticmethod
    def of(turning: Turning, state: State) -> Reflection:
        return Reflection(turning, *state.table)

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
            return [-ticks for ticks in value] if self.turning.mirrored else value
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
        if "options" in value:
            found["options"] = value["options"] | {"home": self._home(value["options"])}
        if "scenario" in value:  # who has which edge is no name: it belongs to the table
            found["seats"] = value["seats"]
        return found

    def _point(self, x: int, y: int) -> list[int]:
        width, height = self.width, self.height
        if self.turning.mirrored:
            x = width - x
        for _ in range(self.turning.quarters):
            x, y, width, height = y, width - x, height, width
        return [x, y]

    def _heading(self, ticks: int) -> int:
        return ((-ticks if self.turning.mirrored else ticks) + 180 * self.turning.quarters) % 720

    def _home(self, options: dict[str, Any]) -> str:
        """The side of the first seat's edge: the other one's where the seats have changed."""
        quarters = HOMES.index(options.get("home", "south"))
        quarters = -quarters if self.turning.mirrored else quarters
        return HOMES[(quarters + self.turning.quarters + 2 * self.turning.changed) % 4]

    def _word(self, word: str) -> str:
        """Sides, or seats and unit IDs, wherever they occur in a word."""
        if self.turning.mirrored:
            word = _exchanged(word, SIDES)
        return _exchanged(word, SEATS) if self.turning.changed else word

    def faces(self, state: State, answer: Faces) -> tuple[tuple[int, ...], ...]:
        """The dice of the other table: the wind turns, and each seat keeps its initiative dice."""
        assert state.purpose is not None
        if state.purpose.kind == "wind":
            wind, *others = answer.faces
            return ((self._heading(wind[0] - 1) + 1,), *others)
        if state.purpose.kind == "initiative" and self.turning.changed:
            return answer.faces[::-1]
        return answer.faces


def _exchanged(word: str, swapped: dict[str, str]) -> str:
    for old, new in swapped.items():
        word = word.replace(new, "\0").replace(old, new).replace("\0", old)
    return word


def check_reflection(played: Played, turning: Turning, every: int = 1) -> None:
    """Play a battle's commands again as they are on the other table; raises if anything differs.

    Events are compared one for one, but for changed seats: who comes first in a list is then the
    other one, so that only the states are alike.

    every  after how many commands states are compared; they are compared at the end too
    """
    opening = played.events[: len(played.events) - sum(n for _, _, n in played.turns)]
    here = GAME.fold(opening)
    other = Reflection.of(turning, here)
    there = GAME.fold([other.of_value(event) for event in opening])
    for number, (seat, command, _) in enumerate(played.turns):
        mirrored = _command(other, here, there, command)
        ours = GAME.decide(here, seat, command)
        theirs = GAME.decide(there, other.plain(seat), mirrored)
        here, there = GAME.fold(ours, here), GAME.fold(theirs, there)
        if not turning.changed:
            _check_events(other, ours, theirs, f"not the same events of command {number}")
        if number % every == 0 or number == len(played.turns) - 1:
            same = _anonymous(other.of_value(here)) == _anonymous(there)
            assert same, f"not the same after command {number}: {command}"


def _check_events(
    other: Reflection, ours: tuple[AnyEvent, ...], theirs: tuple[AnyEvent, ...], text: str
) -> None:
    assert len(ours) == len(theirs), text
    for one, two in zip(ours, theirs, strict=True):
        if isinstance(one, DiceThrown) and isinstance(two, DiceThrown):
            continue  # chance was told what to throw
        assert _nameless(other.of_value(one)) == _nameless(two), f"{text}: {one} and {two}"


def _nameless(event: AnyEvent) -> Any:
    """An event as plain JSON; the squalls of the die come in order of place."""
    plain = msgspec.to_builtins(event)
    if "storms" in plain:
        plain["storms"] = sorted((tuple(s["at"]), s["radius"]) for s in plain["storms"])
    return _squalls(plain)


def _squalls(value: Any) -> Any:
    """The die for the weather numbers its squalls from the west, on whichever table."""
    if isinstance(value, dict):
        if any(SQUALL in key for key in value):
            return sorted(list(map(str, each)) for each in value.values())
        return {key: _squalls(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        found = [_squalls(each) for each in value]
        return [SQUALL] * len(found) if found and found[0] == SQUALL else found
    return SQUALL if isinstance(value, str) and value.startswith(SQUALL) else value


def _command(
    other: Reflection, here: State, there: State, command: AnyCommand | Faces
) -> AnyCommand | Faces:
    if not isinstance(command, Faces):
        return other.of_value(command)
    assert there.awaiting is not None
    return Faces(there.awaiting.label, other.faces(here, command))


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
