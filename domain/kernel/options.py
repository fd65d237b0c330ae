"""What a seat may do now, and what is being asked of whom."""

from __future__ import annotations

from typing import Generic, TypeVar

import msgspec

from .values import Seat, Value

C = TypeVar("C")


class Pending(Value, frozen=True):
    """An open question: data in the state, never a suspended call.

    seat      who is asked
    question  stable key of what is asked: ``"deploy"``, ``"sea-movement"``
    rule      the rule that asks
    optional  true when passing is among the answers
    together  other seats are asked at the same time and none depends on another's answer
    subject   which attack, card or roll it is about, where a seat may be asked the same question
              about several; "" where the question says it all. Everybody sees it
    """

    seat: Seat
    question: str
    rule: str
    optional: bool = False
    together: bool = False
    subject: str = ""


class Template(Value, frozen=True):
    """A command whose space is too large to list: its type and the closed set of each parameter.

    ``schema`` is a JSON Schema of the command body. The dry run decides what the schema cannot say.
    """

    type: str
    text: str
    schema: dict[str, msgspec.Raw]


class Options(Value, Generic[C], frozen=True):
    """Every command that ``decide`` would accept from this seat now.

    commands     complete for finite choices; what is pointless (:class:`Described`) at the end
    templates    commands that must be built (a fleet list); some ready ones are among ``commands``
    concessions  ways out of the game that are open besides, the mildest first (a draw before
                 resigning): accepted like ``commands``, kept apart so that a bot that picks at
                 random does not give up by accident
    """

    commands: tuple[C, ...] = ()
    templates: tuple[Template, ...] = ()
    concessions: tuple[C, ...] = ()


class Described(Value, frozen=True):
    """One command in words.

    text       what it does, short
    unit       the unit or card that it concerns
    target     what it is aimed at
    rule       the rule that offers it
    pointless  why it is certain to achieve nothing, with the ID of the rule that says so; empty for
               whatever may achieve something. It stays legal, and stands at the end of the list
    """

    text: str
    unit: str = ""
    target: str = ""
    rule: str = ""
    pointless: str = ""
