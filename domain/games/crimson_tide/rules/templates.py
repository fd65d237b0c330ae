"""Templates of the commands whose space is too large to list: places, dives, points."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import msgspec

from ....kernel.commands import tag_of
from ....kernel.options import Template, TemplateRefusal
from ....kernel.values import Seat
from .cards import cards
from .commands import Deploy, Dive, PlaceUnit
from .placing import to_place, zone
from .sight_lines import afloat
from .state import PointOfTable, State

SchemaOf = dict[str, Any]


Refusals = tuple[TemplateRefusal, ...]

OFF_TABLE = TemplateRefusal("place.off-table", "CT-SETUP-02")
OUTSIDE_ZONE = TemplateRefusal("place.outside-zone", "CT-SETUP-02")
OVERLAP = TemplateRefusal("place.overlap", "CT-SETUP-02")
ON_LAND = TemplateRefusal("place.on-land", "CT-SETUP-02")


def built(command: type, text: str, properties: SchemaOf, refusals: Refusals = ()) -> Template:
    """A template whose properties are all required and closed."""
    schema = {
        "type": "object",
        "required": ["type", *properties],
        "additionalProperties": False,
        "properties": {"type": {"const": tag_of(command)}, **properties},
    }
    raw = {key: msgspec.Raw(msgspec.json.encode(value)) for key, value in schema.items()}
    return Template(tag_of(command), text, raw, refusals)


def place_template(state: State, seat: Seat) -> Template:
    """Where each unit may be set up: the part of the table that its middle may be in.

    What it cannot say: at the edges of that part the heading decides; land and other bases.
    """
    names = tuple(dict.fromkeys(to_place(state, seat)))
    zones = tuple((name, *zone(state, seat, cards()[name])) for name in names)
    return _place(zones, tuple(_unsaid(state, names)))


def _unsaid(state: State, names: tuple[str, ...]) -> Iterator[TemplateRefusal]:
    """What the heading decides at the edges; land and other bases, where there are any."""
    yield OFF_TABLE
    if any(cards()[name].kind == "ship" for name in names):
        yield OUTSIDE_ZONE
    if any(afloat(state, unit) for unit in state.all_units):
        yield OVERLAP
    if any(not piece.shallow for piece in state.land):
        yield ON_LAND


@lru_cache(maxsize=256)
def _place(
    zones: tuple[tuple[str, PointOfTable, PointOfTable], ...], refusals: Refusals
) -> Template:
    wholes = [_box(min(z[1][i] for z in zones), max(z[2][i] for z in zones)) for i in (0, 1)]
    template = built(
        PlaceUnit,
        "Place a unit: middle of its base in wu, heading in half degrees.",
        {
            "card": {"enum": [name for name, _, _ in zones]},
            "x": wholes[0],
            "y": wholes[1],
            "heading": {"type": "integer", "minimum": 0, "maximum": 719},
        },
    )
    each = [
        {"properties": {"card": {"const": name}, "x": _box(a[0], b[0]), "y": _box(a[1], b[1])}}
        for name, a, b in zones
    ]
    schema = template.schema | {"oneOf": msgspec.Raw(msgspec.json.encode(each))}
    return Template(template.type, template.text, schema, refusals)


def _box(least: int, most: int) -> SchemaOf:
    return {"type": "integer", "minimum": least, "maximum": most}


@lru_cache(maxsize=64)
def dive_template(names: tuple[str, ...]) -> Template:
    """Any of one's submarines may be submerged."""
    items = {"type": "array", "uniqueItems": True, "items": {"enum": names}}
    return built(Dive, "Name the submarines that are submerged.", {"submerged": items})


def deploy_template(state: State, names: tuple[str, ...]) -> Template:
    """An aircraft may fly free at any point of the table."""
    return _deploy(names, *state.table)


@lru_cache(maxsize=256)
def _deploy(names: tuple[str, ...], width: int, length: int) -> Template:
    x = {"type": "integer", "minimum": 0, "maximum": width}
    y = {"type": "integer", "minimum": 0, "maximum": length}
    at = {"type": "array", "prefixItems": [x, y], "minItems": 2, "maxItems": 2}
    return built(
        Deploy,
        "Place an aircraft free at any point of the table.",
        {"unit": {"enum": names}, "mission": {"const": "free"}, "at": at},
    )
