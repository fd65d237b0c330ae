"""Finds projections: each module of this folder that has a ``PROJECTION``, and entry points."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Mapping
from functools import cache
from importlib.metadata import entry_points

import projections

from .follow import Projection

GROUP = "decklog.projections"
NAME = projections.__name__


def found() -> Mapping[str, Projection]:
    """Every projection by its name, in the order of the names. Raises ValueError for two alike."""
    ours = (
        getattr(importlib.import_module(f"{NAME}.{module.name}"), "PROJECTION", None)
        for module in pkgutil.iter_modules(projections.__path__)
    )
    every = [each for each in (*ours, *_theirs()) if isinstance(each, Projection)]
    names = [each.name for each in every]
    if len(names) != len(set(names)):
        raise ValueError(f"two projections have one name: {', '.join(sorted(names))}")
    return {each.name: each for each in sorted(every, key=lambda each: each.name)}


@cache
def _theirs() -> tuple[object, ...]:
    """What the entry points lead to; asked for once: all that is installed is gone through."""
    return tuple(point.load() for point in entry_points(group=GROUP))
