"""Rules are traceable: ``@rule`` ties code to a rule ID, ``Refused`` ties a refusal to one."""

from __future__ import annotations

from collections.abc import Callable
from types import CodeType
from typing import NamedTuple, TypeVar

F = TypeVar("F", bound=Callable[..., object])

HOMES: dict[str, CodeType] = {}
"""Rule ID to the code of the one function that implements it. Filled by :func:`rule` at import."""


def rule(*ids: str) -> Callable[[F], F]:
    """Mark a function as the one home of the rules ``ids``.

    The function is returned unchanged, so a marked rule costs nothing in play. The test collector
    (tests/support/rules.py) watches calls to the marked code to see that a rule's test ran it.
    """

    def mark(function: F) -> F:
        code = function.__code__
        for identifier in ids:
            if HOMES.setdefault(identifier, code) is not code:
                raise ValueError(_doubled(identifier, HOMES[identifier], code))
        return function

    return mark


def _doubled(identifier: str, first: CodeType, second: CodeType) -> str:
    """What is wrong, for who took a number that is taken."""
    homes = " and ".join(
        f"{code.co_qualname} ({code.co_filename}:{code.co_firstlineno})" for code in (first, second)
    )
    command = f"decklog rules --next {identifier.rpartition('-')[0]}"
    return f"{identifier} has two homes: {homes}. `{command}` names a free number."


class Refused(Exception):
    """A command that the rules do not accept. Nothing happened.

    code     stable, machine-readable, kebab-case after a dot: ``"attack.out-of-range"``
    rule     ID of the rule or ruling that refused; empty only for form errors
    hint     what would be legal instead, one sentence for a person
    pointer  JSON pointer into the command, where one field is to blame
    """

    def __init__(self, code: str, rule: str = "", hint: str = "", pointer: str = "") -> None:
        super().__init__(f"{code} ({rule}): {hint}" if rule else f"{code}: {hint}")
        self.code = code
        self.rule = rule
        self.hint = hint
        self.pointer = pointer


class No(NamedTuple):
    """Why something may not be done: a refusal that has not been raised.

    ``legal`` asks the same functions as ``decide`` and only needs to know whether there is one.
    """

    code: str
    rule: str
    hint: str
    pointer: str = ""

    def refused(self) -> Refused:
        """The refusal, to be raised."""
        return Refused(self.code, self.rule, self.hint, self.pointer)
