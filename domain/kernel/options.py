"""What a seat may do now, and what is being asked of whom."""

from __future__ import annotations

from typing import Generic, Literal, TypeVar

import msgspec

from .values import Seat, Value

C = TypeVar("C")


class Pending(Value, frozen=True):
    """An open question: data in the state, never a suspended call.

    seat       the seat that is asked
    question  stable key of the question: ``"deploy"``, ``"sea-movement"``
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


class TemplateRefusal(Value, frozen=True):
    """A refusal that a command which fits a template's schema can still meet.

    code  the code of the problem
    rule  the rule that refuses
    """

    code: str
    rule: str


class Template(Value, frozen=True):
    """A command whose space is too large to list: its type and the closed set of each parameter.

    schema    a JSON Schema of the command body
    refusals  refusals that a command which fits the schema may still meet, since a schema cannot
              say everything; it meets no other. None: whatever fits is accepted. The dry run tells
              of one command. None, too, in a game that began under an engine which told them not
              yet
    """

    type: str
    text: str
    schema: dict[str, msgspec.Raw]
    refusals: tuple[TemplateRefusal, ...] = ()


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


PartRole = Literal[
    "unit", "target", "card", "place", "weapon", "ability", "attack", "path", "arc",
    "seat", "side", "fleet", "rows", "way", "number",
]  # fmt: skip
"""What a part is in its command.

unit     the piece that acts, or is acted upon by its own player
target   the piece that it is aimed at, or used on
card     a card that is played, given up or set up
place    where something goes: a sector, a point, a base
weapon   with what is attacked
ability  an ability that is used or declared
attack   an attack under way that is answered
path     the way that a piece goes
arc      the direction in which is fired
seat     another player
side     what is chosen for the whole game: a nation, an edge of the table, a colour
fleet    several pieces that are chosen together
rows     an order of battle
way      how it is done: strafing, astern, with a card that lies prepared
number   a number of things
"""


class PartOf(Value, frozen=True):
    """One part of a command, which a page asks for and lights on the board.

    role  its role in the command; a command may have several parts of one role
    key   the key of the piece in the picture (:attr:`Group.key <domain.kernel.shown.scene.Group>`)
          where it is drawn, else a name that is the same in all offers of the position
    text  short label
    """

    role: PartRole
    key: str
    text: str


class Described(Value, frozen=True):
    """One command in words.

    text       what it does, short
    unit       the unit or card that it concerns
    target     what it is aimed at
    rule       the rule that offers it
    pointless  why it is certain to achieve nothing, with the ID of the rule that says so; empty for
               whatever may achieve something. It stays legal, and stands at the end of the list
    parts      what it is made of, in the order in which a page asks; commands of one type that
               differ have parts that differ
    """

    text: str
    unit: str = ""
    target: str = ""
    rule: str = ""
    pointless: str = ""
    parts: tuple[PartOf, ...] = ()


NOT_ASKED = Described("Pass, where nothing is asked that may be passed")
"""A passing that nobody is offered, in words: refusals and logs may have to name it."""
