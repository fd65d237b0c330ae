"""Random battles of War at Sea, whole, from a seed: fleets, options, commands, dice.

What is played here is checked by the kernel's conformance suite. The seed of a failure is in its
message, and the same seed plays the same battle again.
"""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Sequence

from domain.games.war_at_sea import GAME
from domain.games.war_at_sea.rules import board
from domain.games.war_at_sea.rules import commands as c
from domain.games.war_at_sea.rules.attacks import KINDS
from domain.games.war_at_sea.rules.cards import card
from domain.games.war_at_sea.rules.commands import AnyCommand
from domain.games.war_at_sea.rules.convoy import OFF_MAP
from domain.games.war_at_sea.rules.convoy import points as most
from domain.games.war_at_sea.rules.decide import legal
from domain.games.war_at_sea.rules.events import AnyEvent
from domain.games.war_at_sea.rules.fleet_options import open_cards
from domain.games.war_at_sea.rules.fleets import check_fleet
from domain.games.war_at_sea.rules.state import AIRBASE, State
from domain.kernel import conformance
from domain.kernel.game import Game
from domain.kernel.options import Options
from domain.kernel.rules import Refused
from domain.kernel.setup import Setup
from domain.kernel.values import CHANCE, Seat, StepKey
from tests.support.battle import EDITIONS, SEATS
from tests.support.random_options import Weights, random_options
from tests.war_at_sea import invariants

BattleGame = Game[State, AnyCommand, AnyEvent]


SCENARIOS = (
    *("standard",) * 18,
    *("convoy",) * 12,
    *("major-200",) * 4,
    "major-300",
    "major-500",
)
"""How often each is played: the larger, the longer it takes."""


WEIGHTS: Weights = {
    "battleZone": (0, 0, 1, 2, 3, 4, 5, 6),
    "claims": ("automatic", "automatic", "asked"),
    "escortCoverage": ("all", "all", "one"),
    "diePenaltiesOverlap": (True, False, False, False),
    "fleetExercise": ("", "", "", "Axis", "Allies"),
    "year": (0,) * 8 + (1939, 1940, 1941, 1941, 1942, 1943, 1943, 1944, 1945),
    "history": (False, False, False, True),
    "light": ("day", "day", "night", "twilight", "random"),
    "eliminationTiming2009": ("end-of-turn", "end-of-turn", "phase"),
    "eliminationBeatsPoints": (True, True, False),
    "activationLock": (True, False, False),
    "concealmentTiming": ("after-hit", "after-hit", "before-roll"),
    "cards": ("book", "book", "print"),
}
"""How often each value is played, where not all are played alike."""


def setup_of(seed: int) -> Setup:
    """Editions in turn; scenarios and options as the seed says."""
    dice, edition = random.Random(f"setup {seed}"), EDITIONS[seed % 2]
    options = random_options(GAME.options, edition, seed, WEIGHTS)
    return Setup("war-at-sea", edition, dice.choice(SCENARIOS), SEATS, options)


def game_of(seed: int, wanted: Sequence[str] = ()) -> BattleGame:
    """War at Sea, with random fleets of this seed in place of the ready ones.

    ``wanted`` are cards that a fleet has if it may have them.
    """

    def offered(state: State, seat: Seat) -> Options[AnyCommand]:
        found = legal(state, seat)
        if state.step != StepKey("fleets") or not found.commands:
            return found
        command = c.SubmitFleet(random_fleet(seed, state, seat, wanted))
        return Options((command,), found.templates, found.concessions)

    return dataclasses.replace(GAME, legal=offered)


def random_fleet(
    seed: int, state: State, seat: Seat, wanted: Sequence[str] = ()
) -> tuple[str, ...]:
    """A legal fleet for the seat, of any units that can be played, always the same for a seed."""
    dice = random.Random(f"fleet {seed} {seat}")
    pool = open_cards(state.alliances[seat], state)
    top = most(state, seat)
    points = min(dice.randint(15, top), dice.randint(15, top))
    fleet: list[str] = []
    for name in (*wanted, *(dice.choice(pool) for _ in range(60))):
        limit = most(state, seat) if name in wanted else points
        if name in pool and _fits(state, seat, [*fleet, name], limit):
            fleet.append(name)
    return tuple(fleet)


