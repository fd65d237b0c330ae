"""Ram: a Ship that ends a move beside an enemy Submarine may attack it at once."""

from __future__ import annotations

from collections.abc import Iterator

from .....kernel.flow import Flow
from .. import events as ev
from ..attacks import declare
from ..dice import why_not_dice
from ..effects import MayRam
from ..facts import card_of, own
from ..families import deeds
from ..families.effects import bears, once, rule_of
from ..state import State, Unit
from ..targets import why_not_at

BattleFlow = Flow[State, ev.AnyEvent]


def moved(flow: BattleFlow, name: str) -> None:
    """A unit has moved: whoever moved before may no longer ram, this one perhaps may."""
    for effect in flow.state.lasting(MayRam):
        flow.emit(ev.ended(effect))
    state = flow.state
    unit = state.units[name]
    rams = bears(card_of(state, unit), deeds.Rams)
    if rams and rams[0].family not in unit.spent and any(_prey(state, unit)):
        rule_ = rams[0].rule
        effect = MayRam(unit=name, source=name, rule=rule_, until=state.turn)
        flow.emit(ev.EffectBegan(effect=effect, rules=(rule_,)))


def _prey(state: State, unit: Unit) -> Iterator[str]:
    """Enemy Submarines in its sector that it may attack by ASW."""
    card = card_of(state, unit)
    for enemy in own(state, state.other(unit.seat)):
        if enemy.sector != unit.sector or card_of(state, enemy).type != "Submarine":
            continue
        barred = why_not_at(state, unit, card, "asw", enemy, again=True)
        if barred is None and why_not_dice(state, unit, "asw", enemy) is None:
            yield enemy.id


def uses(state: State, unit: Unit) -> Iterator[tuple[str, str]]:
    """In its owner's Sea Movement step, right after its move."""
    rams = bears(card_of(state, unit), deeds.Rams)
    if rams and state.lasting_on(MayRam, unit.id):
        for enemy in _prey(state, unit):
            yield rams[0].family, enemy


def ram(flow: BattleFlow, unit: Unit, family: str, on: str) -> None:
    """An ASW attack apart from those of the Surface Attack phase."""
    rules = (rule_of(family),)
    flow.emit(ev.AbilityUsed(unit=unit.id, ability=family, on=on, once=once(family), rules=rules))
    for ready in flow.state.lasting_on(MayRam, unit.id):
        flow.emit(ev.ended(ready))
    units = flow.state.units
    declare(flow, units[unit.id], "asw", units[on], ())
