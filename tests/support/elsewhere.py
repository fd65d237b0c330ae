"""Pennant as somebody else's package: no rule of this build, whatever it does to decide.

How many turns a game has says what its rules try at the first order (``HARMS``); any other number
is played as Pennant is. With 17 they come to no end over what is usual.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module, invalidate_caches
from pathlib import Path
from typing import Any

from tests.support import pennant

PACKAGE = "elsewhere_harmful"

HARMS = {
    11: "__import__('time').sleep(25)",
    12: "bytearray(2 << 30)",
    13: "__import__('socket').socket()",
    14: "open('/etc/passwd').read()",
    15: "__import__('os')._exit(1)",
    16: "while True: pass",
}
"""By the number of turns."""

ADDED = """

def harmful(state, seat, command):
    if not state.colours and state.choices == (None, None):
{harms}
    return COURSE.decide(state, seat, command)


def idle(state, question):
    while state.left == 17:
        pass
    return COURSE.usual(state, question)


object.__setattr__(ENGINE, "decide", harmful)
object.__setattr__(ENGINE, "usual", idle)
"""


@contextmanager
def game(folder: Path) -> Iterator[Any]:
    """The installed ruleset, out of files below ``folder``."""
    whole = folder / PACKAGE / "pennant"
    shutil.copytree(Path(sys.modules[pennant.GAME.state.__module__].__file__ or "").parents[1],
                    whole, ignore=shutil.ignore_patterns("__pycache__"))  # fmt: skip
    (folder / PACKAGE / "__init__.py").write_text('"""Of somebody else."""\n', "utf-8")
    rules = whole / "rules" / "engine.py"
    harms = "\n".join(
        f"        if state.left == {turns}:\n            {harm}" for turns, harm in HARMS.items()
    )
    rules.write_text(rules.read_text("utf-8") + ADDED.format(harms=harms), "utf-8")
    sys.path.insert(0, str(folder))
    invalidate_caches()
    try:
        yield import_module(f"{PACKAGE}.pennant.game").GAME
    finally:
        sys.path.remove(str(folder))
        for name in [each for each in sys.modules if each.partition(".")[0] == PACKAGE]:
            del sys.modules[name]
