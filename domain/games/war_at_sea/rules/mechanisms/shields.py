"""Units that may not be attacked for the time being."""

from __future__ import annotations

from .....kernel.rules import No
from ..cards import AbilityRef
from ..effects import Exposed, Shuns
from ..facts import card_of
from ..families import hooks
from ..families.effects import bears
from ..state import State, Unit


def why_not_shielded(state: State, unit: Unit, target: Unit) -> No | None:
    """Why an ability keeps the unit from attacking the target; what forbids wins."""
    return (
        _behind_guard(state, unit, target)
        or _disguised(state, target)
        or _shunned(state, unit, target)
    )


def _behind_guard(state: State, unit: Unit, target: Unit) -> No | None:
    """Guard the Convoy: first the guard must be attacked in this phase, by anyone of that side."""
    if card_of(state, target).subtype != "Auxiliary":
        return None
    for guard in state.all_units:
        guards = _guards(state, guard, target)
        if guards is None:
            continue
        engaged = any(guard.id in u.struck for u in state.all_units if u.seat == unit.seat)
        if not engaged:
            return No("attack.guarded", guards[0].rule, f"Attack {guard.id} first.", "/target")
    return None


def _guards(state: State, guard: Unit, target: Unit) -> tuple[AbilityRef, hooks.Guards] | None:
    """Beside it; but Auxiliaries that are guards do not guard each other: none could be first."""
    card = card_of(state, guard)
    beside = (guard.sector, guard.seat) == (target.sector, target.seat) and guard.id != target.id
    mutual = card.subtype == "Auxiliary" and bears(card_of(state, target), hooks.Guards)
    return bears(card, hooks.Guards) if beside and not mutual else None


def _disguised(state: State, target: Unit) -> No | None:
    """Disguise, until it has attacked or ended Sea Movement beside another Ship."""
    masked = bears(card_of(state, target), hooks.Disguise)
    if masked is None:
        return None
    if state.lasting_on(Exposed, target.id):
        return None
    return No("attack.disguised", masked[0].rule, "It is not known for an enemy.", "/target")


def _shunned(state: State, unit: Unit, target: Unit) -> No | None:
    """Shadow Battleship: a chosen Battleship may not attack this unit in the phase."""
    for effect in state.lasting_on(Shuns, unit.id):
        if effect.source == target.id:
            return No("attack.forbidden", effect.rule, "It is shadowed by that unit.", "/target")
    return None
