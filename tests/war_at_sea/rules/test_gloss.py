"""GLOSS and the general rules of ABIL: words that other rules lean on."""

from __future__ import annotations

from itertools import dropwhile

import pytest

from domain.games.war_at_sea.rules import board, fleets
from domain.games.war_at_sea.rules import commands as c
from domain.games.war_at_sea.rules.cards import CARDS, catalogue
from domain.games.war_at_sea.rules.editions import Edition
from domain.games.war_at_sea.rules.families.effects import has
from domain.games.war_at_sea.rules.families.played import implemented
from domain.games.war_at_sea.rules.families.vocabulary import families
from domain.games.war_at_sea.rules.sequence import battle
from domain.kernel.shown.rulebook import load_rulebook
from domain.kernel.values import StepKey
from tests.support.battle import EDITIONS, Battle, bare, given, opened, unit

EXAMPLES = (
    "uss-atlanta-cl-51", "shokaku", "myoko", "a6m2-zeke", "f4f-wildcat", "sbd-dauntless",
    "swordfish-mk-ii", "i-19", "uss-barb-ss-220", "tone", "uss-boise-cl-47", "b5n2-kate",
    "uss-princeton-cvl-23", "hms-hood", "uss-fletcher-dd-445", "le-terrible", "yamato",
    "uss-washington-bb-56", "uss-enterprise-cv-6", "uss-iowa-bb-61", "pt-boat",
)  # fmt: skip
"""Every unit that an example of the rulebook uses."""


@pytest.mark.rule("WAS-GLOSS-02")
def test_adjacent_is_one_sector_away_in_any_direction() -> None:
    for sector in board.SECTORS:
        beside = {other for other in board.SECTORS if board.adjacent(sector, other)}
        assert beside == {s for s in board.SECTORS if board.distance(sector, s) == 1}
        assert sector not in beside
        assert all(board.adjacent(other, sector) for other in beside)
    assert sum(board.adjacent("5.4", s) for s in board.SECTORS) == 6


@pytest.mark.rule("WAS-ABIL-11", "WAS-GLOSS-23")
def test_local_is_the_same_sector() -> None:
    quarry = {at: f"p1-{n}" for n, at in enumerate(("5.4", "5.5", "4.4", "6.4"), 1)}
    battle = given(
        "2009",
        unit("p2-1", "hms-ajax", "5.4"),
        *(unit(name, "duca-d-aosta", at) for at, name in quarry.items()),
        first="p2",
        turn=3,
    )
    uses = {o.on for o in battle.offers("p2") if isinstance(o, c.Use)}
    assert uses == {quarry["5.4"]}


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.rule("WAS-ABIL-01")
def test_abilities_stand_on_the_card_and_a_fleet_is_held_to_them(
    edition: Edition, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Most cards have one, some none; every one is played, so one is taken away for a refusal."""
    battle = opened(edition)
    without = [card for card in catalogue(edition).values() if not card.abilities]
    assert 0 < 2 * len(without) < len(catalogue(edition))
    for name in EXAMPLES:
        assert not {ref.family for ref in CARDS[name].abilities} - implemented(), name
    battle.act("p2", c.SubmitFleet(("uss-boise-cl-47",)))
    family = "split-fire"
    monkeypatch.setattr(fleets, "missing", lambda card: (family,) if has(card, family) else ())
    lacking = next(card for card in CARDS.values() if card.alliance == "Axis" and has(card, family))
    battle.refused("p1", c.SubmitFleet((lacking.id,)), "fleet.unit-not-playable", "WAS-FLEET-31")


def test_an_ability_of_the_rulebook_is_done_exactly_when_it_is_played() -> None:
    """Radar and night fighting wait for Darkness, which is where the rulebook uses them."""
    status = {entry.id: entry.status for entry in load_rulebook("domain.games.war_at_sea")}
    waiting = {"WAS-ABIL-41"}
    for slug, family in families().items():
        if family.id.startswith("WAS-ABIL-") and family.id not in waiting:
            assert (status[family.id] == "done") == (slug in implemented()), slug


SEQUENCE_OF_PLAY = {
    "initiative": 0, "sea-movement": 2, "air-mission": 0, "air-defense": 2, "air-attack": 2,
    "surface-attack": 2, "torpedo-attack": 2, "air-return": 2, "end-of-turn": 0,
}  # fmt: skip
"""The phases of 2007 in order, and how many halves each has."""


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.rule("WAS-GLOSS-24", "RUL-17")
def test_a_turn_has_nine_phases_of_which_the_seventh_has_two_names(edition: str) -> None:
    wanted = list(SEQUENCE_OF_PLAY)
    if edition == "2009":
        wanted[6] = "submarine-attack"
    turn = dropwhile(lambda key: key.phase != "initiative", battle(edition).keys)
    assert list(dict.fromkeys(key.phase for key in turn)) == wanted


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.rule("WAS-GLOSS-25", "WAS-INIT-04")
def test_steps_are_the_first_and_the_second_half_of_a_phase(edition: str) -> None:
    """What both sides do together, or by turns, has none."""
    halves: dict[str, list[str]] = {}
    for key in battle(edition).keys:
        half = [key.part] if key.part in ("first", "second") else []
        halves.setdefault(key.phase, []).extend(half)
    for phase, number in SEQUENCE_OF_PLAY.items():
        name = "submarine-attack" if (phase, edition) == ("torpedo-attack", "2009") else phase
        assert halves[name] == ["first", "second"][:number], phase


RESISTED = [
    ("main", "bismarck", "hmas-sydney", "surface-attack"),
    ("secondary", "bismarck", "hmas-sydney", "surface-attack"),
    ("bomb", "d3a-val", "hmas-sydney", "air-attack"),
    ("strafe", "a6m5-zeke", "uss-fletcher-dd-445", "air-attack"),
    ("asw", "uss-fletcher-dd-445", "u-552", "surface-attack"),
    ("antiair", "bismarck", "d3a-val", "air-defense"),
]


@pytest.mark.parametrize(("weapon", "attacker", "target", "phase"), RESISTED)
@pytest.mark.rule("WAS-GLOSS-05")
def test_armor_resists_every_attack_but_torpedoes(
    weapon: str, attacker: str, target: str, phase: str
) -> None:
    armor = CARDS[target].armor
    for short in (0, 1):
        battle = struck(weapon, attacker, target, phase, armor - short)
        assert (battle.saw("attack-resolved").outcome == "miss") == bool(short)


@pytest.mark.rule("WAS-GLOSS-05")
def test_armor_does_not_resist_torpedoes() -> None:
    """One six hits, and a success of another face does not."""
    for successes, outcome in ((2, "hit"), (1, "miss")):
        battle = struck("torpedo", "shigure", "bismarck", "torpedo-attack", successes)
        assert battle.saw("attack-resolved").outcome == outcome
        assert battle.saw("attack-declared").attack.armor.total == CARDS["bismarck"].armor > 2


def struck(weapon: str, attacker: str, target: str, phase: str, successes: int) -> Battle:
    """One attack that has so many successes, as many of them as may be by sixes."""
    battle = given(
        "2007", unit("p1-1", bare(attacker), "5.4"), unit("p2-1", bare(target), "5.4"),
        step=StepKey(phase, "first"), turn=3,
    )  # fmt: skip
    battle.act("p1", c.Fire("p1-1", weapon, "p2-1"))
    dice = battle.saw("attack-declared").attack.dice.total
    sixes, fives = divmod(successes, 2)
    return battle.roll([*(6,) * sixes, *(5,) * fives, *(1,) * (dice - sixes - fives)])
