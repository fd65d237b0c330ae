"""Small Target: stops an attack on something small."""

from __future__ import annotations

from .....kernel.rules import No, rule
from ..ships import SHIPS
from ..state import Attack, Ship, State
from .vocabulary import Shield

MOST_HULL = 4
"""Printed hull value up to which a ship is small."""


@rule("NB-ST-01", "NB-ST-02", "NB-AMB-11")
def why_not(state: State, attack: Attack, target: Ship) -> No | None:
    """The printed hull counts; damage does not matter."""
    hull = SHIPS[target.id].hull
    if hull <= MOST_HULL:
        return None
    hint = f"Its printed hull is {hull}; at most {MOST_HULL} is small."
    return No("defense.too-large", "NB-ST-02", hint, "/attack")


CARD = Shield("small-target", "NB-ST-01", False, why_not)
