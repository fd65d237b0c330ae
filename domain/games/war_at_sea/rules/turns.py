"""SEA, AIRM: whose step it is, and who acts next where the sides take turns."""

from __future__ import annotations

from ....kernel.rules import rule
from ....kernel.values import Seat
from .state import State


@rule("WAS-SEA-01", "RUL-05", "WAS-SETUP-26")
def owner(state: State) -> Seat:
    """The seat whose step it is; empty where both act, or nobody does."""
    phase, part = state.step.phase, state.step.part
    if phase == "deployment" or phase == "edges":
        first = state.first_deployer
    else:
        first = state.first
    if part == "first" or phase == "edges":
        return first
    return state.other(first) if part == "second" else ""


@rule("WAS-SEA-16")
def acting(state: State) -> tuple[Seat, ...]:
    """The owner of the step, until he declares it finished: what he has not done is lost."""
    seat = owner(state)
    return () if seat in state.passed else (seat,)


@rule("WAS-AIRM-01", "WAS-AIRM-05", "RUL-26", "WAS-INIT-05", "RUL-19")
def alternating(state: State) -> tuple[Seat, ...]:
    """Who acts next where seats alternate: the First Player first, then whoever did not act last.

    Then the other one: a seat that has nothing left to do lets him go on alone. After the set-up
    it is the first deployer who begins.
    """
    turn = state.other(state.last) if state.last else state.first or state.first_deployer
    return tuple(seat for seat in (turn, state.other(turn)) if seat not in state.passed)
