"""What happened, with its outcome. Events are stored for ever: a change here is a migration."""

from __future__ import annotations

from typing import ClassVar

from .values import Value


class Event(Value, frozen=True, omit_defaults=True):
    """Base of every event.

    NAME     stable stored name without the ruleset, kebab-case: ``"attack-resolved"``
    SCHEMA   version of the stored form; a change of shape is a new number and an upcaster
    rules    IDs of the rules that decided
    """

    NAME: ClassVar[str] = ""
    SCHEMA: ClassVar[int] = 1

    rules: tuple[str, ...] = ()
