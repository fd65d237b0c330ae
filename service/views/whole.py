"""Where a version stands: behind all that a command has led to, or within it."""

from __future__ import annotations

from collections.abc import Sequence

from projections.stream import SeenEvent

from ..evidence.papers import ALONE


def is_whole(around: Sequence[SeenEvent]) -> bool:
    """Whether the second event, if there is one, is none of what led to the first."""
    if len(around) == 1 or any(each.type in ALONE and not each.caused_by for each in around):
        return True
    return around[0].caused_by != around[1].caused_by
