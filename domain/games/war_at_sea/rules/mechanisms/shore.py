"""What is promised for the end of the turn: Shore Support, Rescue Operations, Bombard."""

from __future__ import annotations

from collections.abc import Iterator

from .....kernel.flow import Flow
from .. import board
from .. import events as ev
from ..effects import Bombarded, Promised, Wreck
from ..facts import card_of, limits_of
from ..families import deeds
from ..families.effects import of_family, once, rule_of
from ..families.shots import effects_of
from ..state import State, Unit

BattleFlow = Flow[State, ev.AnyEvent]


def uses(state: State, unit: Unit) -> Iterator[tuple[str, str]]:
    """In its own Surface Attack step, once a game."""
    if not unit.sector:
        return
    for ref, word in effects_of(card_of(state, unit), deeds.Promises):
        if ref.family in unit.spent or (word.points and limits_of(state).convoy):
            continue  # none is for points where the convoy alone decides
        if word.where == "wreck":
            open_ = not unit.done and _wreck_here(state, unit)
        else:
            open_ = _may_shell(state, unit)
        if open_:
            yield ref.family, ""


def _may_shell(state: State, unit: Unit) -> bool:
    """In the enemy's row for Ships, its main guns unused and its attacks not finished."""
    there = unit.sector in board.edge_row(state.edges[state.other(unit.seat)])
    begun = state.options.activation_lock and bool(unit.done) and state.active != unit.id
    other = {"main", "all", "smoke", "asw"} & set(unit.done)
    return there and not begun and not other and "main" in card_of(state, unit).attacks


def _wreck_here(state: State, unit: Unit) -> bool:
    """Where a friendly Ship went down while a rescuer was in play."""
    mine = (unit.seat, unit.sector)
    return any((wreck.seat, wreck.sector) == mine for wreck in state.lasting(Wreck))


def promise(flow: BattleFlow, unit: Unit, family: str, on: str) -> None:
    """Use it: the attack is given up, points or counters come at the end of the turn."""
    rule_, turn = rule_of(family), flow.state.turn
    word = of_family(family, deeds.Promises)
    assert word is not None
    due: Promised | Bombarded = Bombarded(
        unit=unit.id, seat=flow.state.other(unit.seat), ability=family,
        source=unit.id, rule=rule_, until=turn,
    )  # fmt: skip
    if word.points:
        due = Promised(
            unit=unit.id, seat=unit.seat, ability=family, points=word.points,
            source=unit.id, rule=rule_, until=turn,
        )  # fmt: skip
    flow.emit(
        ev.AbilityUsed(
            unit=unit.id, ability=family, effects=(due,), once=once(family), rules=(rule_,)
        )
    )
    flow.emit(ev.AttackGivenUp(unit=unit.id, weapon=word.instead_of, rules=(rule_,)))


def pay(flow: BattleFlow) -> None:
    """The end of the turn: points that were promised, whether or not the unit still floats."""
    awards = flow.state.lasting(Promised)
    if not awards or "paid" in flow.state.tended:
        return
    for effect in awards:
        flow.emit(
            ev.PointsScored(
                seat=effect.seat, points=effect.points, cause=effect.ability, rules=(effect.rule,)
            )
        )
    flow.emit(ev.TaskDone(task="paid"))
