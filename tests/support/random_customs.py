"""Random scenarios and maps of War at Sea from a seed: what passes its check must be playable.

Most of what is made is faulty, as what people write is at first: that too must be judged without an
exception. Battles are short and small, so that many can be played.
"""

from __future__ import annotations

import random
from typing import Any

from domain.games.war_at_sea import GAME
from domain.games.war_at_sea.rules import board
from domain.games.war_at_sea.rules.cards import CARDS, missing
from domain.kernel import conformance
from domain.kernel.custom import CUSTOM
from domain.kernel.rules import Refused
from domain.kernel.setup import Setup
from tests.support.battle import EDITIONS, SEATS
from tests.war_at_sea import invariants

ART = ("L", "M", "W", "N", "C", "S")
PLAYABLE = [each for each in CARDS.values() if not missing(each)]


def map_of(dice: random.Random) -> dict[str, Any]:
    """A map with a few of everything."""
    free = dice.sample(board.SECTORS, len(board.SECTORS))

    def some(most: int) -> list[str]:
        return [free.pop() for _ in range(dice.randint(0, most))]

    made: dict[str, Any] = {"id": "random", "name": "Random"}
    made["islands"] = {sector: dice.choice(ART) for sector in some(8)}
    made["shoals"], made["absent"] = some(4), some(12)
    if dice.random() < 0.3:
        made |= {"islandByDie": [free.pop() for _ in range(6)], "art": dice.choice(ART)}
    made["objectives"] = some(3)
    made["fog"] = dice.sample(board.SECTORS, dice.randint(0, 4))
    if dice.random() < 0.5:
        made["areas"] = {dice.choice(("south", "north")): area_of(dice)}
    return made


def area_of(dice: random.Random) -> dict[str, Any]:
    kinds = dice.sample(("ships", "submarines"), dice.randint(0, 2))
    return {kind: dice.sample(board.SECTORS, dice.randint(1, 12)) for kind in kinds}


def scenario_of(dice: random.Random, own_map: bool) -> dict[str, Any]:
    """A short scenario; each of its clauses now and then."""
    made: dict[str, Any] = {"id": "random", "name": "Random", "text": "Anything."}
    made |= {"turns": dice.randint(1, 3), "points": dice.randint(20, 60)}
    made["map"] = "custom" if own_map else dice.choice(("zone", "zone", "convoy"))
    clauses: dict[str, Any] = {
        "units": dice.randint(1, 8),
        "target": dice.choice((0, 30, 80)),
        "objective": dice.choice((0, 10)),
        "airbase": dice.randint(0, 4),
        "ships": dice.randint(1, 3),
        "aircraft": dice.randint(1, 3),
        "decision": dice.choice(("points", "draw", "first", "second")),
        "elimination": dice.random() < 0.5,
        "deploys": dice.choice(("first", "second")),
        "squalls": dice.sample(board.SECTORS, dice.randint(1, 3)),
        "fog": dice.sample(board.SECTORS, dice.randint(1, 4)),
        "light": dice.choice(("day", "night", "twilight", "random")),
        "weather": True,
        "smoke": [{"sector": s, "turns": 2} for s in dice.sample(board.SECTORS, 2)],
        "objectives": [{"sector": s, "points": 15} for s in dice.sample(board.SECTORS, 2)],
        "year": dice.choice((1941, 1944)),
        "history": True,
    }
    for name in dice.sample(sorted(clauses), dice.randint(0, 6)):
        made[name] = clauses[name]
    if dice.random() < 0.25:
        made |= {"convoy": 3, "through": dice.randint(1, 4), "target": 0, "objective": 0}
        made.pop("objectives", None)
    if dice.random() < 0.7:
        made["sides"] = sides_of(dice)
    return made


def sides_of(dice: random.Random) -> list[dict[str, Any]]:
    edges = dice.choice((("", ""), ("south", "north"), ("north", "south"), ("north", "north")))
    return [_side(dice, edge) for edge in edges]


def _side(dice: random.Random, edge: str) -> dict[str, Any]:
    alliance = dice.choice(("Axis", "Allies"))
    side: dict[str, Any] = {"alliance": alliance, "edge": edge}
    if dice.random() < 0.6:
        pool = [each.id for each in PLAYABLE if each.alliance == alliance]
        side["fleet"] = dice.choices(pool, k=dice.randint(1, 6))
    if dice.random() < 0.3:
        side["area"] = area_of(dice)
    return side


def setup_of(seed: int) -> Setup:
    """A set-up with a scenario, a map, or both; it may well be refused."""
    dice = random.Random(f"customs {seed}")
    own_map = dice.random() < 0.6
    customs: dict[Any, Any] = {"scenario": scenario_of(dice, own_map)}
    if own_map:
        customs["map"] = map_of(dice)
    return Setup("war-at-sea", dice.choice(EDITIONS), CUSTOM, SEATS, {}, customs)


def check(seed: int) -> conformance.Played | None:
    """Play what the seed makes to its end, with every promise checked; None: it was refused.

    A refusal names what is wrong, with a code; anything else that goes wrong is an exception.
    """
    made = setup_of(seed)
    try:
        GAME.opening(made)
    except Refused as refused:
        if not (refused.code and refused.hint):
            raise conformance.Nonconformance("refused without a code or a hint") from None
        return None
    dice = random.Random(f"play {seed}")
    *_, played = conformance.play(GAME, made, dice.randrange)
    conformance.check_views(GAME, played)
    conformance.check_replay(GAME, played)
    state = None
    for event in played.events:
        before, state = state, GAME.evolve(state, event)
        invariants.check(before, event, state)
    return played


def check_all(seeds: range) -> list[conformance.Played]:
    """:func:`check` of many; the seed of a failure is in its message."""
    found = []
    for seed in seeds:
        try:
            found.append(check(seed))
        except Exception as error:
            error.add_note(f"random customs with seed {seed}")
            raise
    return [played for played in found if played is not None]
