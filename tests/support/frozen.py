"""The stored form of every event, frozen: what was written once is read for ever.

tests/frozen/<game>.json holds, for each event type and schema number, its form (a JSON Schema) and
an example as it is stored. ``python -m tests.support.frozen`` adds types that are new and changes
nothing else: a new form of an old type needs a new schema number and an upcaster. Only what no
release has written yet may be struck from the file and frozen anew.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec

from tests.support.suites import TESTS, Suite, suites


def file(suite: Suite) -> Path:
    """Where a game's stored forms are frozen."""
    return TESTS / "frozen" / f"{suite.folder}.json"


def load(suite: Suite) -> dict[str, dict[str, Any]]:
    """What is frozen, by stored name and schema number: ``war-at-sea.unit-moved.v1``."""
    frozen: dict[str, dict[str, Any]] = json.loads(file(suite).read_text("utf-8"))
    return frozen


def key(suite: Suite, type_: type[Any]) -> str:
    """Name and number under which a type's present form is frozen."""
    return f"{suite.game.ruleset}.{type_.NAME}.v{type_.SCHEMA}"


def form(type_: type[Any]) -> dict[str, Any]:
    """The stored form of a type: fields, types, defaults, those of its parts included."""
    (schema,), parts = msgspec.json.schema_components([type_], ref_template="{name}")
    built: dict[str, Any] = json.loads(msgspec.json.encode([schema, parts]))[1]
    return {name: _bare(part) for name, part in built.items()}


def _bare(part: Any) -> Any:
    """Descriptions and extensions (an option's rule) are for readers and may change."""
    if isinstance(part, dict):
        told = {name for name in part if name == "description" or name.startswith("x-")}
        return {name: _bare(value) for name, value in part.items() if name not in told}
    return [_bare(each) for each in part] if isinstance(part, list) else part


def examples(suite: Suite) -> dict[str, Any]:
    """One event of each type, the richest of some random games where they have one."""
    codec = suite.codec
    found: dict[str, bytes] = {key(suite, type(event)): codec.encode(event) for event in suite.rare}
    for seed in range(12):
        for event in suite.sample(seed):
            data, name = codec.encode(event), key(suite, type(event))
            if len(found.get(name, b"")) < len(data):
                found[name] = data
    return {name: json.loads(data) for name, data in found.items()}


def freeze(suite: Suite) -> None:
    """Freeze the types that are not frozen yet."""
    frozen = load(suite) if file(suite).exists() else {}
    fresh = [type_ for type_ in suite.game.events if key(suite, type_) not in frozen]
    shown = examples(suite) if fresh else {}
    for type_ in fresh:
        name = key(suite, type_)
        frozen[name] = {"form": form(type_), "example": shown[name]}
        print(f"frozen: {name}")
    lines = [
        f"{json.dumps(name)}: {json.dumps(entry, separators=(',', ':'), sort_keys=True)}"
        for name, entry in sorted(frozen.items())
    ]
    file(suite).parent.mkdir(exist_ok=True)
    file(suite).write_text("{\n" + ",\n".join(lines) + "\n}\n", "utf-8")


if __name__ == "__main__":
    for each in suites().values():
        freeze(each)
