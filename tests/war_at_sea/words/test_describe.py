"""Every command in words."""

from __future__ import annotations

import random
from typing import get_args

import msgspec
import pytest

from domain.games.war_at_sea import GAME
from domain.games.war_at_sea.rules import commands as c
from domain.games.war_at_sea.rules.board import SECTORS
from domain.games.war_at_sea.shown.words import describe
from domain.kernel.conformance import play
from domain.kernel.options import Described
from domain.kernel.setup import Setup
from domain.kernel.values import PUBLIC, StepKey
from tests.support.battle import table, unit

KATE = 'B5N2 "Kate" (p1-3)'
STATE = table(
    "2009",
    unit("p1-1", "bismarck", "6.2"),
    unit("p1-2", "shokaku", "1.3"),
    unit("p1-3", "b5n2-kate", base="p1-2"),
    unit("p2-1", "hms-hood", "7.3"),
    step=StepKey("surface-attack", "first"),
)

EXAMPLES: list[tuple[c.AnyCommand, Described]] = [
    (
        c.SubmitFleet(("bismarck", "ju-87b-stuka", "ju-87b-stuka")),
        Described("Lock the fleet of Bismarck, 2 Ju 87B Stuka (67 points)", rule="WAS-SETUP-23"),
    ),
    (c.ChooseSide("Axis"), Described("Command the Axis", rule="WAS-SETUP-03")),
    (c.ChooseEdge("north"), Described("Take the north edge of the map", rule="WAS-SETUP-12")),
    (
        c.Deploy("tone", "1.3"),
        Described("Deploy Tone in 1.3", "tone", "1.3", "WAS-SETUP-25"),
    ),
    (
        c.Deploy("b5n2-kate", "p1-2"),
        Described('Deploy B5N2 "Kate" on Shokaku (p1-2)', "b5n2-kate", "p1-2", "WAS-SETUP-25"),
    ),
    (
        c.Deploy("b5n2-kate", "airbase"),
        Described('Deploy B5N2 "Kate" at the land airbase', "b5n2-kate", "airbase", "WAS-SETUP-25"),
    ),
    (
        c.Move("p1-1", "7.2"),
        Described("Bismarck (p1-1) moves from 6.2 to 7.2", "p1-1", "7.2", "WAS-SEA-04"),
    ),
    (
        c.Move("p1-1", "7.2", "high-speed-run"),
        Described(
            "Bismarck (p1-1) moves from 6.2 to 7.2 with High-Speed Run",
            "p1-1",
            "7.2",
            "WAS-SEA-04",
        ),
    ),
    (
        c.Place("p1-3", "7.3"),
        Described(f"{KATE} flies to 7.3", "p1-3", "7.3", "WAS-AIRM-02"),
    ),
    (
        c.Place("p1-3", "7.3", strafing=True, role="Fighter"),
        Described(f"{KATE} flies to 7.3 as Fighter, strafing", "p1-3", "7.3", "WAS-AIRM-02"),
    ),
    (
        c.SendToAirbase("p1-3"),
        Described(
            f"{KATE} and all Aircraft without a mission go to the land airbase",
            "p1-3",
            "airbase",
            "WAS-AIRM-08",
        ),
    ),
    (
        c.Fire("p1-1", "main", "p2-1"),
        Described(
            "Bismarck (p1-1) fires its main guns at HMS Hood (p2-1), range 1",
            "p1-1",
            "p2-1",
            "WAS-SURF-01",
        ),
    ),
    (
        c.Fire("p1-1", "torpedo", "p2-1", ("rapid-fire",)),
        Described(
            "Bismarck (p1-1) launches torpedoes at HMS Hood (p2-1), range 1, with Rapid Fire",
            "p1-1",
            "p2-1",
            "WAS-TORP-04",
        ),
    ),
    (
        c.Use("p1-2", "expert-torpedoes", "p1-3"),
        Described(f"Shokaku (p1-2) uses Expert Torpedoes on {KATE}", "p1-2", "p1-3", "WAS-ABIL-14"),
    ),
    (
        c.Use("p1-2", "fighter-umbrella", "p1-3@p2-1"),
        Described(
            f"Shokaku (p1-2) uses Fighter Umbrella on {KATE}, to HMS Hood (p2-1)",
            "p1-2",
            "p1-3@p2-1",
            "WAS-CARD-fighter-umbrella",
        ),
    ),
    (
        c.Deploy("rheinubung-bismarck", "off-map"),
        Described(
            "Deploy Rheinübung Bismarck off the map",
            "rheinubung-bismarck",
            "off-map",
            "WAS-SETUP-25",
        ),
    ),
    (
        c.Use("p1-3", "combat-air-patrol", "7.3"),
        Described(f"{KATE} uses Combat Air Patrol in 7.3", "p1-3", "7.3", "WAS-ABIL-16"),
    ),
    (
        c.Risk("p1-2", "p1-3"),
        Described(f"{KATE} is at risk with Shokaku (p1-2)", "p1-3", "p1-2", "WAS-AIR-10"),
    ),
    (
        c.Return("p1-3", "p1-2"),
        Described(f"{KATE} returns to Shokaku (p1-2)", "p1-3", "p1-2", "WAS-RETN-01"),
    ),
    (
        c.Eliminate("p1-3"),
        Described(f"{KATE} is given up: no base has room", "p1-3", "", "WAS-RETN-14"),
    ),
    (
        c.Claim("6.2"),
        Described("Claim the objective in 6.2", target="6.2", rule="WAS-EOT-01"),
    ),
    (c.Pass(), Described("Make no more surface attacks", rule="WAS-SURF-01")),
    (
        c.CallStalemate(),
        Described("Ask for a stalemate at the end of this turn", rule="RUL-83"),
    ),
    (c.Resign(), Described("Resign", rule="RUL-89")),
]


