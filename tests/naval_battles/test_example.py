"""The booklet's worked turn, NB-EX-01 to -17 to the letter: from the nations to the last draw.

Michael (p1) is Japan, Dan (p2) Italy, Alan (p3) Germany. What the example does not tell, the rest
of Dan's and Alan's fleets and hands, is filled up to 25 points and seven cards.
"""

from __future__ import annotations

import pytest

from domain.games.naval_battles import GAME
from domain.games.naval_battles.rules import commands as c
from domain.games.naval_battles.rules.facts import damage, points
from domain.games.naval_battles.rules.reckoning import raid_needed
from domain.games.naval_battles.rules.ships import SHIPS
from domain.kernel.tally import Tally
from domain.kernel.values import StepKey

from .tables import Battle, opened

MICHAEL, DAN, ALAN = "p1", "p2", "p3"
FLEETS = {
    MICHAEL: ("jp-mikuma", "jp-kashii", "jp-yamato", "jp-kagero", "jp-shoho", "jp-i-174"),
    DAN: ("it-capitani-romani", "it-aliseo", "it-roma", "it-zara", "it-duca-degli-abruzzi",
          "it-littorio"),
    ALAN: ("de-schnellboot", "de-scharnhorst", "de-bismarck", "de-t13", "de-graf-zeppelin"),
}  # fmt: skip
LAYOUTS = {
    MICHAEL: c.Arrange(
        (("jp-mikuma", "jp-kashii"), ("jp-yamato", "jp-kagero"), ("jp-shoho",)), active=()
    ),
    DAN: c.Arrange(
        (
            ("it-capitani-romani", "it-aliseo"),
            ("it-roma", "it-zara", "it-duca-degli-abruzzi"),
            ("it-littorio",),
        )
    ),
    ALAN: c.Arrange(
        (("de-schnellboot", "de-scharnhorst"), ("de-bismarck", "de-t13"), ("de-graf-zeppelin",))
    ),
}
HANDS = {
    MICHAEL: ("secondary-4-5-1", "main-11-13-2", "main-14-18-4", "torpedo-4", "land-air-x2",
              "near-miss", "reinforcements-3"),
    DAN: ("armor-plating", "torpedo-3", "depth-1", "planning", "main-14-18-3", "secondary-6-8-1",
          "retreat"),
    ALAN: ("evasive-action", "escort-ship", "small-target", "torpedo-3", "depth-2", "planning",
           "main-14-18-2"),
}  # fmt: skip
SALVO_5, SALVO_12, SALVO_18, SPREAD, ON_ALISEO, ON_BISMARCK, FROM_SHOHO = range(1, 8)
"""Michael's attacks in order of declaration."""


def set_up() -> Battle:
    """Nations, secret fleets, the first player, the layout, seven cards each."""
    battle = opened(3)
    for seat, nation in ((MICHAEL, "japan"), (DAN, "italy"), (ALAN, "germany")):
        battle.act(seat, c.ChooseNation(nation))  # type: ignore[arg-type]
    for seat, fleet in FLEETS.items():
        battle.act(seat, c.CommitFleet(fleet))
    battle.roll((6, 4, 2))
    for seat, layout in LAYOUTS.items():
        battle.act(seat, layout)
    for seat in FLEETS:
        battle.picks(*HANDS[seat])
    return battle


def reorganized() -> Battle:
    """Kagero to the first row, I-174 active, Shimakaze from the pile into the second row."""
    battle = set_up()
    rows = (("jp-mikuma", "jp-kashii", "jp-kagero"), ("jp-yamato",), ("jp-shoho",))
    battle.act(MICHAEL, c.Arrange(rows, active=("jp-i-174",)))
    new = c.Posting("jp-shimakaze", row=2)
    return battle.does(MICHAEL, c.Reinforce(("reinforcements-3",), (new,)), c.Pass())


def declared() -> Battle:
    """Near Miss is prepared by Shimakaze, then everything is fired."""
    battle = reorganized().does(MICHAEL, c.Prepare("near-miss", "jp-shimakaze"), c.Pass())
    return battle.does(
        MICHAEL,
        c.DeclareAttack("secondary-4-5-1", ("jp-kagero",), ("secondary-5",), "it-capitani-romani"),
        c.DeclareAttack("main-11-13-2", ("jp-mikuma",), ("main-12",), "de-schnellboot"),
        c.DeclareAttack("main-14-18-4", ("jp-yamato",), ("main-18",), "de-bismarck"),
        c.DeclareAttack("torpedo-4", ("jp-i-174",), ("torpedo",), "it-littorio"),
        c.LandRaid("land-air-x2", "it-aliseo"),
        c.AimRaid("de-bismarck"),
        c.AirRaid("jp-shoho", "de-t13"),
        c.Pass(),
    )


