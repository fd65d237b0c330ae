"""The odds are those of the engine: every roll of a small attack is played out through ``decide``.

The order in which dice fall does not matter, so each set of faces is played once and weighed.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations_with_replacement
from math import factorial, prod
from typing import Any

import msgspec
import pytest

from domain.games.war_at_sea import GAME
from domain.games.war_at_sea.rules import commands as c
from domain.games.war_at_sea.rules import events as ev
from domain.games.war_at_sea.rules.attacks import KINDS
from domain.games.war_at_sea.rules.cards import card
from domain.games.war_at_sea.rules.effects import Downed, EachDie, Effect, MayRam, MoreDice
from domain.games.war_at_sea.rules.futile import ATTACKS
from domain.games.war_at_sea.rules.odds import odds
from domain.games.war_at_sea.rules.state import State, Unit
from domain.kernel.chance import Faces
from domain.kernel.conformance import play
from domain.kernel.setup import Setup
from domain.kernel.values import CHANCE, StepKey
from tests.support.battle import bare, table, unit

HERE, NEAR = "5.4", "6.4"
Ended = tuple[Fraction, ev.AttackResolved]


def battle(
    attacker: str,
    weapon: str,
    target: str,
    number: int,
    *,
    edition: str = "2009",
    at: str = HERE,
    penalty: int = 0,
    counters: dict[str, Any] | None = None,
    **fields: Any,
) -> tuple[State, c.Fire]:
    """One unit attacks another with ``number`` dice: an effect makes up the difference."""
    step = StepKey(phase(edition, weapon, card(attacker, "2009").type), "first")
    units = (
        unit("p1-1", attacker, HERE, strafing=weapon == "strafe"),
        unit("p2-1", target, at, **(counters or {})),
    )
    plain = table(edition, *units, step=step, zone=1, objectives=(), **fields)
    fire = c.Fire("p1-1", weapon, "p2-1")
    told = odds(plain, fire)
    assert told is not None
    more = MoreDice(
        unit="p1-1", attack=KINDS[weapon], dice=number - told["dice"],
        source="p1-1", rule="WAS-ABIL-12", until=9,
    )  # fmt: skip
    worse = EachDie(
        unit="p1-1", attack=KINDS[weapon], die=penalty, source="p1-1", rule="WAS-ABIL-12", until=9
    )
    effects = (more, worse) if penalty else (more,)
    return msgspec.structs.replace(plain, effects=effects), fire


def phase(edition: str, weapon: str, type_: str) -> str:
    """The phase in which a unit of that type makes that attack."""
    if weapon == "antiair":
        return "air-defense"
    if weapon == "torpedo" and edition == "2007" and type_ != "Aircraft":
        return "torpedo-attack"
    return {"Aircraft": "air-attack", "Ship": "surface-attack"}.get(type_, "submarine-attack")


CASES: dict[str, tuple[State, c.Fire | c.Use]] = {}


def case(name: str, *given: Any, **fields: Any) -> None:
    CASES[name] = battle(*given, **fields)


case("guns at a sound ship", "bismarck", "main", "uss-baltimore-ca-68", 5)
case("guns with a penalty", "bismarck", "main", "uss-baltimore-ca-68", 5, penalty=-2)
case("guns at a crippled ship", "bismarck", "main", "uss-boise-cl-47", 4, counters={"damage": 2})
case("guns at a ship with damage pending", "bismarck", "main", "uss-boise-cl-47", 4,
     counters={"damage": 1, "pending": 1})  # fmt: skip
case("guns at a doomed ship", "bismarck", "main", "uss-boise-cl-47", 4, counters={"doomed": True})
case("guns at a ship that damage will sink", "bismarck", "main", "uss-boise-cl-47", 4,
     counters={"damage": 1, "pending": 2})  # fmt: skip
case("an evading destroyer", "bismarck", "main", "hms-cossack", 4)
case("a ship that may survive", "bismarck", "main", "uss-san-francisco-ca-38", 5)
case("a fatal flaw", "bismarck", "main", "hms-hood", 5)
case("a fatal flaw in smoke", "bismarck", "main", "hms-hood", 5, at=NEAR, smoke={NEAR: 2})
case("smoke, from outside", "nachi", "main", "uss-boise-cl-47", 4, at=NEAR, smoke={NEAR: 2})
case("smoke, from inside", "nachi", "main", "uss-boise-cl-47", 4, smoke={HERE: 2})
case("an evading destroyer in smoke", "bismarck", "main", "hms-cossack", 4, smoke={HERE: 2})
case("torpedoes", "i-19", "torpedo", "hms-hood", 3)
case("torpedoes at a defended ship", "i-19", "torpedo", "uss-baltimore-ca-68", 3)
case("long lances, 2007", "myoko", "torpedo", "hms-hood", 2, edition="2007")
case("bombs", "ju-87b-stuka", "bomb", "uss-baltimore-ca-68", 4)
case("fighters at a bomber", "a6m5-zeke", "antiair", "swordfish-mk-i", 5)
case("antiair at a rugged fighter", "bismarck", "antiair", "martlet-mk-ii", 5)
case("antiair at an aborted aircraft", "bismarck", "antiair", "martlet-mk-ii", 4,
     counters={"aborted": True})  # fmt: skip
case("a mount that may jam", "hms-prince-of-wales", "main", "uss-boise-cl-47", 5)
case("a mount that may jam, in smoke", "hms-prince-of-wales", "main", "uss-boise-cl-47", 4,
     smoke={HERE: 2})  # fmt: skip
case("bad luck", "mogami", "torpedo", "uss-boise-cl-47", 3)
case("depth charges", "terutsuki", "asw", "uss-barb-ss-220", 4)


def used(step: StepKey, *units: Unit, effects: tuple[Effect, ...], use: c.Use) -> None:
    """An ability that is an attack when it is used."""
    given_ = table("2009", *units, step=step, turn=2, objectives=(), effects=effects)
    CASES[use.ability] = given_, use


used(
    StepKey("sea-movement", "first"),
    unit("p1-1", "ugolino-vivaldi", HERE, moved=True),
    unit("p2-1", "uss-barb-ss-220", HERE),
    effects=(MayRam(unit="p1-1", source="p1-1", rule="WAS-CARD-ram", until=2),),
    use=c.Use("p1-1", "ram", "p2-1"),
)
used(
    StepKey("air-defense", "after"),
    unit("p1-1", "uss-alaska", "1.3"),
    unit("p1-2", "f4f-wildcat", "3.3", done=("antiair",), struck=("p2-2",)),
    unit("p2-1", "martlet-mk-ii", "4.3"),
    effects=(
        Downed(unit="p1-2", source="p2-2", rule="WAS-ABIL-24", until=2),
        MoreDice(
            unit="p1-2", attack="antiair", dice=-2, source="p1-1", rule="WAS-ABIL-12", until=2
        ),
    ),
    use=c.Use("p1-1", "fighter-director", "p1-2@p2-1"),
)


def throws(state: State) -> Iterator[tuple[Fraction, Faces]]:
    """Every answer of the chance seat to one pool of dice, with its chance."""
    awaited = state.awaiting
    assert awaited is not None
    (pool,) = awaited.pools
    for faces in combinations_with_replacement(range(1, 7), pool.count):
        orders = factorial(pool.count) // prod(map(factorial, Counter(faces).values()))
        yield Fraction(orders, 6**pool.count), Faces(awaited.label, (faces,))


def played_out(state: State) -> Iterator[Ended]:
    """Every end of the attack under way, with its chance; optional abilities are declined."""
    for chance, faces in throws(state):
        events = GAME.decide(state, CHANCE, faces)
        yield from ((chance * more, end) for more, end in _onward(state, events))


def _onward(state: State, events: tuple[ev.AnyEvent, ...]) -> Iterator[Ended]:
    for event in events:
        if isinstance(event, ev.AttackResolved):
            yield Fraction(1), event
            return
    state = GAME.fold(events, state)
    if state.awaiting is not None:
        yield from played_out(state)
    else:
        (asked,) = GAME.pending(state)
        yield from _onward(state, GAME.decide(state, asked.seat, c.Pass()))


def exact(part: dict[str, Any]) -> Fraction:
    assert part["perMille"] == (Fraction(part["exact"]) * 1000 + Fraction(1, 2)).__floor__()
    return Fraction(part["exact"])


@pytest.mark.parametrize("name", CASES)
def test_the_odds_are_the_engines(name: str) -> None:
    state, fire = CASES[name]
    told = odds(state, fire)
    assert told is not None
    declared = GAME.fold(GAME.decide(state, "p1", fire), state)
    ends = list(played_out(declared))
    assert sum(chance for chance, _ in ends) == 1

    outcomes: Counter[str] = Counter()
    lost = hull = Fraction(0)
    target = state.units["p2-1"]
    left = card(target.card, state.edition).hull_points - target.damage - target.pending
    for chance, end in ends:
        outcomes[end.outcome] += chance  # type: ignore[assignment]
        gone = target.doomed or end.outcome == "destroyed" or end.damage >= left
        lost += chance * gone
        left_to_lose = 0 if target.doomed else left
        hull += chance * (left_to_lose if gone else min(end.damage, left_to_lose))
    assert {o["outcome"]: exact(o) for o in told["outcomes"]} == outcomes
    assert exact(told["lost"]) == lost
    assert exact(told["expectedHullPoints"]) == hull


def test_the_cases_reach_every_outcome() -> None:
    """The comparison above would prove little if all attacks ended alike."""
    reached = {
        part["outcome"]
        for state, fire in CASES.values()
        for part in (odds(state, fire) or {})["outcomes"]
    }
    assert reached == {"miss", "hit", "destroyed", "aborted", "no-effect"}


@pytest.mark.rule("WAS-LOS-10", "WAS-LOS-11")
def test_smoke_hides_and_hides_less_at_no_range() -> None:
    chance = {}
    for name in ("smoke, from outside", "smoke, from inside"):
        outcomes = {
            o["outcome"]: Fraction(o["exact"]) for o in (odds(*CASES[name]) or {})["outcomes"]
        }
        chance[name] = outcomes["no-effect"] / (1 - outcomes["miss"])
    assert chance == {"smoke, from outside": Fraction(1, 3), "smoke, from inside": Fraction(1, 6)}


def test_the_numbers_are_those_of_the_declared_attack() -> None:
    state, fire = CASES["guns with a penalty"]
    told = odds(state, fire)
    (declared,) = (e for e in GAME.decide(state, "p1", fire) if isinstance(e, ev.AttackDeclared))
    attack = declared.attack
    assert told is not None
    assert told["dice"] == attack.dice.total == 5
    assert told["eachDie"] == attack.die.total == -2
    assert (told["armor"], told["vitalArmor"]) == (attack.armor.total, attack.vital.total)
    assert sum(int(roll["ways"]) for roll in told["rolls"]) == int(told["of"]) == 6**5


def test_torpedoes_meet_no_armor() -> None:
    told = odds(*CASES["torpedoes"])
    assert told is not None
    assert "armor" not in told
    assert [roll["count"] for roll in told["rolls"]] == [0, 1, 2, 3]


def test_only_legal_attacks_have_odds() -> None:
    state, fire = CASES["guns at a sound ship"]
    assert isinstance(fire, c.Fire)
    assert odds(state, c.Pass()) is None
    assert odds(state, c.Use("p1-1", "ram", "p2-1")) is None
    assert odds(state, msgspec.structs.replace(fire, target="p1-1")) is None
    assert odds(state, msgspec.structs.replace(fire, unit="p9-9")) is None
    assert odds(state, msgspec.structs.replace(fire, weapon="antiair")) is None


def test_what_is_certain_already_is_no_chance() -> None:
    for name, lost in (("guns at a doomed ship", 1), ("guns at a ship that damage will sink", 1)):
        told = odds(*CASES[name])
        assert told is not None
        assert exact(told["lost"]) == lost
        assert exact(told["expectedHullPoints"]) == 0
    told = odds(*CASES["antiair at an aborted aircraft"])
    assert told is not None
    assert {o["outcome"]: exact(o) for o in told["outcomes"]} == {"no-effect": 1}
    assert exact(told["lost"]) == 0


def test_determination_keeps_a_third_of_the_lost_ships() -> None:
    saved, plain = (
        odds(*battle("bismarck", "main", name, 8, counters={"damage": 1}))
        for name in ("hms-exeter", bare("hms-exeter"))
    )
    assert saved is not None
    assert plain is not None
    lost = exact(plain["lost"])
    assert lost > 0
    assert exact(saved["lost"]) == lost * Fraction(2, 3)
    hull = exact(plain["expectedHullPoints"]) - lost * Fraction(1, 3)
    assert exact(saved["expectedHullPoints"]) == hull


def test_bad_luck_is_told_only_of_those_who_have_it() -> None:
    told = odds(*CASES["bad luck"])
    assert told is not None
    assert exact(told["badLuck"]) == Fraction(3 * 5 + 1, 6**3)
    assert "badLuck" not in (odds(*CASES["torpedoes"]) or {})


def test_odds_are_plain_json_without_floats() -> None:
    for state, fire in CASES.values():
        told = msgspec.json.decode(msgspec.json.encode(odds(state, fire)))
        assert told == odds(state, fire)
        assert not any(isinstance(leaf, float) for leaf in _leaves(told))


def _leaves(value: Any) -> Iterator[Any]:
    if isinstance(value, dict):
        for part in value.values():
            yield from _leaves(part)
    elif isinstance(value, list):
        for part in value:
            yield from _leaves(part)
    else:
        yield value


@pytest.mark.parametrize("edition", ["2007", "2009"])
def test_every_attack_that_is_offered_has_odds_that_add_up(edition: str) -> None:
    """Random battles: whatever is aimed at whatever, the chances of all outcomes make one."""
    attacks = 0
    for seed in range(40):
        setup = Setup("war-at-sea", edition, "standard", ("p1", "p2"))
        for played in play(GAME, setup, random.Random(seed).randrange):
            attacks += sum(_adds_up(played.state, seat) for seat in ("p1", "p2"))
            if played.state.turn > 12:
                break
        if attacks > 200:
            return
    raise AssertionError(f"only {attacks} attacks were offered")


def _adds_up(state: State, seat: str) -> int:
    """How many attacks the seat is offered, each with chances that make one."""
    attacks = 0
    for command in GAME.legal(state, seat).commands:
        told = odds(state, command)
        attack = isinstance(command, c.Fire) or getattr(command, "ability", "") in ATTACKS
        assert (told is not None) is attack
        if told is not None:
            attacks += 1
            assert sum(Fraction(o["exact"]) for o in told["outcomes"]) == 1
            assert sum(int(roll["ways"]) for roll in told["rolls"]) == int(told["of"])
            assert 0 <= Fraction(told["lost"]["exact"]) <= 1
    return attacks
