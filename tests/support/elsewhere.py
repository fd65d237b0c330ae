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

KINDS = {
    "loops": "while True: pass",
    "eats memory": "bytearray(2 << 30)",
    "opens a socket": "__import__('socket').socket()",
    "reads a file": "open('/etc/passwd').read()",
    "exits": "__import__('os')._exit(1)",
    "answers late": "__import__('time').sleep(25)",
    "answers another request": (
        "[_write(fd, bytes(3) + b'\\2' + bytes(7) + b'\\1{}') for fd in range(3, 12)]"
    ),
}
"""What any function of the rules may try, by name."""

DECIDING = (
    "opening", "domains", "sides", "decide", "evolve", "legal", "redact", "pending", "awaiting",
    "result", "secrets", "usual", "scores", "odds", "chances", "prospects",
)  # fmt: skip
SHOWING = ("describe", "says", "board", "scene", "calls", "figures", "suppose")
FUNCTIONS = (*DECIDING, *SHOWING)


def turns_for(function: str, kind: str) -> int:
    """Of a game in which that function tries that."""
    return 1_000 + 10 * FUNCTIONS.index(function) + list(KINDS).index(kind)


EVERYWHERE = """

def _write(fd, data):
    try:
        __import__("os").write(fd, data)
    except OSError:
        pass


def _turns(value):
    if value is None:
        return 0
    options = getattr(value, "options", None) or {}
    left = getattr(value, "left", getattr(value, "turns", 0))
    return options.get("turns", left)


def harmed(number, true):
    def function(*given):
        code = max(map(_turns, given)) - 1000 - 10 * number
        if 0 <= code < 10:
            HARMS[code]()
        return true(*given)
    return function


def _harms():
{kinds}
    return [{names}]


HARMS = _harms()
"""

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


DICE = {
    21: ("main", ((1, 1),), "pub"),
    22: ("main", ((1, 1 << 70),), "pub"),
    23: ("main", ((1_000_000, 6),), "pub"),
    24: ("main", ((-1, 6),), "pub"),
    25: ("m" * 300, ((1, 6),), "pub"),
    26: ("", ((1, 6),), "pub"),
    27: ("main", ((1, 6),), "side:nobody"),
    28: ("main", ((1, 1.5),), "pub"),
    29: ("main", ((1, 1),), "pub"),
}
"""By the number of turns, dice that no record can have: label, pools (number, faces), domain. Asked
for when the first seat has chosen; those of the last one as the game begins."""

ASKING = """

from domain.kernel.chance import Awaited, Dice

DICE = {dice}


def wrong(state, true=ENGINE.awaiting):
    other = bool(state.colours) or (state.left < 29 and state.choices[0] is None)
    if state.left not in DICE or other:
        return true(state)
    label, pools, domain = DICE[state.left]
    return Awaited(label, tuple(Dice(*pool) for pool in pools), "p1", domain)


def strange_domains(setup, true=ENGINE.domains):
    return ("pub", "\u2603") if setup.options.get("turns") == 30 else true(setup)


object.__setattr__(ENGINE, "awaiting", wrong)
object.__setattr__(ENGINE, "domains", strange_domains)
"""


DECLARED = ("GAME: Game[State, Command, AnyEvent] = ", "GAME = ")


def _everywhere() -> str:
    bodies = [
        f"    def harm{place}():\n        {what}" for place, what in enumerate(KINDS.values())
    ]
    names = ", ".join(f"harm{place}" for place in range(len(KINDS)))
    return EVERYWHERE.replace("{kinds}", "\n".join(bodies)).replace("{names}", names)


def _wrapped(name: str, functions: tuple[str, ...]) -> str:
    """Lines that put what does harm around functions of a record."""
    lines = []
    for each in functions:
        home = f"{name}.insight" if each in ("calls", "figures", "suppose") else name
        true = f"harmed({FUNCTIONS.index(each)}, {home}.{each})"
        lines.append(f'object.__setattr__({home}, "{each}", {true})\n')
    return "".join(lines)


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
    text = rules.read_text("utf-8") + ADDED.format(harms=harms)
    text += ASKING.replace("{dice}", repr(DICE)) + _everywhere()
    rules.write_text(text + _wrapped("ENGINE", DECIDING), "utf-8")
    shown = whole / "game.py"
    text = "\n\nfrom .rules.engine import harmed\n" + _wrapped("GAME", SHOWING)
    shown.write_text(shown.read_text("utf-8").replace(*DECLARED) + text, "utf-8")
    sys.path.insert(0, str(folder))
    invalidate_caches()
    try:
        yield import_module(f"{PACKAGE}.pennant.game").GAME
    finally:
        sys.path.remove(str(folder))
        for name in [each for each in sys.modules if each.partition(".")[0] == PACKAGE]:
            del sys.modules[name]
