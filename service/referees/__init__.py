"""Second opinions: an independent referee for each game. Read README.md here first.

A referee is a module here, named like its ruleset, with ``judge(events, over)``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from domain.kernel.codec import Codec, full

from .verdict import Events, Verdict

Judge = Callable[[Events, bool], Verdict]
"""The verdict on a game's events; with whether its rules have ended it."""


def referee(ruleset: str) -> Judge | None:
    """The referee of a ruleset; None where there is none."""
    name = f"{__name__}.{ruleset.replace('-', '_')}"
    if find_spec(name) is None:
        return None
    judge: Judge | None = getattr(import_module(name), "judge", None)
    return judge


def told(codec: Codec[Any], events: Iterable[Any]) -> Events:
    """Events as a referee takes them: the stored type, and every field, usual values too."""
    return [(codec.name(event), full(event)) for event in events]
