"""Makes a failing world small: fewer people and commands, then fewer harms (delta debugging).

Each try is a whole world in a process of its own. It fails in the same way if what was found is of
the same kind, which its words say when times, ids and figures are struck out of them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from .run import Found, Wish

Try = Callable[[Wish], Found]
COMMANDS = (5, 10, 20, 40, 80, 160)
FEWER: tuple[tuple[str, tuple[int, ...]], ...] = (
    ("tables", (1, 2, 3)), ("readers", (0, 1)), ("workers", (1, 2, 3)),
)  # fmt: skip


class Small(NamedTuple):
    """The smallest world that was found, and after how many tries."""

    wish: Wish
    found: Found
    tries: int


def kind(found: Found) -> str:
    """What went wrong, without what differs from one world to the next."""
    text = found.faults[0] if found.faults else ""
    return re.sub(r"[0-9a-f]{8,}|[0-9.]+|'[^']*'|\[.*", "*", text)[:48]


def size(found: Found) -> int:
    """Commands and harms together: fewer harms may let more commands pass before it fails."""
    return found.commands + len(found.harms)


def small(wish: Wish, found: Found, attempt: Try, most: int = 200) -> Small:
    """The world, made as small as ``most`` tries make it."""
    return _Shrinking(wish, found, attempt, most).run()


class _Shrinking:
    def __init__(self, wish: Wish, found: Found, attempt: Try, most: int) -> None:
        self.wish, self.found, self._attempt, self._most = wish, found, attempt, most
        self._kind = kind(found)
        self.tries = 0

    def run(self) -> Small:
        for name, values in FEWER:
            self._first(self._with(name, value) for value in values)
        self._first(
            self.wish._replace(commands=few) for few in COMMANDS if few < self.wish.commands
        )
        self._first([self.wish._replace(allowed=frozenset(self.found.harms))])
        self._harms()
        return Small(self.wish, self.found, self.tries)

    def _with(self, name: str, value: int) -> Wish:
        rest = tuple(each for each in self.wish.changes if each[0] != name)
        return self.wish._replace(changes=(*rest, (name, value)))

    def _first(self, wishes: Iterable[Wish]) -> bool:
        """Take the first of them that fails in the same way."""
        return any(self._takes(wish) for wish in wishes)

    def _takes(self, wish: Wish) -> bool:
        if self.tries >= self._most:
            return False
        self.tries += 1
        found = self._attempt(wish)
        if not found.faults or kind(found) != self._kind or size(found) > size(self.found):
            return False  # a world of fewer people may fail later, and by more harms
        self.wish, self.found = wish, found
        return True

    def _harms(self) -> None:
        """Leave out halves of the harms, then quarters, down to each by itself."""
        parts = 2
        while self.found.harms and self.tries < self._most:
            harms = self.found.harms
            size = max(1, -(-len(harms) // parts))
            if self._first(self._without(harms, at, size) for at in range(0, len(harms), size)):
                parts = max(2, parts - 1)
            elif size == 1:
                return
            else:
                parts = min(len(harms), parts * 2)

    def _without(self, harms: Sequence[str], at: int, size: int) -> Wish:
        return self.wish._replace(allowed=frozenset((*harms[:at], *harms[at + size :])))
