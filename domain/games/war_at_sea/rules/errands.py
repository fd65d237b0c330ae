"""Victory points that abilities give at the end of a turn for reaching an enemy island."""

from __future__ import annotations

from collections.abc import Iterator

from ....kernel.flow import Flow
from ....kernel.rules import rule
from . import board
from . import events as ev
from .damage import leave
from .facts import card_of, chart_of, convoy, is_ship, own
from .families import deeds
from .families.effects import has, of_family, place_points, rule_of
from .families.shots import effects_of, number
from .state import State, Unit

BattleFlow = Flow[State, ev.AnyEvent]


def _islands(state: State, unit: Unit) -> tuple[bool, bool]:
    """Whether it is in, and whether it is next to, an island sector of the enemy's half."""
    enemy_half = board.half(state.edges[state.other(unit.seat)])
    shores = [s for s in chart_of(state).islands if s in enemy_half]
    beside = any(board.distance(unit.sector, shore) == 1 for shore in shores)
    return unit.sector in shores, beside


def _watched(state: State, unit: Unit) -> bool:
    return any(
        ship.sector and is_ship(state, ship) and board.distance(unit.sector, ship.sector) <= 1
        for ship in own(state, state.other(unit.seat))
    )


def _taken(state: State, unit: Unit, family: str) -> bool:
    """Whether the side has had its one award of the family this turn."""
    return any((used.seat, used.ability) == (unit.seat, family) for used in state.used)


@rule("WAS-ABIL-43")
def errands(state: State, unit: Unit) -> Iterator[tuple[str, str]]:
    """Awards that the unit may take now: (ability, "")."""
    if not unit.sector or convoy(state):
        return
    card = card_of(state, unit)
    if not card.abilities:
        return
    yield from _second_leg(state, unit)
    inside, beside = _islands(state, unit)
    if beside:
        yield from _first_leg(state, unit)
    if not (inside or beside):
        return
    for award in place_points(card, inside=inside, beside=beside, watched=_watched(state, unit)):
        spent = award.family in unit.spent or state.has_used(unit.id, award.family)
        if not spent and not (award.one_a_turn and _taken(state, unit, award.family)):
            yield award.family, ""
    for ref, _ in effects_of(card, deeds.Delivers) if beside else ():
        if not _taken(state, unit, ref.family):
            yield ref.family, ""


def _first_leg(state: State, unit: Unit) -> Iterator[tuple[str, str]]:
    """Abilities that score twice: by an enemy island, then back in the own row; once a game."""
    for ref, _ in effects_of(card_of(state, unit), deeds.Legs):
        if ref.family not in unit.spent:
            yield ref.family, ""


def _second_leg(state: State, unit: Unit) -> Iterator[tuple[str, str]]:
    if unit.sector in board.edge_row(state.edges[unit.seat]):
        for ref, _ in effects_of(card_of(state, unit), deeds.Legs):
            if unit.spent.count(ref.family) == 1:
                yield ref.family, ""


def worth(state: State, unit: Unit, family: str) -> int:
    """The points of an award."""
    card = card_of(state, unit)
    delivers, legs, ref = of_family(family, deeds.Delivers), of_family(family, deeds.Legs), None
    if delivers:
        ref = has(card, family)
        return number(delivers.points, ref.n) if ref else 0
    if legs:
        return legs.points[unit.spent.count(family) - 1]
    awards = place_points(card, inside=True, beside=True, watched=False)
    return next((a.points for a in awards if a.family == family), 0)


def run(flow: BattleFlow, unit: Unit, family: str) -> None:
    """Score the award; a unit that delivers Vital Cargo leaves the game, and nobody scores it."""
    points = worth(flow.state, unit, family)
    flow.emit(
        ev.PointsScored(seat=unit.seat, points=points, cause=family, rules=(rule_of(family),))
    )
    if of_family(family, deeds.Delivers):
        leave(flow, unit, family, rule_of(family))
