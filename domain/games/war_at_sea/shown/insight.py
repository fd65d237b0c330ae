"""What a reader may ask of a position: what units are called, their figures, suppositions."""

from __future__ import annotations

from ....kernel.shown.insight import Insight
from ....kernel.tally import Reason, Tally
from ..rules.dice import weakened
from ..rules.facts import card_of
from ..rules.sea_movement import speed
from ..rules.state import State
from .claims import CLAIMS
from .names import unit_name
from .suppose import suppose


def calls(state: State, unit: str) -> str:
    """A unit in play or lost by its name."""
    name = unit_name(state, unit)
    return "" if name == unit else name


def figures(state: State, unit: str) -> dict[str, Tally]:
    """Armor and vital armor as any attack meets them, and the speed of this turn.

    What only some attack brings with it (an ability of the attacker) is in that attack's own tally.
    """
    known = state.units.get(unit)
    if known is None:
        return {}
    card = card_of(state, known)
    armor = Tally.of(Reason(card.armor, "WAS-FLEET-19", "printed", unit))
    vital = Tally.of(Reason(card.vital_armor, "WAS-FLEET-20", "printed", unit))
    return {
        "armor": weakened(state, known, armor).at_least(1, "RUL-55"),
        "vital armor": weakened(state, known, vital).at_least(1, "RUL-55"),
        "speed": speed(state, known),
    }


INSIGHT = Insight(
    calls=calls,
    figures=figures,
    suppose=suppose,
    claims=CLAIMS,
)
