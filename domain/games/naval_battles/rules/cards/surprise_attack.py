"""Surprise Attack: a player loses what he has in play."""

from __future__ import annotations

from .....kernel.rules import rule
from .....kernel.values import Seat
from ..state import State

FAMILY = "surprise-attack"


@rule("NB-SURP-02")
def swept(state: State, target: Seat) -> tuple[str, ...]:
    """His cards from the reorganize and prepare steps that still lie before his fleet."""
    lying = tuple(card.card for card in state.prepared[target])
    return (*state.retreats.get(target, ()), *lying)


@rule("NB-SURP-03", "NB-AMB-14")
def at_once(state: State) -> bool:
    """It works when it is played, unless the table agreed on the resolve part."""
    return state.options.surprise_attack == "on-play"
