"""What no example can say: abilities outside attacks, and how several of them meet."""

from __future__ import annotations

import pytest

from domain.games.war_at_sea.rules.cards import CARDS, Card, card
from domain.games.war_at_sea.rules.families import effects
from domain.games.war_at_sea.rules.families.effects import Shot


def now(id: str) -> Card:
    return card(id, "2009")


def shot(attacker: str, kind: str, target: str, **more: object) -> Shot:
    known = {"range": 0, "edition": "2009", "turn": 2} | more
    return Shot(attacker=now(attacker), target=now(target), kind=kind, **known)  # type: ignore[arg-type]


def test_reasons_sum_up_and_name_rule_ability_and_unit() -> None:
    (reason,) = effects.attack_dice(
        shot(
            "f4f-wildcat",
            "antiair",
            "b5n2-kate",
            friends=(now("uss-enterprise-cv-6"),),
            source="p1-3",
        )
    )
    assert (reason.value, reason.rule, reason.label, reason.source) == (
        1, "WAS-ABIL-17", "Defend the Flattop", "p1-3",
    )  # fmt: skip


def test_different_abilities_add_up() -> None:
    """A6M5: Advanced Fighter 1 and Surprise on turn 1."""
    reasons = effects.attack_dice(shot("a6m5-zeke", "antiair", "f4f-wildcat", turn=1))
    assert sorted(r.label for r in reasons) == ["Advanced Fighter 1", "Surprise"]


def test_the_same_ability_of_two_units_counts_once() -> None:
    """WAS-ABIL-09."""
    leader = next(c for c in CARDS.values() if effects.has(c, "aggressive-tactics"))
    reasons = effects.attack_dice(
        shot("uss-fletcher-dd-445", "main", "myoko", adjacent=(leader, leader))
    )
    assert [r.value for r in reasons] == [1]


@pytest.mark.rule("WAS-ABIL-45")
def test_some_abilities_are_lost_with_the_first_damage() -> None:
    bismarck = now("bismarck")
    ranges = [effects.max_range(bismarck, "main", undamaged=u) for u in (True, False)]
    assert ranges == [effects.number("n", 4), 3]


def test_a_dash_stays_a_dash() -> None:
    """RUL-48: bonus dice make no attack."""
    assert effects.attack_value(now("uss-boise-cl-47"), "torpedo", 0, undamaged=True) == -1
    assert effects.attack_value(now("uss-princeton-cvl-23"), "main", 0, undamaged=True) == 0
    assert effects.max_range(now("uss-boise-cl-47"), "torpedo", undamaged=True) == -1


def test_every_gun_with_extended_range_has_dice_at_range_3() -> None:
    reaching = ("extended-range", "harassing-fire")
    for c in CARDS.values():
        farthest = [ref.n for ref in c.abilities if ref.family in reaching]
        if farthest:
            assert c.dice("main", 3) > 0, c.id
            assert effects.max_range(c, "main", undamaged=True) == max(farthest), c.id


def test_heavy_antiair_is_in_the_figures_of_the_card() -> None:
    for c in CARDS.values():
        heavy = effects.has(c, "heavy-antiair")
        if "antiair" in c.attacks:
            assert effects.max_range(c, "antiair", undamaged=True) == (heavy.n if heavy else 0)


def test_four_sixes_of_a_battleship_sink_hood() -> None:
    at = shot("bismarck", "main", "hms-hood", range=3)
    assert effects.dooming_roll(at, (6, 6, 6, 5, 6)) == "fatal-flaw"
    assert effects.dooming_roll(at, (6, 6, 6, 5, 5)) == ""
    assert effects.dooming_roll(shot("myoko", "main", "hms-hood"), (6, 6, 6, 6)) == ""


def test_a_first_attack_uses_up_what_helps_it_once() -> None:
    t27 = shot("t27", "torpedo", "hms-ajax")
    assert effects.spends(t27) == ("opening-salvo-gunnery-torpedo",)
    assert effects.spends(shot("t27", "antiair", "f4f-wildcat")) == ()
    assert effects.spends(shot("uss-boise-cl-47", "main", "tone", declared=("rapid-fire",))) == ()


def test_a_save_asks_for_the_vital_armor_that_the_attack_met() -> None:
    """A strafing Martlet has vital armor 6: then 6 is exact, and 8 is more."""
    at = shot("a6m2-zeke", "antiair", "martlet-mk-ii")
    assert [bool(effects.saves(at, n, vital=6)) for n in (5, 6, 8)] == [False, True, False]


def test_2007_plays_the_printed_trigger_of_the_two_misprinted_cards() -> None:
    """WAS-FLEET-45, -47: the card says 8, whatever the vital armor met."""
    for target in ("a6m5-zeke", "martlet-mk-ii"):
        found = [
            bool(effects.saves(shot("f4f-wildcat", "antiair", target, edition=e), 8, vital=6))
            for e in ("2007", "2009")
        ]
        assert found == [True, False], target


