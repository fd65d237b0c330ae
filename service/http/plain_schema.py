"""JSON Schemas that are sent as data: whole in themselves, without a reference.

A reference into ``$defs`` is resolved by many tools against the document in which they find the
schema as an example, where it leads nowhere.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

DEFINITIONS = "$defs"
TO_DEFINITION = f"#/{DEFINITIONS}/"


def inlined(schema: Mapping[str, Any]) -> dict[str, Any]:
    """``schema`` with each definition put where it is referred to.

    Raises ValueError for a definition that contains itself.
    """
    definitions = schema.get(DEFINITIONS, {})
    rest = {name: value for name, value in schema.items() if name != DEFINITIONS}
    found: dict[str, Any] = _resolved(rest, definitions, ())
    return found


def _resolved(node: Any, definitions: Mapping[str, Any], inside: tuple[str, ...]) -> Any:
    if isinstance(node, list):
        return [_resolved(part, definitions, inside) for part in node]
    if not isinstance(node, dict):
        return node
    target = node.get("$ref")
    if isinstance(target, str):
        name = target.removeprefix(TO_DEFINITION)
        if name in inside:
            raise ValueError(f"the definition {name} contains itself")
        beside = {key: value for key, value in node.items() if key != "$ref"}
        return _resolved({**definitions[name], **beside}, definitions, (*inside, name))
    found = {key: _resolved(part, definitions, inside) for key, part in node.items()}
    if isinstance(found.get("discriminator"), dict):
        # Its mapping names definitions, which are no longer there; the tags are constants.
        found["discriminator"] = {"propertyName": found["discriminator"]["propertyName"]}
    return found
