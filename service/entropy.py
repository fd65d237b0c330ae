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


SYSTEM = SystemEntropy()
"""What is asked where nobody gives another one."""


def drawn(entropy: Entropy, count: int) -> str:
    """So many bytes in hexadecimal, lower case."""
    return entropy.draw(count).hex()
