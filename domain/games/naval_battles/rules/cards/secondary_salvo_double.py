"""Two-Ship Secondary Salvo: one mount of each of two first-row ships, one attack."""

from __future__ import annotations

from .....kernel.rules import No, rule
from ..state import Ship
from .vocabulary import Shot


@rule("NB-ATK-07")
def stands(ship: Ship) -> No | None:
    """Both firing ships are in their first row."""
    if ship.row == 1:
        return None
    return No("attack.row", "NB-ATK-07", "Fire it from two ships of the first row.", "/ships")


@rule("NB-SEC-05", "NB-AMB-46")
def reach(ship: Ship) -> tuple[int, ...]:
    """Ships of an enemy's first row; the calibers of the two mounts may differ."""
    return (1,)


CARD = Shot("secondary-salvo-double", "secondary", 2, stands, reach, "NB-SEC-03")
