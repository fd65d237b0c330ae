"""What a reader may ask of a position: what units are called, their figures, chances of a roll."""

from __future__ import annotations

from msgspec.structs import replace

from ...kernel.fork import Choose
from ...kernel.insight import Insight
from ...kernel.order import ordered
from ...kernel.tally import Reason, Tally
from ...kernel.values import Hidden, Known
from .fleet_options import ready_fleets
from .names import unit_name
from .odds import chances, prospects
from .rules.dice import weakened
from .rules.facts import card_of
from .rules.sea_movement import speed
from .state import State


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


def suppose(state: State, choose: Choose) -> State:
    """Fleets that are sealed: nobody has chosen one yet, or later one that might be chosen."""
    sealed = [seat for seat, held in ordered(state.fleets) if isinstance(held, Hidden)]
    known = {seat: held for seat, held in ordered(state.fleets) if seat not in sealed}
    if state.step == "fleets":
        return replace(state, fleets=known)
    before = replace(state, step="fleets", fleets=known)
    for seat in sealed:
        ready = tuple(ready_fleets(before, seat))
        cards = list(ready[choose(len(ready))]) if ready else []
        for unit in state.all_units:
            if unit.seat == seat and unit.card in cards:
                cards.remove(unit.card)
        known[seat] = Known(tuple(cards))
    return replace(state, fleets={seat: known[seat] for seat in state.fleets})


INSIGHT = Insight(
    calls=calls, figures=figures, chances=chances, prospects=prospects, suppose=suppose
)
