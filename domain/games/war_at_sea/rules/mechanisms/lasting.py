"""What lasting effects of abilities add to the dice of an attack."""

from __future__ import annotations

from .....kernel.tally import Reason
from ..cards import Kind
from ..effects import Aimed, Covered, DiceLater
from ..families.effects import label_of, named
from ..state import State, Unit

GUNS = ("main", "secondary", "tertiary")


def extra_dice_of(
    state: State, effect: Aimed | DiceLater, unit: Unit, target: Unit, kind: Kind
) -> bool:
    """Whether the effect gives dice to this attack.

    aimed       Straddle: this unit's next attack of the kind on that target
    dice-later  only in the turn at whose end it lapses; no kind: every attack
    """
    if isinstance(effect, Aimed):
        same = (effect.source, effect.unit) == (unit.id, target.id)
        return same and effect.attack == kind
    mine = effect.unit == unit.id and effect.until == state.turn
    return mine and _fits(effect, kind)


def _fits(effect: DiceLater, kind: Kind) -> bool:
    return not effect.attack or kind in GUNS


def covered(state: State, unit: Unit, target: Unit, kind: Kind) -> list[Reason]:
    """Covering Fire: each gunnery die is lower, but not at the unit that gives it."""
    if not named(("gunnery",), kind):
        return []
    return [
        Reason(e.die, e.rule, label_of(e.rule), e.source)
        for e in state.lasting_on(Covered, unit.id)
        if e.source != target.id
    ]
