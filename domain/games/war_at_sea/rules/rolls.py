"""The dice are down: the faces go to whoever asked for them, by purpose."""

from __future__ import annotations

from collections.abc import Callable

from ....kernel import chance
from ....kernel.flow import Flow
from ....kernel.values import Known
from . import (
    aftermath,
    attacks,
    concealment,
    convoy,
    damage,
    darkness,
    deployment,
    followups,
    initiative,
    tasks,
    weather,
)
from . import events as ev
from .mechanisms import before, mines, relief, upkeep
from .state import Purpose, State
from .turns import owner

BattleFlow = Flow[State, ev.AnyEvent]
Faces = tuple[tuple[int, ...], ...]
Answer = Callable[[BattleFlow, Purpose, Faces], None]


def rolled(flow: BattleFlow, answer: chance.Faces) -> None:
    """Chance has answered what was awaited."""
    awaited, purpose = flow.state.awaiting, flow.state.purpose
    assert awaited is not None
    assert purpose is not None
    flow.emit(ev.DiceThrown(label=answer.label, faces=Known(answer.faces), owner=awaited.owner))
    _ANSWERS[purpose.kind](flow, purpose, answer.faces)


_ANSWERS: dict[str, Answer] = {
    "sides": lambda flow, p, faces: tasks.side_chooser_rolled(flow, faces[0][0]),
    "zone": lambda flow, p, faces: deployment.zone_rolled(flow, faces[0][0]),
    "deployer": lambda flow, p, faces: deployment.deployer_rolled(flow, faces[0][0]),
    "escort": lambda flow, p, faces: convoy.escorts(flow, flow.state.seats[faces[0][0] - 1]),
    "random": lambda flow, p, faces: darkness.light_rolled(flow, faces[0][0]),
    "twilight": lambda flow, p, faces: darkness.twilight_rolled(flow, faces[0][0]),
    "weather": lambda flow, p, faces: weather.weather_rolled(flow, faces[0][0]),
    "squalls": lambda flow, p, faces: weather.squalls_rolled(flow, faces),
    "drift": lambda flow, p, faces: weather.drift_rolled(flow, faces[0]),
    "initiative": lambda flow, p, faces: initiative.rolled(flow, faces),
    "speed": lambda flow, p, faces: tasks.speed_rolled(flow, p.unit, p.ability, faces[0][0]),
    "mines": lambda flow, p, faces: mines.struck(flow, p.unit, faces[0]),
    "search": lambda flow, p, faces: darkness.search_rolled(flow, p.unit, faces[0][0]),
    "draw": lambda flow, p, faces: tasks.draw_rolled(flow, p.unit, faces[0][0]),
    "attack": lambda flow, p, faces: attacks.rolled(flow, faces[0]),
    "reroll": lambda flow, p, faces: attacks.rolled(flow, faces[0]),
    "before": lambda flow, p, faces: before.rolled(flow, p.unit, p.ability, faces[0][0]),
    "concealment": lambda flow, p, faces: concealment.rolled(flow, faces[0][0]),
    "negate": lambda flow, p, faces: aftermath.negate_rolled(flow, p.ability, faces[0][0]),
    "protect": lambda flow, p, faces: relief.protection_rolled(flow, p.unit, faces[0]),
    "save": lambda flow, p, faces: aftermath.saved(flow, p.ability, faces[0][0]),
    "ability": lambda flow, p, faces: followups.ability_rolled(
        flow, p.unit, p.ability, faces[0][0]
    ),
    "use": lambda flow, p, faces: upkeep.rolled(flow, p.unit, p.ability, faces[0][0]),
    "spare": lambda flow, p, faces: damage.spare_rolled(flow, p.unit, faces[0][0]),
    "carrier": lambda flow, p, faces: damage.carrier_rolled(flow, p.unit, faces[0]),
    "recovery": lambda flow, p, faces: darkness.recovery_rolled(flow, owner(flow.state), faces[0]),
}
"""What is done with the faces, by the kind of the purpose that they were asked for."""
