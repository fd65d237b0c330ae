"""Python's garbage collector, for programs whose values are trees: they are freed by counting.

It goes through all objects again and again in search of circles, and finds next to none.
"""

from __future__ import annotations

import gc

NEW_OBJECTS = 20_000
"""New objects before it looks at the youngest; 700 without this."""


def look_rarely() -> None:
    """From the start of a program on: what it imports stays; looking there was a tenth of it."""
    gc.set_threshold(NEW_OBJECTS, 50, 100)


def spare_what_is_there() -> None:
    """Look rarely, and never at what is there by now.

    Walking through all games in memory took a sixth of the time of a command. What is garbage by
    now stays: fewer objects than one in fifty, and to find them took a fifteenth of the start.
    """
    look_rarely()
    gc.freeze()
