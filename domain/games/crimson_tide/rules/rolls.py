"""The dice are down: sixes of attack dice are thrown again, then whoever asked is told."""

from __future__ import annotations

from collections.abc import Callable

from ....kernel.chance import Faces
from ....kernel.flow import Flow
from ....kernel.rules import rule
from ....kernel.values import Known
from . import (
    air_missions,
    asking,
    attacks,
    collisions,
    damage,
    initiative,
    placing,
    torpedoes,
    transit,
    voyage,
    weather,
)
from . import events as ev
from .state import Purpose, State

BattleFlow = Flow[State, ev.AnyEvent]


@rule("CT-AMB-78")
def rolled(flow: BattleFlow, answer: Faces) -> None:
    """Chance has answered what was awaited, and everybody sees it at once."""
    awaited, purpose = flow.state.awaiting, flow.state.purpose
    assert awaited is not None
    assert purpose is not None
    flow.emit(ev.DiceThrown(label=answer.label, faces=Known(answer.faces), owner=awaited.owner))
    faces = answer.faces
    if purpose.number:
        faces = asking.again(flow, purpose, awaited.owner, faces[0])
        if not faces:
            return
    _ANSWERS[purpose.kind](flow, purpose, faces)


Answer = Callable[[BattleFlow, Purpose, tuple[tuple[int, ...], ...]], None]

_ANSWERS: dict[str, Answer] = {
    "initiative": initiative.rolled,
    "weather": placing.weather_rolled,
    "spotting": air_missions.spotting_rolled,
    "recovery": transit.recovery_rolled,
    "repair": damage.repair_rolled,
    **attacks.ANSWERS,
    **torpedoes.ANSWERS,
    **voyage.ANSWERS,
    **collisions.ANSWERS,
    **weather.ANSWERS,
}
