"""Every command in words; and that no description measures what has not been declared."""

from __future__ import annotations

from typing import get_args

import pytest
from msgspec.structs import replace

from domain.games.crimson_tide.game import GAME
from domain.games.crimson_tide.rules import commands as c
from domain.games.crimson_tide.rules.state import Pick
from domain.games.crimson_tide.shown.words import describe
from domain.kernel.options import Described
from domain.kernel.values import StepKey
from tests.crimson_tide.table import CAPITAL, MEDIUM, aircraft, table, unit

STATE = table(
    unit("p1-1", CAPITAL, 500_000, 500_000),
    unit("p2-1", MEDIUM, 500_000, 900_000),
    aircraft("p1-2", "sbd-3-dauntless", (0, 0)),
    step=StepKey("surface-attack", "first"),
)
BISMARCK, EXETER, SBD = "KMS Bismarck (p1-1)", "HMS Exeter (p2-1)", "SBD-3 Dauntless (p1-2)"

EXAMPLES: list[tuple[c.AnyCommand, Described]] = [
    (
        c.SubmitFleet((Pick("uss-fletcher"), Pick("f4f-4-wildcat", "land-base"))),
        Described("Lock the fleet of USS Fletcher, F4F-4 Wildcat (17 points)", rule="CT-FLEET-01"),
    ),
    (
        c.PlaceUnit("uss-fletcher", 250_000, 100_000, 90),
        Described(
            "Set up USS Fletcher at (10.0, 4.0), heading 045", "uss-fletcher", rule="CT-SETUP-03"
        ),
    ),
    (c.Dive(), Described("Submerged this turn: nothing", rule="CT-SUB-02")),
    (
        c.Move("p1-1", (0, 45), stop=True),
        Described(
            f"Order {BISMARCK} 2 klicks ahead, 22.5 degrees to starboard before the 2nd, "
            "then to stop",
            "p1-1",
            rule="CT-MOVE-21",
        ),
    ),
    (
        c.Move("p1-1", evade=True),
        Described(
            f"Order {BISMARCK} to stay where it is, with evasive maneuvers",
            "p1-1",
            rule="CT-MOVE-21",
        ),
    ),
    (
        c.Deploy("p1-2", "free", at=(250_000, 100_000)),
        Described(f"{SBD} flies to (10.0, 4.0)", "p1-2", rule="CT-AIRD-04"),
    ),
    (
        c.Deploy("p1-2", "ordnance", "p2-1", "port"),
        Described(f"{SBD} flies to attack {EXETER} from port", "p1-2", "p2-1", "CT-AIRD-03"),
    ),
    (
        c.Deploy("p1-2", "strafe", "p2-1", "stern"),
        Described(f"{SBD} flies to strafe {EXETER} from the stern", "p1-2", "p2-1", "CT-AIRD-03"),
    ),
    (
        c.Attack("p1-1", "secondary", "p2-1", "port"),
        Described(
            f"{BISMARCK} fires its port secondary guns at {EXETER}", "p1-1", "p2-1", "CT-SURF-02"
        ),
    ),
    (
        c.LandAircraft("p1-2", "land-base"),
        Described(f"{SBD} lands on the land base", "p1-2", "land-base", "CT-TRANS-01"),
    ),
    (c.Pass(), Described("Make no more surface attacks", rule="CT-SEQ-06")),
    (c.OfferDraw(), Described("Offer a draw for this turn", rule="CT-FSM-03")),
    (c.Resign(), Described("Resign", rule="CT-WIN-08")),
]


@pytest.mark.parametrize(("command", "words"), EXAMPLES, ids=lambda x: type(x).__name__)
def test_the_words(command: c.AnyCommand, words: Described) -> None:
    assert replace(describe(STATE, command), parts=()) == words


@pytest.mark.parametrize(
    ("command", "parts"),
    [
        (
            c.SubmitFleet((Pick("uss-fletcher"), Pick("f4f-4-wildcat", "land-base"))),
            ["fleet uss-fletcher,f4f-4-wildcat@land-base: USS Fletcher, F4F-4 Wildcat"],
        ),
        (
            c.PlaceUnit("uss-fletcher", 250_000, 100_000, 90),
            [
                "card card:uss-fletcher: USS Fletcher",
                "place pose:250000,100000,90: at (10.0, 4.0), heading 045",
            ],
        ),
        (
            c.Move("p1-1", (0, 45), stop=True),
            [
                "unit p1-1: KMS Bismarck (p1-1)",
                "path 0,45: 2 klicks ahead, 22.5 degrees to starboard before the 2nd",
                "way stop: then to stop",
            ],
        ),
        (
            c.Move("p1-1", (0,), astern=True, ram=True),
            [
                "unit p1-1: KMS Bismarck (p1-1)",
                "path astern:0: 1 klick astern",
                "way ram: ramming what is submerged",
            ],
        ),
        (c.Dive(("p1-1",)), ["unit p1-1: KMS Bismarck (p1-1)"]),
        (
            c.Deploy("p1-2", "ordnance", "p2-1", "port"),
            [
                "unit p1-2: SBD-3 Dauntless (p1-2)",
                "way ordnance: to attack",
                "target p2-1: HMS Exeter (p2-1)",
                "way port: from port",
            ],
        ),
        (
            c.Attack("p1-1", "secondary", "p2-1", "port"),
            [
                "unit p1-1: KMS Bismarck (p1-1)",
                "weapon secondary: secondary guns",
                "arc port: port",
                "target p2-1: HMS Exeter (p2-1)",
            ],
        ),
        (
            c.LandAircraft("p1-2", "land-base"),
            ["unit p1-2: SBD-3 Dauntless (p1-2)", "place land-base: the land base"],
        ),
        (c.Pass(), []),
    ],
)
def test_the_parts(command: c.AnyCommand, parts: list[str]) -> None:
    told = describe(STATE, command).parts
    assert [f"{part.role} {part.key}: {part.text}" for part in told] == parts


def test_every_command_has_an_example() -> None:
    assert {type(command) for command, _ in EXAMPLES} == set(get_args(c.AnyCommand))


@pytest.mark.rule("CT-FSM-10")
def test_neither_the_offer_nor_its_words_depend_on_where_the_target_is() -> None:
    """Near and clear, far away, or behind: the same commands, described in the same words."""
    offers = []
    for x, y, heading in ((520_000, 700_000, 0), (500_000, 1_400_000, 90), (90_000, 20_000, 611)):
        state = table(
            STATE.units["p1-1"],
            unit("p2-1", MEDIUM, x, y, heading),
            step=StepKey("surface-attack", "first"),
        )
        commands = GAME.legal(state, "p1").commands
        offers.append([(command, describe(state, command)) for command in commands])
    assert any(isinstance(command, c.Attack) for command, _ in offers[0])
    assert offers[0] == offers[1] == offers[2]
