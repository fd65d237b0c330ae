"""An optional ability that is offered changes something; what would change nothing is refused.

Offer, refusal and effect go by the same circumstances. Every position of every numbered case is
asked, and every card with an ability that is declared is put in front of every sort of target, by
day and in the dark; what each offer leads to is compared with going without.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from domain.games.war_at_sea import GAME
from domain.games.war_at_sea.rules import board
from domain.games.war_at_sea.rules import commands as c
from domain.games.war_at_sea.rules.cards import CARDS, AbilityRef, Kind, catalogue
from domain.games.war_at_sea.rules.editions import Edition
from domain.games.war_at_sea.rules.families import effects, shots, words
from domain.games.war_at_sea.rules.families.vocabulary import Family, families
from domain.games.war_at_sea.rules.sequence import battle
from domain.games.war_at_sea.rules.state import State
from domain.kernel.chance import Faces
from domain.kernel.codec import full
from domain.kernel.rules import Refused
from domain.kernel.values import CHANCE, StepKey
from tests.support import cases
from tests.support.battle import EDITIONS, SEATS, bare, given, refusal_of, table, unit
from tests.war_at_sea.ablation import loaded
from tests.war_at_sea.suite import SUITE

STEPS = {
    StepKey("air-defense", "first"): ("f4f-wildcat", "b5n2-kate"),
    StepKey("air-attack", "first"): ("bismarck", "uss-fletcher-dd-445", "pt-boat", "i-19"),
    StepKey("surface-attack", "first"): (
        "bismarck",
        "myoko",
        "uss-fletcher-dd-445",
        "pt-boat",
        "i-19",
    ),
    StepKey("torpedo-attack", "first"): ("bismarck", "myoko", "uss-fletcher-dd-445", "pt-boat"),
    StepKey("submarine-attack", "first"): ("bismarck", "myoko", "uss-fletcher-dd-445", "pt-boat"),
}
"""Phases of attacks, of either edition, and targets that are there to be attacked."""

PLACE = board.SECTORS[0]
FARTHEST = 7


def idle(state: State) -> Iterator[tuple[str, c.AnyCommand]]:
    """Offers of the position by which an ability would be used up and nothing else change."""
    for seat in SEATS:
        for command in GAME.legal(state, seat).commands:
            if isinstance(command, c.Use):
                if same(state, after(state, seat, command), command.unit):
                    yield command.ability, command
            elif isinstance(command, c.Move) and command.boost:
                if refusal_of(state, seat, replace(command, boost="")) is None:
                    yield command.boost, command
            elif isinstance(command, c.Fire):
                for family in command.abilities:
                    if not differs(state, seat, command, family):
                        yield family, command


def differs(state: State, seat: str, fire: c.Fire, family: str) -> bool:
    """Whether the attack comes out otherwise than without one of its abilities."""
    others = tuple(other for other in fire.abilities if other != family)
    without = replace(fire, abilities=others)
    if refusal_of(state, seat, without):
        return True
    alone, helped = after(state, seat, without), after(state, seat, fire)
    if not same(alone, helped, fire.unit):
        return True
    left = [each for each in later(helped, seat, fire.unit) if family not in each.abilities]
    return left != later(alone, seat, fire.unit)


def later(state: State, seat: str, attacker: str) -> list[c.Fire]:
    """The attacks that are left to a unit when the one under way has missed."""
    assert state.awaiting is not None
    missed = Faces(state.awaiting.label, tuple((1,) * pool.count for pool in state.awaiting.pools))
    offered = GAME.legal(after(state, CHANCE, missed), seat).commands
    return [each for each in offered if isinstance(each, c.Fire) and each.unit == attacker]


def after(state: State, seat: str, command: c.AnyCommand | Faces) -> State:
    return GAME.fold(GAME.decide(state, seat, command), state)


def same(one: State, other: State, user: str) -> bool:
    """Whether nothing differs but what has been used, and what a tally says without counting."""
    return bool(plain(one, user) == plain(other, user))


def plain(state: State, user: str) -> Any:
    told = full(state)
    told["used"] = []
    if user in told["units"]:
        told["units"][user]["spent"] = []
    attack = told.get("attack") or {}
    attack.pop("withAbilities", None)
    for figure in ("dice", "die", "armor", "vital"):
        if figure in attack:
            attack[figure] = attack[figure]["total"]
    return told


def positions(case: dict[str, Any]) -> Iterator[State]:
    try:
        played = SUITE.begin(case)
    except Refused:
        return
    yield played.state
    for entry in case.get("script", ()):
        try:
            cases.do(SUITE.game, played, entry)
        except Refused:
            continue
        yield played.state


@pytest.mark.rule("RUL-107")
def test_in_no_case_can_offer_and_effect_disagree() -> None:
    found: dict[str, list[str]] = {}
    offered: set[str] = set()
    for case in loaded():
        with SUITE.around():
            for state in positions(case):
                offered |= set(offers(state))
                for family, command in idle(state):
                    found.setdefault(family, []).append(f"{case['id']}: {command}")
    assert not found
    assert offered >= {ref.family for card in CARDS.values() for ref in declared_by(card.id)}


def offers(state: State) -> Iterator[str]:
    for seat in SEATS:
        for command in GAME.legal(state, seat).commands:
            if isinstance(command, c.Fire):
                yield from command.abilities


def declared_by(card: str) -> Iterator[AbilityRef]:
    """Abilities of a card that are declared with an attack."""
    for ref in CARDS[card].abilities:
        if any(ref.family in effects.declarable(CARDS[card], kind, ()) for kind in KINDS):
            yield ref


KINDS: tuple[Kind, ...] = (
    "main",
    "secondary",
    "tertiary",
    "antiair",
    "asw",
    "torpedo",
    "bomb",
    "strafe",
)
DECLARING = [card for card in CARDS if any(declared_by(card))]


@cache
def faced(card: str, edition: str, light: str, step: StepKey) -> State:
    """The card at the end of the map, and targets at every range up to the farthest."""
    fields: dict[str, Any] = {"strafing": True} if "strafe" in CARDS[card].attacks else {}
    targets = [
        unit(f"p2-{number}{far}", bare(target), sector)
        for far, sector in enumerate(away())
        for number, target in enumerate(STEPS[step])
    ]
    mine = unit("p1-1", card, PLACE, **fields)
    return table(edition, mine, *targets, step=step, light=light, turn=4)


def away() -> tuple[str, ...]:
    """Sectors at each range from there."""
    by_range = {board.distance(PLACE, sector): sector for sector in reversed(board.SECTORS)}
    return tuple(by_range[reach] for reach in range(FARTHEST + 1))


@pytest.mark.rule("RUL-107")
@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("card", DECLARING)
def test_what_a_card_may_declare_changes_its_attack(card: str, edition: Edition) -> None:
    lights = ("", "night") if edition == "2009" else ("",)
    for step in STEPS.keys() & battle(edition).keys:
        for light in lights:
            assert not list(idle(faced(card, edition, light, step)))


# --- a card of the tests' own ---------------------------------------------------------------------

STAR_SHELL = Family(
    "WAS-ABIL-02", "Star Shell", "Once a turn, in the dark: one more die.", "optional", "turn",
    effects=(words.Dice(add=1, attacks=("main",), dark=True),),
)  # fmt: skip
LAST_DITCH = Family(
    "WAS-ABIL-02", "Last Ditch", "Once a game: one more die for torpedoes.", "optional", "game",
    effects=(words.Dice(add=1, attacks=("torpedo",)),),
)  # fmt: skip


@contextmanager
def bearing(card: str, slug: str, family: Family) -> Iterator[str]:
    """A card with an ability that no real card has; both are gone when this is left."""
    name = bare(card)
    families()[slug] = family
    for each in EDITIONS:
        cards = catalogue("2007" if each == "2007" else "2009")
        cards[name] = replace(cards[name], abilities=(AbilityRef(slug, 0),))
    try:
        yield name
    finally:
        del families()[slug]
        shots._effects_among.cache_clear()
        effects._about.cache_clear()


def shelling(name: str, light: str) -> Any:
    """A battery with the ability in front of a Cruiser two sectors away."""
    foe = unit("p2-1", "myoko", away()[2])
    units = (unit("p1-1", name, PLACE), foe)
    return given("2009", *units, step=StepKey("surface-attack", "first"), light=light, turn=4)


def with_it(battle: Any, slug: str) -> list[c.Fire]:
    return [each for each in battle.offers("p1") if slug in getattr(each, "abilities", ())]


@pytest.mark.rule("RUL-107")
def test_a_star_shell_is_fired_in_the_dark_and_not_by_day() -> None:
    fire = c.Fire("p1-1", "main", "p2-1", ("star-shell",))
    with bearing("bismarck", "star-shell", STAR_SHELL) as name:
        day, night = shelling(name, ""), shelling(name, "night")
        assert (with_it(day, "star-shell"), with_it(night, "star-shell")) == ([], [fire])
        day.refused("p1", fire, "ability.not-needed", STAR_SHELL.id)
        assert not day.state.used
        dark = msgspec.structs.replace(fire, abilities=())
        more = night.act("p1", fire).state.attack.dice.total
        assert more == shelling(name, "night").act("p1", dark).state.attack.dice.total + 1


@pytest.mark.rule("RUL-107")
def test_a_die_that_the_minimum_swallows_is_not_offered() -> None:
    """Crippled and with one die at that range a Ship throws one torpedo either way."""
    with bearing("tone", "last-ditch", LAST_DITCH) as name:
        hull, reach = CARDS[name].hull_points, CARDS[name].attacks["torpedo"].index(1)
        for damage, offered in ((0, True), (hull - 1, False)):
            mine = unit("p1-1", name, PLACE, damage=damage)
            foe = unit("p2-1", "bismarck", away()[reach])
            battle = given("2007", mine, foe, step=StepKey("torpedo-attack", "first"), turn=4)
            assert bool(with_it(battle, "last-ditch")) is offered
