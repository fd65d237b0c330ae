"""Abilities about where a unit is set up, and what that costs it."""

from __future__ import annotations

from .....kernel.flow import Flow
from ... import board
from ... import events as ev
from ...abilities.effects import has, rule_of
from ...cards import Card
from ...effects import NoAttack, NoClaim, NoMove
from ...state import State, Unit
from ..facts import card_of, chart_of, own
from . import squadrons
from .declared import ALWAYS

BattleFlow = Flow[State, ev.AnyEvent]

WIDE = ("infiltrator", "long-cruise")
"""The whole map."""

COASTAL = ("coastal-deployment", "guard-ship")
"""Next to an island in the own half."""

Cost = NoAttack | NoMove | NoClaim
EARLY = "early-deployment"
"""Anywhere in the own half, and one Cruiser or Destroyer with it."""


def more_places(state: State, seat: str, card: Card) -> tuple[str, ...]:
    """Sectors outside the usual area where the card may be set up."""
    half = board.half(state.edges[seat])
    if any(has(card, family) for family in WIDE):
        return board.SECTORS
    if has(card, EARLY):
        return half
    if any(has(card, family) for family in COASTAL):
        return _shores(state, half)
    if card.subtype in ("Cruiser", "Destroyer"):
        return _joined(state, seat)
    return ()


def _shores(state: State, half: tuple[str, ...]) -> tuple[str, ...]:
    islands = chart_of(state).islands
    return tuple(s for s in half if any(board.distance(s, i) == 1 for i in islands if i in half))


def _joined(state: State, seat: str) -> tuple[str, ...]:
    """Sectors of units with Early Deployment that nobody has joined."""
    row = board.edge_row(state.edges[seat])
    ships = [u for u in own(state, seat) if u.sector and card_of(state, u).type == "Ship"]
    return tuple(
        u.sector
        for u in ships
        if has(card_of(state, u), EARLY)
        and u.sector not in row
        and sum(other.sector == u.sector for other in ships) == 1
    )


def deployed(flow: BattleFlow, unit: Unit) -> None:
    """What an unusual place brings with it."""
    state = flow.state
    card = card_of(state, unit)
    if has(card, squadrons.UNCERTAIN):
        rules = (rule_of(squadrons.UNCERTAIN),)
        flow.emit(ev.RearmingBegan(unit=unit.id, rules=rules))
    if has(card, squadrons.DETACHMENTS):
        squadrons.accompany(flow, unit)
    if not unit.sector or card.type == "Aircraft":
        return
    for effect in _costs(state, unit, card):
        flow.emit(ev.EffectBegan(effect=effect, rules=(effect.rule,)))


def _costs(state: State, unit: Unit, card: Card) -> tuple[Cost, ...]:
    mine = board.half(state.edges[unit.seat])
    outside = unit.sector not in board.edge_row(state.edges[unit.seat])

    def effect(sort: type[Cost], family: str, until: int) -> tuple[Cost, ...]:
        return (sort(unit.id, 0, unit.id, rule_of(family), until),)

    if has(card, "infiltrator"):
        return effect(NoAttack, "infiltrator", 1) if unit.sector not in mine else ()
    if not outside or card.type != "Ship":
        return ()
    if has(card, "guard-ship"):
        return effect(NoMove, "guard-ship", ALWAYS)
    if has(card, "coastal-deployment"):
        return effect(NoClaim, "coastal-deployment", 2)
    if has(card, "long-cruise"):
        return ()
    return effect(NoClaim, EARLY, 2)
