"""Garbage is looked for less often in a run of tests, and never among what the run is made of.

The tests and all that they import are a million objects that live to the end of the run. Python
walks them again and again in search of circles, for a third of what tests of the service take.
"""

from __future__ import annotations

import gc

import pytest

NEW_OBJECTS = 50_000
"""So many more objects than before make Python look; 700 without this."""
OLDER = (20, 50)


gc.set_threshold(NEW_OBJECTS, *OLDER)


@pytest.hookimpl(trylast=True)
def pytest_collection_finish() -> None:
    gc.freeze()


def every_object() -> list[object]:
    """All objects that Python's collector knows, what is frozen too, which then is so again."""
    gc.unfreeze()
    found = gc.get_objects()
    gc.freeze()
    return found
