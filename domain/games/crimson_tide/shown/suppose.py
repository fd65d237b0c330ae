"""A position that a viewer could take for the truth: sealed fleets and dives are made up."""

from __future__ import annotations

from msgspec.structs import replace

from ....kernel.fork import Choose
from ....kernel.order import ordered
from ....kernel.values import Hidden, Known, Seat
from ..rules.diving import submarines
from ..rules.fleet_options import ready_fleets
from ..rules.state import State


def suppose(state: State, choose: Choose) -> State:
    """A sealed fleet is one that might be chosen, a sealed dive any of the seat's submarines."""
    fleets, dives = dict(state.fleets), dict(state.dives)
    for seat, fleet in ordered(state.fleets):
        if isinstance(fleet, Hidden):
            ready = ready_fleets(state, seat)
            fleets[seat] = Known(ready[choose(len(ready))])
    for seat, dive in ordered(state.dives):
        if isinstance(dive, Hidden):
            dives[seat] = Known(_below(state, seat, choose))
    return replace(state, fleets=fleets, dives=dives)


def _below(state: State, seat: Seat, choose: Choose) -> tuple[str, ...]:
    """A submarine is under water or not."""
    return tuple(unit.id for unit in submarines(state, seat) if choose(2))
