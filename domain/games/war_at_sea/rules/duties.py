"""What a seat has to do before it may end its step: attacks that an ability requires."""

from __future__ import annotations

from collections.abc import Iterator

from ....kernel.rules import No, rule
from ....kernel.values import Seat
from . import commands as c
from .dice import why_not_dice
from .effects import Drawing
from .facts import card_of, own
from .mechanisms.decoys import decoys
from .state import State
from .targets import why_not_attack


@rule("RUL-108")
def duties(state: State, seat: Seat) -> Iterator[c.Fire]:
    """Attacks on what draws a Fighter: one that can attack it and has attacked nothing must."""
    if not state.lasting(Drawing):
        return
    for unit in own(state, seat):
        if unit.done or card_of(state, unit).subtype != "Fighter":
            continue
        for target in (state.units[name] for name in decoys(state, unit)):
            barred = why_not_attack(state, unit, "antiair", target)
            if barred is None and why_not_dice(state, unit, "antiair", target) is None:
                yield c.Fire(unit.id, "antiair", target.id)


def first_due(state: State, seat: Seat) -> c.AnyCommand:
    """What an absent seat does: an attack that is required, else it passes."""
    return next(duties(state, seat), None) or c.Pass()


def why_not_end(state: State, seat: Seat) -> No | None:
    """Why the seat may not end its step yet."""
    owed = next(duties(state, seat), None)
    if owed is None:
        return None
    hint = f"{owed.unit} has to attack {owed.target}."
    return No("turn.must-act", "RUL-108", hint)
