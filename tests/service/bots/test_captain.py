"""The captain: it manoeuvres, shoots at what it can hit, keeps clear, and beats chance."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import msgspec
import pytest

from domain.games.crimson_tide import GAME
from domain.games.crimson_tide.rules.arcs import in_arc
from domain.games.crimson_tide.rules.geometry.pose import Pose
from domain.games.crimson_tide.rules.state import State
from domain.kernel.codec import full
from domain.kernel.setup import Setup
from domain.kernel.values import StepKey
from service.bots import Bot, Item, LocalGame, Position, RandomLegal
from service.bots.crimson_tide import Captain
from service.bots.crimson_tide.lookout import Spot
from tests.crimson_tide.seas import begun

CATALOGUE = {entry.id: msgspec.to_builtins(entry) for entry in GAME.catalogue.units()}
FOE = {"id": "p2-1", "card": "hms-exeter", "pose": [500_000, 900_000, 360]}


def setup(scenario: str) -> Setup:
    return Setup("crimson-tide", "1", scenario, ("p1", "p2"))


def position(state: State) -> Position:
    """What the seat that is asked has before it."""
    asked = GAME.pending(state)[0]
    commands = GAME.legal(state, asked.seat).commands
    items = [{"command": msgspec.to_builtins(command)} for command in commands]
    return Position(asked.seat, asked.question, items, lambda: full(state), CATALOGUE)


def table(*units: Mapping[str, Any], **fields: Any) -> State:
    state: State = begun({"units": list(units)} | fields).state
    return state


def picked(state: State) -> Mapping[str, Any]:
    command: Mapping[str, Any] = Captain().choose(position(state))["command"]
    return command


def after(state: State, seat: str = "p1") -> State:
    """The state when the captain's choice is carried out."""
    command = msgspec.convert(picked(state), type=GAME.commands[3])
    return GAME.fold(GAME.decide(state, seat, command), state)


class Watched:
    """A bot that is held to its list."""

    def __init__(self, bot: Bot) -> None:
        self.bot = bot
        self.questions: set[str] = set()

    def choose(self, position: Position) -> Item:
        self.questions.add(position.question)
        item = self.bot.choose(position)
        assert item in position.items
        return item


# --- it beats chance -----------------------------------------------------------------------------


def test_it_beats_chance(record_property: Any) -> None:
    """Mirrored matches: each seed twice, with the seats exchanged. A draw is half a point."""
    points, matches = 0.0, 0
    for seed in range(2):
        for seat, other in (("p1", "p2"), ("p2", "p1")):
            bots: dict[str, Bot] = {seat: Watched(Captain()), other: RandomLegal(seed)}
            outcome = LocalGame(GAME, setup("standard"), seed).play(bots, limit=3000)
            assert outcome.result is not None
            winners = outcome.result["winners"]
            points += (seat in winners) if winners else 0.5
            matches += 1
    record_property("score", f"{points} of {matches}")
    assert points >= 0.75 * matches


@pytest.mark.parametrize("scenario", ["sea-control", "amphibious", "convoy", "night"])
def test_against_itself_a_battle_ends(scenario: str) -> None:
    captains = {"p1": Watched(Captain()), "p2": Watched(Captain())}
    outcome = LocalGame(GAME, setup(scenario), 5).play(captains, limit=1500)
    assert outcome.result is not None
    asked = captains["p1"].questions | captains["p2"].questions
    assert {"build-fleet", "place", "move", "attack"} <= asked


# --- what it does in plain positions -------------------------------------------------------------


def test_it_turns_its_broadside_to_the_enemy() -> None:
    """Bow on to a cruiser 10 klicks ahead: it ends the move with the cruiser abeam."""
    state = after(table({"id": "p1-1", "card": "ijn-takao", "pose": [500_000, 600_000, 0]}, FOE))
    ship, foe = state.units["p1-1"], state.units["p2-1"]
    assert in_arc(state, ship, foe, "starboard") or in_arc(state, ship, foe, "port")


