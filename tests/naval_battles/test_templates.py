"""What a template says is what the rules take: the farthest commands of each kind fit its schema.

A template is a closed set of parameters. A command that ``decide`` accepts and its template does
not describe could not be built by a player who goes by the template.
"""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from domain.games.naval_battles import GAME
from domain.games.naval_battles.rules import commands as c
from domain.games.naval_battles.rules.ships import SHIPS, ships_of
from domain.kernel.values import StepKey

from .random_games import random_arrangement, random_fleet
from .tables import Battle, Prepared, given, opened, ship

SHIPS_OF_P1 = ("jp-yamato", "jp-kagero", "jp-shoho", "jp-mikuma")


def template(battle: Battle, seat: str, kind: str) -> Draft202012Validator:
    """The schema of the seat's template of that kind; there is exactly one."""
    (found,) = (t for t in GAME.legal(battle.state, seat).templates if t.type == kind)
    shown: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(found))
    return Draft202012Validator(shown["schema"])


def fits(battle: Battle, seat: str, command: Any) -> None:
    """The rules take the command, and the template describes it."""
    kind = command.__struct_config__.tag
    assert battle.refusal(seat, command) is None
    body = msgspec.json.decode(msgspec.json.encode(command))
    assert template(battle, seat, kind).is_valid(body), body


def refuses(battle: Battle, seat: str, command: Any) -> None:
    """Neither the rules nor the template take the command."""
    kind = command.__struct_config__.tag
    assert battle.refusal(seat, command) is not None
    body = msgspec.json.decode(msgspec.json.encode(command))
    assert not template(battle, seat, kind).is_valid(body), body


@pytest.mark.parametrize("nation", sorted({each.nation for each in SHIPS.values()}))
def test_any_fleet_fits_its_template(nation: str) -> None:
    battle = opened(2)
    battle.act("p1", c.ChooseNation(nation))  # type: ignore[arg-type]
    battle.act("p2", battle.offers("p2")[0])
    named = set()
    for seed in range(60):
        fleet = random_fleet(seed, battle.state, "p1")
        fits(battle, "p1", c.CommitFleet(fleet))
        named |= set(fleet)
    assert named == {each.id for each in ships_of(nation)}, "every ship was in some fleet"


def reorganizing(**fields: Any) -> Battle:
    below = [ship("p1", each.id, 0) for each in ships_of("japan") if each.submarine]
    return given(
        *(ship("p1", name) for name in SHIPS_OF_P1), *below, ship("p2", "de-bismarck"),
        step=StepKey("reorganize"), **fields,
    )  # fmt: skip


def test_any_arrangement_fits_its_template() -> None:
    """Three rows, all abreast, all submarines up or none."""
    battle = reorganizing()
    below = tuple(each.id for each in ships_of("japan") if each.submarine)
    dice = random.Random("arrangements")
    fleet = [*SHIPS_OF_P1, *below]
    rows = set()
    for _ in range(60):
        command = random_arrangement(dice, fleet)
        rows.add(len(command.rows))
        fits(battle, "p1", command)
    assert rows == {1, 2, 3}
    fits(battle, "p1", c.Arrange((SHIPS_OF_P1,), below))
    refuses(battle, "p1", c.Arrange((SHIPS_OF_P1[:1],) * 4, ()))


def test_any_reinforcements_fit_their_template() -> None:
    """Every ship of the pile in every row, or on either side, by all cards of the deck at once."""
    hand = ("reinforcements-2", "reinforcements-3", "reinforcements-3", "reinforcements-4",
            "reinforcements-5")  # fmt: skip
    battle = given(
        ship("p1", "jp-yamato"), ship("p1", "jp-kagero", 2), ship("p2", "de-bismarck"),
        step=StepKey("reorganize"), hands={"p1": hand},
    )  # fmt: skip
    pile = battle.state.reserves["p1"]
    assert len(pile) == len(ships_of("japan")) - 2
    for name in pile:
        below = SHIPS[name].submarine
        places = [(0, True), (0, False)] if below else [(1, False), (2, False), (3, False)]
        for row, active in places:
            fits(battle, "p1", c.Reinforce(hand, (c.Posting(name, row, active),)))
    refuses(battle, "p1", c.Reinforce(hand, (c.Posting("de-tirpitz", 1),)))
    refuses(battle, "p1", c.Reinforce((*hand, hand[0])))


@pytest.mark.parametrize("points", [2, 3, 4, 5])
def test_reinforcements_bring_no_more_than_their_points(points: int) -> None:
    """A ship that is worth more than the card is refused, by one point too."""
    card = f"reinforcements-{points}"
    battle = reorganizing(hands={"p1": (card,)})
    for name in battle.state.reserves["p1"]:
        row = 0 if SHIPS[name].submarine else 1
        refusal = battle.refusal("p1", c.Reinforce((card,), (c.Posting(name, row),)))
        assert (refusal is None) == (SHIPS[name].points <= points), name


def test_some_ship_is_worth_one_point_more_than_some_card() -> None:
    pile = reorganizing().state.reserves["p1"]
    assert {SHIPS[name].points - 1 for name in pile} & {2, 3, 4, 5}


def test_every_kind_of_damage_card_may_be_removed() -> None:
    damage = ("depth-1", "main-11-13-1", "torpedo-3")
    battle = given(
        ship("p1", "jp-yamato", damage=damage), ship("p2", "de-bismarck"),
        step=StepKey("reorganize"), hands={"p1": ("retreat",)},
    )  # fmt: skip
    battle.does("p1", c.Retreat("retreat"))
    removals = [each for each in battle.offers("p1") if isinstance(each, c.RemoveDamage)]
    assert sorted(each.card for each in removals) == sorted(damage)


def test_any_discard_fits_its_template() -> None:
    hand = ("near-miss", "near-miss", "planning", "depth-1")
    battle = given(
        ship("p1", "jp-yamato"),
        ship("p2", "de-bismarck"),
        hands={"p1": hand},
        step=StepKey("discard"),
    )
    for number in range(1, len(hand) + 1):
        fits(battle, "p1", c.DiscardCards(hand[:number]))
    refuses(battle, "p1", c.DiscardCards((*hand, "near-miss")))
    refuses(battle, "p1", c.DiscardCards(("retreat",)))


def test_planning_is_offered_for_every_number_of_cards() -> None:
    """Three lie before the fleet, one of them used: one or two may be added."""
    lying = (
        Prepared("planning", "jp-kagero"), Prepared("planning", "jp-shoho"),
        Prepared("planning", "jp-mikuma", used=True),
    )  # fmt: skip
    battle = given(
        *(ship("p1", name) for name in SHIPS_OF_P1), ship("p2", "de-bismarck"),
        hands={"p1": ("torpedo-4",)}, prepared={"p1": lying},
    )  # fmt: skip
    shot = c.DeclareAttack("torpedo-4", ("jp-kagero",), ("torpedo",), "de-bismarck")
    battle.does("p1", shot).ends("p1").ends("p2")
    assert battle.offers("p1") == (c.Plan(1), c.Plan(2), c.Pass())
    assert battle.refusal("p1", c.Plan(3)) is not None


def test_a_submarine_is_named_active_once() -> None:
    below = next(each.id for each in ships_of("japan") if each.submarine)
    battle = reorganizing()
    fits(battle, "p1", c.Arrange((SHIPS_OF_P1,), (below,)))
    battle.refused(
        "p1", c.Arrange((SHIPS_OF_P1,), (below, below)), "rows.not-submarines", "NB-SHIP-04"
    )
