"""Replenish Aircraft: a squadron that was destroyed comes back on a Carrier."""

from __future__ import annotations

from collections.abc import Iterator

from .....kernel.chance import Dice
from .....kernel.flow import Flow
from .. import events as ev
from .. import purposes
from ..air_return import RETURNED, excess, landing
from ..damage import ask
from ..deployment import room_at
from ..effects import ALWAYS, Replaced, Replenishing
from ..facts import card_named, card_of
from ..families import deeds
from ..families.effects import bears, once, rule_of
from ..fleets import may_base
from ..state import Lost, State, Unit
from .squadrons import next_id

BattleFlow = Flow[State, ev.AnyEvent]

SUBTYPES = ("Fighter", "Dive Bomber", "Torpedo Bomber")

DESTROYED = ("destroyed", "recovery", "no-room")
"""Causes of leaving play that count as destroyed (RUL-87)."""


def uses(state: State, unit: Unit) -> Iterator[tuple[str, str]]:
    """At the start of the own Air Return step, before an Aircraft has landed."""
    if RETURNED in state.tended or not unit.sector:
        return
    able = bears(card_of(state, unit), deeds.Replenishes)
    if able is None or able[0].family in unit.spent or not _has_room(state, unit):
        return
    back = {effect.lost for effect in state.lasting(Replaced)}
    for gone in state.lost:
        if gone.seat == unit.seat and gone.id not in back and _fits(state, gone, unit):
            yield able[0].family, gone.id


def _has_room(state: State, unit: Unit) -> bool:
    """Room that no Aircraft in the air needs (RUL-73)."""
    if room_at(state, unit.seat, unit.id) < 1:
        return False
    side = landing(state, unit.seat)
    return excess(state, side, ("", unit.id)) <= side.over


def _fits(state: State, gone: Lost, unit: Unit) -> bool:
    aircraft = card_named(state, gone.card)
    if aircraft.subtype not in SUBTYPES or gone.cause not in DESTROYED:
        return False
    return may_base(aircraft, card_of(state, unit), flags=state.options.history)


def use(flow: BattleFlow, unit: Unit, family: str, on: str) -> None:
    """One die for the Aircraft that was picked."""
    rules = (rule_of(family),)
    picked = Replenishing(lost=on, source=unit.id, rule=rules[0], until=flow.state.turn)
    flow.emit(
        ev.AbilityUsed(
            unit=unit.id, ability=family, on=on, effects=(picked,), once=once(family), rules=rules
        )
    )
    ask(flow, purposes.Used(unit.id, family), unit.seat, Dice(1))


def rolled(flow: BattleFlow, unit: Unit, family: str, word: deeds.Replenishes, face: int) -> None:
    """On 4 or more it is based on the Carrier at once, as a new unit; points that it cost stay."""
    state, rules, back = flow.state, (rule_of(family),), face >= word.needed
    pick = next(e for e in state.lasting(Replenishing) if e.source == unit.id)
    gone = next(each for each in state.lost if each.id == pick.lost)
    replaced = Replaced(lost=gone.id, source=unit.id, rule=rules[0], until=ALWAYS)
    flow.emit(
        ev.AbilityRolled(
            unit=unit.id,
            ability=family,
            face=face,
            result="returns" if back else "",
            effects=(replaced,) if back else (),
            rules=rules,
        )
    )
    if back:
        flow.emit(
            ev.SquadronJoined(
                unit=next_id(state, unit.seat),
                card=gone.card,
                seat=unit.seat,
                source=unit.id,
                base=unit.id,
                rules=rules,
            )
        )
