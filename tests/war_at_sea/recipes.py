"""The recorded battles of War at Sea: one for every way to win, and every way to draw."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from domain.games.war_at_sea.rules import board
from domain.games.war_at_sea.rules import commands as c
from domain.games.war_at_sea.rules.purposes import AttackDice
from domain.games.war_at_sea.rules.state import State
from domain.kernel.chance import Faces
from domain.kernel.options import Options
from domain.kernel.setup import Setup
from domain.kernel.values import Seat, StepKey
from service.bots.bot import Bot, Item, Position
from service.bots.war_at_sea import Greedy
from tests.support.battle import SEATS
from tests.support.suites import Recipe, as_thrown

Make = Callable[[], Bot]
Fleets = Mapping[Seat, tuple[str, ...]]


class Idle:
    """Does as little as it may, and asks for a stalemate once that is open by the clock."""

    def choose(self, position: Position) -> Item:
        asked = position.seat in position.view["stalemate"]
        if position.view["calm"] >= 5 and not asked:
            return {"command": {"type": "war-at-sea.call-stalemate"}}
        passing = [item for item in position.items if item["command"]["type"] == "war-at-sea.pass"]
        return (passing or list(position.items))[0]


class Waits:
    """Does as little as it may, to the end."""

    def choose(self, position: Position) -> Item:
        passing = [item for item in position.items if item["command"]["type"] == "war-at-sea.pass"]
        return (passing or list(position.items))[0]


class Steams(Waits):
    """Has its convoy steam on for the far edge, and does nothing else that it may leave."""

    def choose(self, position: Position) -> Item:
        steps = [item for item in position.items if _steams_on(position, item["command"])]
        if not steps:
            return super().choose(position)
        return max(steps, key=lambda item: _row(item["command"]["to"]))


def _steams_on(position: Position, command: Mapping[str, Any]) -> bool:
    if command["type"] != "war-at-sea.move":
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
            return {"command": {"type": f"war-at-sea.{self.command}"}}
        return self.greedy.choose(position)


def _sixes(state: State, faces: Faces) -> Faces:
    """Every die of an attack is a six."""
    if type(state.purpose) is not AttackDice:
        return faces
    return Faces(faces.label, tuple(tuple(6 for _ in pool) for pool in faces.faces))


def _with(fleets: Fleets) -> Callable[[State, Seat, Options[Any]], Options[Any]]:
    """These fleets in place of the ready ones."""

    def offer(state: State, seat: Seat, found: Options[Any]) -> Options[Any]:
        if state.step == StepKey("fleets") and found.commands and seat in fleets:
            return Options((c.SubmitFleet(fleets[seat]),), found.templates, found.concessions)
        return found

    return offer


def _battle(
    edition: str,
    bots: tuple[Make, Make],
    fleets: Fleets,
    ends: tuple[str, str, int],
    *,
    hot: bool = False,
    zone: int = 0,
    scenario: str = "standard",
    options: Mapping[str, Any] | None = None,
    own: Mapping[str, Any] | None = None,
) -> Recipe:
    """``hot``: every attack die is a six. ``own``: a scenario of the players' own."""
    setup = Setup("war-at-sea", edition, scenario, SEATS, {"battleZone": zone, **(options or {})})
    if own is not None:
        settled = dict(options or {})
        setup = Setup("war-at-sea", edition, "custom", SEATS, settled, {"scenario": dict(own)})
    players = dict(zip(SEATS, bots, strict=True))
    return Recipe(setup, players, ends, _with(fleets), _sixes if hot else as_thrown)


def _convoy(edition: str, escort: Make, other: Make, reason: str, *, hot: bool = False) -> Recipe:
    """p1 escorts."""
    fleets = {"p1": ("duca-d-aosta",), "p2": ("hms-hood", "uss-fletcher-dd-445")}
    return _battle(
        edition,
        (escort, other),
        fleets,
        (reason, "WAS-SCEN-28", 1),
        hot=hot,
        zone=4,
        scenario="convoy",
        options={"escort": "p1"},
    )


