"""Crash images of the store, of a recording of its own for each piece.

What a disk may hold when the power goes, at each point of it: tests/simulation/images.py.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from tests.simulation.images import judged, record, steps

from .pieces import Done

COMMANDS, TABLES = 40, 3
DROP = 0.0
"""Syncs that the disk swallows: a fault that is planted."""


def piece(number: int) -> Done:
    """A recording with that many tables more or less, and every image of it."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "recorded"
        record(folder, COMMANDS, 1 + number % TABLES)
        with (folder / "log").open("r", encoding="ascii") as lines:
            tally = judged(steps(lines), drop=DROP)
    return Done(tally.images, tally.wrong, {"acknowledgements": [tally.acks]})
