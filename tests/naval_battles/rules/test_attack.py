"""Declaring and resolving attacks (ATK, MAIN, SEC, TORP, DC, LBAR, AIR, SURP, RES, SINK, ROW)."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from domain.games.naval_battles import GAME
from domain.games.naval_battles.rules import commands as c
from domain.games.naval_battles.rules.facts import damage
from domain.kernel.values import StepKey

from ..tables import Battle, Prepared, Ship, given, ship

BISMARCK = ship("p2", "de-bismarck")


def fire(card: str, by: str, mount: str, at: str) -> c.DeclareAttack:
    """One ship, one mount."""
    return c.DeclareAttack(card, (by,), (mount,), at)


def holding(*cards: str, **hands: Any) -> dict[str, Any]:
    return {"hands": {"p1": list(cards), **hands}}


SALVO = fire("main-14-18-4", "jp-yamato", "main-18", "de-bismarck")


# --- ship, mount, row, target --------------------------------------------------------------------


@pytest.mark.rule("NB-ATK-03", "NB-ATK-12", "NB-ATK-08", "NB-ATK-14", "NB-ATK-13")
def test_a_declaration_lies_beside_its_target_in_order() -> None:
    battle = given(ship("p1", "jp-yamato"), BISMARCK, **holding("main-14-18-4", "main-14-18-3"))
    battle.does("p1", SALVO)
    (attack,) = battle.state.attacks
    assert (attack.number, attack.target, attack.ships) == (1, "de-bismarck", ("jp-yamato",))
    battle.does("p1", fire("main-14-18-3", "jp-yamato", "main-18", "de-bismarck"))
    assert [each.number for each in battle.state.attacks] == [1, 2], "two at one target"
    assert battle.hand("p1") == ()


@pytest.mark.rule("NB-ATK-04", "NB-SHIP-12")
def test_each_mount_once_a_turn() -> None:
    """Yamato with two 18 inch mounts plays two Main Salvos, not three."""
    cards = ("main-14-18-4", "main-14-18-3", "main-14-18-2")
    battle = given(ship("p1", "jp-yamato"), BISMARCK, **holding(*cards))
    for card in cards[:2]:
        battle.act("p1", fire(card, "jp-yamato", "main-18", "de-bismarck"))
    third = fire(cards[2], "jp-yamato", "main-18", "de-bismarck")
    battle.refused("p1", third, "attack.mount-used", "NB-ATK-04")
    assert third not in battle.offers("p1")


@pytest.mark.rule("NB-ATK-05", "NB-MAIN-02", "NB-SHIP-09")
@pytest.mark.parametrize(
    ("by", "mount", "code"),
    [
        ("jp-yamato", "main-18", ""),
        ("jp-nagato", "main-16", ""),
        ("jp-haruna", "main-14", ""),
        ("jp-mikuma", "main-12", "attack.mount"),
        ("jp-yamato", "secondary-6", "attack.mount"),
        ("jp-kagero", "torpedo", "attack.mount"),
        ("jp-mikuma", "main-14", "attack.mount"),
        ("jp-yamato", "main-x", "attack.mount"),
    ],
)
def test_the_mount_must_match_the_card(by: str, mount: str, code: str) -> None:
    battle = given(ship("p1", by), BISMARCK, **holding("main-14-18-4"))
    command = fire("main-14-18-4", by, mount, "de-bismarck")
    if code:
        battle.refused("p1", command, code, "NB-ATK-05")
    else:
        battle.does("p1", command)


@pytest.mark.rule("NB-MAIN-03", "NB-MAIN-04")
@pytest.mark.parametrize("own", [1, 2, 3])
@pytest.mark.parametrize("target", [1, 2, 3])
def test_main_salvos_from_and_at_the_first_two_rows(own: int, target: int) -> None:
    """Yamato in row 2 fires at Bismarck in row 2; at row 3, or from it, nobody does."""
    yamato = ship("p1", "jp-yamato", own)
    enemy = [ship("p2", name, row) for row, name in enumerate(("de-koln", "de-z23", "de-t13"), 1)]
    ahead = [ship("p1", n, row) for row, n in enumerate(("jp-kashii", "jp-kagero"), 1) if row < own]
    battle = given(*ahead, yamato, *enemy, **holding("main-14-18-4"))
    command = fire("main-14-18-4", "jp-yamato", "main-18", enemy[target - 1].id)
    if own == 3:
        battle.refused("p1", command, "attack.row", "NB-MAIN-03")
    elif target == 3:
        battle.refused("p1", command, "attack.out-of-reach", "NB-ATK-06")
    else:
        battle.does("p1", command)


@pytest.mark.rule("NB-SEC-01", "NB-SEC-02", "NB-SEC-03", "NB-SEC-04", "NB-AMB-47", "NB-AMB-48")
def test_secondary_salvos_from_and_at_the_first_row() -> None:
    """Kagero in row 2 cannot; a battleship's and a heavy cruiser's secondary guns can."""
    fleet = (
        ship("p1", "jp-yamato"), ship("p1", "jp-mikuma"), ship("p1", "jp-kagero", 2),
        BISMARCK, ship("p2", "de-t13", 2),
    )  # fmt: skip
    battle = given(*fleet, **holding("secondary-4-5-1", "secondary-6-8-3", "secondary-6-8-1"))
    behind = fire("secondary-4-5-1", "jp-kagero", "secondary-5", "de-bismarck")
    battle.refused("p1", behind, "attack.row", "NB-SEC-03")
    far = fire("secondary-4-5-1", "jp-yamato", "secondary-5", "de-t13")
    battle.refused("p1", far, "attack.out-of-reach", "NB-ATK-06")
    six = fire("secondary-4-5-1", "jp-yamato", "secondary-6", "de-bismarck")
    battle.refused("p1", six, "attack.mount", "NB-ATK-05")
    battle.does(
        "p1",
        fire("secondary-4-5-1", "jp-yamato", "secondary-5", "de-bismarck"),
        fire("secondary-6-8-3", "jp-mikuma", "secondary-8", "de-bismarck"),
        fire("secondary-6-8-1", "jp-yamato", "secondary-6", "de-bismarck"),
    )


@pytest.mark.rule("NB-ATK-07", "NB-SEC-05", "NB-AMB-46")
def test_the_two_ship_salvo() -> None:
    """A 4 and a 5 inch mount of two first-row ships: one attack, both mounts used."""
    fleet = (
        ship("p1", "it-zara"), ship("p1", "it-aviere"), ship("p1", "it-aliseo"),
        ship("p1", "it-capitani-romani", 2), ship("p2", "de-bismarck"),
    )  # fmt: skip
    battle = given(*fleet, **holding("double-secondary-4-5-4", "secondary-4-5-1"))

    def both(*pairs: tuple[str, str]) -> c.DeclareAttack:
        ships, mounts = zip(*pairs, strict=True)
        return c.DeclareAttack("double-secondary-4-5-4", ships, mounts, "de-bismarck")

    aviere, aliseo = ("it-aviere", "secondary-5"), ("it-aliseo", "secondary-4")
    battle.refused("p1", both(aviere), "attack.ships", "NB-ATK-07")
    battle.refused("p1", both(aviere, aviere), "attack.ships", "NB-SEC-05")
    zara, behind = ("it-zara", "secondary-8"), ("it-capitani-romani", "secondary-5")
    battle.refused("p1", both(zara, aviere), "attack.mount", "NB-ATK-05")
    battle.refused("p1", both(aviere, behind), "attack.row", "NB-ATK-07")
    battle.does("p1", both(aviere, aliseo))
    assert len(battle.state.attacks) == 1
    again = fire("secondary-4-5-1", "it-aviere", "secondary-5", "de-bismarck")
    battle.refused("p1", again, "attack.mount-used", "NB-ATK-04")
    battle.ends("p1").does("p2", c.Pass())
    assert damage(battle.state, battle.state.ships["de-bismarck"]) == 4


@pytest.mark.rule("NB-SEC-05")
def test_two_ships_are_named_in_any_order() -> None:
    """Either order is one command, so what is offered once is accepted in both."""
    ships, mounts = ("it-aviere", "it-aliseo"), ("secondary-5", "secondary-4")
    fleet = (*(ship("p1", name) for name in ships), ship("p2", "de-bismarck"))
    battle = given(*fleet, **holding("double-secondary-4-5-4"))
    one = c.DeclareAttack("double-secondary-4-5-4", ships, mounts, "de-bismarck")
    other = c.DeclareAttack("double-secondary-4-5-4", ships[::-1], mounts[::-1], "de-bismarck")
    posted = msgspec.json.encode(msgspec.to_builtins(one) | {"ships": ships, "mounts": mounts})
    turned = {"ships": ships[::-1], "mounts": mounts[::-1]}
    again = msgspec.json.encode(msgspec.to_builtins(one) | turned)
    for body in (posted, again):
        assert msgspec.json.decode(body, type=c.DeclareAttack) == one == other
    assert battle.offers("p1").count(one) == 1
    battle.does("p1", other)
    assert battle.state.attacks[0].ships == ships


@pytest.mark.rule("NB-SEC-06", "NB-ATK-06", "NB-MAIN-01")
def test_salvos_and_submarines() -> None:
    battle = given(ship("p1", "jp-yamato"), ship("p2", "de-u-47"), **holding("main-14-18-4"))
    under = fire("main-14-18-4", "jp-yamato", "main-18", "de-u-47")
    battle.refused("p1", under, "attack.out-of-reach", "NB-ATK-06")
    assert not [each for each in battle.offers("p1") if isinstance(each, c.DeclareAttack)]


@pytest.mark.rule("NB-TORP-01", "NB-TORP-02", "NB-TORP-03", "NB-TORP-04", "NB-ATK-11")
def test_who_may_fire_torpedoes_at_whom() -> None:
    fleet = (
        ship("p1", "jp-yamato"), ship("p1", "jp-kagero"), ship("p1", "jp-shimakaze", 2),
        ship("p1", "jp-i-174", active=True), ship("p1", "jp-i-19"),
        ship("p2", "it-zara"), ship("p2", "it-roma", 2), ship("p2", "it-littorio", 3),
        ship("p2", "it-leonardo-da-vinci"),
    )  # fmt: skip
    battle = given(*fleet, **holding("torpedo-4", "torpedo-3"))

    def spread(by: str, at: str) -> c.DeclareAttack:
        return fire("torpedo-4", by, "torpedo", at)

    battle.refused("p1", spread("jp-yamato", "it-zara"), "attack.mount", "NB-ATK-05")
    battle.refused("p1", spread("jp-shimakaze", "it-zara"), "attack.row", "NB-TORP-02")
    battle.refused("p1", spread("jp-kagero", "it-roma"), "attack.out-of-reach", "NB-ATK-06")
    battle.refused("p1", spread("jp-i-19", "it-zara"), "attack.passive", "NB-ATK-11")
    below = spread("jp-i-174", "it-leonardo-da-vinci")
    battle.refused("p1", below, "attack.out-of-reach", "NB-ATK-06")
    kagero = spread("jp-kagero", "it-leonardo-da-vinci")
    battle.refused("p1", kagero, "attack.out-of-reach", "NB-ATK-06")
    battle.does("p1", spread("jp-i-174", "it-littorio"))
    battle.does("p1", fire("torpedo-3", "jp-kagero", "torpedo", "it-zara"))


@pytest.mark.rule("NB-DC-01", "NB-DC-02", "NB-DC-03", "NB-DC-04")
def test_depth_charges() -> None:
    fleet = (
        ship("p1", "jp-kagero"), ship("p1", "jp-shimakaze", 2), ship("p1", "jp-yamato"),
        ship("p2", "de-u-47", active=True), BISMARCK,
    )  # fmt: skip
    battle = given(*fleet, **holding("depth-1", "torpedo-4"))
    at_ship = fire("depth-1", "jp-kagero", "torpedo", "de-bismarck")
    battle.refused("p1", at_ship, "attack.out-of-reach", "NB-ATK-06")
    behind = fire("depth-1", "jp-shimakaze", "torpedo", "de-u-47")
    battle.refused("p1", behind, "attack.row", "NB-DC-01")
    battle.does("p1", fire("depth-1", "jp-kagero", "torpedo", "de-u-47"))
    spread = fire("torpedo-4", "jp-kagero", "torpedo", "de-bismarck")
    battle.refused("p1", spread, "attack.mount-used", "NB-ATK-04")
    battle.does("p1", c.Pass()).does("p2", c.Pass())
    assert damage(battle.state, battle.state.ships["de-u-47"]) == 1


@pytest.mark.rule("NB-ATK-01", "NB-ATK-10", "NB-LBAR-08", "NB-LBAR-06")
def test_targets_may_belong_to_several_players() -> None:
    battle = given(
        ship("p1", "jp-yamato"), ship("p1", "jp-shoho"), BISMARCK, ship("p3", "it-roma"), seats=3,
        **holding("main-14-18-4", "land-air-x2"),
    )  # fmt: skip
    battle.does(
        "p1", SALVO, c.AirRaid("jp-shoho", "it-roma"), c.LandRaid("land-air-x2", "it-roma"),
        c.AimRaid("de-bismarck"),
    )  # fmt: skip
    battle.ends("p1")
    assert battle.state.step == StepKey("defense")
    own = given(ship("p1", "jp-yamato"), ship("p1", "jp-kagero"), **holding("main-14-18-4"))
    mine = fire("main-14-18-4", "jp-yamato", "main-18", "jp-kagero")
    own.refused("p1", mine, "attack.own-side", "NB-TEAM-01")
    nobody = fire("main-14-18-4", "jp-yamato", "main-18", "de-tirpitz")
    own.refused("p1", nobody, "attack.no-target", "NB-ATK-08")
    foreign = fire("main-14-18-4", "de-bismarck", "main-15", "jp-yamato")
    own.refused("p1", foreign, "attack.not-your-ship", "NB-ATK-03")


@pytest.mark.rule("NB-ATK-09", "NB-ATK-02")
def test_everything_is_declared_before_a_defense_or_a_die() -> None:
    battle = given(
        ship("p1", "jp-yamato"), ship("p1", "jp-shoho"), BISMARCK,
        **holding("main-14-18-4", p2=["near-miss"]),
    )  # fmt: skip
    battle.does("p1", c.AirRaid("jp-shoho", "de-bismarck"))
    assert battle.state.awaiting is None
    battle.refused("p2", c.Defend("near-miss", 1), "turn.not-yours", "NB-ATK-01")
    battle.does("p1", SALVO).ends("p1")
    assert battle.asked() == ("p2",)
    battle.does("p2", c.Pass())
    assert battle.state.awaiting is not None


# --- air raids -----------------------------------------------------------------------------------


@pytest.mark.rule("NB-LBAR-01", "NB-LBAR-02", "NB-LBAR-04", "NB-LBAR-07", "NB-AMB-24", "NB-AMB-25")
def test_a_land_based_card_needs_no_ship_and_gives_its_raids() -> None:
    """x3: two raids on one ship and one on a submarine; or fewer, the rest is lost."""
    fleet = (ship("p2", "de-t13"), ship("p2", "de-bismarck", 2), ship("p2", "de-u-47"))
    battle = given(*fleet, **holding("land-air-x3", "surprise-attack"), nations={"p1": "japan"})
    battle.does("p1", c.LandRaid("land-air-x3", "de-t13"))
    assert battle.state.aim is not None
    battle.refused("p1", c.SurpriseAttack("surprise-attack", "p2"), "turn.wrong-step", "NB-LBAR-06")
    battle.does("p1", c.AimRaid("de-t13"), c.AimRaid("de-u-47"))
    assert battle.state.aim is None
    found = [(each.target, each.needed, each.batch) for each in battle.state.attacks]
    assert found == [("de-t13", 4, 1), ("de-t13", 4, 1), ("de-u-47", 6, 1)]
    fewer = given(*fleet, **holding("land-air-x3"), nations={"p1": "japan"})
    fewer.does("p1", c.LandRaid("land-air-x3", "de-t13"), c.Pass())
    assert len(fewer.state.attacks) == 1
    assert fewer.state.step == StepKey("defense")


@pytest.mark.rule("NB-LBAR-01")
def test_a_raid_card_is_no_salvo() -> None:
    battle = given(ship("p1", "jp-yamato"), BISMARCK, **holding("land-air-x1", "main-14-18-4"))
    as_salvo = fire("land-air-x1", "jp-yamato", "main-18", "de-bismarck")
    battle.refused("p1", as_salvo, "attack.needs-no-ship", "NB-LBAR-01")
    as_raid = c.LandRaid("main-14-18-4", "de-bismarck")
    battle.refused("p1", as_raid, "attack.no-raid", "NB-LBAR-01")


@pytest.mark.rule("NB-AIR-01", "NB-AIR-02", "NB-AIR-07", "NB-AIR-03", "NB-AIR-04")
def test_each_carrier_launches_one_raid_from_any_row() -> None:
    fleet = (
        ship("p1", "gb-warspite"), ship("p1", "gb-illustrious", 2), ship("p1", "gb-hermes", 3),
        ship("p1", "gb-audacity", 3), ship("p2", "jp-kagero"), ship("p2", "jp-kashii", 2),
        ship("p2", "jp-shimakaze", 3), ship("p2", "jp-i-19"),
    )  # fmt: skip
    battle = given(*fleet)
    surface = ("jp-kagero", "jp-kashii", "jp-shimakaze")
    for carrier, target in zip(
        ("gb-illustrious", "gb-hermes", "gb-audacity"), surface, strict=True
    ):
        battle.act("p1", c.AirRaid(carrier, target))
    assert [each.needed for each in battle.state.attacks] == [5, 6, 7]
    again = given(ship("p1", "gb-hermes", raided=True), BISMARCK, **holding("near-miss"))
    again.refused("p1", c.AirRaid("gb-hermes", "de-bismarck"), "raid.launched", "NB-AIR-02")
    no = c.AirRaid("gb-warspite", "de-bismarck")
    given(ship("p1", "gb-warspite"), BISMARCK, **holding("near-miss")).refused(
        "p1", no, "raid.not-a-carrier", "NB-AIR-01"
    )


@pytest.mark.rule("NB-AIR-08", "NB-AMB-26")
def test_carriers_reach_no_submarine_unless_agreed() -> None:
    fleet = (ship("p1", "jp-shoho"), ship("p2", "de-u-47"))
    under = c.AirRaid("jp-shoho", "de-u-47")
    battle = given(*fleet, **holding("near-miss"))
    battle.refused("p1", under, "attack.out-of-reach", "NB-ATK-06")
    agreed = given(
        *fleet, **holding("near-miss"), options={"carrierRaidSubmarines": "row-3-number"}
    )
    agreed.does("p1", under)
    assert agreed.state.attacks[0].needed == 7


# --- Surprise Attack -----------------------------------------------------------------------------


@pytest.mark.rule("NB-SURP-01", "NB-SURP-04", "NB-SURP-05", "NB-SURP-02", "NB-AMB-15", "NB-AMB-16")
def test_surprise_attack() -> None:
    lying = [Prepared("near-miss", "de-bismarck"), Prepared("planning", "de-bismarck")]
    battle = given(
        ship("p1", "jp-yamato"), BISMARCK, retreats={"p2": ["retreat"]}, prepared={"p2": lying},
        **holding("surprise-attack", "near-miss", p2=["evasive-action"]),
    )  # fmt: skip
    own = c.SurpriseAttack("surprise-attack", "p1")
    battle.refused("p1", own, "attack.no-enemy", "NB-SURP-01")
    battle.refused("p1", c.SurpriseAttack("near-miss", "p2"), "card.wrong-step", "NB-CARD-01")
    battle.does("p1", c.SurpriseAttack("surprise-attack", "p2"))
    assert battle.state.discards == ("retreat", "near-miss", "planning", "surprise-attack")
    assert battle.state.attacks == (), "it is no attack on a ship"
    battle.does("p1", c.Pass())
    assert battle.state.step == StepKey("discard"), "nobody defends"


@pytest.mark.rule("NB-SURP-03", "NB-AMB-14", "NB-SURP-02")
def test_surprise_attack_in_the_resolve_part_by_agreement() -> None:
    battle = given(
        ship("p1", "jp-yamato"), BISMARCK, prepared={"p2": [Prepared("near-miss", "de-bismarck")]},
        options={"surpriseAttack": "on-resolve"}, **holding("surprise-attack", "main-14-18-4"),
    )  # fmt: skip
    battle.does("p1", c.SurpriseAttack("surprise-attack", "p2"), SALVO).ends("p1")
    battle.does("p2", c.Defend("near-miss", 1, prepared=True))
    assert battle.saw("surprise-sprung").cards == ("near-miss",)


# --- resolving -----------------------------------------------------------------------------------


def resolving(*fleet: Ship, cards: tuple[c.DeclareAttack, ...], **fields: Any) -> Battle:
    """p1 fires; everybody else passes."""
    battle = given(*fleet, **holding(*(each.card for each in cards)), **fields)
    battle.does("p1", *cards).ends("p1")
    while battle.state.step == StepKey("defense") and battle.asked():
        battle.act(battle.asked()[0], c.Pass())
    return battle


@pytest.mark.rule("NB-RES-01", "NB-RES-02", "NB-RES-06", "NB-MAIN-05", "NB-AMB-35")
def test_what_was_not_stopped_hits_and_damage_adds_up() -> None:
    hurt = ship("p2", "de-bismarck", damage=("torpedo-6",))
    battle = resolving(ship("p1", "jp-yamato"), hurt, cards=(SALVO,))
    scored = battle.saw("damage-scored")
    assert (scored.damage, scored.total, scored.hull) == (4, 10, 11)
    assert battle.state.ships["de-bismarck"].damage == ("torpedo-6", "main-14-18-4")
    assert "main-14-18-4" not in battle.state.discards


@pytest.mark.rule("NB-SINK-01", "NB-SINK-02", "NB-SINK-05", "NB-SHIP-05")
def test_bismarck_floats_with_ten_and_sinks_with_eleven() -> None:
    hurt = ship("p2", "de-bismarck", damage=("torpedo-6", "main-11-13-1"))
    battle = resolving(ship("p1", "jp-yamato"), hurt, cards=(SALVO,))
    sunk = battle.saw("ship-sunk")
    assert (sunk.ship, sunk.by, sunk.points) == ("de-bismarck", "p1", 7)
    assert battle.state.sunk["p1"] == ("de-bismarck",)
    assert set(battle.state.discards) >= {"torpedo-6", "main-11-13-1", "main-14-18-4"}
    assert GAME.scores(battle.state) == {"p1": 7, "p2": 0}


@pytest.mark.rule("NB-SINK-03", "NB-RES-05", "NB-RES-04", "NB-RES-03", "NB-AMB-06", "NB-AMB-07")
def test_attacks_on_a_ship_already_sunk_are_ignored() -> None:
    """Order of declaration: the salvo sinks T13, so the raid on it is not rolled."""
    battle = given(
        ship("p1", "jp-yamato"), ship("p1", "jp-shoho"), ship("p2", "de-t13"),
        **holding("main-14-18-4", "land-air-x1"),
    )  # fmt: skip
    battle.does(
        "p1", fire("main-14-18-4", "jp-yamato", "main-18", "de-t13"),
        c.AirRaid("jp-shoho", "de-t13"), c.LandRaid("land-air-x1", "de-t13"),
    ).ends("p1")  # fmt: skip
    battle.does("p2", c.Pass())
    ignored = [event for event in battle.events if event.NAME == "attack-ignored"]
    assert [(event.attack, event.discarded) for event in ignored] == [
        (2, ()),
        (3, ("land-air-x1",)),
    ]
    battle.not_saw("roll-scored")


@pytest.mark.rule("NB-TORP-05", "NB-TORP-06", "NB-COMP-03")
@pytest.mark.parametrize(
    ("by", "face", "hits"),
    [
        ("jp-i-174", 4, True),
        ("jp-i-174", 2, True),
        ("jp-i-174", 1, False),
        ("us-pt-109", 4, False),
        ("us-pt-109", 5, True),
    ],
)
def test_torpedoes_need_five_with_guidance(by: str, face: int, hits: bool) -> None:
    spread = fire("torpedo-4", by, "torpedo", "de-bismarck")
    battle = resolving(ship("p1", by, active=by == "jp-i-174"), BISMARCK, cards=(spread,))
    battle.roll((face,))
    if hits:
        assert battle.saw("damage-scored").damage == 4
    else:
        assert battle.saw("attack-missed").discarded == ("torpedo-4",)


@pytest.mark.rule("NB-LBAR-05", "NB-AIR-05")
@pytest.mark.parametrize(("face", "sinks"), [(5, True), (4, False)])
def test_a_raid_sinks_outright_whatever_the_hull(face: int, sinks: bool) -> None:
    """x2 against Bismarck in row 2: 4 + 1 for its guns."""
    battle = given(ship("p2", "de-t13"), ship("p2", "de-bismarck", 2), **holding("land-air-x2"),
                   nations={"p1": "japan"})  # fmt: skip
    battle.does("p1", c.LandRaid("land-air-x2", "de-bismarck"), c.Pass())
    battle.does("p2", c.Pass()).roll((face,))
    scored = battle.saw("roll-scored")
    assert scored.needed.total == 5
    assert [reason.rule for reason in scored.needed.reasons] == ["NB-LBAR-03", "NB-DEF-02"]
    assert bool(battle.state.sunk["p1"]) == sinks


@pytest.mark.rule("NB-AIR-06", "NB-AMB-22", "NB-PLAN-03", "NB-PLAN-02", "NB-FSM-03", "NB-AMB-21")
@pytest.mark.parametrize(("cards", "sinks"), [(0, False), (1, False), (2, True)])
def test_a_number_of_eight_needs_two_planning_cards_and_a_six(cards: int, sinks: bool) -> None:
    """Shoho at Hood in row 3: 7, and 1 for Hood's guns."""
    plans = [Prepared("planning", "jp-kagero"), Prepared("planning", "jp-kashii")]
    battle = given(
        ship("p1", "jp-shoho"), ship("p1", "jp-kagero"), ship("p1", "jp-kashii"),
        ship("p2", "gb-cossack"), ship("p2", "gb-norfolk", 2), ship("p2", "gb-hood", 3),
        prepared={"p1": plans}, **holding("near-miss"),
    )  # fmt: skip
    battle.does("p1", c.AirRaid("jp-shoho", "gb-hood"), c.Pass()).does("p2", c.Pass())
    assert battle.asked() == ("p1",)
    battle.refused("p1", c.Plan(3), "plan.cards", "NB-PLAN-03")
    battle.does("p1", c.Plan(cards) if cards else c.Pass())
    battle.roll((6,))
    assert battle.saw("roll-scored", success=sinks).needed.total == 8
    assert sum(lying.used for lying in battle.state.prepared["p1"]) == cards


