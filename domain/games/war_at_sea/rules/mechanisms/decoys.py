"""Draw the CAP: Aircraft that draw enemy Fighters upon themselves."""

from __future__ import annotations

from .....kernel.rules import No, rule
from ..cards import Card
from ..effects import Drawing
from ..state import State, Unit


@rule("WAS-AIRD-22")
def decoys(state: State, unit: Unit) -> tuple[str, ...]:
    """Draw the CAP: Aircraft that draw an enemy Fighter in their sector, until their counter."""
    drawing = [e.unit for e in state.lasting(Drawing)]
    there = (state.units[name] for name in drawing if name in state.units)
    return tuple(
        u.id
        for u in there
        if u.sector == unit.sector and u.seat != unit.seat and not u.aborted and not u.doomed
    )


@rule("WAS-ABIL-23")
def why_not_drawn(state: State, unit: Unit, card: Card, target: Unit) -> No | None:
    """Draw the CAP: enemy Fighters must attack the drawing Aircraft, until it has a counter."""
    if card.subtype != "Fighter" or state.step.phase != "air-defense":
        return None
    drawn_by = decoys(state, unit)
    if drawn_by and target.id not in drawn_by:
        return No("attack.drawn-off", "WAS-ABIL-23", f"Attack {', '.join(sorted(drawn_by))}.")
    return None
