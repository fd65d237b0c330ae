"""Ed25519 (RFC 8032): checking a signature in every place where the judge runs.

The page's judge has no library for it, so the check is written out here, with `hashlib` and whole
numbers alone; nothing secret ever enters it. Where `cryptography` is installed, that checks, and
signs. Both refuse the same: keys and points that are not in their one form or of small order, and
a second form of the number S.
"""

from __future__ import annotations

import hashlib
from functools import cache, lru_cache
from typing import Any, Final

KEY_BYTES: Final = 32
SIGNATURE_BYTES: Final = 64

_P: Final = 2**255 - 19
_ORDER: Final = 2**252 + 27742317777372353535851937790883648493
_D: Final = -121665 * pow(121666, _P - 2, _P) % _P
_ROOT: Final = pow(2, (_P - 1) // 4, _P)
"""A square root of -1."""

_Point = tuple[int, int, int, int]
"""Extended coordinates: X, Y, Z, T with x = X/Z, y = Y/Z, xy = T/Z."""

_ZERO: Final[_Point] = (0, 1, 1, 0)


def verify(public: bytes, message: bytes, signature: bytes) -> bool:
    """Whether ``signature`` is that of ``message`` under the key ``public``."""
    if not _is_well_formed(public, signature):
        return False
    library = _library()
    if library is None:
        return verify_plainly(public, message, signature)
    return _verified_by(library, public, message, signature)


def verify_plainly(public: bytes, message: bytes, signature: bytes) -> bool:
    """As :func:`verify`, without any library."""
    if not _is_well_formed(public, signature):
        return False
    key = _decoded(public)
    assert key is not None, "it is well formed"
    digest = hashlib.sha512(signature[:32] + public + message).digest()
    challenge = int.from_bytes(digest, "little") % _ORDER
    s = int.from_bytes(signature[32:], "little")
    # R = sB - hA, compared as bytes: R has one form.
    minus: _Point = (_P - key[0], key[1], key[2], _P - key[3])
    return _encoded(_sum(_times(s, _base()), _times(challenge, minus))) == signature[:32]


@lru_cache(1024)
def is_key(public: bytes) -> bool:
    """Whether the bytes are a public key that anything may be checked by."""
    if len(public) != KEY_BYTES:
        return False
    point = _decoded(public)
    return point is not None and _encoded(_times(8, point)) != _encoded(_ZERO)


def _is_well_formed(public: bytes, signature: bytes) -> bool:
    if len(signature) != SIGNATURE_BYTES or not is_key(public):
        return False
    return int.from_bytes(signature[32:], "little") < _ORDER


@cache
def _library() -> Any:
    try:
        from cryptography.hazmat.primitives.asymmetric import ed25519
    except ImportError:
        return None
    return ed25519


def _verified_by(library: Any, public: bytes, message: bytes, signature: bytes) -> bool:
    from cryptography.exceptions import InvalidSignature

    try:
        library.Ed25519PublicKey.from_public_bytes(public).verify(signature, message)
    except InvalidSignature:
        return False
    return True


# The curve -x^2 + y^2 = 1 + d x^2 y^2


def _sum(one: _Point, other: _Point) -> _Point:
    a = (one[1] - one[0]) * (other[1] - other[0]) % _P
    b = (one[1] + one[0]) * (other[1] + other[0]) % _P
    c = 2 * one[3] * other[3] * _D % _P
    d = 2 * one[2] * other[2] % _P
    e, f, g, h = b - a, d - c, d + c, b + a
    return (e * f % _P, g * h % _P, f * g % _P, e * h % _P)


def _times(number: int, point: _Point) -> _Point:
    found = _ZERO
    while number:
        if number & 1:
            found = _sum(found, point)
        point = _sum(point, point)
        number >>= 1
    return found


def _encoded(point: _Point) -> bytes:
    inverse = pow(point[2], _P - 2, _P)
    x, y = point[0] * inverse % _P, point[1] * inverse % _P
    return (y | (x & 1) << 255).to_bytes(32, "little")


def _decoded(data: bytes) -> _Point | None:
    """The point, or None where the bytes are none in its one form."""
    number = int.from_bytes(data, "little")
    sign, y = number >> 255, number & (2**255 - 1)
    x = _x_of(y, sign) if y < _P else None
    return None if x is None else (x, y, 1, x * y % _P)


def _x_of(y: int, sign: int) -> int | None:
    square = (y * y - 1) * pow(_D * y * y + 1, _P - 2, _P) % _P
    x = pow(square, (_P + 3) // 8, _P)
    if (x * x - square) % _P:
        x = x * _ROOT % _P
    if (x * x - square) % _P or (x == 0 and sign):
        return None
    return _P - x if x & 1 != sign else x


@cache
def _base() -> _Point:
    y = 4 * pow(5, _P - 2, _P) % _P
    x = _x_of(y, 0)
    assert x is not None
    return (x, y, 1, x * y % _P)
