"""Split Fire: the main guns fire at two sectors, and nothing else is fired that turn."""

from __future__ import annotations

from .....kernel.rules import No
from ..cards import Card, Kind
from ..effects import Effect, NoAttack
from ..families import hooks
from ..families.effects import bears, rule_of
from ..state import State, Unit

OTHERS: tuple[Kind, ...] = ("secondary", "tertiary")


def splitting(state: State, unit: Unit, family: str) -> bool:
    """Whether it has made a split attack this turn."""
    return state.has_used(unit.id, family)


def why_not_split(
    state: State, unit: Unit, card: Card, weapon: Kind, declared: tuple[str, ...]
) -> No | None:
    """Why main guns may not be split now, or may not fire again without it."""
    splits = bears(card, hooks.SplitFire) if weapon == "main" else None
    if splits is None:
        return None
    family, rule_ = splits[0].family, splits[0].rule
    begun = splitting(state, unit, family)
    if family not in declared:
        if begun:
            return No("attack.split-fire", rule_, "Declare Split Fire again.", "/abilities")
        if "main" in unit.done:
            return No("attack.already-made", "WAS-ATK-14", "It has made that attack.", "/weapon")
        return None
    if any(kind in unit.done for kind in OTHERS):
        return No("attack.split-fire", rule_, "It has fired other guns this turn.", "/abilities")
    if "main" in unit.done and not begun:
        hint = "Split Fire begins with the first attack of the main guns."
        return No("attack.split-fire", rule_, hint, "/abilities")
    return None


def silenced(state: State, unit: Unit, family: str) -> tuple[Effect, ...]:
    """What the first split attack sets going: no other gunnery this turn."""
    if splitting(state, unit, family):
        return ()
    rule_ = rule_of(family)
    return tuple(
        NoAttack(unit=unit.id, attack=kind, source=unit.id, rule=rule_, until=state.turn)
        for kind in OTHERS
    )