@pytest.mark.parametrize(("command", "words"), EXAMPLES, ids=lambda x: getattr(x, "text", ""))
def test_in_words(command: c.AnyCommand, words: Described) -> None:
    assert msgspec.structs.replace(describe(STATE, command), parts=()) == words


@pytest.mark.parametrize(
    ("command", "parts"),
    [
        (
            c.SubmitFleet(("bismarck", "ju-87b-stuka", "ju-87b-stuka")),
            ["fleet bismarck,ju-87b-stuka,ju-87b-stuka: Bismarck, 2 Ju 87B Stuka"],
        ),
        (c.ChooseEdge("north"), ["side north: north"]),
        (c.Deploy("tone", "1.3"), ["card card:tone: Tone", "place sector:1.3: 1.3"]),
        (
            c.Deploy("b5n2-kate", "airbase"),
            ['card card:b5n2-kate: B5N2 "Kate"', "place airbase: the land airbase"],
        ),
        (
            c.Move("p1-1", "off-map", "high-speed-run"),
            [
                "unit p1-1: Bismarck (p1-1)",
                "place off-map: off the map",
                "ability high-speed-run: High-Speed Run",
            ],
        ),
        (
            c.Place("p1-3", "7.3", strafing=True, role="Fighter"),
            [
                f"unit p1-3: {KATE}",
                "place sector:7.3: 7.3",
                "way Fighter: Fighter",
                "way strafing: strafing",
            ],
        ),
        (
            c.Fire("p1-1", "torpedo", "p2-1", ("rapid-fire",)),
            [
                "unit p1-1: Bismarck (p1-1)",
                "weapon torpedo: torpedoes",
                "target p2-1: HMS Hood (p2-1)",
                "ability rapid-fire: Rapid Fire",
            ],
        ),
        (
            c.Use("p1-2", "fighter-umbrella", "p1-3@p2-1"),
            [
                "unit p1-2: Shokaku (p1-2)",
                "ability fighter-umbrella: Fighter Umbrella",
                f"target p1-3: {KATE}",
                "target p2-1: HMS Hood (p2-1)",
            ],
        ),
        (
            c.Use("p1-3", "combat-air-patrol", "7.3"),
            [
                f"unit p1-3: {KATE}",
                "ability combat-air-patrol: Combat Air Patrol",
                "place sector:7.3: 7.3",
            ],
        ),
        (c.Risk("p1-2", "p1-3"), [f"unit p1-3: {KATE}", "place p1-2: Shokaku (p1-2)"]),
        (c.Pass(), []),
    ],
)
def test_the_parts(command: c.AnyCommand, parts: list[str]) -> None:
    told = describe(STATE, command).parts
    assert [f"{part.role} {part.key}: {part.text}" for part in told] == parts


def test_every_command_has_an_example() -> None:
    assert {type(command) for command, _ in EXAMPLES} == set(get_args(c.AnyCommand))


@pytest.mark.parametrize("edition", ["2007", "2009"])
def test_a_list_of_commands_can_be_told_apart(edition: str) -> None:
    """Two different commands of one list have different words, but for cards deployed alike."""
    choose = random.Random(5).randrange
    lists = 0
    for played in play(GAME, Setup("war-at-sea", edition, "standard", ("p1", "p2")), choose):
        if played.state.turn > 4:
            break
        for seat in ("p1", "p2"):
            commands = GAME.legal(played.state, seat).commands
            texts = [describe(played.state, command).text for command in commands]
            assert len(set(texts)) == len(texts)
            lists += bool(texts)
    assert lists > 20


def test_nothing_that_is_not_in_the_view_is_needed() -> None:
    """A command of a stranger: onlookers' views hold fewer units than the truth."""
    opening = GAME.opening(Setup("war-at-sea", "2009", "standard", ("p1", "p2")))
    view = GAME.fold(GAME.seen(event, PUBLIC) for event in opening)
    view = msgspec.structs.replace(view, step=STATE.step)  # one in which a seat may pass
    for command, _ in EXAMPLES:
        assert describe(view, command).text


def test_sectors_are_what_the_map_has() -> None:
    assert {"1.3", "6.2", "7.2", "7.3"} <= set(SECTORS)
