"""Random battles of Crimson Tide, whole, from a seed: scenario, options, fleets, commands, dice.

The seed of a failure is in its message, and the same seed plays the same battle again.
"""

from __future__ import annotations

import dataclasses
import random
from functools import lru_cache
from typing import Any, get_args

from domain.games.crimson_tide.game import GAME
from domain.games.crimson_tide.rules import commands as c
from domain.games.crimson_tide.rules.cards import cards, catalogue
from domain.games.crimson_tide.rules.commands import AnyCommand
from domain.games.crimson_tide.rules.decide import legal
from domain.games.crimson_tide.rules.events import AnyEvent
from domain.games.crimson_tide.rules.facts import flying, hull_left, on_surface, size_of
from domain.games.crimson_tide.rules.fleets import check_fleet, fits
from domain.games.crimson_tide.rules.geometry.hull import base
from domain.games.crimson_tide.rules.geometry.polygons import Polygon, overlap
from domain.games.crimson_tide.rules.state import LAND_BASE, Bearing, Pick, State, Weapon
from domain.kernel import conformance
from domain.kernel.custom import CUSTOM, Kind
from domain.kernel.game import Game
from domain.kernel.options import Options
from domain.kernel.rules import Refused
from domain.kernel.setup import Setup
from domain.kernel.values import CHANCE, Seat, StepKey
from tests.support.random_options import Weights, random_options

from . import random_starts
from .seas import EDITION

BattleGame = Game[State, AnyCommand, AnyEvent]

SCENARIOS = ("standard", "standard", "sea-control", "amphibious", "convoy", "night", "major-200")
"""How often each is played."""

WEIGHTS: Weights = {
    "convoySide": ("", "", "first", "second", "both"),
    "threshold": ("above", "above", "equal-or-above"),
    "damageEffects": ("end-of-turn", "end-of-turn", "end-of-phase"),
    "wastedShot": ("spent", "spent", "taken-back"),
    "diveDeclaration": ("together", "together", "first-player-first"),
    "repairSameTurn": (True, True, False),
    "airTorpedo": ("marker", "marker", "immediate"),
    "light": ("", "", "", "day", "night", "dawn", "dusk"),
    "change": (0, 0, 2, 4),
    "klick": (25_000, 25_000, 50_000),
    "width": (40, 40, 40, 30, 60),
    "length": (60, 60, 60, 50, 80),
    "points": (0, 0, 0, 150),
    "units": (0, 0, 0, 8),
    "target": (0, 0, 0, 60),
    "turns": (0, 4, 6, 8),
    "home": ("south", "south", "west", "north", "east"),
    "chart": ("", "", "", "squalls", "strait", "beach", "open-sea", "open-sea"),
}
"""How often each value is played, where not all are played alike."""


COUNTS = (4, 4, 4, 6, 8)
"""How often so many seats are taken in a battle of teams, which every fourth is."""

LEAVES_IN = ("fleets", "placing", "dive", "movement", "air-deployment", "surface-attack", "never")
"""In which phase one of a team gives up."""


def setup_of(seed: int) -> Setup:
    """Scenario, seats and options of a seed; without the table, or chart, that do not fit them."""
    scenario = random.Random(f"setup {seed}").choice(SCENARIOS)
    count = random.Random(f"team {seed}").choice(COUNTS) if seed % 4 == 1 else 2
    return taken_by(seed, scenario, tuple(f"p{number}" for number in range(1, count + 1)))


