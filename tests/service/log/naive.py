"""RFC 6962, section 2.1, as it is written there: over the list of all leaves."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import cache

Data = tuple[bytes, ...]


def digest(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()


def k(n: int) -> int:
    """The largest power of two smaller than n."""
    found = 1
    while found * 2 < n:
        found *= 2
    return found


class Tree:
    """Hashes and proofs of the prefixes of one list."""

    def __init__(self, data: Sequence[bytes]) -> None:
        self.data = tuple(data)
        self.mth = cache(self._mth)

    def _mth(self, lo: int, hi: int) -> bytes:
        """MTH(D[lo:hi])."""
        if lo == hi:
            return digest(b"")
        if hi - lo == 1:
            return digest(b"\x00" + self.data[lo])
        at = lo + k(hi - lo)
        return digest(b"\x01" + self.mth(lo, at) + self.mth(at, hi))

    def path(self, m: int, lo: int, hi: int) -> list[bytes]:
        """PATH(m, D[lo:hi])."""
        n = hi - lo
        if n == 1:
            return []
        if m < k(n):
            return [*self.path(m, lo, lo + k(n)), self.mth(lo + k(n), hi)]
        return [*self.path(m - k(n), lo + k(n), hi), self.mth(lo, lo + k(n))]

    def subproof(self, m: int, lo: int, hi: int, b: bool) -> list[bytes]:
        """SUBPROOF(m, D[lo:hi], b)."""
        n = hi - lo
        if m == n:
            return [] if b else [self.mth(lo, hi)]
        if m <= k(n):
            return [*self.subproof(m, lo, lo + k(n), b), self.mth(lo + k(n), hi)]
        return [*self.subproof(m - k(n), lo + k(n), hi, False), self.mth(lo, lo + k(n))]
