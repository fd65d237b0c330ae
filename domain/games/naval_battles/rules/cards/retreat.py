"""Retreat: damage is repaired, no attack is made, the fleet cannot be attacked."""

from __future__ import annotations

from .....kernel.rules import No, rule
from .....kernel.values import Seat
from ..state import State

FAMILY = "retreat"
REMOVES = 3
"""Damage cards that may be discarded at once, whatever their points."""


@rule("NB-RET-10")
def why_not(state: State, seat: Seat) -> No | None:
    """Again and again, unless the table agreed that no turn of retreat follows another."""
    again = state.withdrew.get(seat) == state.round - 1
    if again and not state.options.consecutive_retreats:
        hint = "Your last turn was a retreat; play it in a later turn."
        return No("retreat.consecutive", "NB-RET-10", hint, "/card")
    return None


@rule("NB-RET-03", "NB-RET-07")
def withdrawn(state: State, seat: Seat) -> bool:
    """Whether the player skips his attack step: no cards of any kind, no air raids."""
    return seat in state.retreats


@rule("NB-RET-04", "NB-RET-09", "NB-AMB-13")
def why_not_attacked(state: State, seat: Seat) -> No | None:
    """The whole fleet, submarines too, is safe while the card is in play."""
    if seat in state.retreats:
        return No("attack.retreated", "NB-RET-04", f"{seat} has retreated.", "/target")
    return None