def test_it_closes_in_on_what_is_out_of_range() -> None:
    far = {"id": "p2-1", "card": "hms-exeter", "pose": [500_000, 1_450_000, 360]}
    state = table({"id": "p1-1", "card": "ijn-takao", "pose": [500_000, 200_000, 0]}, far)
    moved = after(state).units["p1-1"].pose
    assert isinstance(moved, Pose)
    assert moved.y > 300_000


def test_it_stays_on_the_table() -> None:
    state = table({"id": "p1-1", "card": "ijn-takao", "pose": [500_000, 1_450_000, 0]}, FOE)
    assert "p1-1" in after(state).units


def test_it_runs_into_nobody() -> None:
    """A friend lies 5 klicks ahead, athwart its course."""
    friend = {"id": "p1-2", "card": "kms-bismarck", "pose": [500_000, 625_000, 180], "moved": True}
    ship = {"id": "p1-1", "card": "ijn-takao", "pose": [500_000, 500_000, 0]}
    state = after(table(ship, friend, FOE))
    assert not state.units["p1-1"].collided


def test_it_fires_the_strongest_guns_that_bear() -> None:
    ship = {"id": "p1-1", "card": "ijn-takao", "pose": [400_000, 900_000, 0]}
    command = picked(table(ship, FOE, step=StepKey("surface-attack", "first")))
    assert (command["weapon"], command["arc"]) == ("primary", "starboard")


def test_it_wastes_no_shot() -> None:
    """All that is left is out of reach: it passes."""
    far = {"id": "p2-1", "card": "hms-exeter", "pose": [500_000, 1_450_000, 360]}
    ship = {"id": "p1-1", "card": "ijn-takao", "pose": [500_000, 100_000, 0]}
    assert (
        picked(table(ship, far, step=StepKey("surface-attack", "first")))["type"]
        == "crimson-tide.pass"
    )


def test_it_evades_a_fan_of_torpedoes_when_there_is_nothing_better() -> None:
    far = {"id": "p2-1", "card": "hms-exeter", "pose": [500_000, 1_450_000, 360]}
    markers = [{"firer": "p2-1", "turn": 1, "number": 3}]
    ship = {
        "id": "p1-1", "card": "kms-bismarck", "pose": [500_000, 150_000, 0], "inbound": markers
    }  # fmt: skip
    assert picked(table(ship, far))["evade"]


def test_a_convoy_makes_for_the_far_edge() -> None:
    ship = {"id": "p1-1", "card": "convoy-ship", "pose": [500_000, 700_000, 0]}
    command = picked(table(ship, FOE | {"pose": [900_000, 100_000, 0]}, terms={"escort": "p1"}))
    assert command["path"] == (0, 0, 0, 0)


def test_there_has_to_be_a_choice() -> None:
    empty = Position("p1", "move", [], dict, {})
    with pytest.raises(ValueError, match="nothing to choose"):
        Captain().choose(empty)


# --- by eye --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("x", "y", "bearing", "arc"),
    [
        (0, 10, 0, "forward"), (10, 0, 90, "starboard"), (-10, 0, -90, "port"),
        (0, -10, 180, "aft"), (9, 10, 42, "forward"), (10, 9, 48, "starboard"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("course", [0, 45, 90, 222.5])
def test_bearings_are_from_the_bow(
    x: float, y: float, bearing: float, arc: str, course: float
) -> None:
    way = math.radians(course)
    there = Spot(x * math.cos(way) + y * math.sin(way), y * math.cos(way) - x * math.sin(way), 0.0)
    here = Spot(0.0, 0.0, course)
    assert abs((here.bearing(there) - bearing + 180) % 360 - 180) < 1
    assert here.arc(there) == arc
    assert here.away(there) == pytest.approx(math.hypot(x, y))
