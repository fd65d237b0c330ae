"""What a reader may ask of a position: what ships and cards are called, suppositions."""

from __future__ import annotations

from ....kernel.shown.insight import Insight
from ....kernel.tally import Tally
from ..rules.reckoning import cover_needed, silence_needed
from ..rules.ships import SHIPS
from ..rules.state import State
from .claims import CLAIMS
from .names import card_name, ship_name
from .suppose import suppose


def calls(state: State, unit: str) -> str:
    """A ship or an action card by its printed name."""
    name = ship_name(unit) if unit in SHIPS else card_name(state, unit)
    return "" if name == unit else name


def figures(state: State, unit: str) -> dict[str, Tally]:
    """What a ship's own dice have to reach: air cover, running silent."""
    if unit not in state.ships:
        return {}
    found = {"air cover": cover_needed(unit), "run silent": silence_needed(unit)}
    return {name: tally for name, tally in found.items() if tally.total}


INSIGHT = Insight(
    calls=calls,
    figures=figures,
    suppose=suppose,
    claims=CLAIMS,
)
