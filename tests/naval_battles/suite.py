"""Naval Battles' part in the tests that every ruleset must pass."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from domain.games.naval_battles import GAME
from domain.games.naval_battles.rules.decide import EDITION
from domain.games.naval_battles.rules.state import Ship, State
from domain.kernel.setup import Setup
from tests.support.suites import Suite

from .random_games import check_game, game_of, setup_of
from .rare import RARE
from .recipes import RECIPES
from .tables import SEATS, Battle, resumed, ship, table


def begin(case: Mapping[str, Any]) -> Battle:
    """The battle of a case: with ``ships`` in the middle of things, else from its opening."""
    setup = dict(case.get("setup", {}))
    if "ships" in setup:
        return resumed(_table(setup))
    scenario, seats = setup.pop("scenario", "standard"), tuple(setup.pop("seats", SEATS[:2]))
    customs = setup.pop("customs", {})
    wanted = Setup("naval-battles", case.get("edition", EDITION), scenario, seats, setup, customs)
    events = GAME.opening(wanted)
    return Battle(GAME, GAME.fold(events), events)


def _table(setup: dict[str, Any]) -> State:
    pieces = [_piece(spec) for spec in setup.pop("ships")]
    seats = setup.pop("seats", 2)
    names = dict(zip(State.__struct_encode_fields__, State.__struct_fields__, strict=True))
    return table(*pieces, seats=seats, **{names[key]: value for key, value in setup.items()})


def _piece(spec: Mapping[str, Any]) -> Ship:
    fields = dict(zip(Ship.__struct_encode_fields__, Ship.__struct_fields__, strict=True))
    values: dict[str, Any] = {
        fields[key]: tuple(v) if isinstance(v, list) else v for key, v in spec.items()
    }
    seat, name, row = values.pop("seat"), values.pop("id"), values.pop("row", 1)
    return ship(seat, name, row, **values)


def sample(seed: int) -> tuple[Any, ...]:
    """The events of a random game."""
    return tuple(check_game(seed, 0, whole=False).events)


def check(seed: int, thorough: bool) -> tuple[str, int]:
    """A random game, checked; in every fourth somebody may leave."""
    leaving = 300 if seed % 4 == 3 else 0
    played = check_game(seed, 40 if thorough else 0, whole=thorough, leaving=leaving)
    setup, result = played.setup, played.state.result
    return f"{setup.scenario} {len(setup.seats)} {result.reason}", len(played.turns)


SUITE = Suite(
    folder="naval_battles",
    game=GAME,
    cases="NB-C",
    begin=begin,
    turn=lambda state: state.turn + 10_000 * (state.battle - 1),
    sample=sample,
    check=check,
    random=lambda seed: (setup_of(seed), game_of(seed)),
    recipes=RECIPES,
    rare=RARE,
)
