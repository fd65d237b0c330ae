"""The words in which ability files are written."""

from __future__ import annotations

IMPLEMENTED: frozenset[str] = frozenset({"flagship", "base-squadrons"})


def implemented() -> frozenset[str]:
    """Ability families whose effects the engine plays."""
    return IMPLEMENTED
