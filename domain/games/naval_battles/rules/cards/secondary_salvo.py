"""Secondary Salvo: from the first row at the first row."""

from __future__ import annotations

from .....kernel.rules import No, rule
from ..state import Ship
from .vocabulary import Shot


@rule("NB-SEC-03", "NB-AMB-47", "NB-AMB-48")
def stands(ship: Ship) -> No | None:
    """The firing ship, a battleship too, is in its first row."""
    if ship.row == 1:
        return None
    return No("attack.row", "NB-SEC-03", "Fire it from the first row.", "/ships")


@rule("NB-SEC-01")
def reach(ship: Ship) -> tuple[int, ...]:
    """Ships of an enemy's first row."""
    return (1,)


CARD = Shot("secondary-salvo", "secondary", 1, stands, reach, "NB-SEC-03")
