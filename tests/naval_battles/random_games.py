"""Random games of Naval Battles, whole, from a seed: seats, options, fleets, commands, dice.

What is played here is checked by the kernel's conformance suite and by invariants.py. The seed of a
failure is in its message, and the same seed plays the same game again.
"""

from __future__ import annotations

import dataclasses
import random
from typing import Any

from domain.games.naval_battles import GAME
from domain.games.naval_battles.rules import commands as c
from domain.games.naval_battles.rules.commands import AnyCommand
from domain.games.naval_battles.rules.decide import EDITION, legal
from domain.games.naval_battles.rules.evening import few_carriers
from domain.games.naval_battles.rules.events import AnyEvent
from domain.games.naval_battles.rules.scenarios import SCENARIOS
from domain.games.naval_battles.rules.setup import FLEET_POINTS
from domain.games.naval_battles.rules.ships import SHIPS, ships_of
from domain.games.naval_battles.rules.state import State
from domain.kernel import conformance
from domain.kernel.conformance import Played, askable, check_domain, throw
from domain.kernel.game import Game
from domain.kernel.options import Options
from domain.kernel.setup import Setup
from domain.kernel.values import CHANCE, Seat, StepKey
from tests.support.random_options import Weights, random_options

from . import invariants
from .tables import SEATS

NavalGame = Game[State, AnyCommand, AnyEvent]

WEIGHTS: Weights = {
    "startingFleet": ("exactly", "exactly", "at-most"),
    "defenseOrder": ("one-each", "one-each", "whole-player"),
    "stallRounds": (10, 2, 0),
    "firstHand": (7, 7, 3, 0),
}
"""How often each value is played, where not all are played alike."""
WAYS = ("standard",) * 12 + ("pairs", "trios", "linked") * 2 + ("linked-pairs", "linked-trios")
"""How often each is played; linked games take several times as long."""


def setup_of(seed: int) -> Setup:
    """Two to six seats in turn; scenarios and options as the seed says."""
    dice = random.Random(f"setup {seed}")
    seats = 2 + seed % 5
    fitting = [name for name in WAYS if seats in SCENARIOS[name].seats]
    options = random_options(GAME.options, EDITION, seed, WEIGHTS)
    return Setup("naval-battles", EDITION, dice.choice(fitting), SEATS[:seats], options)


def game_of(seed: int) -> NavalGame:
    """Naval Battles, with random fleets and arrangements of this seed besides the ready ones."""

    def offered(state: State, seat: Seat) -> Options[AnyCommand]:
        found = legal(state, seat)
        if not found.commands:
            return found
        if state.step == StepKey("fleets"):
            command: AnyCommand = c.CommitFleet(random_fleet(seed, state, seat))
            return Options((command,), found.templates, found.concessions)
        return found

    return dataclasses.replace(GAME, legal=offered)


def random_fleet(seed: int, state: State, seat: Seat) -> tuple[str, ...]:
    """Ships worth the points of a fleet, always the same for a seed, battle and seat.

    Where less is agreed on, every second fleet lacks a ship.
    """
    dice = random.Random(f"fleet {seed} {state.battle} {seat}")
    every = [ship.id for ship in ships_of(state.nations[seat])]
    while True:
        dice.shuffle(every)
        fleet: list[str] = []
        for name in every:
            if _worth([*fleet, name]) <= FLEET_POINTS and _allowed(state, [*fleet, name]):
                fleet.append(name)
        if _worth(fleet) == FLEET_POINTS:
            less = state.options.starting_fleet == "at-most" and dice.random() < 0.5
            return tuple(fleet[:-1] if less else fleet)


def _allowed(state: State, ships: list[str]) -> bool:
    """No more carriers than are agreed on."""
    return state.options.carriers == "any" or few_carriers(ships)


def _worth(ships: list[str]) -> int:
    return sum(SHIPS[name].points for name in ships)


def random_arrangement(dice: random.Random, ships: list[str]) -> c.Arrange:
    """Any legal arrangement of these ships."""
    surface = [name for name in ships if not SHIPS[name].submarine]
    rows: list[list[str]] = [[], [], []]
    for name in surface:
        dice.choice(rows).append(name)
    below = [name for name in ships if SHIPS[name].submarine and dice.random() < 0.5]
    return c.Arrange(tuple(tuple(row) for row in rows if row), tuple(below))


def check_game(seed: int, every: int, *, whole: bool = True, leaving: int = 0) -> Played:
    """Play the game of a seed to its end.

    every    how often commands and refusals are tried out, in commands
    whole    check replay, round trip and views at the end
    leaving  one command in so many, somebody leaves the game instead; 0: nobody does
    """
    setup, game = setup_of(seed), game_of(seed)
    dice = random.Random(f"game {seed}")
    played = Played(setup, list(game.opening(setup)))
    state: State | None = None
    for event in played.events:
        state = _step(state, event)
    played.state = state
    strays: list[Any] = []
    while GAME.result(played.state) is None:
        if len(played.turns) > 20_000:
            raise conformance.Nonconformance("no end")
        seat, command = _next(game, played, dice, leaving)
        if every and len(played.turns) % every == 0:
            conformance.check_legality(game, played.state, setup.seats, strays[-40:])
            conformance.check_purity(game, played.state, seat, command)
            conformance.check_canonical(game, played.state, setup.seats, dice.randrange)
        if seat != CHANCE:
            strays.append(command)
        _take(game, played, seat, command)
    if whole:
        conformance.check_roundtrip(game, played.events)
        conformance.check_replay(game, played)
        conformance.check_steps(game, played, dice.randrange)
        conformance.check_views(GAME, played)
    return played


def _next(game: NavalGame, played: Played, dice: random.Random, leaving: int) -> tuple[Seat, Any]:
    state, seats = played.state, played.setup.seats
    if leaving and played.turns and dice.randrange(leaving) == 0:
        return dice.choice([seat for seat in seats if seat not in state.gone]), c.Resign()
    awaited = game.awaiting(state)
    if awaited is not None:
        check_domain(game, played.setup, awaited)
        return CHANCE, throw(awaited, dice.randrange)
    moves = askable(game, state, seats)
    seat, command = moves[dice.randrange(len(moves))]
    concessions = game.legal(state, seat).concessions[:-1]
    if concessions and dice.random() < 0.5:
        return seat, concessions[0]
    if isinstance(command, c.Arrange) and dice.random() < 0.7:
        command = random_arrangement(dice, [name for row in command.rows for name in row])
        below = [s.id for s in state.ships.values() if s.seat == seat and s.row == 0]
        held = state.committed.get(seat)
        if state.step == StepKey("layout") and held is not None:
            below = [name for name in held.items if SHIPS[name].submarine]
        command = c.Arrange(command.rows, tuple(n for n in below if dice.random() < 0.5))
    return seat, command


def _take(game: NavalGame, played: Played, seat: Seat, command: Any) -> None:
    events = game.decide(played.state, seat, command)
    if not events:
        raise conformance.Nonconformance(f"{seat}'s {command} was accepted and led to nothing")
    played.turns.append((seat, command, len(events)))
    played.events.extend(events)
    for event in events:
        played.state = _step(played.state, event)


def _step(state: State | None, event: AnyEvent) -> State:
    after = GAME.evolve(state, event)
    invariants.check(state, event, after)
    return after
