"""Where the choice is continuous the list has both: some commands that are ready, and a template
that describes these and closes every parameter (contract, rule 9)."""

from __future__ import annotations

import random
from collections import Counter
from itertools import islice
from typing import Any

import msgspec
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from domain.kernel import conformance
from domain.kernel.options import Options

from .random_battles import game_of, setup_of
from .seas import SEATS

COMMANDS = 150
"""Steps of each battle that are looked at."""


def plain(value: Any) -> Any:
    return msgspec.json.decode(msgspec.json.encode(value))


def closed(schema: dict[str, Any]) -> bool:
    """Whether a parameter has a finite set of values."""
    if "enum" in schema or "const" in schema or schema.get("type") == "boolean":
        return True
    if schema.get("type") == "integer":
        return {"minimum", "maximum"} <= set(schema)
    if schema.get("type") == "array":
        parts = [*schema.get("prefixItems", ()), *([schema["items"]] if "items" in schema else ())]
        return bool(parts) and all(closed(part) for part in parts)
    if schema.get("type") == "object":
        return all(closed(part) for part in schema["properties"].values())
    return any(closed(part) for part in schema.get("oneOf", schema.get("anyOf", ())))


def named(command: dict[str, Any]) -> dict[str, Any]:
    """The command without what is empty: a template does not name what may be left out."""
    return {name: value for name, value in command.items() if value != ""}


def look(options: Options[Any], seen: Counter[str]) -> None:
    """Every template is closed, and describes the ready commands of its type."""
    schemas: dict[str, list[dict[str, Any]]] = {}
    for template in options.templates:
        schema = plain(template)["schema"]
        assert schema["additionalProperties"] is False
        open_ones = {n: s for n, s in schema["properties"].items() if not closed(s)}
        assert open_ones == {}, template.type
        schemas.setdefault(template.type, []).append(schema)
    for kind, found in schemas.items():
        ready = [named(plain(c)) for c in options.commands if c.__struct_config__.tag == kind]
        assert ready or options.commands, kind
        for command in ready:
            if command.get("mission", "free") != "free":
                continue  # where the missions are flown to is finite, and listed whole
            assert any(Draft202012Validator(each).is_valid(command) for each in found), command
            seen[kind] += 1


def test_ready_commands_and_closed_templates_stand_side_by_side() -> None:
    seen: Counter[str] = Counter()
    phases = set()
    for seed in (1, 2):
        game, setup = game_of(seed), setup_of(seed)
        played = conformance.play(game, setup, random.Random(seed).randrange)
        for step in islice(played, COMMANDS):
            for seat in SEATS:
                options = game.legal(step.state, seat)
                if options.templates:
                    phases.add(step.state.phase)
                    look(options, seen)
    assert phases >= {"movement", "placing", "air-deployment"}
    assert sum(seen.values()) > 100
    assert seen["move"] > seen["deploy"] > 0