HARBORS = {
    "id": "two-harbors",
    "name": "Two harbors",
    "text": "Each side holds a harbor before its own edge, and either is worth the victory.",
    "zone": 1,
    "target": 50,
    "objectives": [{"sector": "1.4", "points": 50}, {"sector": "11.4", "points": 50}],
    "sides": [
        {"alliance": "Axis", "edge": "south", "fleet": ["duca-d-aosta"]},
        {"alliance": "Allies", "edge": "north", "fleet": ["hmas-canberra"]},
    ],
}
HOLD_OUT = {
    "id": "hold-out",
    "name": "Hold out",
    "text": "The Allied Cruiser has only to be afloat after three turns.",
    "target": 0,
    "turns": 3,
    "decision": "second",
    "zone": 2,
    "sides": [
        {"alliance": "Axis", "fleet": ["duca-d-aosta"]},
        {"alliance": "Allies", "fleet": ["hmas-canberra"]},
    ],
}


class Holds(Waits):
    """Lies in one harbor and leaves it to nobody."""

    def choose(self, position: Position) -> Item:
        harbor = [item for item in position.items if item["command"].get("at") in ("1.4", "11.4")]
        return harbor[0] if harbor else super().choose(position)


CRUISERS = {"p1": ("duca-d-aosta",), "p2": ("hmas-canberra",)}
EVEN = {"p1": ("duca-d-aosta",), "p2": ("uss-atlanta-cl-51",)}
GREEDY: tuple[Make, Make] = (Greedy, Greedy)


def _calls() -> Bot:
    return Says("call-stalemate", 1)


def _resigns() -> Bot:
    return Says("resign", 2)


POINTS = ("victory-points", "WAS-EOT-06", 1)
MUTUAL = ("mutual-elimination", "RUL-80", 1)
STALEMATE = ("stalemate", "WAS-EOT-08", 1)

RECIPES = {
    "points-2007": _battle("2007", GREEDY, {}, POINTS, zone=3),
    "points-2009": _battle("2009", GREEDY, {}, POINTS, zone=4),
    "elimination-2007": _battle(
        "2007",
        (Greedy, Idle),
        {"p1": ("bismarck", "u-552"), "p2": ("hmas-canberra",)},
        ("elimination", "WAS-VP-05", 1),
    ),
    "elimination-2009": _battle(
        "2009",
        (Greedy, Idle),
        {"p1": ("shokaku", "d3a-val", "d3a-val"), "p2": ("hmas-canberra",)},
        ("elimination", "RUL-81", 1),
    ),
    "mutual-elimination-2007": _battle("2007", GREEDY, CRUISERS, MUTUAL, hot=True),
    "mutual-elimination-2009": _battle("2009", GREEDY, CRUISERS, MUTUAL, hot=True),
    "mutual-draw-2007": _battle(
        "2007", GREEDY, EVEN, ("mutual-elimination", "RUL-80", 0), hot=True
    ),
    "stalemate-2007": _battle(
        "2007", GREEDY, {"p1": ("u-552", "u-552"), "p2": ("f4f-wildcat",) * 2}, STALEMATE
    ),
    "stalemate-2009": _battle("2009", (Idle, Idle), CRUISERS, STALEMATE),
    "agreed-draw-2009": _battle("2009", (_calls, _calls), EVEN, ("stalemate", "RUL-83", 0)),
    "convoy-through-2007": _convoy("2007", Steams, Waits, "convoy-through"),
    "convoy-through-2009": _convoy("2009", Steams, Waits, "convoy-through"),
    "convoy-sunk-2007": _convoy("2007", Steams, Greedy, "convoy-sunk", hot=True),
    "convoy-sunk-2009": _convoy("2009", Steams, Greedy, "convoy-sunk", hot=True),
    "convoy-late-2009": _convoy("2009", Waits, Waits, "convoy-sunk"),
    "major-2009": _battle(
        "2009",
        GREEDY,
        {},
        ("elimination", "RUL-81", 1),
        scenario="major-200",
        options={"light": "night", "weather": True},
    ),
    "equal-scores-2009": _battle(
        "2009",
        (Holds, Holds),
        {},
        ("equal-scores", "RUL-79", 0),
        own=HARBORS,
        options={"equalScoresAtTarget": "draw"},
    ),
    "held-out-2007": _battle(
        "2007", (Waits, Waits), {}, ("turn-limit", "WAS-SETUP-28", 1), own=HOLD_OUT
    ),
    "last-turn-draw-2009": _battle(
        "2009",
        (Waits, Waits),
        {},
        ("turn-limit", "WAS-SETUP-28", 0),
        own={**HOLD_OUT, "decision": "draw"},
    ),
    "major-points-2007": _battle("2007", GREEDY, {}, POINTS, scenario="major-200"),
    "resignation-2009": _battle("2009", (Greedy, _resigns), {}, ("resignation", "RUL-89", 1)),
}
