"""The recorded battles of Crimson Tide: one for every way to win, and every way to draw."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from domain.games.crimson_tide.rules import commands as c
from domain.games.crimson_tide.rules.state import Pick, State
from domain.kernel.chance import Faces
from domain.kernel.options import Options
from domain.kernel.setup import Setup
from domain.kernel.values import Seat, StepKey
from service.bots.bot import Bot, Item, Position, RandomLegal
from tests.support.suites import Recipe, as_thrown

from .seas import EDITION

PASS = {"type": "crimson-tide.pass"}
Make = Callable[[], Bot]
Fleets = Mapping[Seat, tuple[Pick, ...]]


class Waits:
    """Does as little as it may, to the end."""

    def choose(self, position: Position) -> Item:
        passing = [each for each in position.items if each["command"] == PASS]
        return (passing or list(position.items))[0]


class Steams(Waits):
    """Goes straight ahead as far as it can, and does nothing else that it may leave."""

    def choose(self, position: Position) -> Item:
        ahead = [item for item in position.items if _straight(item["command"])]
        if not ahead:
            return super().choose(position)
        return max(ahead, key=lambda item: len(item["command"]["path"]))


def _straight(command: Mapping[str, Any]) -> bool:
    if command["type"] != "crimson-tide.move" or command.get("astern") or command.get("evade"):
        return False
    return bool(command.get("path")) and not any(command["path"])


class Says:
    """Anything that is legal until a turn; then one thing, and anything again."""

    def __init__(self, command: str, turn: int) -> None:
        self.command, self.turn = command, turn
        self.otherwise = RandomLegal(command)

    def choose(self, position: Position) -> Item:
        if position.view["turn"] == self.turn:
            self.turn = 0
            return {"command": {"type": f"crimson-tide.{self.command}"}}
        return self.otherwise.choose(position)


def _hot(state: State, faces: Faces) -> Faces:
    """Every attack hits hard: first rounds are sixes, what is rolled again fives."""
    purpose = state.purpose
    if purpose is None or not purpose.number:
        return faces
    face = 5 if purpose.rounds else 6
    return Faces(faces.label, tuple(tuple(face for _ in pool) for pool in faces.faces))


def _with(fleets: Fleets) -> Callable[[State, Seat, Options[Any]], Options[Any]]:
    """These fleets in place of the ready ones."""

    def offer(state: State, seat: Seat, found: Options[Any]) -> Options[Any]:
        if state.step == StepKey("fleets") and found.commands and seat in fleets:
            return Options((c.SubmitFleet(fleets[seat]),), found.templates, found.concessions)
        return found

    return offer


def _battle(
    bots: tuple[Make, ...],
    ends: tuple[str, str, int],
    scenario: str = "standard",
    fleets: Fleets | None = None,
    *,
    hot: bool = False,
    **options: Any,
) -> Recipe:
    """``bots``: one for each seat; ``hot``: attack dice fall well."""
    seats = tuple(f"p{number}" for number in range(1, len(bots) + 1))
    setup = Setup("crimson-tide", EDITION, scenario, seats, options)
    players = dict(zip(seats, bots, strict=True))
    return Recipe(setup, players, ends, _with(fleets or {}), _hot if hot else as_thrown)


def _any() -> Bot:
    return RandomLegal("first")


def _other() -> Bot:
    return RandomLegal("second")


def _offers() -> Bot:
    return Says("offer-draw", 1)


def _resigns() -> Bot:
    return Says("resign", 2)


ANY: tuple[Make, Make] = (_any, _other)
DUEL: Fleets = {"p1": (Pick("uss-fletcher"),), "p2": (Pick("ijn-takao"),)}
ESCORT: Fleets = {"p1": (Pick("uss-fletcher"),), "p2": (Pick("uss-gato"),)}
TEAMS: Fleets = {
    "p1": (
        Pick("uss-enterprise"),
        Pick("tbf-1-avenger", "uss-enterprise"),
        Pick("f4f-4-wildcat", "uss-enterprise"),
        Pick("uss-fletcher"),
    ),
    "p2": (Pick("ijn-takao"), Pick("ijn-kagero"), Pick("b5n2-kate", "land-base")),
    "p3": (Pick("uss-san-francisco"), Pick("uss-gato"), Pick("f4f-4-wildcat", "land-base")),
    "p4": (Pick("ijn-kongo"), Pick("ijn-i-19"), Pick("a6m2-zero", "land-base")),
}

RECIPES = {
    "last-turn": _battle(ANY, ("last-turn", "CT-WIN-01", 1), turns=10),
    "last-turn-night": _battle(ANY, ("last-turn", "CT-WIN-01", 1), "night", turns=6),
    "last-turn-draw": _battle((Waits, Waits), ("last-turn", "CT-WIN-01", 0), turns=2),
    "target": _battle(ANY, ("target-reached", "CT-WIN-06", 1), "sea-control", hot=True, target=40),
    "elimination": _battle((Steams, Waits), ("elimination", "CT-WIN-07", 1), fleets=DUEL, turns=20),
    "survivor": _battle(
        (Steams, Waits),
        ("elimination", "CT-WIN-07", 1),
        fleets=DUEL,
        turns=20,
        elimination="survivor-wins",
    ),
    "draw-agreed": _battle((_offers, _offers), ("draw-agreed", "CT-FSM-13", 0)),
    "resignation": _battle((_any, _resigns), ("resignation", "CT-WIN-08", 1)),
    "convoy-through": _battle(
        (Steams, Waits), ("convoy-through", "CT-SCN-13", 1), "convoy", ESCORT
    ),
    "convoy-late": _battle((Waits, Waits), ("convoy-lost", "CT-SCN-13", 1), "convoy", ESCORT),
    "amphibious": _battle(ANY, ("last-turn", "CT-WIN-01", 1), "amphibious", weather="table"),
    "teams": _battle(
        (_any, _other, _resigns, _other),
        ("last-turn", "CT-WIN-01", 2),
        fleets=TEAMS,
        hot=True,
        turns=4,
        airTarget="any-in-range-1",
        quadrants="open",
        length=30,
    ),
    "major": _battle(ANY, ("last-turn", "CT-WIN-01", 1), "major-200", turns=6),
}
