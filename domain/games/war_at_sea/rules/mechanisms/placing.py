"""Abilities about where a unit is set up, and what that costs it."""

from __future__ import annotations

from functools import cache

from .....kernel.flow import Flow
from .. import board
from .. import events as ev
from ..cards import Card
from ..effects import NoAttack, NoClaim, NoMove
from ..facts import card_of, chart_of, own
from ..families import deeds
from ..families.effects import bears, declared_by, rule_of
from ..families.shots import effects_of
from ..state import State, Unit
from . import squadrons

BattleFlow = Flow[State, ev.AnyEvent]

Cost = NoAttack | NoMove | NoClaim
COSTS: dict[str, type[Cost]] = {"no-attack": NoAttack, "no-move": NoMove, "no-claim": NoClaim}
"""What an unusual place costs a unit, by the word of the ability's file."""


def more_places(state: State, seat: str, card: Card) -> tuple[str, ...]:
    """Sectors outside the usual area where the card may be set up."""
    half = board.half(state.edges[seat])
    places: tuple[str, ...] = ()
    for _, word in effects_of(card, deeds.Deploys):
        match word.where:
            case "anywhere":
                return board.SECTORS
            case "half":
                places = half
            case "coast":
                places = places or _shores(state, half)
    if not places and card.subtype in ("Cruiser", "Destroyer"):
        return _joined(state, seat)
    return places


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
        if any(e.company for _, e in effects_of(card_of(state, u), deeds.Deploys))
        and u.sector not in row
        and sum(other.sector == u.sector for other in ships) == 1
    )


def deployed(flow: BattleFlow, unit: Unit) -> None:
    """What an unusual place brings with it."""
    state = flow.state
    card = card_of(state, unit)
    late = bears(card, deeds.ArrivesByDie)
    if late:
        flow.emit(ev.RearmingBegan(unit=unit.id, rules=(late[0].rule,)))
    for ref, word in effects_of(card, deeds.Detachments):
        squadrons.accompany(flow, unit, ref.family, word)
    if not unit.sector or card.type == "Aircraft":
        return
    for effect in _costs(state, unit, card):
        flow.emit(ev.EffectBegan(effect=effect, rules=(effect.rule,)))


@cache
def _company() -> tuple[str, deeds.Deploys]:
    """The ability with which a unit that has none of its own is set up elsewhere."""
    found = declared_by(deeds.Deploys).items()
    return next((family, word) for family, word in found if word.company)


def _costs(state: State, unit: Unit, card: Card) -> tuple[Cost, ...]:
    """By its own ability, or by the one that lets others join in."""
    row, half = board.edge_row(state.edges[unit.seat]), board.half(state.edges[unit.seat])
    mine = bears(card, deeds.Deploys)
    family, word = (mine[0].family, mine[1]) if mine else _company()
    if not word.cost:
        return ()
    outside = unit.sector not in (half if word.where == "anywhere" else row)
    if not outside or (card.type != "Ship" and word.where != "anywhere"):
        return ()
    return (COSTS[word.cost](unit=unit.id, source=unit.id, rule=rule_of(family), until=word.until),)