def test_leaders_add_to_the_initiative() -> None:
    holders = {
        family: next(c for c in CARDS.values() if effects.has(c, family))
        for family in ("carrier-leader", "flotilla-leader", "cruiser-leader", "destroyer-leader")
    }

    def adds(family: str, *others: str) -> int:
        leader = holders[family]
        return sum(
            r.value for r in effects.initiative_modifiers(leader, "p1-1", [now(o) for o in others])
        )

    own = int(holders["flotilla-leader"].subtype == "Destroyer")
    assert adds("flotilla-leader") == own
    assert adds("flotilla-leader", "t27", "t27") == 2 + own
    assert adds("flotilla-leader", "t27", "t27", "t27", "shigure") == 3
    assert [adds("cruiser-leader"), adds("cruiser-leader", "myoko", "tone")] == [0, 1]
    assert [adds("destroyer-leader"), adds("destroyer-leader", "t27")] == [0, 1]


def test_who_may_be_based_where() -> None:
    stuka, wildcat = now("ju-87b-stuka"), now("f4f-wildcat")
    assert effects.ashore_only(stuka)
    assert not effects.ashore_only(wildcat)
    assert effects.permits_basing(now("graf-zeppelin"), stuka)
    assert effects.permits_basing(now("graf-zeppelin"), now("ju-87-r2-picchiatelli"))
    assert not effects.permits_basing(now("shokaku"), stuka)
    export = next(c for c in CARDS.values() if effects.has(c, "export-version"))
    assert effects.permits_basing(now("uss-enterprise-cv-6"), export)
    assert not effects.permits_basing(now("shokaku"), export)


def test_land_speed_and_roles() -> None:
    assert effects.enters_land(now("pt-boat"))
    assert not effects.enters_land(now("uss-fletcher-dd-445"))
    assert effects.speed_boost(now("le-terrible"), "high-speed-run") == 1
    assert effects.speed_boost(now("bismarck"), "high-speed-run") == 0
    two = next(c for c in CARDS.values() if effects.has(c, "mission-selection-dive-bomber-fighter"))
    assert effects.roles(two) == ("Dive Bomber", "Fighter")
    assert effects.roles(now("f4f-wildcat")) == ()


def test_experts_and_spotters_say_whom_they_help() -> None:
    (bomber, dogfighter) = effects.grants(now("uss-enterprise-cv-6"))
    assert (bomber[0], bomber[1].to, bomber[1].attack, bomber[2]) == (
        "expert-bomber", "Dive Bomber", "bomb", 2,
    )  # fmt: skip
    assert (dogfighter[1].to, dogfighter[2]) == ("Fighter", 1)
    ((family, mark, dice),) = effects.marks(now("tone"))
    assert (family, mark.attacks, mark.target, dice) == (
        "scout-cruiser", ("bomb", "gunnery"), "Ship", 1,
    )  # fmt: skip


def test_a_family_knows_its_rule_and_its_limit() -> None:
    assert effects.rule_of("survivor") == "WAS-ABIL-15"
    assert effects.rule_of("rapid-fire") == "WAS-CARD-rapid-fire"
    assert [effects.once(f) for f in ("rapid-fire", "expert-bomber", "escort")] == [
        "game", "turn", "",
    ]  # fmt: skip


def test_a_further_attack_may_have_its_own_dice_or_its_own_prey() -> None:
    musashi, kent = now("musashi"), now("hms-kent")
    assert (effects.extra_dice(musashi, "antiair"), effects.extra_dice(musashi, "main")) == (5, 0)
    assert (effects.extra_among(kent, "main"), effects.extra_among(kent, "antiair")) == (
        "Destroyer", "",
    )  # fmt: skip


def test_a_place_by_an_enemy_island_is_worth_points() -> None:
    def worth(family: str, *, inside: bool, beside: bool, watched: bool) -> list[int]:
        holder = next(c for c in CARDS.values() if effects.has(c, family))
        found = effects.place_points(holder, inside=inside, beside=beside, watched=watched)
        return [award.points for award in found if award.family == family]

    assert worth("beach-landing", inside=True, beside=False, watched=True) == [3]
    assert worth("beach-landing", inside=False, beside=False, watched=False) == []
    assert worth("secret-cargo", inside=False, beside=True, watched=False) == [4]
    assert worth("secret-cargo", inside=False, beside=True, watched=True) == []
    assert worth("secret-cargo", inside=True, beside=False, watched=False) == []


def test_close_escort_makes_room_for_a_third_ship() -> None:
    assert effects.ship_room(now("hmas-arunta")) == 3
    assert effects.ship_room(now("bismarck")) == 0


def test_what_the_target_has_used_up_undoes_nothing_more() -> None:
    holder = next(c for c in CARDS.values() if effects.has(c, "near-miss"))
    at = shot("yamato", "main", holder.id)
    assert [n.family for n in effects.negations(at, 3)] == ["near-miss"]
    assert effects.negations(at, 3, spent=("near-miss",)) == ()
