"""WEATH: squalls, where the players agree on weather (2009), and what fills a sector in both."""

from __future__ import annotations

from ....kernel.chance import Dice
from ....kernel.flow import Flow
from ....kernel.rules import rule
from . import board, purposes
from . import events as ev
from .charts import off
from .damage import ask
from .facts import chart_key, chart_of, limits_of
from .state import State

BattleFlow = Flow[State, ev.AnyEvent]

UNKNOWN = -1
"""``State.weather`` before the die."""


@rule("WAS-WEATH-01")
def set_weather(flow: BattleFlow) -> bool:
    """A die for the weather once the battle zone is laid out."""
    if not flow.state.options.weather or flow.state.weather != UNKNOWN:
        return False
    ask(flow, purposes.Weather(), "", Dice(1))
    return True


@rule("WAS-WEATH-02")
def weather_rolled(flow: BattleFlow, face: int) -> None:
    """1 to 3 clear, 4 one squall, 5 two, 6 three; then coins for where they are."""
    number = max(0, face - 3)
    flow.emit(ev.WeatherRolled(face=face, squalls=number, rules=("WAS-WEATH-02",)))
    if number:
        coins = (Dice(1, 2), Dice(1, 2)) if number == 3 else (Dice(1, 2),)
        ask(flow, purposes.Squalls(), "", *coins)


@rule("WAS-WEATH-04", "WAS-WEATH-05", "WAS-WEATH-06", "RUL-62")
def squalls_rolled(flow: BattleFlow, faces: tuple[tuple[int, ...], ...]) -> None:
    """A centre sector of the middle row by coin, the other one, then an end sector by coin."""
    row = board.middle_row()
    west, east = row[len(row) // 2 - 1], row[len(row) // 2]
    places = [west, east] if faces[0][0] == 1 else [east, west]
    if len(faces) > 1:
        places.append(row[0] if faces[1][0] == 1 else row[-1])
    missing = off(chart_key(flow.state))
    sectors = tuple(s for s in places[: flow.state.weather] if s not in missing)
    flow.emit(ev.SquallsMoved(sectors=sectors, rules=("WAS-WEATH-04",)))


@rule("WAS-WEATH-08", "WAS-EOT-12")
def drift(flow: BattleFlow) -> bool:
    """At the end of each turn a die for each squall, in order of placement."""
    if not drifts(flow.state) or "drift" in flow.state.tended:
        return False
    ask(flow, purposes.Drift(), "", Dice(len(flow.state.squalls)))
    return True


@rule("RUL-109")
def drifts(state: State) -> bool:
    """Only the update moves squalls: in 2007 those that a scenario lays lie still."""
    return bool(state.squalls) and state.rulebook.squalls_drift


def drift_rolled(flow: BattleFlow, faces: tuple[int, ...]) -> None:
    """Each squall goes one sector its die's way."""
    pairs = zip(flow.state.squalls, faces, strict=True)
    shut = off(chart_key(flow.state))
    sectors = tuple(after(sector, face, shut) for sector, face in pairs)
    flow.emit(ev.SquallsMoved(sectors=sectors, faces=faces, rules=("WAS-WEATH-08",)))
    flow.emit(ev.TaskDone(task="drift"))


@rule("WAS-WEATH-03", "WAS-WEATH-09")
def after(sector: str, face: int, shut: frozenset[str] = frozenset()) -> str:
    """Where a squall goes: that way, or the opposite if that is off the map, or nowhere.

    shut  sectors that the map does not have
    """
    ways = ["" if way in shut else way for way in board.BEYOND[sector]]
    return ways[face - 1] or ways[(face + 2) % 6] or sector


@rule("WAS-WEATH-07", "WAS-MAP-20", "WAS-LOS-03", "WAS-MAP-21")
def obscured(state: State) -> frozenset[str]:
    """Sectors filled with smoke, a squall or fog: they hinder sight and nothing else."""
    return frozenset((*state.smoke, *state.squalls, *fog(state)))


def fog(state: State) -> tuple[str, ...]:
    """Sectors filled with fog, which stays all through the battle: the map's, the scenario's."""
    return (*chart_of(state).fog, *limits_of(state).fog)
