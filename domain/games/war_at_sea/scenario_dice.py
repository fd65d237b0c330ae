"""Who reads the dice of the set-up, of scenarios, darkness and weather, by purpose."""

from __future__ import annotations

from collections.abc import Callable

from ...kernel.flow import Flow
from . import events as ev
from .rules import convoy, darkness, weather
from .sequence import owner, zone_rolled
from .state import Purpose, State

BattleFlow = Flow[State, ev.AnyEvent]
Faces = tuple[tuple[int, ...], ...]


def _sides(flow: BattleFlow, purpose: Purpose, faces: Faces) -> None:
    winner = flow.state.seats[faces[0][0] - 1]
    flow.emit(ev.SideChooserFound(seat=winner, rules=("WAS-SETUP-03",)))


def _deployer(flow: BattleFlow, purpose: Purpose, faces: Faces) -> None:
    winner = flow.state.seats[faces[0][0] - 1]
    flow.emit(ev.DeployerChosen(seat=winner, rules=("WAS-SETUP-10",)))


ANSWERS: dict[str, Callable[[BattleFlow, Purpose, Faces], None]] = {
    "sides": _sides,
    "zone": lambda flow, p, faces: zone_rolled(flow, faces[0][0]),
    "deployer": _deployer,
    "escort": lambda flow, p, faces: convoy.escorts(flow, flow.state.seats[faces[0][0] - 1]),
    "random": lambda flow, p, faces: darkness.light_rolled(flow, faces[0][0]),
    "twilight": lambda flow, p, faces: darkness.twilight_rolled(flow, faces[0][0]),
    "search": lambda flow, p, faces: darkness.search_rolled(flow, p.unit, faces[0][0]),
    "recovery": lambda flow, p, faces: darkness.recovery_rolled(flow, owner(flow.state), faces[0]),
    "weather": lambda flow, p, faces: weather.weather_rolled(flow, faces[0][0]),
    "squalls": lambda flow, p, faces: weather.squalls_rolled(flow, faces),
    "drift": lambda flow, p, faces: weather.drift_rolled(flow, faces[0]),
}
