"""Commands: how they are called, and those that every game has.

A command is called by its ruleset and by what it does, as an event is: ``pennant.fire``. A game
gives its base ``tag=named(RULESET)``, and so its own ``Pass`` and ``Resign``.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from .values import Value


class Command(Value, frozen=True, tag_field="type"):
    """Base of every command."""


class Pass(Command, frozen=True):
    """Do no more in this step, or decline the question."""


class Resign(Command, frozen=True):
    """Give the game up."""


def named(ruleset: str) -> Callable[[str], str]:
    """The ``tag`` of the base of a game's commands: their types follow from their classes.

    ``SubmitFleet`` of War at Sea is ``war-at-sea.submit-fleet``. Where a class has to be called
    otherwise than what it does, it is given that word: ``tag=called("Attack")``.
    """

    def tag(name: str) -> str:
        return f"{ruleset}.{re.sub('(?<!^)(?=[A-Z])', '-', name).lower()}"

    return tag


def tag_of(command: type) -> str:
    """The ``type`` of a command in JSON."""
    return str(command.__struct_config__.tag)  # type: ignore[attr-defined]


def deed(type_: str) -> str:
    """What a command does, without its ruleset: ``fire``."""
    return type_.rpartition(".")[2]