def taken_by(seed: int, scenario: str, seats: tuple[Seat, ...]) -> Setup:
    """The set-up of a seed's options for these seats; of some the scenario brings the fleets."""
    options = random_options(GAME.options, EDITION, seed, WEIGHTS)
    customs: dict[Kind, Any] = {}
    if random_starts.brings(seed):
        options = _but(options, {"points", "units", "convoySide"})
        scenario, customs = CUSTOM, {"scenario": random_starts.document(seed, len(seats) // 2)}
    without: tuple[set[str], ...] = (set(), {"width", "length"}, {"chart"}, {"teamFleets"})
    setups = [
        Setup("crimson-tide", EDITION, scenario, seats, _but(options, names), customs)
        for names in (*without, set().union(*without))
    ]
    return next((setup for setup in setups if _opens(setup)), setups[-1])


def _but(options: dict[str, Any], without: set[str]) -> dict[str, Any]:
    return {name: value for name, value in options.items() if name not in without}


def _opens(setup: Setup) -> bool:
    try:
        return bool(GAME.opening(setup))
    except Refused:
        return False


def game_of(seed: int) -> BattleGame:
    """Crimson Tide, with random fleets of this seed in place of the ready ones.

    Of a team one may give up, somewhere in the battle.
    """
    dice = random.Random(f"leaves {seed}")
    place, phase, turn = dice.randrange(8), dice.choice(LEAVES_IN), dice.randint(1, 3)

    def gives_up(state: State, seat: Seat) -> bool:
        """Whether it is this seat, and now; its partners fight on."""
        return (
            seat == state.seats[place % len(state.seats)]
            and len(state.seats) > 2
            and not state.gone
            and state.step.phase == phase
            and state.turn in (0, turn)
        )

    def offered(state: State, seat: Seat) -> Options[AnyCommand]:
        found = legal(state, seat)
        if found.commands and gives_up(state, seat):
            return Options((c.Resign(),), found.templates, found.concessions[:-1])
        if state.step != StepKey("fleets") or not found.commands:
            return found
        command = c.SubmitFleet(random_fleet(seed, state, seat))
        return Options((command,), found.templates, found.concessions)

    return dataclasses.replace(GAME, legal=offered)


def random_fleet(seed: int, state: State, seat: Seat) -> tuple[Pick, ...]:
    """A legal fleet for the seat, always the same for a seed."""
    dice = random.Random(f"fleet {seed} {seat}")
    fleet: tuple[Pick, ...] = ()
    if seat == state.terms.lander:
        fleet = (Pick("uss-lst-325"),)
    for _ in range(40):
        name = dice.choice(list(catalogue()))
        pick = Pick(name, dice.choice(_homes(name, fleet)))
        if _fits(state, seat, (*fleet, pick)):
            fleet = (*fleet, pick)
    return fleet


def _homes(name: str, fleet: tuple[Pick, ...]) -> list[str]:
    card = cards()[name]
    if card.kind != "aircraft":
        return [""]
    return [LAND_BASE, *(p.card for p in fleet if not p.base and fits(card, cards()[p.card]))]


def _fits(state: State, seat: Seat, fleet: tuple[Pick, ...]) -> bool:
    try:
        check_fleet(state, seat, fleet)
    except Refused:
        return False
    return True


def strays(state: State, dice: random.Random, number: int) -> tuple[AnyCommand, ...]:
    """Commands that make sense somewhere, mostly not here: none may be accepted but not offered."""
    return tuple(_stray(state, dice) for _ in range(number))


def _stray(state: State, dice: random.Random) -> AnyCommand:
    units = [*state.units, "p9-1"]
    unit, other = dice.choice(units), dice.choice(units)
    weapon: Weapon = dice.choice(get_args(Weapon))
    arc: Bearing = dice.choice(get_args(Bearing))
    return dice.choice(
        (
            c.Attack(unit, weapon, other, arc),
            c.Attack(unit, weapon, other, arc),
            c.Attack(unit, weapon, other),
            c.LandAircraft(unit, dice.choice((*units, LAND_BASE))),
            c.SubmitFleet((Pick("uss-fletcher"),)),
            c.Dive((unit,)),
            c.Pass(),
            c.OfferDraw(),
        )
    )


def check_battle(seed: int, every: int, whole: bool = True) -> conformance.Played:
    """Play a battle to its end; what must always hold is checked after each command.

    every  each ``every``th state is tried with commands that are not offered, and for purity
    whole  at the end, the whole is stored, read, replayed and looked at by each viewer
    """
    game, setup = game_of(seed), setup_of(seed)
    dice = random.Random(f"play {seed}")
    last = conformance.Played(setup)
    for number, played in enumerate(conformance.play(game, setup, dice.randrange)):
        check_table(played.state)
        if number % every == seed % every:
            _check_state(game, played, dice)
        last = played
    assert game.result(last.state) is not None
    if whole:
        conformance.check_roundtrip(game, last.events)
        conformance.check_replay(game, last)
        conformance.check_steps(game, last, dice.randrange)
        conformance.check_views(game, last)
    return last


def _check_state(game: BattleGame, played: conformance.Played, dice: random.Random) -> None:
    wild = strays(played.state, dice, 30)
    seats = played.setup.seats
    conformance.check_legality(GAME, played.state, seats, wild)
    conformance.check_canonical(game, played.state, seats, dice.randrange)
    for seat in seats:
        conformance.check_purity(game, played.state, seat, wild[0])
        for command in game.legal(played.state, seat).commands[:3]:
            conformance.check_purity(game, played.state, seat, command)
    awaited = game.awaiting(played.state)
    if awaited is not None:
        faces = conformance.throw(awaited, dice.randrange)
        conformance.check_purity(game, played.state, CHANCE, faces)
    if played.state.step.phase in ("fleets", "dive"):
        conformance.check_views(game, played)


def check_table(state: State) -> None:
    """No two surface bases overlap, nothing lies off the table, nothing holds more than it can."""
    width, length = state.table
    hulls = []
    for unit in state.units.values():
        if unit.pose is None:
            continue
        assert 0 <= unit.pose.x <= width, f"{unit.id} is off the table"
        assert 0 <= unit.pose.y <= length, f"{unit.id} is off the table"
        assert unit.hull_lost <= cards()[unit.card].hull_points, f"{unit.id} lost too much"
        assert hull_left(state, unit) >= 0, f"{unit.id} has less than no hull point"
        assert all(group.number > 0 for group in unit.inbound), f"{unit.id} has an empty salvo"
        if on_surface(state, unit):
            hulls.append((unit.id, base(unit.pose, size_of(state, unit))))
    _check_apart(tuple(hulls))
    _check_bases(state)


@lru_cache(maxsize=4)
def _check_apart(hulls: tuple[tuple[str, Polygon], ...]) -> None:
    """Most commands move nothing: what was apart just now is not asked again."""
    for number, (name, hull) in enumerate(hulls):
        for other, beside in hulls[:number]:
            assert not overlap(hull, beside), f"{name} and {other} overlap"


def _check_bases(state: State) -> None:
    """Conservation of aircraft: each is at a base that is there and has room, or in the air."""
    for side in state.sides:
        there: dict[str, int] = {}
        for unit in state.units.values():
            if state.side(unit.seat) == side and unit.pose is None and not flying(unit):
                assert unit.base == LAND_BASE or unit.base in state.units, unit.id
                there[unit.base] = there.get(unit.base, 0) + 1
        for name, number in there.items():
            room = state.terms.airbase * len(state.members(side))
            if name != LAND_BASE:
                room = cards()[state.units[name].card].aircraft
            assert number <= room, f"{name} holds {number}, its room is {room}"
