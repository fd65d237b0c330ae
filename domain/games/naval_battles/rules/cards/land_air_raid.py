"""Land-Based Air Raid: one, two or three raids; no ship is needed."""

from __future__ import annotations

from .....kernel.rules import rule
from .....kernel.tally import Reason, Tally
from ..deck import ActionCard
from ..state import Ship

FAMILY = "land-air-raid"
REACH = (0, 1, 2, 3)
"""Ships of every row, and submarines."""


@rule("NB-LBAR-03", "NB-LBAR-09", "NB-DECK-04", "NB-AMB-23", "NB-EX-08")
def needed(card: ActionCard, target: Ship) -> Tally:
    """The number for the target's row, or the card's number for submarines."""
    if target.row == 0:
        return Tally.of(Reason(card.needs_submarine, "NB-LBAR-09", "submarine", card.id))
    number = card.needs[target.row - 1]
    return Tally.of(Reason(number, "NB-LBAR-03", f"row {target.row}", card.id))
