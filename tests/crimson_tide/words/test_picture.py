"""The table as text: in 100 columns, every unit where it is, nothing that is not open."""

from __future__ import annotations

import random

from msgspec.structs import replace

from domain.games.crimson_tide.game import GAME
from domain.games.crimson_tide.rules.state import Inbound, Land, Lost, Objective, Storm
from domain.games.crimson_tide.shown.picture import WIDTH, board
from domain.kernel.conformance import play
from domain.kernel.setup import Result, Setup
from domain.kernel.values import PUBLIC, StepKey
from tests.crimson_tide.table import (
    CAPITAL,
    MEDIUM,
    SMALL,
    SUBMARINE,
    aircraft,
    table,
    unit,
)

STATE = table(
    unit("p1-1", CAPITAL, 510_000, 510_000, 45, hull_lost=5, criticals=(5, 6), stopped=True,
         must_reverse=True, collided=True, inbound=(Inbound("p2-1", 1, 3),)),
    unit("p1-2", SUBMARINE, 20_000, 20_000, 350, submerged=True, detected=True),
    unit("p2-1", MEDIUM, 510_000, 520_000, 180, pending=9),
    unit("p2-2", SMALL, 990_000, 1_490_000, 359, pending=1, pending_criticals=(11,)),
    aircraft("p2-3", "a6m2-zero", (300_000, 900_000), aborted=True),
    land=(Land("rock", ((700_000, 310_000), (720_000, 310_000), (710_000, 330_000)), "hard"),),
    storms=(Storm("squall", (200_000, 1_200_000), 150_000),),
    step=StepKey("air-attack", "first"),
)  # fmt: skip


def lines(text: str, word: str) -> list[str]:
    return [line for line in text.splitlines() if word in line]


def seen() -> str:
    return board(replace(STATE, revealed=True))


def test_units_stand_where_they_are() -> None:
    """The second square from the west, the seventh row from the south, and so on."""
    rows = [line for line in seen().splitlines() if "|" in line]
    assert len(rows) == 20
    found = {
        mark: (row.index(mark), len(rows) - number)
        for number, row in enumerate(rows)
        for mark in ("p1-1+1", "p1-2v", "p2-2", "p2-3^")
        if mark in row
    }
    width = rows[0].index("|") + 1
    assert {mark: ((at - width) // 7, row) for mark, (at, row) in found.items()} == {
        "p1-1+1": (6, 7), "p1-2v": (0, 1), "p2-2": (12, 20), "p2-3^": (3, 12),
    }  # fmt: skip


def test_headings_are_arrows() -> None:
    for heading, arrow in ((0, "↑"), (44, "↑"), (45, "↗"), (180, "→"), (719, "↑"), (540, "←")):
        state = table(unit("p1-1", SMALL, 500_000, 500_000, heading))
        assert f"p1-1{arrow}" in board(replace(state, revealed=True))


def test_land_storms_and_objectives_are_drawn() -> None:
    shoal = Land("shoal", ((0, 0), (9_000, 0), (0, 9_000)), "soft", False, True)
    state = replace(
        STATE,
        revealed=True,
        land=(*STATE.land, shoal),
        units={},
        objectives=(Objective("atoll", (900_000, 100_000), 50),),
    )
    drawn = "\n".join(lines(board(state), "|"))
    assert drawn.count("###") == 1
    assert drawn.count("~~~") == 1
    assert drawn.count("*") == 1
    assert drawn.count("%%%") > 3


def test_each_unit_has_its_line_with_all_its_markers() -> None:
    text = seen()
    line = lines(text, "  p1-1 ")[0]
    assert "KMS Bismarck, Battleship" in line
    assert "(20.4, 20.4) 022.5" in line
    assert "1/6" in line
    words = " ".join(text.split())
    for marker in ("crippled, engine breakdown, fire, must reverse", "3 torpedoes inbound"):
        assert marker in words
    assert "submerged, detected" in lines(text, "  p1-2 ")[0]
    assert lines(text, "  p2-1 ")[0].endswith("destroyed")
    assert "1 pending, engine hit pending" in lines(text, "  p2-2 ")[0]
    assert "(12.0, 36.0) free" in lines(text, "  p2-3 ")[0]


def test_the_heading_tells_how_things_stand() -> None:
    over = Result(("p1",), "last-turn", "CT-WIN-01")
    gone = Lost("p2-9", SMALL, "p2", 1, "destroyed", 10)
    terms = replace(STATE.terms, turns=12, target=150, light="night", escort="p1")
    text = board(replace(STATE, result=over, lost=(gone,), terms=terms))
    assert "Crimson Tide, Standard battle: turn 2, air attack" in text
    assert "last turn 12, target 150" in text
    assert "Light: night, dark now" in text
    assert "p1 escorts the convoy" in text
    assert "First player p1, second player p2" in text
    assert "Over: last-turn (CT-WIN-01); won by p1" in text
    assert "out of play: USS Fletcher (p2-9, turn 1)" in text


def test_whole_battles_fit_and_seal_what_is_secret() -> None:
    choose = random.Random(11)
    setup = Setup("crimson-tide", "1", "standard", ("p1", "p2"), {"turns": 2})
    for number, played in enumerate(play(GAME, setup, choose.randrange)):
        if number % 7 and number > 3:
            continue
        view = GAME.fold([GAME.seen(event, PUBLIC) for event in played.events])
        for state in (played.state, view):
            assert max(map(len, board(state).splitlines())) <= WIDTH
        if played.state.step == StepKey("fleets"):
            assert "to set up" not in board(view)
            assert board(view).count("the fleet is sealed") == len(played.state.fleets)
        else:
            assert board(view) == board(played.state)
