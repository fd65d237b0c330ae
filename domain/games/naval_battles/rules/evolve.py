"""Fold one event into the state. No rules here: what an event says is so."""

from __future__ import annotations

from . import events as ev
from .folds import attack, setup, turn
from .state import State

_HOW = {**setup.HOW, **turn.HOW, **attack.HOW}


def evolve(state: State | None, event: ev.AnyEvent) -> State:
    """The state after ``event``. Total: every event of :data:`events.AnyEvent` has an entry."""
    if isinstance(event, ev.GameOpened):
        return setup.opened(event)
    if state is None:
        raise ValueError("the first event of a game is game-opened")
    return _HOW[type(event)](state, event)
