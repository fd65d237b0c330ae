"""What comes with an attack when it is declared."""

from __future__ import annotations

from .....kernel.flow import Flow
from .....kernel.rules import rule
from ... import events as ev
from ...abilities.effects import has, rule_of
from ...effects import ArmorChange, Effect, Exposed, NoMove
from ...state import State, Unit
from ..facts import card_of
from . import gunnery

BattleFlow = Flow[State, ev.AnyEvent]

ALWAYS = 9999
"""A turn that no game reaches: what lasts until something ends it."""


def lasting(state: State, unit: Unit, family: str) -> tuple[Effect, ...]:
    """Effects that an ability sets going when it is declared with an attack."""
    if family == gunnery.SPLIT:
        return gunnery.silenced(state, unit)
    if family != "risky-attack":
        return ()
    rule_, turn = rule_of(family), state.turn
    return (ArmorChange(unit.id, -1, unit.id, rule_, turn + 1),)


@rule("WAS-ABIL-27")
def declared(flow: BattleFlow, unit: Unit) -> None:
    """What the attack under way brings about by being made: a Kamikaze is lost, masks fall."""
    attack = flow.state.attack
    assert attack is not None
    if "kamikaze-attack" in attack.with_abilities:
        rules = ("RUL-87", rule_of("kamikaze-attack"))
        flow.emit(ev.UnitDoomed(unit=unit.id, cause="kamikaze-attack", rules=rules))
    if has(card_of(flow.state, unit), "disguise"):
        expose(flow, unit)
    _stir(flow, attack.target)


def expose(flow: BattleFlow, unit: Unit) -> None:
    """A disguised unit is known from now on."""
    if flow.state.lasting_on(Exposed, unit.id):
        return
    rule_ = rule_of("disguise")
    effect = Exposed(unit.id, 0, unit.id, rule_, ALWAYS)
    flow.emit(ev.EffectBegan(effect=effect, rules=(rule_,)))


def _stir(flow: BattleFlow, target: str) -> None:
    """A Guard Ship that is attacked may move again."""
    for effect in flow.state.lasting_on(NoMove, target):
        if effect.rule == rule_of("guard-ship"):
            flow.emit(ev.ended(effect))
