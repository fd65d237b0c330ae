"""Signatures of public beacons: BLS over the curve BLS12-381, points of G1, keys of G2 (RFC 9380).

The page's judge has no library for it, and whoever reads on needs none: the check is written out
with whole numbers alone, and nothing secret ever enters it. It takes a tenth of a second. Two
libraries were asked, and answer alike.

Fp12 is Fp2[w] with w^6 = 1 + u, an element a tuple of six; Fp2 is Fp[u] with u^2 = -1.
"""

from __future__ import annotations

import hashlib
from functools import cache, lru_cache
from typing import Final

from . import isogeny

TAG: Final = b"BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_"
"""What a message is hashed onto the curve under."""

SIGNATURE_BYTES: Final = 48
KEY_BYTES: Final = 96

P: Final = int(
    "1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f624"
    "1eabfffeb153ffffb9feffffffffaaab", 16
)  # fmt: skip
ORDER: Final = 0x73EDA753299D7D483339D80809A1D80553BDA402FFFE5BFEFFFFFFFF00000001
_X: Final = 0xD201000000010000
"""The curve's parameter, without its sign: by which both orders are made."""
_HARD: Final = (P**4 - P**2 + 1) // ORDER

Fp2 = tuple[int, int]
Fp12 = tuple[Fp2, ...]
Point = tuple[int, int] | None
"""Of G1; None is the point at infinity."""
Twisted = tuple[Fp2, Fp2]
"""A point of G2, on the twist."""

BASE: Final[Twisted] = (
    (
        int(
            "024aa2b2f08f0a91260805272dc51051c6e47ad4fa403b02"
            "b4510b647ae3d1770bac0326a805bbefd48056c8c121bdb8", 16
        ),
        int(
            "13e02b6052719f607dacd3a088274f65596bd0d09920b61a"
            "b5da61bbdc7f5049334cf11213945d57e5ac7d055d042b7e", 16
        ),
    ),
    (
        int(
            "0ce5d527727d6e118cc9cdc6da2e351aadfd9baa8cbdd3a7"
            "6d429a695160d12c923ac9cc3baca289e193548608b82801", 16
        ),
        int(
            "0606c4a02ea734cc32acd2b02bc28b99cb3e287e85a763af"
            "267492ab572e99ab3f370d275cec1da1aaa9075ff05f79be", 16
        ),
    ),
)  # fmt: skip


def verify(public: bytes, message: bytes, signature: bytes) -> bool:
    """Whether ``signature`` is that of ``message`` under the key ``public``."""
    if (len(public), len(signature)) != (KEY_BYTES, SIGNATURE_BYTES):
        return False
    key, signed = _key(public), _point(signature)
    if key is None or signed is None or times(signed, ORDER) is not None:
        return False
    hashed = onto_curve(message)
    made = multiplied(_miller(minus(signed), BASE), _miller(hashed, key))
    return _is_one(made)


# The field Fp2


def _mul(a: Fp2, b: Fp2) -> Fp2:
    first, second = a[0] * b[0], a[1] * b[1]
    return ((first - second) % P, ((a[0] + a[1]) * (b[0] + b[1]) - first - second) % P)


def _add(a: Fp2, b: Fp2) -> Fp2:
    return (a[0] + b[0], a[1] + b[1])


def _sub(a: Fp2, b: Fp2) -> Fp2:
    return (a[0] - b[0], a[1] - b[1])


def _scaled(a: Fp2, by: int) -> Fp2:
    return (a[0] * by % P, a[1] * by % P)


def _inverse(a: Fp2) -> Fp2:
    norm = pow(a[0] * a[0] + a[1] * a[1], -1, P)
    return (a[0] * norm % P, -a[1] * norm % P)


def _power(a: Fp2, exponent: int) -> Fp2:
    found: Fp2 = (1, 0)
    for bit in bin(exponent)[2:]:
        found = _mul(found, found)
        if bit == "1":
            found = _mul(found, a)
    return found


