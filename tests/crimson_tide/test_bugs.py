"""Each bug that was found, as a test named after it."""

from __future__ import annotations

from collections import Counter

import pytest
from msgspec.structs import replace

from domain.games.crimson_tide.game import GAME
from domain.games.crimson_tide.rules.commands import Pass, SubmitFleet
from domain.games.crimson_tide.rules.state import LAND_BASE, Pick, State
from domain.kernel.chance import Faces
from domain.kernel.rules import Refused
from domain.kernel.setup import Setup
from domain.kernel.values import CHANCE, Known, StepKey
from tests.crimson_tide.seas import position


def _onward(state: State) -> State:
    """The first thing that may be done, or dice of which the first seat's are the lowest."""
    awaited = GAME.awaiting(state)
    if awaited is not None:
        faces = tuple((1 + number,) * pool.count for number, pool in enumerate(awaited.pools))
        return GAME.fold(GAME.decide(state, CHANCE, Faces(awaited.label, faces)), state)
    seat = GAME.pending(state)[0].seat
    return GAME.fold(GAME.decide(state, seat, GAME.legal(state, seat).commands[0]), state)


def test_one_card_at_two_bases_is_put_where_each_was_assigned() -> None:
    """The one for the cruiser was taken from the list when the one for the land base was placed."""
    picks = (
        Pick("ar-196a-3", "fs-algerie"), Pick("fs-algerie"), Pick("ar-196a-3", LAND_BASE),
    )  # fmt: skip
    events = GAME.opening(Setup("crimson-tide", "1", "standard", ("p1", "p2")))
    state = GAME.fold(events)
    for seat in state.seats:
        state = GAME.fold(GAME.decide(state, seat, SubmitFleet(picks)), state)
    while state.turn == 0:
        state = _onward(state)
    based = Counter(u.base for u in state.units.values() if u.seat == "p1" and u.pose is None)
    ship = next(u.id for u in state.units.values() if u.seat == "p1" and u.pose is not None)
    assert based == {LAND_BASE: 1, ship: 1}
    assert all(known == Known(()) for known in state.fleets.values())


def test_an_agreement_by_which_no_fleet_can_be_built_is_no_game_that_hangs() -> None:
    """With a limit of 1 point nobody could submit anything, and the usual command failed."""
    with pytest.raises(Refused, match=r"setup\.no-fleet"):
        GAME.opening(Setup("crimson-tide", "1", "standard", ("p1", "p2"), {"points": 1}))


def _crowded(ships: int) -> State:
    """p1 has filled his narrow zone, side by side in two rows; a destroyer still waits."""
    capital = [
        {"id": f"p1-{n + 1}", "card": "kms-bismarck", "pose": [15_000 + n % 13 * 30_000, row]}
        for n, row in enumerate([50_000] * 13 + [150_000] * 13)
    ]
    setup = {"step": StepKey("placing"), "turn": 0, "options": {"width": 16, "length": 20}}
    fleets = {"p1": Known((Pick("uss-fletcher"),)), "p2": Known(())}
    return replace(position(setup | {"units": capital[:ships]}), fleets=fleets)


@pytest.mark.rule("CT-AMB-86")
def test_a_zone_without_room_is_no_dead_end_in_the_set_up() -> None:
    """Nothing was legal for who had filled a narrow zone; he may leave out what has no room."""
    state = _crowded(26)
    (question,) = GAME.pending(state)
    assert GAME.legal(state, "p1").commands == (Pass(),)
    assert GAME.usual(state, question) == Pass()
    state = GAME.fold(GAME.decide(state, "p1", Pass()), state)
    assert state.turn == 1
    assert len(state.units) == 26


@pytest.mark.rule("CT-AMB-86")
def test_nobody_leaves_a_unit_out_that_has_room() -> None:
    state = _crowded(20)
    assert Pass() not in GAME.legal(state, "p1").commands
    with pytest.raises(Refused, match=r"turn\.must-act"):
        GAME.decide(state, "p1", Pass())