def defended() -> Battle:
    """One defense each, clockwise: Dan has one, Alan four."""
    battle = declared()
    battle.act(DAN, c.Defend("armor-plating", SALVO_5))
    battle.act(ALAN, c.AirCover("de-graf-zeppelin", ON_BISMARCK))
    battle.roll((3,))
    battle.does(DAN, c.Pass()).does(ALAN, c.Defend("evasive-action", ON_BISMARCK))
    battle.does(DAN, c.Pass()).does(ALAN, c.Defend("escort-ship", SALVO_18, to="de-t13"))
    battle.does(DAN, c.Pass()).does(ALAN, c.Defend("small-target", SALVO_18))
    return battle.does(DAN, c.Pass()).does(ALAN, c.Pass())


def resolved() -> Battle:
    """Torpedoes 4, the raid on Aliseo 5, Shoho's raid on T13 4."""
    return defended().roll((4,)).roll((5,)).roll((4,))


@pytest.mark.rule("NB-SETUP-02", "NB-SETUP-03", "NB-SETUP-04", "NB-SETUP-05", "NB-SETUP-06")
@pytest.mark.rule("NB-EX-01", "NB-EX-02", "NB-EX-03")
def test_the_table_before_the_turn() -> None:
    """Three nations, 25 points, the fleet and the seven cards."""
    battle = set_up()
    state = battle.state
    assert state.nations == {MICHAEL: "japan", DAN: "italy", ALAN: "germany"}
    assert (state.active, state.step, state.turn) == (MICHAEL, StepKey("reorganize"), 1)
    assert sum(SHIPS[name].points for name in FLEETS[MICHAEL]) == 25
    rows = {ship.id: ship.row for ship in state.ships.values() if ship.seat == MICHAEL}
    assert rows == {"jp-mikuma": 1, "jp-kashii": 1, "jp-yamato": 2, "jp-kagero": 2,
                    "jp-shoho": 3, "jp-i-174": 0}  # fmt: skip
    assert not state.ships["jp-i-174"].active
    assert sorted(battle.hand(MICHAEL)) == sorted(HANDS[MICHAEL])
    assert state.deck.count == 102 - 21


@pytest.mark.rule("NB-REORG-01", "NB-REORG-02", "NB-REIN-02", "NB-REIN-04", "NB-REIN-06")
@pytest.mark.rule("NB-EX-04")
def test_reorganizing() -> None:
    """A move, a turn, two points used of three."""
    battle = reorganized()
    ships = battle.state.ships
    assert ships["jp-kagero"].row == 1
    assert ships["jp-i-174"].active
    assert ships["jp-shimakaze"].row == 2
    assert battle.saw("reinforcements-played").lost == 1
    assert all(SHIPS[name].points > 1 for name in battle.state.reserves[MICHAEL])
    assert battle.state.discards == ("reinforcements-3",)


@pytest.mark.rule("NB-PREP-01", "NB-PREP-02", "NB-PREP-06", "NB-ATK-12", "NB-DEF-02")
@pytest.mark.rule("NB-EX-05", "NB-EX-06", "NB-EX-07", "NB-EX-08", "NB-EX-09")
def test_declaring() -> None:
    """The card prepared, who fires at what, and what the raids need."""
    battle = declared()
    lying = [(each.card, each.ship) for each in battle.state.prepared[MICHAEL]]
    assert lying == [("near-miss", "jp-shimakaze")]
    aims = {attack.number: (attack.target, attack.needed) for attack in battle.state.attacks}
    assert aims == {
        SALVO_5: ("it-capitani-romani", 0),
        SALVO_12: ("de-schnellboot", 0),
        SALVO_18: ("de-bismarck", 0),
        SPREAD: ("it-littorio", 0),
        ON_ALISEO: ("it-aliseo", 3),
        ON_BISMARCK: ("de-bismarck", 5),
        FROM_SHOHO: ("de-t13", 6),
    }
    fire = {each.number: (each.card, each.ships, each.mounts) for each in battle.state.attacks}
    assert fire == {
        SALVO_5: ("secondary-4-5-1", ("jp-kagero",), ("secondary-5",)),
        SALVO_12: ("main-11-13-2", ("jp-mikuma",), ("main-12",)),
        SALVO_18: ("main-14-18-4", ("jp-yamato",), ("main-18",)),
        SPREAD: ("torpedo-4", ("jp-i-174",), ("torpedo",)),
        ON_ALISEO: ("land-air-x2", (), ()),
        ON_BISMARCK: ("land-air-x2", (), ()),
        FROM_SHOHO: ("", ("jp-shoho",), ()),
    }
    rows = {aim: battle.state.ships[aim].row for aim, _ in aims.values()}
    assert rows == {"it-capitani-romani": 1, "de-schnellboot": 1, "de-bismarck": 2,
                    "it-littorio": 3, "it-aliseo": 1, "de-t13": 2}  # fmt: skip
    (flak,) = (r.value for r in raid_needed(battle.state, battle.state.attacks[5]).reasons[1:])
    assert flak == 1, "4 for the second row, 1 for the guns"
    assert battle.hand(MICHAEL) == ()
    assert battle.asked() == (DAN,)