def _root(a: Fp2) -> Fp2 | None:
    """A square root, by Adj and Rodriguez-Henriquez; None where there is none."""
    first = _power(a, (P - 3) // 4)
    alpha, found = _mul(_mul(first, first), a), _mul(first, a)
    if alpha == (P - 1, 0):
        found = _mul((0, 1), found)
    else:
        found = _mul(_power(_add((1, 0), alpha), (P - 1) // 2), found)
    return found if _mul(found, found) == (a[0] % P, a[1] % P) else None


# The field Fp12, and the pairing


_NONE: Final[Fp2] = (0, 0)
_ONE: Final[Fp12] = ((1, 0), _NONE, _NONE, _NONE, _NONE, _NONE)


def multiplied(a: Fp12, b: Fp12) -> Fp12:
    """Their product."""
    real, imaginary = [0] * 11, [0] * 11
    for i, (a0, a1) in enumerate(a):
        if not a0 and not a1:
            continue
        for j, (b0, b1) in enumerate(b):
            real[i + j] += a0 * b0 - a1 * b1
            imaginary[i + j] += a0 * b1 + a1 * b0
    for k in range(6, 11):  # w^6 = 1 + u
        real[k - 6] += real[k] - imaginary[k]
        imaginary[k - 6] += real[k] + imaginary[k]
    return tuple((real[k] % P, imaginary[k] % P) for k in range(6))


def _line(at: Point, of: Twisted, slope: Fp2) -> Fp12:
    """The line through a point of G2 with this slope, at a point of G1; but for a factor that the
    last power takes away."""
    assert at is not None
    zero = _sub(_mul(slope, of[0]), of[1])
    x = _scaled(slope, -at[0])
    return (zero, _NONE, x, (at[1], 0), _NONE, _NONE)


def _miller(at: Point, of: Twisted) -> Fp12:
    """Miller's loop; by the sign of X the inverse, and so of a product as well."""
    found, point = _ONE, of
    for bit in bin(_X)[3:]:
        slope = _mul(_scaled(_mul(point[0], point[0]), 3), _inverse(_scaled(point[1], 2)))
        found = multiplied(multiplied(found, found), _line(at, point, slope))
        point = _met(point, point, slope)
        if bit == "1":
            slope = _mul(_sub(of[1], point[1]), _inverse(_sub(of[0], point[0])))
            found = multiplied(found, _line(at, point, slope))
            point = _met(point, of, slope)
    return found


def _met(a: Twisted, b: Twisted, slope: Fp2) -> Twisted:
    """The sum of two points, by the slope of the line through them."""
    x = _sub(_mul(slope, slope), _add(a[0], b[0]))
    y = _sub(_mul(slope, _sub(a[0], x)), a[1])
    return ((x[0] % P, x[1] % P), (y[0] % P, y[1] % P))


def _is_one(made: Fp12) -> bool:
    """Whether the product of pairings is one.

    Its last power is (p^6 - 1)(p^2 + 1) _HARD. With h = made^((p^2 + 1) _HARD) it is one where
    h^(p^6) is h, that is, where h has no odd power of w: that power turns each of them round.
    """
    hard = _ONE
    for bit in bin(_HARD)[2:]:
        hard = multiplied(hard, hard)
        if bit == "1":
            hard = multiplied(hard, made)
    found = multiplied(_twice_conjugated(hard), hard)
    return any(map(any, found)) and not any(map(any, found[1::2]))


def _twice_conjugated(a: Fp12) -> Fp12:
    """a^(p^2): each power of w by a root of one, which is in Fp."""
    return tuple(_scaled(each, root) for each, root in zip(a, _roots(), strict=True))


@cache
def _roots() -> tuple[int, ...]:
    root = _power((1, 1), (P * P - 1) // 6)
    assert root[1] == 0, "a root of one of order six is in Fp"
    return tuple(pow(root[0], k, P) for k in range(6))


# G1


def plus(a: Point, b: Point) -> Point:
    """The sum of two points."""
    if a is None or b is None:
        return b if a is None else a
    if a[0] == b[0]:
        if (a[1] + b[1]) % P == 0:
            return None
        slope = 3 * a[0] * a[0] * pow(2 * a[1], -1, P) % P
    else:
        slope = (b[1] - a[1]) * pow(b[0] - a[0], -1, P) % P
    x = (slope * slope - a[0] - b[0]) % P
    return (x, (slope * (a[0] - x) - a[1]) % P)


def minus(a: Point) -> Point:
    """The same on the other side."""
    return None if a is None else (a[0], -a[1] % P)


def times(a: Point, number: int) -> Point:
    """The point so many times."""
    found: Point = None
    for bit in bin(number)[2:]:
        found = plus(found, found)
        if bit == "1":
            found = plus(found, a)
    return found


def compressed(a: Point) -> bytes:
    """The one form of a point of G1."""
    if a is None:
        return b"\xc0" + bytes(SIGNATURE_BYTES - 1)
    flags = 0x80 | (0x20 if a[1] > P - a[1] else 0)
    text = a[0].to_bytes(SIGNATURE_BYTES, "big")
    return bytes([text[0] | flags]) + text[1:]


def _point(text: bytes) -> Point:
    """A point of the curve, which may not be of G1; None where it is none, or infinity."""
    flags, x = text[0] & 0xE0, int.from_bytes(bytes([text[0] & 0x1F]) + text[1:], "big")
    if flags & 0xC0 != 0x80 or x >= P:
        return None
    y = pow(x**3 + 4, (P + 1) // 4, P)
    if (y * y - x**3 - 4) % P:
        return None
    return (x, y if (y > P - y) == bool(flags & 0x20) else P - y)


@lru_cache(16)
def _key(text: bytes) -> Twisted | None:
    """A key: a point of G2; None where it is none."""
    flags = text[0] & 0xE0
    high = int.from_bytes(bytes([text[0] & 0x1F]) + text[1:48], "big")
    x: Fp2 = (int.from_bytes(text[48:], "big"), high)
    if flags & 0xC0 != 0x80 or x[0] >= P or x[1] >= P:
        return None
    y = _root(_add(_mul(_mul(x, x), x), (4, 4)))
    if y is None:
        return None
    greater = (y[1], y[0]) > ((-y[1]) % P, (-y[0]) % P)
    point = (x, y if greater == bool(flags & 0x20) else (-y[0] % P, -y[1] % P))
    return point if _is_of_g2(point) else None


def _is_of_g2(point: Twisted) -> bool:
    """Whether so many times of it are nothing: ORDER - 1 times it is what it is turned round."""
    found = point
    for bit in bin(ORDER - 1)[3:]:
        slope = _mul(_scaled(_mul(found[0], found[0]), 3), _inverse(_scaled(found[1], 2)))
        found = _met(found, found, slope)
        if bit == "1":
            if found[0] == point[0]:
                return False
            slope = _mul(_sub(point[1], found[1]), _inverse(_sub(point[0], found[0])))
            found = _met(found, point, slope)
    return found == (point[0], (-point[1][0] % P, -point[1][1] % P))


def onto_curve(message: bytes, tag: bytes = TAG) -> Point:
    """The point of G1 that a message is hashed to (RFC 9380, 3)."""
    text = _expanded(message, tag, 128)
    halves = [int.from_bytes(text[at : at + 64], "big") % P for at in (0, 64)]
    first, second = (_mapped(_swu(each)) for each in halves)
    return times(plus(first, second), _X + 1)


def _expanded(message: bytes, tag: bytes, length: int) -> bytes:
    """expand_message_xmd with SHA-256 (RFC 9380, 5.3.1)."""
    end = tag + bytes([len(tag)])
    start = hashlib.sha256(bytes(64) + message + length.to_bytes(2, "big") + b"\x00" + end).digest()
    block = out = hashlib.sha256(start + b"\x01" + end).digest()
    for number in range(2, length // 32 + 1):
        mixed = bytes(a ^ b for a, b in zip(start, block, strict=True))
        block = hashlib.sha256(mixed + bytes([number]) + end).digest()
        out += block
    return out


def _swu(u: int) -> tuple[int, int]:
    """A point of the curve that is mapped from (RFC 9380, 6.6.2, with Z = 11)."""
    a, b = isogeny.A, isogeny.B
    zu = 11 * u * u % P
    low = (zu * zu + zu) % P
    x = (-b * pow(a, -1, P) * (1 + pow(low, -1, P)) if low else b * pow(11 * a, -1, P)) % P
    right = (x**3 + a * x + b) % P
    y = pow(right, (P + 1) // 4, P)
    if (y * y - right) % P:
        x = zu * x % P
        y = pow(x**3 + a * x + b, (P + 1) // 4, P)
    return (x, y if u % 2 == y % 2 else P - y)


def _mapped(point: tuple[int, int]) -> Point:
    """The same on the curve of BLS12-381; where a denominator is none, infinity."""
    x, y = point
    down = [_value(each, x) for each in (isogeny.X_BOTTOM, isogeny.Y_BOTTOM)]
    if not all(down):
        return None
    new = _value(isogeny.X_TOP, x) * pow(down[0], -1, P) % P
    return (new, y * _value(isogeny.Y_TOP, x) * pow(down[1], -1, P) % P)


def _value(polynomial: tuple[int, ...], x: int) -> int:
    found = 0
    for coefficient in reversed(polynomial):
        found = (found * x + coefficient) % P
    return found
