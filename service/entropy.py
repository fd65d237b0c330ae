"""Chance comes in at one place: secrets of games, tokens, ids; a simulation gives its own."""

from __future__ import annotations

import secrets
from typing import Protocol


class Entropy(Protocol):
    """What the service needs of a source of bytes that nobody can foresee. From any thread."""

    def draw(self, count: int) -> bytes:
        """So many bytes."""
        ...


class SystemEntropy:
    """The generator of the operating system."""

    def draw(self, count: int) -> bytes:
        return secrets.token_bytes(count)


class Ahead:
    """Many small draws by one thread, for one piece of work: the source is asked once for several.

    Each call into the system lets go of the interpreter's lock, and the event loop takes it.
    """

    def __init__(self, source: Entropy, block: int) -> None:
        """``block``: the bytes that are asked of the source at once, when the first are needed."""
        self._source = source
        self._block = block
        self._left = b""

    def draw(self, count: int) -> bytes:
        if len(self._left) < count:
            self._left = self._source.draw(max(count, self._block))
        drawn, self._left = self._left[:count], self._left[count:]
        return drawn


SYSTEM = SystemEntropy()
"""What is asked where nobody gives another one."""


def drawn(entropy: Entropy, count: int) -> str:
    """So many bytes in hexadecimal, lower case."""
    return entropy.draw(count).hex()
