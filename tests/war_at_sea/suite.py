"""War at Sea's part in the tests that every ruleset must pass."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

from domain.games.war_at_sea import GAME
from domain.games.war_at_sea.rules.cards import card
from domain.games.war_at_sea.rules.state import State, Unit
from domain.kernel.conformance import play
from domain.kernel.setup import Setup
from tests.support.battle import SEATS, Battle, bare, passing_cards, resumed, table, unit
from tests.support.random_battles import check_battle, game_of, setup_of
from tests.support.suites import Suite

from .rare import RARE
from .recipes import RECIPES

NEVER = 10**9


def begin(case: Mapping[str, Any]) -> Battle:
    """The battle of a case: with ``units`` in the middle of things, else from its opening."""
    setup = dict(case.get("setup", {}))
    if "units" in setup:
        return resumed(_table(case["edition"], setup))
    scenario, seats = setup.pop("scenario", "standard"), tuple(setup.pop("seats", SEATS))
    customs = setup.pop("customs", {})
    events = GAME.opening(Setup("war-at-sea", case["edition"], scenario, seats, setup, customs))
    return Battle(GAME.fold(events), events)


def _table(edition: str, setup: dict[str, Any]) -> State:
    pieces = [_piece(spec) for spec in setup.pop("units")]
    names = dict(zip(State.__struct_encode_fields__, State.__struct_fields__, strict=True))
    return table(edition, *pieces, **{names[key]: value for key, value in setup.items()})


def _piece(spec: Mapping[str, Any]) -> Unit:
    fields = dict(zip(Unit.__struct_encode_fields__, Unit.__struct_fields__, strict=True))
    given = dict(spec)
    name, each, sector = given.pop("id"), given.pop("card"), given.pop("sector", "")
    card(each, "2009")
    if "abilities" in given:
        assert given.pop("abilities") == [], "only [] (play the card without abilities) is known"
        each = bare(each)
    values = {fields[key]: tuple(v) if isinstance(v, list) else v for key, v in given.items()}
    return unit(name, each, sector, **values)


def sample(seed: int) -> tuple[Any, ...]:
    """The events of a random battle."""
    dice = random.Random(f"frozen {seed}")
    *_, played = play(game_of(seed), setup_of(seed), dice.randrange)
    return tuple(played.events)


def check(seed: int, thorough: bool) -> tuple[str, int]:
    """A random battle, checked."""
    played = check_battle(seed, 60 if thorough else NEVER, whole=thorough)
    setup, result = played.setup, GAME.result(played.state)
    assert result is not None
    return f"{setup.scenario} {setup.edition} {result.reason}", len(played.turns)


SUITE = Suite(
    folder="war_at_sea",
    game=GAME,
    cases="WAS-C",
    begin=begin,
    turn=lambda state: state.turn,
    sample=sample,
    check=check,
    random=lambda seed: (setup_of(seed), game_of(seed)),
    recipes=RECIPES,
    rare=RARE,
    around=passing_cards,
)
