"""Every command, event and state has words; a redacted one has fewer, none of them secret."""

from __future__ import annotations

import pytest

from domain.games.naval_battles import GAME
from domain.games.naval_battles.rules import commands as c
from domain.games.naval_battles.rules import events as ev
from domain.games.naval_battles.rules.deck import STANDARD
from domain.games.naval_battles.shown.words import describe
from domain.kernel.values import PUBLIC

from ..random_games import check_game
from ..rare import RARE
from ..tables import Prepared, given, ship
from ..test_example import ALAN, DAN, MICHAEL, declared, resolved, set_up

QUIET = {
    ev.DiceAwaited, ev.DiceThrown, ev.StepBegan, ev.Passed, ev.RollIntended,
}  # fmt: skip


def test_the_worked_turn_reads_like_the_booklet() -> None:
    battle = resolved().draws()
    state, lines = None, []
    for event in battle.events:
        lines.append(GAME.says(state, event))
        state = GAME.evolve(state, event)
    told = [line for line in lines if line]
    start = next(n for n, line in enumerate(told) if "Armor Plating against" in line)
    assert told[start : start + 16] == [
        "p2 plays Armor Plating against attack 1 (Secondary Salvo 4-5 in (1) on Capitani Romani).",
        "Attack 1 (Secondary Salvo 4-5 in (1) on Capitani Romani) is stopped by Armor Plating.",
        "Graf Zeppelin gives air cover against attack 6 (Land-Based Air Raid x2 on Bismarck).",
        "p3 rolls for air cover: 3 against 5, failure.",
        "p3 plays Evasive Action against attack 6 (Land-Based Air Raid x2 on Bismarck).",
        "Attack 6 (Land-Based Air Raid x2 on Bismarck) is stopped by Evasive Action.",
        "p3 plays Escort Ship against attack 3 (Main Salvo 14-18 in (4) on Bismarck).",
        "Attack 3 is moved to T13.",
        "p3 plays Small Target against attack 3 (Main Salvo 14-18 in (4) on T13).",
        "Attack 3 (Main Salvo 14-18 in (4) on T13) is stopped by Small Target.",
        "Schnellboot of p3 sinks: 1 point for p1.",
        "p1 rolls for the torpedoes: 7 (4 die, +3 guidance) against 5, success.",
        "Littorio takes 4 damage points (4 of hull 11).",
        "p1 rolls for the air raid: 5 against 3, success.",
        "Aliseo of p2 sinks: 2 points for p1.",
        "p1 rolls for the air raid: 4 against 6, failure.",
    ]


@pytest.mark.parametrize("seed", range(5))
def test_every_event_of_a_random_game_has_a_sentence(seed: int) -> None:
    """For each viewer: the same sentence, or one that says less."""
    events = check_game(seed, 0, whole=False).events
    for viewer in ("truth", "p1", PUBLIC):
        state = None
        for event in (GAME.seen(event, viewer) for event in events):
            line = GAME.says(state, event)
            state = GAME.evolve(state, event)
            assert bool(line) == (type(event) not in QUIET) or _may_be_silent(event)
            assert len(GAME.board(state).splitlines()) > 3
    for event in RARE:
        assert GAME.says(None, event)


def _may_be_silent(event: object) -> bool:
    return isinstance(event, ev.PlanningUsed) and not event.cards


def test_a_hidden_hand_is_a_number_in_every_sentence_and_picture() -> None:
    battle = set_up()
    names = {card.name for card in STANDARD.cards}
    seen = [GAME.seen(event, DAN) for event in battle.events]
    state, lines = None, []
    for event in seen:
        lines.append((event, GAME.says(state, event)))
        state = GAME.evolve(state, event)
    for event, line in lines:
        if isinstance(event, ev.CardsDrawn) and event.seat != DAN:
            assert line == f"{event.seat} draws 7 cards."
    assert state is not None
    picture = GAME.board(state)
    sections = picture.split("\n\n")
    for seat, section in zip((MICHAEL, DAN, ALAN), sections[1:4], strict=True):
        assert section.startswith(seat)
        assert any(name in section for name in names) == (seat == DAN)
        assert "7 hand cards" in section


def test_the_table_as_text() -> None:
    battle = declared()
    picture = GAME.board(battle.state)
    assert all(len(line) <= 100 for line in picture.splitlines())
    assert "below: I-174 active 2/2" in picture
    assert "in play: Near Miss" in picture
    assert "  6: Land-Based Air Raid x2 at Bismarck, needs 5" in picture
    assert "  7: air raid by Shoho at T13, needs 6" in picture


