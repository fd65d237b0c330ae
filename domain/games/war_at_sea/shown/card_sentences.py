"""Single cards' abilities in sentences: what they change on the table."""

from __future__ import annotations

from typing import assert_never

from ....kernel.shown.wording import count
from ..rules import events as ev
from ..rules.state import State
from . import names
from .names import unit_name, unit_names

CardEvent = (
    ev.AttackGivenUp
    | ev.AttackAmended
    | ev.MinesLaid
    | ev.MinesSwept
    | ev.HullLost
    | ev.HullRepaired
    | ev.RearmingEnded
    | ev.AirbaseShelled
    | ev.RearmingBegan
    | ev.SquadronJoined
    | ev.AircraftStayed
)


def card(state: State | None, event: CardEvent) -> str:
    """The sentence of one event of a single card's ability."""
    if isinstance(event, ev.AttackAmended):
        unit = unit_name(state, event.attack.attacker)
        return f"{unit} has {names.number(state, event.attack.dice)} dice left for the attack."
    if isinstance(event, ev.AirbaseShelled):
        return (
            f"Shells hit {event.seat}'s land airbase: {unit_names(state, event.units)} must rearm."
        )
    if isinstance(event, ev.AircraftStayed):
        return f"{event.seat} keeps at their own base: {unit_names(state, event.units)}."
    if isinstance(event, ev.SquadronJoined):
        return _joined(state, event)
    unit = unit_name(state, event.unit)
    match event:
        case ev.AttackGivenUp():
            return f"{unit} gives up {_given_up(event.weapon)}."
        case ev.MinesLaid():
            return f"{unit} mines {event.sector}."
        case ev.MinesSwept():
            return f"{unit} sweeps mines in {event.sector}."
        case ev.HullLost():
            cause, points = names.ability_name(event.cause), count(event.points, "hull point")
            rolled = f" ({names.faces(event.faces)})" if event.faces else ""
            return f"{cause}{rolled}: {points} pending on {unit}."
        case ev.HullRepaired():
            points = count(event.points, "hull point")
            return f"{points} of {unit} repaired: {names.ability_name(event.cause)}."
        case ev.RearmingEnded():
            return f"{unit} is ready to fly again."
        case ev.RearmingBegan():
            return f"{unit} must rearm."
        case _:
            assert_never(event)


def _given_up(weapon: str) -> str:
    return "its attacks" if weapon == "all" else f"the attack with {names.GUNS[weapon]}"


def _joined(state: State | None, event: ev.SquadronJoined) -> str:
    unit = f"{names.card_name(event.card)} ({event.unit})"
    source = unit_name(state, event.source)
    if event.sector:
        return f"{unit} flies to {event.sector}, launched by {source}."
    return f"{unit} joins {source}."
