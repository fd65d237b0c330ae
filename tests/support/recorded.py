"""Whole battles of War at Sea as files: every command and every die, and what they came to.

tests/games/war_at_sea/*.jsonl: the first line is the set-up, then one line for each command
(``seat``, ``command``) or answer of the chance seat (``faces``), at the start of each turn the
digest of the state, and at the end how it ended.

After a deliberate change of the state or the events, ``python -m tests.support.recorded`` writes
the digests of the same commands anew; ``--play`` has the bots play every battle again.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from domain.games.war_at_sea import GAME, board
from domain.games.war_at_sea import commands as c
from domain.games.war_at_sea.legal import legal
from domain.games.war_at_sea.state import State
from domain.kernel.chance import Faces
from domain.kernel.codec import Codec, canonical
from domain.kernel.game import Setup
from domain.kernel.options import Options
from domain.kernel.values import CHANCE, Seat
from service.bots.bot import Bot, Item, Position
from service.bots.local import LocalGame
from service.bots.war_at_sea import Greedy
from tests.support.battle import SEATS

FOLDER = Path(__file__).resolve().parents[1] / "games" / "war_at_sea"

Line = dict[str, Any]


def digest(value: Any) -> str:
    """SHA-256 of the canonical JSON."""
    return hashlib.sha256(canonical(value)).hexdigest()


# --- replaying ------------------------------------------------------------------------------------


class Replayed(NamedTuple):
    """What came out of a file.

    digests  of the state at the start of each turn, computed and recorded
    end      computed; recorded in the file's last line
    """

    state: State
    events: list[Any]
    digests: list[tuple[str, str]]
    end: Line


def replay(lines: list[Line]) -> Replayed:
    """Decide every command of the file again. Raises Refused for one that is not legal any more."""
    setup = msgspec.convert(lines[0]["setup"], Setup)
    events: list[Any] = list(GAME.opening(setup))
    state = GAME.fold(events)
    digests: list[tuple[str, str]] = []
    for line in lines[1:-1]:
        if "turn" in line:
            assert state.turn == line["turn"]
            digests.append((digest(state), line["state"]))
            continue
        more = GAME.decide(state, *_order(state, line))
        events.extend(more)
        state = GAME.fold(more, state)
    return Replayed(state, events, digests, ending(state, events))


def _order(state: State, line: Line) -> tuple[Seat, Any]:
    if "faces" in line:
        assert state.awaiting is not None
        return CHANCE, Faces(state.awaiting.label, tuple(map(tuple, line["faces"])))
    commands: Any = c.AnyCommand
    return line["seat"], msgspec.convert(line["command"], commands)


def ending(state: State, events: list[Any]) -> Line:
    """The last line of a file."""
    codec: Codec[Any] = Codec(GAME)
    stored = [[codec.name(event), msgspec.to_builtins(event)] for event in events]
    return {
        "events": len(events),
        "history": digest(stored),
        "state": digest(state),
        "scores": state.scores,
        "turns": state.turn,
        "result": msgspec.to_builtins(state.result),
    }


def files() -> list[Path]:
    """Every recorded battle."""
    return sorted(FOLDER.glob("*.jsonl"))


def read(path: Path) -> list[Line]:
    """The lines of a recorded battle."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


# --- recording ------------------------------------------------------------------------------------


class Idle:
    """Does as little as it may, and asks for a stalemate once that is open by the clock."""

    def choose(self, position: Position) -> Item:
        asked = position.seat in position.view["stalemate"]
        if position.view["calm"] >= 5 and not asked:
            return {"command": {"type": "call-stalemate"}}
        passing = [item for item in position.items if item["command"]["type"] == "pass"]
        return (passing or list(position.items))[0]


class Waits:
    """Does as little as it may, to the end."""

    def choose(self, position: Position) -> Item:
        passing = [item for item in position.items if item["command"]["type"] == "pass"]
        return (passing or list(position.items))[0]


class Steams(Waits):
    """Has its convoy steam on for the far edge, and does nothing else that it may leave."""

    def choose(self, position: Position) -> Item:
        steps = [item for item in position.items if _steams_on(position, item["command"])]
        if not steps:
            return super().choose(position)
        return max(steps, key=lambda item: _row(item["command"]["to"]))


def _steams_on(position: Position, command: Mapping[str, Any]) -> bool:
    if command["type"] != "move":
        return False
    unit = position.view["units"][command["unit"]]
    return unit["card"] == "convoy-ship" and _row(command["to"]) > _row(unit["sector"])


def _row(sector: str) -> int:
    """The row; off the map lies beyond them all."""
    return board.row(sector) if sector in board.NEIGHBOURS else board.ROWS + 1


class Says:
    """Greedy until a turn; then it says one thing, and is greedy again."""

    def __init__(self, command: str, turn: int) -> None:
        self.command, self.turn = command, turn
        self.greedy = Greedy()

    def choose(self, position: Position) -> Item:
        if position.view["turn"] == self.turn:
            self.turn = 0
            return {"command": {"type": self.command}}
        return self.greedy.choose(position)


