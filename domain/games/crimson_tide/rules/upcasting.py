"""Data of the past, put into the form of today where a default was another one."""

from __future__ import annotations

from typing import Any

from ....kernel.event import Upcaster
from ....kernel.fork import NAME as FORKED


def _from_the_side(data: dict[str, Any]) -> dict[str, Any]:
    """Options of before that name nothing: lines over land began at the side (CT-AMB-18)."""
    agreed: dict[str, Any] = data.get("options", {})
    return data | {"options": {"terrainSightFrom": "side", **agreed}}


def _position(data: dict[str, Any]) -> dict[str, Any]:
    return data | {"state": _from_the_side(data["state"])} if data.get("state") else data


UPCASTERS: dict[tuple[str, int], Upcaster] = {
    ("game-opened", 1): _from_the_side,
    (FORKED, 2): _position,
}
"""A game opened, and a fork begun, while ``side`` was what was left out."""
