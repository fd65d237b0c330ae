"""Escort Ship: another ship of the row takes the attack."""

from __future__ import annotations

from .....kernel.rules import No, rule
from .. import facts
from ..state import Attack, Ship, State
from .vocabulary import Shield


@rule("NB-ESC-01", "NB-ESC-02", "NB-ESC-03", "NB-ESC-04", "NB-ESC-06", "NB-ESC-07",
      "NB-AMB-08", "NB-AMB-09", "NB-AMB-10", "NB-EX-12")  # fmt: skip
def why_not(state: State, attack: Attack, target: Ship) -> No | None:
    """Any attack on a ship that is not alone in its row, moved before or not; no submarine's."""
    if target.row == 0:
        return No("defense.submarine", "NB-ESC-03", "It helps no submarine.", "/attack")
    if len(facts.row(state, target.seat, target.row)) < 2:
        hint = f"{target.id} is alone in its row."
        return No("defense.alone", "NB-ESC-07", hint, "/attack")
    return None


def why_not_to(state: State, target: Ship, to: str) -> No | None:
    """The attack goes to a different ship of the same row of the same fleet."""
    other = state.ships.get(to)
    if other is None or other.seat != target.seat or other.row != target.row or to == target.id:
        hint = f"Name another ship of row {target.row} of {target.seat}."
        return No("defense.not-in-row", "NB-ESC-01", hint, "/to")
    return None


CARD = Shield("escort-ship", "NB-ESC-02", True, why_not, moves=True)