@pytest.mark.parametrize(
    ("command", "text"),
    [
        (c.ChooseNation("united-states"), "Command the United States"),
        (c.CommitFleet(("jp-yamato",)), "Choose the fleet: Yamato"),
        (c.Arrange((("jp-yamato",),), ("jp-i-19",)), "Row 1: yamato; active: i-19"),
        (c.Retreat("retreat"), "Play Retreat"),
        (c.RemoveDamage("jp-yamato", "torpedo-3"), "Remove Torpedo Spread (3) from Yamato"),
        (c.Reinforce(("reinforcements-3",)), "Play Reinforcements (3): take no ship"),
        (c.Prepare("planning", "jp-yamato"), "Prepare Planning by Yamato"),
        (c.DiscardCards(("planning", "planning")), "Discard 2 Planning"),
        (c.LandRaid("land-air-x1", "de-t13"), "Land-Based Air Raid x1 on T13"),
        (c.AimRaid("de-t13"), "Next raid on T13"),
        (c.AirRaid("jp-shoho", "de-t13"), "Air raid of Shoho on T13"),
        (c.SurpriseAttack("surprise-attack", "p2"), "Play Surprise Attack against p2"),
        (c.Defend("near-miss", 9, True), "Near Miss (prepared) against attack 9"),
        (c.AirCover("jp-shoho", 9), "Air cover of Shoho against attack 9"),
        (c.RunSilent(9), "Run silent from attack 9"),
        (c.Plan(1), "Add 1 Planning card to the roll"),
        (c.Pass(), "Declare no more attacks"),
        (c.AgreeToEnd(), "Agree to end the game"),
        (c.Resign(), "Leave the game"),
    ],
)
def test_every_command_in_words(command: c.AnyCommand, text: str) -> None:
    state = given(ship("p1", "jp-shoho"), ship("p2", "de-t13")).state
    described = describe(state, command)
    assert described.text.lower() == text.lower()
    assert described.rule.startswith("NB-")


@pytest.mark.parametrize(
    ("command", "parts"),
    [
        (c.ChooseNation("united-states"), ["side united-states: the United States"]),
        (
            c.Arrange((("jp-yamato",),), ("jp-i-19",)),
            ["rows 1:jp-yamato: row 1: Yamato", "rows active:jp-i-19: active: I-19"],
        ),
        (
            c.RemoveDamage("jp-yamato", "torpedo-3"),
            ["unit jp-yamato: Yamato", "card card:torpedo-3: Torpedo Spread (3)"],
        ),
        (
            c.Reinforce(("reinforcements-3",), (c.Posting("jp-yamato", 2), c.Posting("jp-i-19"))),
            [
                "card card:reinforcements-3: Reinforcements (3)",
                "fleet jp-yamato:2,jp-i-19:0: Yamato (row 2) and I-19 (passive)",
            ],
        ),
        (
            c.Reinforce(("reinforcements-3",)),
            ["card card:reinforcements-3: Reinforcements (3)", "fleet : no ship"],
        ),
        (c.DiscardCards(("planning", "planning")), ["card card:planning: Planning"] * 2),
        (
            c.DeclareAttack("main-14-18-4", ("jp-yamato",), ("main-18",), "de-t13"),
            [
                "card card:main-14-18-4: Main Salvo 14-18 in (4)",
                "unit jp-yamato: Yamato",
                "weapon main-18: 18 inch main mount",
                "target de-t13: T13",
            ],
        ),
        (
            c.SurpriseAttack("surprise-attack", "p2"),
            ["card card:surprise-attack: Surprise Attack", "seat p2: Germany"],
        ),
        (
            c.Defend("near-miss", 9, True),
            [
                "attack attack:9: attack 9",
                "card card:near-miss: Near Miss",
                "way prepared: prepared",
            ],
        ),
        (
            c.Defend("escort-ship", 9, to="jp-shoho"),
            [
                "attack attack:9: attack 9",
                "card card:escort-ship: Escort Ship",
                "target jp-shoho: Shoho",
            ],
        ),
        (c.AirCover("jp-shoho", 9), ["attack attack:9: attack 9", "unit jp-shoho: Shoho"]),
        (c.Plan(1), ["number 1: 1 card"]),
        (c.Pass(), []),
    ],
)
def test_the_parts_of_a_command(command: c.AnyCommand, parts: list[str]) -> None:
    state = given(ship("p1", "jp-shoho"), ship("p2", "de-t13")).state
    told = describe(state, command).parts
    assert [f"{part.role} {part.key}: {part.text}" for part in told] == parts


def test_an_attack_in_words() -> None:
    state = given(ship("p1", "jp-yamato"), ship("p2", "de-t13"), hands={"p1": ["main-14-18-4"]})
    command = c.DeclareAttack("main-14-18-4", ("jp-yamato",), ("main-18",), "de-t13")
    described = describe(state.state, command)
    assert described.text == "Yamato (18 inch main mount): Main Salvo 14-18 in (4) at T13"
    assert (described.unit, described.target) == ("jp-yamato", "de-t13")


def test_a_prepared_planning_is_shown_as_used() -> None:
    battle = given(
        ship("p1", "jp-shoho"), ship("p2", "de-t13"),
        prepared={"p2": [Prepared("planning", "de-t13", used=True)]}, retreats={"p2": ["retreat"]},
    )  # fmt: skip
    assert "in play: Retreat, Planning (used)" in GAME.board(battle.state)
