"""COLL: what happens when a base runs into another, or into land (TERR)."""

from __future__ import annotations

from ....kernel.flow import Flow
from ....kernel.rules import rule
from . import events as ev
from .ability_words import Rides
from .asking import attack_dice
from .damage import lose_hull
from .dice import Rounds, hits, wreckage
from .facts import effect, hull_left
from .geography import grounding_dice
from .state import Impact, Land, Order, Purpose, State, Unit
from .strength import armor, critical

BattleFlow = Flow[State, ev.AnyEvent]


@rule("CT-COLL-01", "CT-COLL-08", "CT-COLL-10", "CT-COLL-11", "CT-AMB-31")
def contact(flow: BattleFlow, order: Order, met: tuple[str, ...]) -> None:
    """A base has run into these, friend or enemy: each pair is resolved, in the engine's order.

    The moving unit is the colliding one. It stops, and has to go astern next; both halve their
    dice for the rest of the turn. A derelict that drifts does neither (CT-EOT-06).
    """
    for name in met:
        state = flow.state
        unit = state.units[order.unit]
        if name in state.units:
            _collide(flow, unit, state.units[name], order)
        else:
            run_aground(flow, unit, next(piece for piece in state.land if piece.id == name))


@rule("CT-COLL-05", "CT-COLL-06", "CT-AMB-29", "CT-AMB-30", "CT-AMB-93")
def _collide(flow: BattleFlow, unit: Unit, other: Unit, order: Order) -> None:
    """Each rolls dice equal to the hull points it has left now; they are never halved.

    Who ran into something while going astern leaves it by going ahead.
    """
    drifting, options = order.drifting, flow.state.options
    theirs = Impact(other.id, unit.id, hull_left(flow.state, unit))
    ours = Impact(unit.id, other.id, hull_left(flow.state, other))
    flow.emit(
        ev.UnitsCollided(
            unit=unit.id,
            other=other.id,
            impacts=(theirs, ours),
            drifting=drifting,
            ahead=order.astern and options.stern_contact == "ahead",
            rules=("CT-EOT-06",) if drifting else ("CT-COLL-01", "CT-COLL-07", "CT-COLL-09"),
        )
    )


@rule("CT-TERR-05", "CT-TERR-08", "CT-TERR-09")
def run_aground(flow: BattleFlow, unit: Unit, piece: Land) -> None:
    """The unit stops where it is and its hull is tested; a shallow draft rides soft ground."""
    draft = effect(unit, Rides)
    spared = draft is not None and draft.ground == piece.hardness
    roll = Impact(unit.id, piece.id, grounding_dice(piece.hardness))
    flow.emit(
        ev.RanAground(
            unit=unit.id,
            land=piece.id,
            hardness=piece.hardness,
            impacts=() if spared else (roll,),
            rules=("CT-TERR-08", "CT-SA-09") if spared else ("CT-TERR-08",),
        )
    )


@rule("CT-AMB-81")
def roll(flow: BattleFlow, impact: Impact) -> None:
    """Ask for the dice of an impact: the other unit's owner rolls, against land one's own side."""
    roller = flow.state.units.get(impact.by) or flow.state.units[impact.unit]
    purpose = Purpose("impact", unit=impact.unit, other=impact.by)
    attack_dice(flow, purpose, roller.seat, impact.dice)


@rule("CT-COLL-04", "CT-COLL-12")
def rolled(flow: BattleFlow, purpose: Purpose, rounds: Rounds) -> None:
    """Hits against armor and critical rating: 1 or 2 hull points, at the end of the turn.

    What a derelict does as it drifts counts at once.
    """
    state = flow.state
    order, unit = state.order, state.units[purpose.unit]
    assert order is not None
    number, ratings = hits(rounds), (armor(state, unit).total, critical(state, unit).total)
    hull = wreckage(state, number, *ratings)
    collision = purpose.other in state.units
    flow.emit(
        ev.ImpactRolled(
            unit=unit.id,
            by=purpose.other,
            rounds=rounds,
            hits=number,
            armor=ratings[0],
            critical=ratings[1],
            hull=hull,
            rules=("CT-COLL-03",) if collision else ("CT-TERR-10",),
        )
    )
    if hull:
        cause = "collision" if collision else "grounding"
        lose_hull(flow, unit, hull, cause, purpose.other, pending=not order.drifting)


ANSWERS = {"impact": rolled}
"""What this module does with the dice it asked for."""
