"""What comes with an attack when it is declared."""

from __future__ import annotations

from .....kernel.flow import Flow
from .....kernel.rules import rule
from .. import events as ev
from ..effects import ALWAYS, ArmorChange, Effect, Exposed, NoMove
from ..facts import card_of
from ..families import hooks
from ..families.effects import bears, of_family, rule_of
from ..state import State, Unit
from . import gunnery

BattleFlow = Flow[State, ev.AnyEvent]


def lasting(state: State, unit: Unit, family: str) -> tuple[Effect, ...]:
    """Effects that an ability sets going when it is declared with an attack."""
    if of_family(family, hooks.SplitFire):
        return gunnery.silenced(state, unit, family)
    exposed = of_family(family, hooks.Exposes)
    if exposed is None:
        return ()
    return (
        ArmorChange(
            unit=unit.id,
            armor=exposed.armor,
            source=unit.id,
            rule=rule_of(family),
            until=state.turn + 1,
        ),
    )


@rule("WAS-ABIL-27")
def declared(flow: BattleFlow, unit: Unit) -> None:
    """What the attack under way brings about by being made: a Kamikaze is lost, masks fall."""
    attack = flow.state.attack
    assert attack is not None
    for family in attack.with_abilities:
        if of_family(family, hooks.Sacrifice):
            rules = ("RUL-87", rule_of(family))
            flow.emit(ev.UnitDoomed(unit=unit.id, cause=family, rules=rules))
    expose(flow, unit)
    _stir(flow, attack.target)


def expose(flow: BattleFlow, unit: Unit) -> None:
    """A disguised unit is known from now on."""
    masked = bears(card_of(flow.state, unit), hooks.Disguise)
    if masked is None or flow.state.lasting_on(Exposed, unit.id):
        return
    rule_ = masked[0].rule
    effect = Exposed(unit=unit.id, source=unit.id, rule=rule_, until=ALWAYS)
    flow.emit(ev.EffectBegan(effect=effect, rules=(rule_,)))


def _stir(flow: BattleFlow, target: str) -> None:
    """A Guard Ship that is attacked may move again."""
    own_rules = {ref.rule for ref in card_of(flow.state, flow.state.units[target]).abilities}
    for effect in flow.state.lasting_on(NoMove, target):
        if effect.rule in own_rules and effect.until == ALWAYS:
            flow.emit(ev.ended(effect))
