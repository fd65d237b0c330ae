"""Templates of the commands whose space is too large to list: places, dives, points."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import msgspec

from ...kernel.options import Template
from ...kernel.values import Seat
from .rules.placing import to_place
from .state import State

SchemaOf = dict[str, Any]


def built(type_: str, text: str, properties: SchemaOf) -> Template:
    """A template whose properties are all required and closed."""
    schema = {
        "type": "object",
        "required": ["type", *properties],
        "additionalProperties": False,
        "properties": {"type": {"const": type_}, **properties},
    }
    return Template(
        type_, text, {key: msgspec.Raw(msgspec.json.encode(value)) for key, value in schema.items()}
    )


def place_template(state: State, seat: Seat) -> Template:
    """Where a unit may be set up: any point and heading; the zone is checked by the rules."""
    return _place(tuple(dict.fromkeys(to_place(state, seat))), *state.table)


@lru_cache(maxsize=256)
def _place(names: tuple[str, ...], width: int, length: int) -> Template:
    return built(
        "place",
        "Place a unit: middle of its base in wu, heading in half degrees.",
        {
            "card": {"enum": names},
            "x": {"type": "integer", "minimum": 0, "maximum": width},
            "y": {"type": "integer", "minimum": 0, "maximum": length},
            "heading": {"type": "integer", "minimum": 0, "maximum": 719},
        },
    )


@lru_cache(maxsize=64)
def dive_template(names: tuple[str, ...]) -> Template:
    """Any of one's submarines may be submerged."""
    items = {"type": "array", "uniqueItems": True, "items": {"enum": names}}
    return built("dive", "Name the submarines that are submerged.", {"submerged": items})


def deploy_template(state: State, names: tuple[str, ...]) -> Template:
    """An aircraft may fly free at any point of the table."""
    return _deploy(names, *state.table)


@lru_cache(maxsize=256)
def _deploy(names: tuple[str, ...], width: int, length: int) -> Template:
    x = {"type": "integer", "minimum": 0, "maximum": width}
    y = {"type": "integer", "minimum": 0, "maximum": length}
    at = {"type": "array", "prefixItems": [x, y], "minItems": 2, "maxItems": 2}
    return built(
        "deploy",
        "Place an aircraft free at any point of the table.",
        {"unit": {"enum": names}, "mission": {"const": "free"}, "at": at},
    )
