"""A turn is a readable list of steps; a step without choices passes by itself.

Nothing is ever suspended: what remains to be done in a step is worked out from the state, so a game
can be stopped and resumed between any two events.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from .flow import Flow

S = TypeVar("S")
E = TypeVar("E")


@dataclass(frozen=True)
class Step(Generic[S, E]):
    """One step of a turn.

    key   stable name, unique in the sequence: ``"sea-movement.first"``
    tend  do the next thing that happens by itself; true if something was done
    open  whether some seat still has a choice to make here
    """

    key: str
    tend: Callable[[Flow[S, E]], bool]
    open: Callable[[S], bool]


def settle(
    flow: Flow[S, E],
    steps: Sequence[Step[S, E]],
    here: Callable[[S], int],
    halted: Callable[[S], bool],
    move_on: Callable[[Flow[S, E]], None],
) -> None:
    """Carry the game forward until somebody has to choose.

    here     index of the current step in ``steps``
    halted   true while chance is awaited, and after the end of the game
    move_on  emits what closes this step and opens the next
    """
    while not halted(flow.state):
        step = steps[here(flow.state)]
        if step.tend(flow):
            continue
        if step.open(flow.state):
            return
        move_on(flow)
