"""The order of play: set-up, then player turns, each a list of steps (NB-SEQ, NB-FSM)."""

from __future__ import annotations

from collections.abc import Callable

from ...kernel.flow import Flow
from ...kernel.rules import rule
from ...kernel.steps import Step, settle
from ...kernel.values import Seat
from . import events as ev
from .cards import retreat
from .rules import (
    defending,
    drawing,
    facts,
    preparing,
    resolving,
    rolling,
    rows,
    setup,
    turns,
)
from .state import State

BattleFlow = Flow[State, ev.AnyEvent]
BattleStep = Step[State, ev.AnyEvent]

SETUP = ("nations", "fleets", "first-roll", "layout", "deal")
TURN = ("reorganize", "prepare", "declare", "defense", "resolve", "discard", "draw")


def keys() -> tuple[str, ...]:
    """The steps in order: set-up once, then those of a player turn."""
    return (*SETUP, *TURN)


def asked(state: State) -> tuple[Seat, ...]:
    """The seats that have a choice to make now."""
    if state.result is not None or state.awaiting is not None:
        return ()
    window = rolling.window(state)
    if window is not None:
        return (window.seat,)
    if state.roll is not None:
        return ()
    return _ASKED[state.step](state)


def _nobody(state: State) -> tuple[Seat, ...]:
    return ()


def _one(seat: Seat) -> tuple[Seat, ...]:
    return (seat,) if seat else ()


def _committing(state: State) -> tuple[Seat, ...]:
    return tuple(s for s in facts.present(state) if s not in state.committed)


@rule("NB-SEQ-03")
def _active(state: State) -> tuple[Seat, ...]:
    """The player whose turn it is, until he ends the step; he may do nothing in it."""
    seat = state.active
    return () if seat in state.passed or seat in state.gone else (seat,)


def _preparing(state: State) -> tuple[Seat, ...]:
    """Nobody is asked who openly has no card or no ship for it."""
    able = state.hands[state.active].count and preparing.able(state, state.active)
    return _active(state) if able else ()


def _declaring(state: State) -> tuple[Seat, ...]:
    seat = state.active
    armed = state.hands[seat].count or any(facts.is_carrier(s) for s in facts.fleet(state, seat))
    return _active(state) if armed or state.aim is not None else ()


def _discarding(state: State) -> tuple[Seat, ...]:
    return _active(state) if state.hands[state.active].count else ()


_ASKED = {
    "nations": lambda state: _one(setup.choosing(state)),
    "fleets": _committing,
    "first-roll": _nobody,
    "layout": lambda state: _one(setup.laying(state)),
    "deal": _nobody,
    "reorganize": _active,
    "prepare": _preparing,
    "declare": _declaring,
    "defense": lambda state: _one(defending.defender(state)),
    "resolve": _nobody,
    "discard": _discarding,
    "draw": _nobody,
}


def _nothing(flow: BattleFlow) -> bool:
    return False


def _tend_defense(flow: BattleFlow) -> bool:
    if rolling.proceed(flow):
        return True
    if asked(flow.state):
        return False
    return defending.run_silent_at_last(flow)


def _tend_resolve(flow: BattleFlow) -> bool:
    if rolling.proceed(flow):
        return True
    return not asked(flow.state) and resolving.resolve_next(flow)


def _tend_draw(flow: BattleFlow) -> bool:
    seat = flow.state.active
    return seat not in flow.state.gone and drawing.draw(flow, seat)


_TEND: dict[str, Callable[[BattleFlow], bool]] = {
    "nations": setup.deal_nations,
    "fleets": _nothing,
    "first-roll": setup.roll_first,
    "layout": _nothing,
    "deal": drawing.deal,
    "reorganize": _nothing,
    "prepare": _nothing,
    "declare": _nothing,
    "defense": _tend_defense,
    "resolve": _tend_resolve,
    "discard": _nothing,
    "draw": _tend_draw,
}

STEPS: tuple[BattleStep, ...] = tuple(
    Step(key, _TEND[key], lambda state: bool(asked(state))) for key in keys()
)
_INDEX = {key: number for number, key in enumerate(keys())}


def _skipped(state: State, step: str) -> bool:
    """The attack step after a Retreat; defense and resolution when nothing was declared."""
    if step == "declare":
        return retreat.withdrawn(state, state.active)
    if step == "defense":
        return not state.attacks
    return step == "resolve" and not (state.attacks or state.surprises)


@rule("NB-FSM-01", "NB-SEQ-01", "NB-SEQ-04", "NB-ATK-02", "NB-ATK-09")
def _move_on(flow: BattleFlow) -> None:
    """To the next step, or from the end of a turn to the next player's; there is no way back."""
    state = flow.state
    if state.step == "resolve":
        rows.close_up(flow)
    number = _INDEX[state.step] + 1
    if number == len(STEPS) or STEPS[number].key == "reorganize":
        turns.begin(flow)
        flow.emit(ev.StepBegan(step="reorganize"))
        return
    while _skipped(state, STEPS[number].key):
        number += 1
    flow.emit(ev.StepBegan(step=STEPS[number].key))


def carry_on(flow: BattleFlow) -> None:
    """Play on until somebody has to choose, dice are awaited, or the game is over."""
    settle(
        flow,
        STEPS,
        lambda state: _INDEX[state.step],
        lambda state: state.awaiting is not None or state.result is not None,
        _move_on,
    )
