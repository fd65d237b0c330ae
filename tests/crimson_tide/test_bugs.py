"""Each bug that was found, as a test named after it."""

from __future__ import annotations

from collections import Counter

from domain.games.crimson_tide.commands import SubmitFleet
from domain.games.crimson_tide.game import GAME
from domain.games.crimson_tide.state import LAND_BASE, Pick, State
from domain.kernel.chance import Faces
from domain.kernel.game import Setup
from domain.kernel.values import CHANCE, Known


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
