"""Evasive Action: stops any attack."""

from __future__ import annotations

from .....kernel.rules import No, rule
from ..state import Attack, Ship, State
from .vocabulary import Shield


@rule("NB-EA-01", "NB-EA-02", "NB-AMB-32", "NB-EX-11")
def why_not(state: State, attack: Attack, target: Ship) -> No | None:
    """Any one attack on a ship or submarine: a whole two-ship salvo, one raid of a card."""
    return None


CARD = Shield("evasive-action", "NB-EA-01", False, why_not)