def _fits(state: State, seat: Seat, fleet: list[str], points: int) -> bool:
    if sum(card(name, state.edition).cost for name in fleet) > points:
        return False
    try:
        check_fleet(state, seat, fleet)
    except Refused:
        return False
    return True


def strays(state: State, dice: random.Random, number: int) -> tuple[AnyCommand, ...]:
    """Commands that make sense somewhere, mostly not here: none may be accepted but not offered."""
    units = [*state.units, "p3-1"]
    families = [a.family for u in state.units.values() for a in card(u.card, "2009").abilities]
    places = [*board.SECTORS, AIRBASE, *units, OFF_MAP, "0.0"]
    return tuple(_stray(dice, units, places, [*families, "telepathy"]) for _ in range(number))


def _stray(
    dice: random.Random, units: Sequence[str], places: Sequence[str], families: Sequence[str]
) -> AnyCommand:
    unit, place, family = dice.choice(units), dice.choice(places), dice.choice(families)
    declared = dice.choice(((), (), (family,)))
    return dice.choice(
        (
            c.Move(unit, place),
            c.Move(unit, place, family),
            c.Place(unit, place, strafing=dice.random() < 0.5),
            c.SendToAirbase(unit),
            c.Fire(unit, dice.choice((*KINDS, "ram")), dice.choice(units), declared),
            c.Use(unit, family, dice.choice(("", place))),
            c.Risk(unit, dice.choice(units)),
            c.Return(unit, place),
            c.Eliminate(unit),
            c.Claim(place),
            c.Deploy(dice.choice(("yamato", "duca-d-aosta", "pt-boat")), place),
            c.ChooseEdge(dice.choice(("south", "north"))),
            c.CallStalemate(),
            c.Pass(),
        )
    )


def check_battle(
    seed: int,
    every: int,
    whole: bool = True,
    wanted: Sequence[str] = (),
    setup: Setup | None = None,
) -> conformance.Played:
    """Play a battle to its end; what must always hold is checked after each event.

    every   each ``every``th state is tried with commands that are not offered, and for purity
    whole   at the end, the whole is stored, read, replayed and looked at by each viewer
    wanted  cards that a fleet has if it may have them
    setup   the one to play; absent: the one of the seed
    """
    game, setup = game_of(seed, wanted), setup or setup_of(seed)
    dice = random.Random(f"play {seed}")
    watch, last = Watch(game), conformance.Played(setup)
    for number, played in enumerate(conformance.play(game, setup, dice.randrange)):
        watch.see(played)
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


class Watch:
    """Follows a battle event by event and checks what always holds."""

    def __init__(self, game: BattleGame) -> None:
        self.game = game
        self.state: State | None = None
        self.seen = 0

    def see(self, played: conformance.Played) -> None:
        """Check the events that are new; raises Nonconformance."""
        for event in played.events[self.seen :]:
            after = self.game.evolve(self.state, event)
            invariants.check(self.state, event, after)
            self.state = after
        self.seen = len(played.events)


def _check_state(game: BattleGame, played: conformance.Played, dice: random.Random) -> None:
    wild = strays(played.state, dice, 30)
    conformance.check_legality(game, played.state, SEATS, wild)
    conformance.check_canonical(game, played.state, SEATS, dice.randrange)
    for seat in SEATS:
        conformance.check_purity(game, played.state, seat, wild[0])
        for command in game.legal(played.state, seat).commands[:3]:
            conformance.check_purity(game, played.state, seat, command)
    awaited = game.awaiting(played.state)
    if awaited is not None:
        faces = conformance.throw(awaited, dice.randrange)
        conformance.check_purity(game, played.state, CHANCE, faces)
    if played.state.step in (
        StepKey("fleets"),
        StepKey("deployment", "first"),
        StepKey("deployment", "second"),
    ):
        conformance.check_views(game, played)
        conformance.check_dry_runs(game, played, wild[:5])
