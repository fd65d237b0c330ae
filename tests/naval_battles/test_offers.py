"""What is offered is all there is: every command that can be written down, tried one by one.

``legal`` builds its offers from what is on the table, ``decide`` judges a command from its own
words. Here a third party writes down every command whose names mean anything in the position,
senseless ones too, and what ``decide`` accepts of them must be what ``legal`` offers, no more and
no less. The counts of the named positions below are made from the ships' figures alone.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import combinations, product
from typing import Any

import msgspec
import pytest

from domain.games.naval_battles import GAME
from domain.games.naval_battles.rules import commands as c
from domain.games.naval_battles.rules.deck import STANDARD_TABLE
from domain.games.naval_battles.rules.ships import SHIPS, ships_of
from domain.games.naval_battles.rules.state import State
from domain.kernel.conformance import throw
from domain.kernel.rules import Refused
from domain.kernel.values import CHANCE, Known, Seat, StepKey

from .random_games import game_of, setup_of
from .tables import Attack, Prepared, given, opened, ship

TRIED = {"declare", "defense", "prepare", "discard", "reorganize"}
TEMPLATED = (c.Arrange, c.Reinforce, c.CommitFleet)
ENOUGH = 3
"""Positions of each step that a game gives."""


def written(state: State, seat: Seat) -> Iterator[Any]:
    """Every command of the finite kinds that names cards, ships and attacks of the position."""
    hand = state.hands[seat]
    assert isinstance(hand, Known)
    kinds = list(dict.fromkeys((*hand.items, "main-14-18-4")))
    ships, numbers = list(state.ships), [each.number for each in state.attacks]
    yield c.Pass()
    yield from (c.Plan(many) for many in range(1, len(hand.items) + 2))
    yield from (c.Retreat(card) for card in kinds)
    yield from (c.AimRaid(target) for target in ships)
    yield from (c.RunSilent(number) for number in (*numbers, 99))
    yield from (c.Prepare(card, name) for card, name in product(kinds, ships))
    yield from (c.LandRaid(card, target) for card, target in product(kinds, ships))
    yield from (c.AirRaid(name, target) for name, target in product(ships, ships))
    yield from (c.AirCover(name, number) for name, number in product(ships, numbers))
    yield from (c.SurpriseAttack(card, other) for card, other in product(kinds, state.seats))
    yield from (c.DiscardCards((card,)) for card in kinds)
    for name, piece in state.ships.items():
        yield from (c.RemoveDamage(name, card) for card in set(piece.damage))
    yield from _attacks(state, seat, kinds)
    lying = [each.card for each in state.prepared[seat]]
    for card, number, to in product({*kinds, *lying}, numbers, ("", *ships)):
        yield c.Defend(card, number, False, to)
        yield c.Defend(card, number, True, to)


def _attacks(state: State, seat: Seat, kinds: list[str]) -> Iterator[c.DeclareAttack]:
    """By one ship, an enemy's too, or by two of the seat's own, with every mount that they have."""
    guns = [(name, mount) for name in state.ships for mount in dict.fromkeys(SHIPS[name].mounts)]
    own = [(name, mount) for name, mount in guns if state.ships[name].seat == seat]
    foreign = [gun for gun in guns if gun not in own][:2]
    targets = list(state.ships)
    for card, (name, mount), target in product(kinds, own + foreign, targets):
        yield c.DeclareAttack(card, (name,), (mount,), target)
    double = [card for card in kinds if STANDARD_TABLE[card].family == "secondary-salvo-double"]
    for card, (one, other), target in product(double, product(own, own), targets):
        ships, mounts = (one[0], other[0]), (one[1], other[1])
        yield c.DeclareAttack(card, ships, mounts, target)


def accepted(state: State, seat: Seat, command: Any) -> bool:
    try:
        GAME.decide(state, seat, command)
    except Refused:
        return False
    return True


def key(command: Any) -> bytes:
    return msgspec.json.encode(command)


def check(state: State, seat: Seat) -> int:
    """Offers and what is accepted of everything that can be written are the same."""
    offered = {
        key(each): each
        for each in GAME.legal(state, seat).commands
        if not isinstance(each, TEMPLATED)
        and not (isinstance(each, c.DiscardCards) and len(each.cards) > 1)
    }
    good = {key(each) for each in written(state, seat) if accepted(state, seat, each)}
    assert good == offered.keys(), {"offered": offered.keys() - good, "only accepted": good}
    return len(good)


@pytest.mark.parametrize("seed", [1, 2])
def test_all_that_is_accepted_is_offered_in_games(seed: int) -> None:
    """A few positions of each step of a game, for whoever is asked."""
    game, setup = game_of(seed), setup_of(seed)
    dice = random.Random(f"offers {seed}")
    state = game.fold(game.opening(setup))
    tried = dict.fromkeys(TRIED, 0)
    found = 0
    for _ in range(600):
        if GAME.result(state) is not None or min(tried.values()) >= ENOUGH:
            break
        awaited = GAME.awaiting(state)
        command: Any
        if awaited is not None:
            seat, command = CHANCE, throw(awaited, dice.randrange)
        else:
            seat = dice.choice(GAME.pending(state)).seat
            if tried.get(state.step.phase, ENOUGH) < ENOUGH:
                tried[state.step.phase] += 1
                found += check(state, seat)
            command = dice.choice(game.legal(state, seat).commands)
        state = game.fold(game.decide(state, seat, command), state)
    assert all(tried.values()), tried
    assert found > sum(tried.values())


def of_kind(state: State, seat: Seat, kind: type[Any]) -> list[Any]:
    return [each for each in GAME.legal(state, seat).commands if isinstance(each, kind)]


def test_a_salvo_of_two_ships_is_offered_for_every_pair_of_mounts() -> None:
    """Three ships in the first row have such mounts; one behind and one that prepared have too."""
    card = "double-secondary-4-5-3"
    front = ("jp-mikuma", "jp-kagero", "jp-yamato")
    battle = given(
        *(ship("p1", name, 1) for name in front),
        ship("p1", "jp-shimakaze", 1, prepared=True),
        ship("p1", "jp-kashii", 2),
        ship("p2", "de-schnellboot", 1),
        ship("p2", "de-t13", 1),
        ship("p2", "de-bismarck", 2),
        hands={"p1": (card,)},
    )
    calibers = {f"secondary-{inches}" for inches in STANDARD_TABLE[card].calibers}
    fitting = {name: calibers.intersection(SHIPS[name].mounts) for name in front}
    assert all(fitting.values())
    pairs = sum(len(fitting[a]) * len(fitting[b]) for a, b in combinations(front, 2))
    found = of_kind(battle.state, "p1", c.DeclareAttack)
    assert len(found) == pairs * 2 > 0, "two targets in the first row"
    assert len({key(each) for each in found}) == len(found)
    check(battle.state, "p1")


def test_every_attack_of_a_named_position_is_counted() -> None:
    """All families at once, against two rows and a submarine; a mount that has fired is out."""
    hand = ("main-14-18-4", "main-11-13-2", "secondary-4-5-1", "torpedo-4", "depth-1",
            "land-air-x1", "surprise-attack")  # fmt: skip
    battle = given(
        ship("p1", "jp-yamato", 1),
        ship("p1", "jp-kagero", 1, used=("secondary-5",)),
        ship("p1", "jp-i-174", 0, active=True),
        ship("p1", "jp-shoho", 3),
        ship("p2", "de-schnellboot", 1),
        ship("p2", "de-bismarck", 2),
        ship("p2", "de-graf-zeppelin", 3),
        ship("p2", next(each.id for each in ships_of("germany") if each.submarine), 0),
        hands={"p1": hand},
    )
    per_card = dict.fromkeys(hand, 0)
    for each in of_kind(battle.state, "p1", c.DeclareAttack):
        per_card[each.card] += 1
    assert set(SHIPS["jp-kagero"].mounts) == {"secondary-5", "torpedo"}
    assert per_card == {
        "main-14-18-4": 2,  # Yamato at rows 1 and 2
        "main-11-13-2": 0,  # no such caliber
        "secondary-4-5-1": 1,  # Yamato at row 1; Kagero's guns have fired
        "torpedo-4": 1 + 3,  # Kagero at row 1; I-174 at every row, but at no submarine
        "depth-1": 1,  # Kagero at the submarine
        "land-air-x1": 0,
        "surprise-attack": 0,
    }
    assert len(of_kind(battle.state, "p1", c.LandRaid)) == 4, "every row and the submarine"
    assert len(of_kind(battle.state, "p1", c.AirRaid)) == 3, "every row; submarines by option only"
    assert len(of_kind(battle.state, "p1", c.SurpriseAttack)) == 1
    check(battle.state, "p1")


def test_every_defense_of_a_named_position_is_counted() -> None:
    """Two attacks on one row of three ships, one raid: who may answer what, with what."""
    hand = ("armor-plating", "escort-ship", "evasive-action", "small-target")
    battle = given(
        ship("p1", "jp-yamato", 1, used=("main-18",)),
        ship("p2", "it-roma", 1),
        ship("p2", "it-aliseo", 1),
        ship("p2", "it-zara", 1),
        hands={"p2": hand},
        step=StepKey("defense"),
        attacks=(
            Attack(1, "main-salvo", "it-roma", "main-14-18-4", ("jp-yamato",), ("main-18",)),
            Attack(2, "land-air-raid", "it-aliseo", "land-air-x1", batch=2, needed=2),
        ),
        prepared={"p2": (Prepared("near-miss", "it-zara"),)},
        declared=2,
    )
    found = of_kind(battle.state, "p2", c.Defend)
    count = {name: sum(each.card == name for each in found) for name in (*hand, "near-miss")}
    assert count == {
        "armor-plating": 0,  # stops no main salvo and no raid
        "escort-ship": 2 * 2,  # either attack to either of the two other ships of the row
        "evasive-action": 2,  # either attack
        "small-target": 1,  # Aliseo is small, Roma is not
        "near-miss": 1,  # lies prepared; against the salvo, not against a raid
    }
    check(battle.state, "p2")


@pytest.mark.parametrize(("used", "tries"), [(0, 2), (1, 2), (2, 0)])
def test_air_cover_is_offered_while_a_symbol_is_left(used: int, tries: int) -> None:
    """A carrier of two symbols against either of two raids; a salvo is no raid."""
    carrier = next(each.id for each in ships_of("japan") if each.cover_symbols == 2)
    raid: dict[str, Any] = {"kind": "land-air-raid", "card": "land-air-x2", "batch": 1}
    battle = given(
        ship("p1", "de-bismarck", used=("main-15",)),
        ship("p2", carrier, covered=used),
        ship("p2", "jp-kagero"),
        step=StepKey("defense"),
        attacks=(
            Attack(number=1, target="jp-kagero", needed=3, **raid),
            Attack(number=2, target=carrier, needed=3, **raid),
            Attack(3, "main-salvo", "jp-kagero", "main-14-18-4", ("de-bismarck",), ("main-15",)),
        ),
        declared=3,
    )
    assert len(of_kind(battle.state, "p2", c.AirCover)) == tries
    if battle.asked() == ("p2",):
        check(battle.state, "p2")


@pytest.mark.parametrize("nation", sorted({each.nation for each in SHIPS.values()}))
def test_the_template_of_a_fleet_names_every_ship_of_the_nation(nation: str) -> None:
    battle = opened(2)
    battle.act("p1", c.ChooseNation(nation))  # type: ignore[arg-type]
    other = next(n for n in ("japan", "italy") if n != nation)
    battle.act("p2", c.ChooseNation(other))  # type: ignore[arg-type]
    (template,) = GAME.legal(battle.state, "p1").templates
    assert template.type == "naval-battles.commit-fleet"
    shape = msgspec.json.decode(msgspec.json.encode(template))["schema"]
    names = {each.id for each in SHIPS.values() if each.nation == nation}
    assert set(shape["properties"]["ships"]["items"]["enum"]) == names
    assert shape["properties"]["ships"]["maxItems"] == len(names)
