"""Replenish Aircraft: a squadron that was destroyed comes back on a Carrier."""

from __future__ import annotations

from collections.abc import Iterator

from .....kernel.chance import Dice
from .....kernel.flow import Flow
from ... import events as ev
from ...abilities.effects import has, once, rule_of
from ...cards import card
from ...state import Effect, Lost, Purpose, State, Unit
from ..air_return import RETURNED, excess
from ..damage import ask
from ..deployment import room_at
from ..facts import card_of
from ..fleets import may_base

BattleFlow = Flow[State, ev.AnyEvent]

FAMILY = "replenish-aircraft"
NEEDED = 4
SUBTYPES = ("Fighter", "Dive Bomber", "Torpedo Bomber")
DESTROYED = ("destroyed", "recovery", "no-room")
"""Causes of leaving play that count as destroyed (RUL-87)."""


def uses(state: State, unit: Unit) -> Iterator[tuple[str, str]]:
    """At the start of the own Air Return step, before an Aircraft has landed."""
    own_step = state.step == f"air-return.{'first' if unit.seat == state.first else 'second'}"
    if not own_step or RETURNED in state.tended or FAMILY in unit.spent or not unit.sector:
        return
    carrier = card_of(state, unit)
    if not has(carrier, FAMILY) or not _has_room(state, unit):
        return
    last = {gone.id: gone for gone in state.lost if gone.seat == unit.seat}
    for name, gone in last.items():
        if name not in state.units and _fits(state, gone, unit):
            yield FAMILY, name


def _has_room(state: State, unit: Unit) -> bool:
    """Room that no Aircraft in the air needs (RUL-73)."""
    if room_at(state, unit.seat, unit.id) < 1:
        return False
    return excess(state, unit.seat, ("", unit.id)) <= excess(state, unit.seat)


def _fits(state: State, gone: Lost, unit: Unit) -> bool:
    aircraft = card(gone.card, state.edition)
    if aircraft.subtype not in SUBTYPES or gone.cause not in DESTROYED:
        return False
    return may_base(aircraft, card_of(state, unit), flags=state.options.history)


def use(flow: BattleFlow, unit: Unit, on: str) -> None:
    """One die for the Aircraft that was picked."""
    rules = (rule_of(FAMILY),)
    picked = Effect("replenish", on, 0, unit.id, rules[0], flow.state.turn)
    flow.emit(
        ev.AbilityUsed(
            unit=unit.id, ability=FAMILY, on=on, effects=(picked,), once=once(FAMILY), rules=rules
        )
    )
    ask(flow, Purpose("use", unit.id, FAMILY), unit.seat, Dice(1))


def rolled(flow: BattleFlow, unit: Unit, face: int) -> None:
    """On 4 or more it is based on the Carrier at once; points that it cost stay."""
    rules, back = (rule_of(FAMILY),), face >= NEEDED
    flow.emit(
        ev.AbilityRolled(
            unit=unit.id, ability=FAMILY, face=face, result="returns" if back else "", rules=rules
        )
    )
    if not back:
        return
    pick = next(e for e in flow.state.effects if (e.word, e.source) == ("replenish", unit.id))
    gone = next(g for g in flow.state.lost if g.id == pick.unit)
    flow.emit(
        ev.SquadronJoined(
            unit=gone.id, card=gone.card, seat=unit.seat, source=unit.id, base=unit.id, rules=rules
        )
    )
