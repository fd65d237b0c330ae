"""The dice are down: the faces go to whoever asked for them."""

from __future__ import annotations

from typing import assert_never

from ....kernel.chance import Faces
from ....kernel.flow import Flow
from ....kernel.values import Known
from . import drawing, resolving, setup
from . import events as ev
from .state import Purpose, State

BattleFlow = Flow[State, ev.AnyEvent]


def rolled(flow: BattleFlow, answer: Faces) -> None:
    """Chance has answered what was awaited."""
    awaited, purpose = flow.state.awaiting, flow.state.purpose
    assert awaited is not None
    assert purpose is not None
    flow.emit(
        ev.DiceThrown(
            label=answer.label,
            faces=Known(answer.faces),
            owner=awaited.owner,
            domain=awaited.domain,
        )
    )
    _score(flow, purpose, answer.faces)


def _score(flow: BattleFlow, purpose: Purpose, faces: tuple[tuple[int, ...], ...]) -> None:
    match purpose.kind:
        case "nations":
            setup.nations_dealt(flow, purpose, faces)
        case "first":
            setup.first_rolled(flow, purpose, faces)
        case "fleet":
            setup.fleet_drawn(flow, purpose.seats[0], faces[0][0])
        case "draw":
            drawing.take(flow, purpose.seats[0], purpose.count, Known(faces))
        case "roll":
            resolving.rolled(flow, faces[0][0])
        case _:
            assert_never(purpose.kind)