class Recorder(LocalGame):
    """A local game that writes down what is done; ``hot``: every attack die is a six."""

    def __init__(self, setup: Setup, fleets: Mapping[Seat, tuple[str, ...]], hot: bool) -> None:
        self.hot = hot
        self.lines: list[Line] = [{"setup": msgspec.to_builtins(setup)}]
        game = dataclasses.replace(GAME, decide=self._noted(), legal=_offering(fleets))
        super().__init__(game, setup, "recorded")

    def _noted(self) -> Callable[[State, Seat, Any], tuple[Any, ...]]:
        def decide(state: State, seat: Seat, command: Any) -> tuple[Any, ...]:
            if seat == CHANCE and self.hot and state.purpose and state.purpose.kind == "attack":
                sixes = tuple(tuple(6 for _ in pool) for pool in command.faces)
                command = Faces(command.label, sixes)
            more = GAME.decide(state, seat, command)
            self._note(state, seat, command, GAME.fold(more, state))
            return more

        return decide

    def _note(self, before: State, seat: Seat, command: Any, after: State) -> None:
        if seat == CHANCE:
            self.lines.append({"faces": msgspec.to_builtins(command.faces)})
        else:
            self.lines.append({"seat": seat, "command": msgspec.to_builtins(command)})
        if after.turn > before.turn:
            self.lines.append({"turn": after.turn, "state": digest(after)})


def _offering(fleets: Mapping[Seat, tuple[str, ...]]) -> Callable[[State, Seat], Options[Any]]:
    def offered(state: State, seat: Seat) -> Options[Any]:
        found = legal(state, seat)
        if state.step == "fleets" and found.commands and seat in fleets:
            return Options((c.SubmitFleet(fleets[seat]),), found.templates, found.concessions)
        return found

    return offered


class Recipe(NamedTuple):
    """How a battle is recorded."""

    edition: str
    bots: tuple[Callable[[], Bot], Callable[[], Bot]]
    fleets: Mapping[Seat, tuple[str, ...]]
    hot: bool = False
    zone: int = 0
    scenario: str = "standard"
    options: Mapping[str, Any] = {}


CRUISERS = {"p1": ("duca-d-aosta",), "p2": ("hmas-canberra",)}
EVEN = {"p1": ("duca-d-aosta",), "p2": ("uss-atlanta-cl-51",)}


def _convoy(
    edition: str, escort: Callable[[], Bot], other: Callable[[], Bot], *, hot: bool = False
) -> Recipe:
    """p1 escorts."""
    fleets = {"p1": ("duca-d-aosta",), "p2": ("hms-hood", "uss-fletcher-dd-445")}
    return Recipe(
        edition, (escort, other), fleets, hot, zone=4, scenario="convoy", options={"escort": "p1"}
    )


RECIPES = {
    "points-2007": Recipe("2007", (Greedy, Greedy), {}, zone=3),
    "points-2009": Recipe("2009", (Greedy, Greedy), {}, zone=4),
    "elimination-2007": Recipe(
        "2007", (Greedy, Idle), {"p1": ("bismarck", "u-552"), "p2": ("hmas-canberra",)}
    ),
    "elimination-2009": Recipe(
        "2009", (Greedy, Idle), {"p1": ("shokaku", "d3a-val", "d3a-val"), "p2": ("hmas-canberra",)}
    ),
    "mutual-elimination-2007": Recipe("2007", (Greedy, Greedy), CRUISERS, hot=True),
    "mutual-elimination-2009": Recipe("2009", (Greedy, Greedy), CRUISERS, hot=True),
    "mutual-draw-2007": Recipe("2007", (Greedy, Greedy), EVEN, hot=True),
    "stalemate-2007": Recipe(
        "2007", (Greedy, Greedy), {"p1": ("u-552", "u-552"), "p2": ("f4f-wildcat",) * 2}
    ),
    "stalemate-2009": Recipe("2009", (Idle, Idle), CRUISERS),
    "agreed-draw-2009": Recipe(
        "2009", (lambda: Says("call-stalemate", 1), lambda: Says("call-stalemate", 1)), EVEN
    ),
    "convoy-through-2007": _convoy("2007", Steams, Waits),
    "convoy-through-2009": _convoy("2009", Steams, Waits),
    "convoy-sunk-2007": _convoy("2007", Steams, Greedy, hot=True),
    "convoy-sunk-2009": _convoy("2009", Steams, Greedy, hot=True),
    "convoy-late-2009": _convoy("2009", Waits, Waits),
    "major-2009": Recipe(
        "2009",
        (Greedy, Greedy),
        {},
        scenario="major-200",
        options={"light": "night", "weather": True},
    ),
    "resignation-2009": Recipe("2009", (Greedy, lambda: Says("resign", 2)), {}),
}
"""Every way to win, and every way to draw."""


def record(recipe: Recipe) -> Iterator[Line]:
    """The lines of a battle that is played now."""
    options = {"battleZone": recipe.zone, **recipe.options}
    setup = Setup("war-at-sea", recipe.edition, recipe.scenario, SEATS, options)
    battle = Recorder(setup, recipe.fleets, recipe.hot)
    bots = dict(zip(SEATS, (make() for make in recipe.bots), strict=True))
    battle.play(bots, limit=3000)
    yield from battle.lines
    yield ending(battle.state, battle.events)


def again(lines: list[Line]) -> Iterator[Line]:
    """The same commands and dice with the digests that they come to now."""
    replayed = replay(lines)
    computed = iter(replayed.digests)
    for line in lines[:-1]:
        yield {"turn": line["turn"], "state": next(computed)[0]} if "turn" in line else line
    yield replayed.end


def main(play: bool) -> None:
    """Write every file anew."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, recipe in RECIPES.items():
        path = FOLDER / f"{name}.jsonl"
        lines = list(record(recipe) if play else again(read(path)))
        text = "\n".join(json.dumps(line, separators=(",", ":")) for line in lines)
        path.write_text(text + "\n", "utf-8")
        print(f"{name}: {len(lines)} lines, {lines[-1]['turns']} turns, {lines[-1]['result']}")


if __name__ == "__main__":
    main(play="--play" in sys.argv[1:])
