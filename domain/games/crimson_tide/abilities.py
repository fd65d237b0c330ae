"""The special abilities as data: what they are called, what they do, which rules they change."""

from __future__ import annotations

from functools import cache

from ...kernel.data import load_toml
from ...kernel.values import Value
from .cards import PACKAGE


class Family(Value, frozen=True):
    """One special ability; ``negative`` ones have to be applied, whatever happens (CT-SA-05)."""

    id: str
    name: str
    text: str
    rules: tuple[str, ...]
    negative: bool = False


class _File(Value, frozen=True):
    """``abilities.toml``."""

    ability: tuple[Family, ...]


@cache
def abilities() -> dict[str, Family]:
    """Every special ability by its ID."""
    return {each.id: each for each in load_toml(PACKAGE, "abilities.toml", _File).ability}
