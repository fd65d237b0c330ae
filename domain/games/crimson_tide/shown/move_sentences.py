"""Movement in sentences: orders, turns, groundings, collisions, wind and drift."""

from __future__ import annotations

from typing import assert_never

from ....kernel.shown.wording import count, join
from ..rules import events as ev
from ..rules.state import Order, State
from . import names
from .names import unit_name

MoveEvent = (
    ev.MoveOrdered
    | ev.EvasionRolled
    | ev.UnitMoved
    | ev.GroundingTested
    | ev.RanAground
    | ev.UnitsCollided
    | ev.ImpactRolled
    | ev.MoveEnded
    | ev.WindDrawn
    | ev.StormsMoved
    | ev.DriftBegan
)


def move(state: State | None, event: MoveEvent) -> str:
    """The sentence of one event of movement; the end of a move needs none unless it is a stop."""
    match event:
        case ev.MoveOrdered():
            lapsed = event.settled and not event.order.clears
            unit = unit_name(state, event.order.unit)
            end = "; its duty to leave what it ran into lapses" if lapsed else ""
            return f"{unit} is ordered {ordered(event.order)}{end}."
        case ev.EvasionRolled():
            result = "one torpedo is shaken off" if event.evaded else "no torpedo is shaken off"
            unit = unit_name(state, event.unit)
            return f"{unit} evades: {event.face}, {event.needed} needed: {result}."
        case ev.UnitMoved():
            return f"{unit_name(state, event.unit)} is now {names.lies(state, event.track[-1])}."
        case ev.MoveEnded():
            before = state.units.get(event.unit) if state is not None else None
            new = event.stopped and not (before is not None and before.stopped)
            return f"{unit_name(state, event.unit)} is stopped." if new else ""
        case ev.GroundingTested() | ev.RanAground() | ev.UnitsCollided() | ev.ImpactRolled():
            return _contact(state, event)
        case ev.WindDrawn():
            return f"The wind blows toward {names.course(event.direction)}."
        case ev.StormsMoved():
            return _storms(event)
        case ev.DriftBegan():
            return f"{unit_name(state, event.order.unit)} drifts before the wind."
        case _:
            assert_never(event)


def ordered(order: Order) -> str:
    """An order in words: ``3 klicks ahead, 22.5 degrees to port before the 2nd, then to stop``."""
    return way(order.path, order.astern, order.evade, order.stop, order.ram)


def way(path: tuple[int, ...], astern: bool, evade: bool, stop: bool, ram: bool = False) -> str:
    """The words of a path of klicks and turns."""
    parts = [f"{count(len(path), 'klick')} {'astern' if astern else 'ahead'}"]
    parts += [
        f"{names.turn(ticks)} before the {_ordinal(number)}"
        for number, ticks in enumerate(path, 1)
        if ticks
    ]
    text = ", ".join(parts) if path else "to stay where it is"
    if evade:
        text += ", with evasive maneuvers"
    if ram:
        text += ", ramming what is submerged"
    return f"{text}, then to stop" if stop and path else text


_ENDINGS = ("st", "nd", "rd")


def _ordinal(number: int) -> str:
    return f"{number}{_ENDINGS[number - 1] if number <= len(_ENDINGS) else 'th'}"


_Contact = ev.GroundingTested | ev.RanAground | ev.UnitsCollided | ev.ImpactRolled


def _contact(state: State | None, event: _Contact) -> str:
    unit = unit_name(state, event.unit)
    match event:
        case ev.GroundingTested():
            result = "runs aground" if event.aground else "passes"
            rolled = f"{event.face}, {event.grounds_on} or less grounds"
            return f"{unit} in treacherous waters ({event.hazard}): {rolled}: it {result}."
        case ev.RanAground():
            spared = "" if event.impacts else ", unharmed"
            return f"{unit} is stopped by {event.land} ({event.hardness} ground){spared}."
        case ev.UnitsCollided():
            return f"{unit} collides with {unit_name(state, event.other)}."
        case ev.ImpactRolled():
            return _impact(state, event, unit)
        case _:
            assert_never(event)


def _impact(state: State | None, event: ev.ImpactRolled, unit: str) -> str:
    rolled = f"{names.faces(event.rounds) or 'no dice'}: {count(event.hits, 'hit')}"
    against = f"against armor {event.armor}, critical {event.critical}"
    lost = count(event.hull, "hull point") if event.hull else "no hull point"
    by = unit_name(state, event.by)
    return f"Impact of {by} on {unit}: {rolled} {against}: {lost} lost."


def _storms(event: ev.StormsMoved) -> str:
    text = f"The storms move {count(event.klicks, 'klick')}"
    if event.gone:
        verb = "leaves" if len(event.gone) == 1 else "leave"
        text += f"; {join(event.gone)} {verb} the table"
    return f"{text}."