@pytest.mark.rule("NB-SUB-06", "NB-DC-02", "NB-SINK-01", "NB-SINK-06")
def test_a_submarine_sinks_by_damage_or_by_a_raid() -> None:
    charge = fire("depth-2", "jp-kagero", "torpedo", "de-u-47")
    active = ship("p2", "de-u-47", active=True)
    battle = resolving(ship("p1", "jp-kagero"), active, cards=(charge,))
    assert battle.saw("ship-sunk", ship="de-u-47")
    raided = given(active, **holding("land-air-x1"), nations={"p1": "japan"})
    raided.does("p1", c.LandRaid("land-air-x1", "de-u-47")).does("p2", c.Pass()).roll((4,))
    assert raided.saw("ship-sunk", ship="de-u-47")


# --- rows close up -------------------------------------------------------------------------------


@pytest.mark.rule("NB-ROW-05", "NB-ROW-06", "NB-FSM-02", "NB-AMB-42")
def test_rows_hold_during_the_attack_and_close_up_after_it() -> None:
    """Rows 1 and 2 are emptied in one step: row 3 becomes row 1, only afterwards."""
    fleet = (
        ship("p1", "jp-yamato"), ship("p1", "jp-akagi"), ship("p1", "jp-shokaku"),
        ship("p2", "de-t13"), ship("p2", "de-schnellboot", 2), ship("p2", "de-z23", 3),
    )  # fmt: skip
    battle = given(*fleet, **holding("main-14-18-4", "main-14-18-3"))
    battle.does(
        "p1",
        fire("main-14-18-4", "jp-yamato", "main-18", "de-t13"),
        fire("main-14-18-3", "jp-yamato", "main-18", "de-schnellboot"),
        c.AirRaid("jp-akagi", "de-z23"),
    ).ends("p1")
    if battle.state.step == StepKey("declare"):
        battle.does("p1", c.Pass())
    battle.does("p2", c.Pass())
    assert set(battle.state.sunk["p1"]) == {"de-t13", "de-schnellboot"}
    assert battle.state.ships["de-z23"].row == 3, "it still counts as row 3"
    battle.roll((5,))
    assert battle.saw("roll-scored").needed.total == 6
    assert battle.saw("rows-closed").rows == {"de-z23": 1}
    assert battle.state.ships["de-z23"].row == 1


@pytest.mark.rule("NB-ROW-05")
def test_only_the_rows_behind_move() -> None:
    fleet = (
        ship("p1", "jp-yamato"), ship("p2", "de-koln"), ship("p2", "de-t13", 2),
        ship("p2", "de-z23", 3),
    )  # fmt: skip
    shot = fire("main-14-18-4", "jp-yamato", "main-18", "de-t13")
    battle = resolving(*fleet, cards=(shot,))
    assert battle.saw("rows-closed").rows == {"de-z23": 2}
    assert battle.state.ships["de-koln"].row == 1
