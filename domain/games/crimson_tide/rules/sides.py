"""What partners have in common, and whose turn it is where they act for one side."""

from __future__ import annotations

from collections.abc import Callable

from ....kernel.rules import rule
from ....kernel.values import Seat
from .state import State, Unit


@rule("CT-AMB-108")
def of_side(state: State, seat: Seat) -> tuple[Unit, ...]:
    """The units of a seat and of its partners: one member's after the other's, as placed."""
    units = state.by_seat
    if len(state.seats) == 2:
        return units.get(seat, ())
    return tuple(unit for member in state.members(seat) for unit in units.get(member, ()))


@rule("CT-AMB-112")
def friendly(state: State, one: Seat, other: Seat) -> bool:
    """Whether two seats fight on the same side."""
    return one == other or state.side(one) == state.side(other)


@rule("CT-AMB-107")
def able(state: State, side: Seat, may: Callable[[Seat], bool]) -> tuple[Seat, ...]:
    """The members of a side who have something to do in its step, all at once.

    Who has passed does no more. By agreement only the first of them: they act one after the other.
    """
    found = tuple(s for s in state.members(side) if s not in state.passed and may(s))
    return found[:1] if state.options.partners == "in-turn" else found


def next_of(state: State, seat: Seat) -> Seat:
    """The partner who comes after a seat, of those who have not left; empty: nobody."""
    side = state.members(seat)
    at = side.index(seat)
    return next((s for s in (*side[at + 1 :], *side[:at]) if s not in state.gone), "")


def alternately(state: State, may: Callable[[Seat], bool]) -> tuple[Seat, ...]:
    """Where sides alternate: members of the side whose turn it is; one that has none is skipped."""
    turn = state.other(state.last) if state.last else state.first
    return able(state, turn, may) or able(state, state.other(turn), may)
