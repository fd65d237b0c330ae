"""The bot's rough sums agree with the rules where they mean to be the same."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import msgspec
import pytest

from domain.games.war_at_sea import GAME
from domain.games.war_at_sea.rules import board
from domain.games.war_at_sea.rules import commands as c
from domain.games.war_at_sea.rules.cards import CARDS
from domain.games.war_at_sea.rules.families.effects import attack_value
from domain.games.war_at_sea.rules.odds import distribution
from domain.games.war_at_sea.rules.state import State
from domain.kernel.codec import full
from domain.kernel.values import StepKey
from service.bots.war_at_sea.estimate import Table, distance, reaches, value
from tests.support.battle import table, unit

CATALOGUE = {entry.id: msgspec.to_builtins(entry) for entry in GAME.catalogue.units()}


def laid_out(state: State, seat: str = "p1") -> Table:
    return Table(seat, full(state), CATALOGUE)


def test_distance_is_the_maps() -> None:
    wrong = [
        (a, b)
        for a in board.SECTORS
        for b in board.SECTORS
        if distance(a, b) != board.distance(a, b)
    ]
    assert wrong == []


@pytest.mark.parametrize("dice", [0, 1, 2, 5, 9, 14])
def test_chances_are_those_of_plain_dice(dice: int) -> None:
    ways = distribution(dice, (0, 0, 0, 1, 1, 2))
    for needed in range(2 * dice + 2):
        exact = Fraction(sum(n for total, n in ways.items() if total >= needed), 6**dice)
        assert reaches(dice, needed) == pytest.approx(float(exact))


def test_dice_are_the_cards() -> None:
    """Guns of every card at every range, extended range included; Harassing Fire is left out."""
    for card in CARDS.values():
        if any(ability.family == "harassing-fire" for ability in card.abilities):
            continue
        state = table("2009", unit("p1-1", card.id, "6.2"))
        bot = laid_out(state)
        for reach in range(6):
            wanted = max(0, attack_value(card, "main", reach, undamaged=True))
            assert bot.dice(bot.units["p1-1"], "main", reach) == wanted, (card.id, reach)


def test_a_stronger_ship_outguns_a_weaker_one() -> None:
    state = table("2009", unit("p1-1", "bismarck", "6.2"), unit("p2-1", "uss-boise-cl-47", "7.3"))
    ours, theirs = laid_out(state, "p1"), laid_out(state, "p2")
    bismarck, boise = state_unit(ours, "p1-1"), state_unit(ours, "p2-1")
    assert ours.offense(bismarck, "6.2") > ours.threat(bismarck, "6.2")
    assert theirs.offense(boise, "7.3") < theirs.threat(boise, "7.3")


def state_unit(bot: Table, name: str) -> Any:
    return bot.units[name]


def test_a_plane_runs_a_risk_only_where_there_is_antiair() -> None:
    state = table(
        "2009", unit("p1-1", "b5n2-kate"), unit("p2-1", "uss-atlanta-cl-51", "7.3")
    )  # fmt: skip
    bot = laid_out(state)
    killed, stopped = bot.flak("7.3", bot.units["p1-1"])
    assert 0 < killed < stopped < 1
    assert bot.flak("7.4", bot.units["p1-1"]) == (0, 0)


def test_better_odds_are_worth_more() -> None:
    """The same guns at the same ship: more when it is crippled already."""
    worth = []
    for damage in (0, 2):
        state = table(
            "2009",
            unit("p1-1", "bismarck", "6.2"),
            unit("p2-1", "uss-boise-cl-47", "6.2", damage=damage),
            step=StepKey("surface-attack", "first"),
        )
        odds = GAME.odds(state, c.Fire("p1-1", "main", "p2-1"))
        assert odds is not None
        worth.append(value(odds, 13, 3 - damage, aircraft=False))
    assert 0 < worth[0] < worth[1] <= 13
