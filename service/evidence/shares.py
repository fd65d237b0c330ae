"""A secret in shares of which two make it whole again, and one tells nothing (Shamir, GF(256)).

Byte by byte: a line through the secret at 0, whose slope is drawn; share x is its point at x.
The field is that of AES, x^8 + x^4 + x^3 + x + 1.
"""

from __future__ import annotations

from typing import Final

COUNT: Final = 3
NEEDED: Final = 2
_FIELD: Final = 0x11B


def split(secret: bytes, slopes: bytes) -> tuple[bytes, ...]:
    """The shares numbered from 1; ``slopes`` are drawn, as long as the secret, and forgotten."""
    if len(slopes) != len(secret):
        raise ValueError("a slope for each byte")
    return tuple(
        bytes(s ^ times(slope, number) for s, slope in zip(secret, slopes, strict=True))
        for number in range(1, COUNT + 1)
    )


def joined(first: tuple[int, bytes], second: tuple[int, bytes]) -> bytes:
    """The secret, of two shares with their numbers. Raises ValueError for one share twice."""
    (a, one), (b, other) = first, second
    if a == b or len(one) != len(other) or not (0 < a <= COUNT and 0 < b <= COUNT):
        raise ValueError("two different shares of one secret are needed")
    below = inverse(a ^ b)
    left, right = times(b, below), times(a, below)
    return bytes(times(x, left) ^ times(y, right) for x, y in zip(one, other, strict=True))


def times(a: int, b: int) -> int:
    """The product in the field."""
    found = 0
    while b:
        if b & 1:
            found ^= a
        a, b = a << 1, b >> 1
        if a > 0xFF:
            a ^= _FIELD
    return found


def inverse(a: int) -> int:
    """1 / a in the field, of any a but 0."""
    found = 1
    for _ in range(254):
        found = times(found, a)
    return found
