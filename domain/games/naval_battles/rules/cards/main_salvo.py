"""Main Salvo: the big guns, from and at the first two rows."""

from __future__ import annotations

from .....kernel.rules import No, rule
from ..state import Ship
from .vocabulary import Shot


@rule("NB-MAIN-03", "NB-MAIN-04", "NB-SEC-06")
def stands(ship: Ship) -> No | None:
    """The firing ship is in its first or second row; a submarine is in none."""
    if ship.row in (1, 2):
        return None
    return No("attack.row", "NB-MAIN-03", "Fire it from the first or second row.", "/ships")


@rule("NB-MAIN-01")
def reach(ship: Ship) -> tuple[int, ...]:
    """Ships of an enemy's first and second row."""
    return (1, 2)


CARD = Shot("main-salvo", "main", 1, stands, reach, "NB-MAIN-03")
