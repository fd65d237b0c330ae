"""Planning: +1 to one own die in each player turn, declared before the die is rolled."""

from __future__ import annotations

from .....kernel.rules import rule
from .....kernel.tally import Reason
from .....kernel.values import Seat
from ..folds.common import cards_of
from ..state import State

FAMILY = "planning"
BONUS = 1


@rule("NB-PLAN-01", "NB-PLAN-04", "NB-AMB-20", "NB-AMB-29")
def unused(state: State, seat: Seat) -> tuple[str, ...]:
    """Planning cards before the fleet that have not helped in this player turn.

    They help any of the player's rolls: torpedoes, air raids, air cover, run silent.
    """
    lying = state.prepared[seat]
    if not lying:
        return ()
    cards = cards_of(state)
    return tuple(p.card for p in lying if not p.used and cards[p.card].family == FAMILY)


@rule("NB-PLAN-03", "NB-AMB-21")
def bonus(cards: int) -> tuple[Reason, ...]:
    """One for each card; spent whether the roll succeeds or not."""
    return (Reason(BONUS * cards, "NB-PLAN-01", "planning"),) if cards else ()
