"""Units whose abilities bring Aircraft, base them apart, or work at night: they play to the end.

Each is in a random fleet, with company that makes its ability matter, in battles of both editions
that are checked as all random battles are, and must really do what it is there for.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache

import pytest

from domain.games.war_at_sea.rules.board import NEIGHBOURS
from domain.games.war_at_sea.rules.cards import card, missing, squadrons
from domain.games.war_at_sea.rules.events import AnyEvent, SquadronJoined, UnitDeployed
from domain.games.war_at_sea.rules.state import AIRBASE, State
from domain.kernel.conformance import Played, play
from domain.kernel.setup import Setup
from tests.support.battle import EDITIONS, SEATS
from tests.support.random_battles import check_battle, game_of

COMPANY: dict[str, tuple[str, ...]] = {
    "uss-essex-cv-9": ("f4f-wildcat", "f4f-wildcat", "sbd-dauntless"),
    "uss-hornet-cv-8": ("b-25h-mitchell", "f4f-wildcat", "sbd-dauntless"),
    "lamotte-picquet": (),
    "ise": (),
    "chitose": (),
    "a6m2-n-rufe": (),
    "a6m2-zero-kamikaze": ("a6m2-zero-kamikaze",) * 4,
    "pby-black-cat": (),
    "b5n2-type-97-attack-bomber": (),
    "uss-west-virginia-bb-48": (),
    "daihatsu-landing-craft": (),
}
"""The units, and what is put beside them."""

SEEDS = 2


def setup_of(edition: str, unit: str, seed: int) -> Setup:
    """p1 has the unit's side; in 2009 every other battle is fought by night."""
    axis = "p1" if card(unit, "2009").alliance == "Axis" else "p2"
    options = {"axis": axis, "escort": "p1"}
    if edition == "2009":
        options["light"] = "night" if seed % 2 else "day"
    scenario = "convoy" if seed == 1 and edition == "2007" else "standard"
    return Setup("war-at-sea", edition, scenario, SEATS, options)


@pytest.mark.parametrize("unit", COMPANY)
def test_it_can_be_fielded(unit: str) -> None:
    assert not missing(card(unit, "2009"))


@pytest.mark.slow("games")
@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("unit", COMPANY)
@pytest.mark.timeout(300)
def test_random_battles_with_it_conform(unit: str, edition: str) -> None:
    for seed in range(SEEDS):
        wanted = (unit, *COMPANY[unit])
        played = check_battle(seed, 50, wanted=wanted, setup=setup_of(edition, unit, seed))
        deployed = [e.card for e in played.events if isinstance(e, UnitDeployed)]
        assert set(wanted) <= set(deployed), f"seed {seed}: {wanted}"


def happened(unit: str, edition: str, seeds: range) -> Iterator[str]:
    """Events by name and ability or cause, in random battles with the unit; played as asked for."""
    for seed in seeds:
        for event in battle(unit, edition, seed).events:
            what = getattr(event, "ability", "") or getattr(event, "cause", "")
            yield f"{event.NAME}/{what}"


@cache
def battle(unit: str, edition: str, seed: int) -> Played:
    """A random battle, played to its end."""
    dice = random.Random(f"rare {seed}")
    game = game_of(seed, (unit, *COMPANY[unit]))
    *_, played = play(game, setup_of(edition, unit, seed), dice.randrange)
    return played


ACTS = {
    "uss-essex-cv-9": "ability-used/replenish-aircraft",
    "lamotte-picquet": "ability-used/scoutplane-attack",
    "ise": "ability-used/fly-off-strike",
    "chitose": "squadron-joined/",
    "a6m2-zero-kamikaze": "unit-doomed/suicide-attack",
    "uss-west-virginia-bb-48": "ability-used/radar-solution",
    "uss-hornet-cv-8": "points-scored/embark-b-25",
}
"""What shows that the ability was used."""


@pytest.mark.parametrize("unit", ACTS)
def test_its_ability_comes_into_play(unit: str) -> None:
    assert ACTS[unit] in happened(unit, "2009", range(8))


def places(state: State) -> Iterator[tuple[str, int]]:
    """For each Aircraft in how many places it is: in a sector, or at a base that exists."""
    for unit in state.units.values():
        if card(unit.card, state.edition).type == "Aircraft":
            base = unit.base == AIRBASE or unit.base in NEIGHBOURS or unit.base in state.units
            yield unit.id, int(bool(unit.sector)) or int(base)


@pytest.mark.parametrize("unit", ["lamotte-picquet", "ise", "chitose", "uss-essex-cv-9"])
def test_what_an_ability_brings_is_in_one_place_and_has_an_id_of_its_own(unit: str) -> None:
    for seed in range(3):
        played = battle(unit, "2009", seed)
        game = game_of(seed)
        state: State | None = None
        for event in played.events:
            _joins_once(state, event)
            state = game.evolve(state, event)
            if event.NAME == "phase-ended":
                assert all(number == 1 for _, number in places(state)), f"seed {seed}"
        assert state is not None
        assert not [g for g in state.lost if g.card in squadrons() and g.points], f"seed {seed}"


def _joins_once(state: State | None, event: AnyEvent) -> None:
    if state is not None and isinstance(event, SquadronJoined | UnitDeployed):
        assert event.unit not in state.units
