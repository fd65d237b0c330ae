"""Teams of Crimson Tide: whole games, their evidence, their pictures, and what partners see."""

from __future__ import annotations

import random
from typing import Any

import pytest
from msgspec.structs import replace

from domain.games.crimson_tide.game import GAME
from domain.games.crimson_tide.rules.commands import Resign, SubmitFleet
from domain.games.crimson_tide.rules.seating import SEATS
from domain.games.crimson_tide.rules.state import Pick
from domain.kernel import conformance
from domain.kernel.chance import Faces
from domain.kernel.setup import Setup
from domain.kernel.shown.scene import Group, Scene
from domain.kernel.values import Hidden, Known
from service.evidence.verify import verify
from tests.crimson_tide import random_battles
from tests.crimson_tide.seas import begun
from tests.service.evidence.playing import Table

FOUR = ("p1", "p2", "p3", "p4")
SHORT = {"turns": 2, "points": 30, "units": 3}


def team_game(orders: int = 1_000_000) -> Table:
    """A short battle of two a side of which one gives up half-way."""
    setup = Setup("crimson-tide", "1", "standard", FOUR, SHORT)
    table = Table(setup=setup, game=GAME, tips=False)
    table.play(1, orders=25)
    table.order("p3", Resign())
    return table.play(2, orders)


def test_the_evidence_of_a_team_game_is_upheld() -> None:
    table = team_game()
    assert table.state.gone == ("p3",)
    assert table.state.result is not None
    verdict = verify(table.export(), {"crimson-tide": GAME})
    assert verdict.word == "UPHELD", verdict.text()


def test_random_battles_are_of_teams_too_and_somebody_leaves() -> None:
    """The campaign of random games plays these seeds; here it is seen that there are such."""
    found = [random_battles.setup_of(seed) for seed in range(100)]
    assert {len(setup.seats) for setup in found} == set(SEATS)
    wholes = {setup.options.get("teamFleets") for setup in found if len(setup.seats) > 2}
    assert wholes >= {"whole", "shared"}


@pytest.mark.parametrize("seats", SEATS[1:])
def test_a_random_battle_of_a_team_comes_to_its_end(seats: int) -> None:
    """Shared fleets keep it short; every promise of the conformance suite is checked."""
    names = tuple(f"p{number}" for number in range(1, seats + 1))
    setup = Setup("crimson-tide", "1", "standard", names, SHORT | {"teamFleets": "whole"})
    played = _whole(setup, seats)
    result = GAME.result(played.state)
    assert result is not None
    assert result.winners in ((), names[::2], names[1::2])
    assert set(GAME.scores(played.state)) == set(names)


def _whole(setup: Setup, seed: int) -> Any:
    dice = random.Random(f"team {seed}")
    last = None
    for last in conformance.play(GAME, setup, dice.randrange):
        random_battles.check_table(last.state)
    assert last is not None
    conformance.check_roundtrip(GAME, last.events)
    conformance.check_replay(GAME, last)
    conformance.check_views(GAME, last)
    return last


@pytest.mark.rule("CT-AMB-105")
def test_partners_sit_alternately_with_the_enemy() -> None:
    state = begun({"seats": list(FOUR)}).state
    assert state.sides == ("p1", "p2")
    assert [state.members(seat) for seat in FOUR] == [("p1", "p3"), ("p2", "p4")] * 2
    assert [state.other(seat) for seat in FOUR] == ["p2", "p1", "p2", "p1"]


def test_the_points_of_partners_are_their_sides_once() -> None:
    state = replace(begun({"seats": list(FOUR)}).state, scores={"p1": 30, "p2": 7})
    sides = GAME.sides(Setup("crimson-tide", "1", "standard", FOUR))
    assert sides == (("p1", "p3"), ("p2", "p4"))
    assert [GAME.score_of(state, side) for side in sides] == [30, 7]
    assert GAME.scores(state) == {"p1": 30, "p2": 7, "p3": 30, "p4": 7}


def test_a_fleet_is_secret_from_partners_and_enemies_alike() -> None:
    table = begun({"seats": list(FOUR)})
    table.act("p1", table.offers("p1")[0])
    for viewer in FOUR:
        view = GAME.fold([GAME.seen(event, viewer) for event in table.events])
        assert isinstance(view.fleets["p1"], Known if viewer == "p1" else Hidden)


def test_the_picture_has_a_panel_for_each_seat_with_its_partners() -> None:
    table = begun({"seats": list(FOUR)})
    table.act("p3", Resign())
    drawn = GAME.scene
    assert drawn is not None
    scene: Scene = drawn(table.state, None, (), "")
    groups = [item for item in scene.items if isinstance(item, Group)]
    panels = {group.title for group in groups if group.title.startswith("side")}
    assert panels == {f"side {seat}" for seat in FOUR}
    words = str(scene.items)
    assert "with p1" in words
    assert "has left" in words
    assert "p3, 0 points, has left" in GAME.board(table.state)


def test_sentences_name_both_of_a_side() -> None:
    fleets = [("p1", "uss-boise"), ("p2", "uss-iowa"), ("p3", "hms-exeter"), ("p4", "hms-cossack")]
    table = begun({"seats": list(FOUR)})
    for seat, card in fleets:
        table.act(seat, SubmitFleet((Pick(card),)))
    awaited = table.state.awaiting
    assert awaited is not None
    before = table.state
    said = " ".join(GAME.sentences(before, table.answer(Faces(awaited.label, ((1, 1), (6, 6))))))
    assert "p1 and p3 are first" in said
    said = " ".join(GAME.sentences(table.state, table.act("p3", Resign())))
    assert said == "p3 has left the battle; p1 commands what it had."
    said = " ".join(GAME.sentences(table.state, table.act("p1", Resign())))
    assert "p2 and p4 win the battle" in said
    assert "p1 and p3 0, p2 and p4 0" in said
