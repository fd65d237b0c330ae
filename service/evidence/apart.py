"""Where an engine that a game names runs: apart from the judge, who only asks it."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager

from ..engines import wall
from ..engines.outside import Outside
from .shelf import Found
from .verdict import Undecidable

Ask = Callable[[bytes], bytes]
"""Gives the answer to a request of interface 1. Raises Failed."""

Apart = Callable[[Found], AbstractContextManager[Ask]]
"""Begins an engine, and ends it. Raises Failed; Undecidable where it may not run here."""


@contextlib.contextmanager
def process(found: Found) -> Iterator[Ask]:
    """In a process of its own, behind a wall; without one only what the judge vouches for."""
    start = wall.walled() or (wall.plain() if found.vouched else None)
    if start is None:
        raise Undecidable(
            f"the rules (engine {found.digest[:16]} from {found.place}) are not on this judge's "
            "list, and there is no wall for them here: install bubblewrap"
        )
    with Outside(start, found.archive) as engine:
        yield engine.ask
