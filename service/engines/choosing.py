"""Numbers that a word decides: whoever has the word draws the same ones, in whichever process."""

from __future__ import annotations

import hashlib


class Chooser:
    """A number below n at each call, by the seed and by how many were drawn before."""

    def __init__(self, seed: str) -> None:
        self.seed = seed
        self._count = 0

    def __call__(self, n: int) -> int:
        self._count += 1
        digest = hashlib.sha256(f"decklog/fork\n{self.seed}\n{self._count}".encode()).digest()
        return int.from_bytes(digest, "big") % n
