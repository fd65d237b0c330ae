"""What is said: of an order, of an event, of the position; and what an event means to readers."""

from __future__ import annotations

from typing import assert_never

from domain.kernel.options import Described, PartOf
from domain.kernel.shown.parts import Parts, parts_of
from domain.kernel.shown.roles import Role, Roles, nothing
from domain.kernel.values import Known

from ..rules.commands import Choose, Command, Fire, Pass
from ..rules.course import rule_of
from ..rules.events import (
    AnyEvent,
    Chosen,
    Ended,
    FireDeclared,
    FireResolved,
    Opened,
    Revealed,
    TenderLost,
    TurnPassed,
)
from ..rules.state import State

PARTS: Parts = {
    Choose: {"colour": lambda state, colour, command: (PartOf("side", colour, colour),)},
    Fire: {"aim": lambda state, aim, command: (PartOf("way", aim, f"at the {aim}"),)},
    Pass: {},
}
"""How each field of an order is told as a part of it: a page asks part after part."""


def describe(state: State, command: Command) -> Described:
    """An order in words, with the rule that offers it, and its parts."""
    parts = parts_of(PARTS, state, command)
    match command:
        case Choose():
            return Described(f"Choose {command.colour}.", rule="PEN-2", parts=parts)
        case Fire():
            aim = command.aim
            text = f"Fire at the {aim}."
            return Described(text, "pennant", aim, rule_of(aim), parts=parts)
        case Pass():
            return Described("Pass.", rule="PEN-3")
        case _:
            assert_never(command)


def says(state: State | None, event: AnyEvent) -> str:
    """An event as a sentence, for whoever sees as much of it."""
    match event:
        case Opened():
            return f"{event.seats[0]} and {event.seats[1]} hoist their pennants."
        case Chosen(choice=Known(items=items)):
            return f"{event.seat} chooses {items[0]}."
        case Chosen():
            return f"{event.seat} chooses a colour in secret."
        case Revealed():
            return f"The colours are shown: {', '.join(event.colours)}."
        case FireDeclared():
            return f"{event.seat} fires at the {event.aim}."
        case FireResolved():
            rolled = " ".join(map(str, event.faces))
            return f"{event.seat} rolls {rolled}: {event.points} points."
        case TenderLost():
            return f"The {event.tender} goes down."
        case TurnPassed():
            return f"{event.seat} passes."
        case Ended():
            return f"{event.winners[0]} wins." if event.winners else "The battle is drawn."
        case _:
            assert_never(event)


def board(state: State) -> str:
    """The position in letters."""
    rows = (f"{s}: {p}" for s, p in zip(state.seats, state.points, strict=True))
    return "\n".join((*rows, f"turns left: {state.left}"))


ROLES: Roles = {
    TenderLost: lambda state, event: (
        Role("lost", event.tender, event.seat, event.by, "magazine"),
    ),
    FireDeclared: lambda state, event: tuple(
        Role("attacked", seat, seat, event.seat, event.aim)
        for seat in (state.seats if state is not None else ())
        if seat != event.seat
    ),
    Revealed: lambda state, event: (Role("revealed"),),
    Opened: nothing,
    Chosen: nothing,
    FireResolved: nothing,
    TurnPassed: nothing,
    Ended: nothing,
}
"""What the events mean to readers who know no game."""
