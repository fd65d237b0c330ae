"""Armor Plating: stops a Secondary Salvo of either kind."""

from __future__ import annotations

from .....kernel.rules import No, rule
from ..state import Attack, Ship, State
from .vocabulary import Shield


@rule("NB-AP-01", "NB-AP-02", "NB-EX-10")
def why_not(state: State, attack: Attack, target: Ship) -> No | None:
    """Any one Secondary Salvo at the fleet, of one ship or of two."""
    if attack.kind in ("secondary-salvo", "secondary-salvo-double"):
        return None
    return No("defense.no-effect", "NB-AP-01", "It stops a Secondary Salvo only.", "/attack")


CARD = Shield("armor-plating", "NB-AP-01", True, why_not)
