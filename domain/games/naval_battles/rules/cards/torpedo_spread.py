"""Torpedo Spread: from a first-row ship at a first row, from an active submarine at any row."""

from __future__ import annotations

from .....kernel.rules import No, rule
from .....kernel.tally import Reason, Tally
from ..ships import SHIPS
from ..state import Ship
from .vocabulary import Shot

NEEDED = 5
"""What die and guidance must reach together."""


@rule("NB-TORP-01", "NB-TORP-02")
def stands(ship: Ship) -> No | None:
    """A surface ship fires from its first row; a submarine from where it is."""
    if ship.row == 1 or SHIPS[ship.id].submarine:
        return None
    return No("attack.row", "NB-TORP-02", "A surface ship fires it from the first row.", "/ships")


@rule("NB-TORP-03", "NB-TORP-04")
def reach(ship: Ship) -> tuple[int, ...]:
    """A submarine reaches every row, a surface ship the first; neither reaches a submarine."""
    return (1, 2, 3) if SHIPS[ship.id].submarine else (1,)


@rule("NB-TORP-05")
def needed() -> Tally:
    """Five or more hits."""
    return Tally.of(Reason(NEEDED, "NB-TORP-05", "torpedoes"))


@rule("NB-SHIP-10", "NB-EX-14")
def guidance(ship: str) -> tuple[Reason, ...]:
    """The firing ship's guidance is added to the die."""
    rating = SHIPS[ship].guidance
    return (Reason(rating, "NB-TORP-05", "guidance", ship),) if rating else ()


CARD = Shot("torpedo-spread", "torpedo", 1, stands, reach, "NB-TORP-03", "torpedo")
