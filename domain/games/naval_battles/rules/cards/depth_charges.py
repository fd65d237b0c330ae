"""Depth Charges: from a first-row ship with torpedo tubes at any submarine."""

from __future__ import annotations

from .....kernel.rules import No, rule
from ..state import Ship
from .vocabulary import Shot


@rule("NB-DC-01", "NB-DC-04")
def stands(ship: Ship) -> No | None:
    """The firing ship is in its first row; its torpedo mount fires this or a spread."""
    if ship.row == 1:
        return None
    return No("attack.row", "NB-DC-01", "Fire it from the first row.", "/ships")


@rule("NB-DC-02", "NB-DC-03")
def reach(ship: Ship) -> tuple[int, ...]:
    """Submarines, active or passive."""
    return (0,)


CARD = Shot("depth-charges", "torpedo", 1, stands, reach, "NB-DC-01")
