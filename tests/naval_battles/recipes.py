"""How the recorded games of Naval Battles are played: one for each way to end, at least."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from domain.games.naval_battles.rules.decide import EDITION
from domain.games.naval_battles.rules.state import State
from domain.games.naval_battles.shown.bots import Admiral
from domain.kernel.chance import Faces
from domain.kernel.setup import Setup
from service.bots import Bot, Item, Position, RandomLegal
from tests.support.suites import Recipe, as_thrown

from .tables import SEATS

PASS = {"type": "naval-battles.pass"}
Make = Callable[[], Bot]
Ends = tuple[str, str, int]


class Tires:
    """An admiral until so many ships are sunk; then it waits, and agrees to end once it may.

    ships  0: it has been waiting from the beginning
    """

    def __init__(self, ships: int) -> None:
        self.ships = ships
        self.admiral = Admiral()

    def choose(self, position: Position) -> Item:
        view = position.view
        if sum(map(len, view["sunk"].values())) < self.ships:
            return self.admiral.choose(position)
        rounds = view["options"]["stallRounds"]
        if view["calm"] >= rounds and position.seat not in view["calls"]:
            return {"command": {"type": "naval-battles.agree-to-end"}}
        passing = [each for each in position.items if each["command"] == PASS]
        return passing[0] if passing else self.admiral.choose(position)


class Leaves:
    """An admiral who leaves the game in his first question from that turn on."""

    def __init__(self, turn: int) -> None:
        self.turn = turn
        self.admiral = Admiral()

    def choose(self, position: Position) -> Item:
        if position.view["turn"] >= self.turn:
            return {"command": {"type": "naval-battles.resign"}}
        return self.admiral.choose(position)


def _tires(ships: int) -> Make:
    return lambda: Tires(ships)


def _leaves(turn: int) -> Make:
    return lambda: Leaves(turn)


def _sixes(state: State, faces: Faces) -> Faces:
    """Every open die of a fight is a six."""
    if state.purpose is None or state.purpose.kind != "roll":
        return faces
    return Faces(faces.label, tuple(tuple(6 for _ in pool) for pool in faces.faces))


def _game(
    ends: Ends,
    *bots: Make,
    seats: int = 0,
    scenario: str = "standard",
    hot: bool = False,
    options: Mapping[str, Any] | None = None,
    seed: str = "recorded",
) -> Recipe:
    """``seats`` admirals, or these bots seat by seat; ``hot``: dice of fights are sixes."""
    players = bots or (Admiral,) * seats
    places = SEATS[: len(players)]
    setup = Setup("naval-battles", EDITION, scenario, places, dict(options or {}))
    fall = _sixes if hot else as_thrown
    return Recipe(setup, dict(zip(places, players, strict=True)), ends, fall=fall, seed=seed)


POINTS: Ends = ("points", "NB-WIN-01", 1)
OTHER_READINGS = {
    "nations": "random",
    "startingFleet": "at-most",
    "preparedCarrierRaids": False,
    "defenseOrder": "whole-player",
    "consecutiveRetreats": False,
    "surpriseAttack": "on-resolve",
    "carrierRaidSubmarines": "row-3-number",
    "mikuma": "historical",
}
CALM = {"stallRounds": 2}


def _agreed(winners: int) -> Ends:
    return "agreement", "NB-WIN-05", winners


def _team(players: int) -> Ends:
    return "points", "NB-TEAM-02", players


def _match(players: int) -> Ends:
    return "points", "NB-LINK-03", players


def _left(winners: int) -> Ends:
    return "resignation", "NB-RUL-01", winners


RECIPES: Mapping[str, Recipe] = {
    "points-2": _game(POINTS, seats=2),
    "points-3": _game(POINTS, seats=3),
    "points-4": _game(POINTS, seats=4),
    "points-5": _game(POINTS, seats=5),
    "points-6": _game(POINTS, seats=6),
    "points-2-by-chance": _game(POINTS, lambda: RandomLegal(1), lambda: RandomLegal(2)),
    "points-3-other-readings": _game(POINTS, seats=3, options=OTHER_READINGS),
    "pairs-4": _game(_team(2), seats=4, scenario="pairs"),
    "pairs-6": _game(_team(2), seats=6, scenario="pairs", hot=True),
    "trios-6": _game(_team(3), seats=6, scenario="trios", hot=True),
    "linked-2": _game(_match(1), seats=2, scenario="linked", hot=True),
    "linked-3-new-nations": _game(
        _match(1),
        seats=3,
        scenario="linked",
        hot=True,
        options={"linkedNations": "anew"},
    ),
    "linked-pairs-4": _game(_match(2), seats=4, scenario="linked-pairs", hot=True),
    "linked-pairs-6": _game(_match(2), seats=6, scenario="linked-pairs", hot=True),
    "linked-trios-6": _game(_match(3), seats=6, scenario="linked-trios", hot=True),
    "agreement-3": _game(_agreed(1), *(_tires(1),) * 3, options=CALM),
    "agreement-pairs": _game(_agreed(2), *(_tires(1),) * 4, scenario="pairs", options=CALM),
    "agreed-draw-2": _game(_agreed(0), *(_tires(0),) * 2, options=CALM),
    "agreed-draw-6": _game(_agreed(0), *(_tires(0),) * 6, options=CALM),
    "resignation-2": _game(_left(1), Admiral, _leaves(3)),
    "resignation-4": _game(_left(1), _leaves(6), _leaves(2), Admiral, _leaves(4)),
    "resignation-trios": _game(_left(3), *(Admiral, _leaves(2)) * 3, scenario="trios"),
    "one-leaves-3": _game(POINTS, Admiral, _leaves(3), Admiral),
}
