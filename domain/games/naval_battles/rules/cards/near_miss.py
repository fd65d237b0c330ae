"""Near Miss: stops a Main Salvo."""

from __future__ import annotations

from .....kernel.rules import No, rule
from ..state import Attack, Ship, State
from .vocabulary import Shield


@rule("NB-NM-01", "NB-NM-02", "NB-NM-03")
def why_not(state: State, attack: Attack, target: Ship) -> No | None:
    """Any one Main Salvo at the fleet, from the hand or prepared."""
    if attack.kind == "main-salvo":
        return None
    return No("defense.no-effect", "NB-NM-03", "It stops a Main Salvo only.", "/attack")


CARD = Shield("near-miss", "NB-NM-03", True, why_not)
