"""What a reader may ask of a position: what units are called, their figures, suppositions."""

from __future__ import annotations

from ....kernel.shown.insight import Insight
from ....kernel.tally import Tally
from ..rules.movement import allowance
from ..rules.state import State
from ..rules.strength import armor, critical
from .claims import CLAIMS
from .names import unit_name
from .preview import free
from .suppose import suppose


def calls(state: State, unit: str) -> str:
    """A unit in play or lost by its name."""
    name = unit_name(state, unit)
    return "" if name == unit else name


def figures(state: State, unit: str) -> dict[str, Tally]:
    """Armor, critical rating and, of what moves by klicks, the movement of this turn."""
    known = state.units.get(unit)
    if known is None:
        return {}
    found = {"armor": armor(state, known), "critical": critical(state, known)}
    if known.pose is not None:
        found["movement"] = allowance(state, known)
    return found


INSIGHT = Insight(
    calls=calls,
    figures=figures,
    suppose=suppose,
    claims=CLAIMS,
    forbids="CT-GEN-06",
    freed=free,
)