@pytest.mark.rule("NB-AP-01", "NB-COVER-03", "NB-EA-01", "NB-ESC-02", "NB-ST-01", "NB-DEF-05")
@pytest.mark.rule("NB-EX-10", "NB-EX-11", "NB-EX-12")
def test_defending() -> None:
    """Plating, air cover that fails, evasion, a redirect, a small target."""
    offers = GAME.legal(declared().state, DAN).commands
    assert {o.attack for o in offers if isinstance(o, c.Defend)} == {SALVO_5}, "not the torpedoes"
    battle = defended()
    stopped = [event.attack for event in battle.events if event.NAME == "attack-stopped"]
    assert stopped == [SALVO_5, ON_BISMARCK, SALVO_18]
    cover = battle.saw("roll-scored", kind="cover", success=False)
    assert (cover.face, _sum(cover.needed)) == (3, 5)
    assert battle.saw("attack-moved", attack=SALVO_18).target == "de-t13"
    assert {"armor-plating", "secondary-4-5-1", "evasive-action", "escort-ship", "small-target",
            "main-14-18-4"} <= set(battle.state.discards)  # fmt: skip
    assert "land-air-x2" not in battle.state.discards, "its other raid is still to come"


@pytest.mark.rule("NB-MAIN-05", "NB-SINK-01", "NB-SINK-05", "NB-TORP-05", "NB-LBAR-05", "NB-AIR-05")
@pytest.mark.rule("NB-EX-13", "NB-EX-14", "NB-EX-15", "NB-EX-17")
def test_resolving() -> None:
    """Schnellboot sunk, Littorio hit for 4, Aliseo sunk, T13 missed."""
    battle = defended()
    assert battle.saw("ship-sunk", ship="de-schnellboot").by == MICHAEL
    assert "main-11-13-2" in battle.state.discards
    assert battle.state.awaiting is not None
    assert SHIPS["de-schnellboot"].hull <= 2 < 4 < SHIPS["it-littorio"].hull
    battle.roll((4,))
    scored = battle.saw("roll-scored", kind="torpedo")
    assert (_sum(scored.total), _sum(scored.needed), scored.success) == (7, 5, True)
    assert damage(battle.state, battle.state.ships["it-littorio"]) == 4
    battle.roll((5,))
    assert _sum(battle.saw("roll-scored", kind="raid", attack=ON_ALISEO).needed) == 3
    assert battle.saw("ship-sunk", ship="it-aliseo").points == SHIPS["it-aliseo"].points
    battle.roll((4,))
    assert battle.saw("attack-missed", attack=FROM_SHOHO)
    raid = battle.saw("roll-scored", kind="raid", attack=FROM_SHOHO)
    assert (raid.ship, raid.face, _sum(raid.needed)) == ("jp-shoho", 4, 6)
    assert "de-t13" in battle.state.ships
    assert points(battle.state, MICHAEL) == 3


@pytest.mark.rule("NB-DRAW-01", "NB-SETUP-07", "NB-FSM-04", "NB-EX-16")
def test_drawing() -> None:
    """Nothing is left to discard, seven cards are drawn, and the next player is Dan."""
    battle = resolved()
    battle.not_saw("cards-discarded").draws()
    assert len(battle.hand(MICHAEL)) == 7
    assert (battle.state.active, battle.state.turn) == (DAN, 2)
    assert [card.card for card in battle.state.prepared[MICHAEL]] == ["near-miss"]
    assert GAME.scores(battle.state) == {MICHAEL: 3, DAN: 0, ALAN: 0}


def _sum(tally: Tally) -> int:
    assert tally.total == sum(reason.value for reason in tally.reasons)
    return tally.total
