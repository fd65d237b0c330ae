"""Fixed-point arithmetic: directions are scaled by 2**24, and there is one rounding."""

from __future__ import annotations

from .....kernel.rules import rule

ONE = 1 << 24
"""The number 1 as a component of a unit vector."""

TURN = 720
"""Ticks of a full circle."""

RIGHT_ANGLE = 180
"""Ticks of 90 degrees."""


@rule("CT-GEOM-05")
def rdiv(a: int, b: int) -> int:
    """``a / b`` to the nearest whole number, halves away from zero; ``b`` is positive.

    Symmetric about zero, so a mirrored or turned table gives the mirrored or turned result.
    """
    return (2 * a + b) // (2 * b) if a >= 0 else -((b - 2 * a) // (2 * b))
