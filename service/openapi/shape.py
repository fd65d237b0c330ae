"""From msgspec's JSON Schemas to the narrow dialect that every client generator understands.

No prefixItems, nothing beside a $ref, oneOf with a full mapping, const tags, null as a type.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from functools import wraps
from typing import Any

import msgspec

from service.http.routes import camel

from .reworded import REWORDED

Schema = dict[str, Any]

REF = "#/components/schemas/"

WORDS = "x-extensible-enum"
"""The words that a text of an answer is one of, as far as this document knows: a client that is
older than a word reads it all the same, which an ``enum`` would not let it.
"""

_NULL = {"type": "null"}


def reference(to: type | str) -> Schema:
    """To a component, by its struct or its name."""
    return {"$ref": REF + (to if isinstance(to, str) else to.__name__)}


def everywhere(change: Callable[[Schema], Schema]) -> Callable[[Any], Any]:
    """``change`` of a schema, for lists of them and for plain values too."""

    @wraps(change)
    def changed(part: Any) -> Any:
        if isinstance(part, list):
            return [changed(each) for each in part]
        return change(part) if isinstance(part, dict) else part

    return changed


@everywhere
def tidy(schema: Schema) -> Schema:
    """``schema`` in our dialect, with everything inside it."""
    if "$ref" in schema:
        return {"$ref": schema["$ref"]}
    found = {name: tidy_part(name, value) for name, value in schema.items() if name != "title"}
    for change in (_union, _enum, _tuple):
        found = change(found)
    if "description" in found:
        _describe(found)
        found["description"] = REWORDED.get(found["description"], found["description"])
    for field in found.get("properties", {}).values():
        if "description" in field and _nullable(field):
            field["description"] = re.sub(r"\bNone\b", "null", field["description"])
        if "description" in field:
            field["description"] = REWORDED.get(field["description"], field["description"])
    return found


def _nullable(schema: Schema) -> bool:
    return "null" in schema.get("type", ()) or _NULL in schema.get("oneOf", ())


_TIMES = re.compile(r"at|\w+At|due|since|until|timestamp")


def dated(schema: Schema) -> Schema:
    """An object of the service with the format of its times, which are those that say when.

    Not for a ruleset's: a unit is set up ``at`` a sector.
    """
    for name, field in schema.get("properties", {}).items():
        told = field.get("additionalProperties", field)
        if _TIMES.fullmatch(name) and told.get("type") in ("string", ["string", "null"]):
            told["format"] = "date-time"
    return schema


_FIELD = re.compile(r"(\w+(?:, \w+)*) +(\S.*)")
_ROLE = re.compile(r":\w+:`~?([^`]+)`")
_CODE = re.compile(r"`[^`]+`")
_SNAKE = re.compile(r"\b[a-z]+(?:_[a-z0-9]+)+\b")
_TABLE = re.compile(r"The\s+text of each option is in options\.toml(?:\.|;\s+(\w))")
"""Where the source has the words that the document shows."""
_FILE = re.compile(r" \((?:\w+/)?\w+\.(?:py|md|toml)[^)]*\)|\b\w+\.py\b")
_INSTEAD = {
    "`PUBLIC_DOMAIN`": "`pub`",
    "`side_domain(seat)`": "`side:` with the seat",
    "`SEALED_DOMAIN`": "`sealed`",
    "`LAND_BASE`": "`land-base`",
    "`MasterOpened`": "`decklog.master-opened`",
    "`GameClosed`": "`decklog.game-closed`",
    "`ChainRenewed`": "`decklog.chain-renewed`",
    "`RulesChanged`": "`decklog.rules-changed`",
    "see `Options`": "as the option of that name",
    " (`what_is_passed_on`)": "",
    " (section 6.4 of the inventory)": "",
    " where the inventory has it, else ": " for a rule of the rulebook, else ",
    "`<g data-key>`": "its `data-key`",
}
"""Names of our program that stand for a value."""


def worded(text: str) -> str:
    """A docstring's text for readers who know nothing of our program: code in single marks, fields
    as they are sent, files of rules as what they hold."""
    said = _ROLE.sub(lambda found: f"`{_last(found[1])}`", text).replace("``", "`")
    for name, value in _INSTEAD.items():
        said = said.replace(name, value)
    said = _TABLE.sub(lambda found: (found[1] or "").upper(), said)
    said = _FILE.sub(lambda found: "" if found[0].startswith(" ") else "the rules", said)
    return _CODE.sub(lambda found: _SNAKE.sub(lambda name: camel(name[0]), found[0]), said)


def _last(name: str) -> str:
    """Of a reference in a docstring: what it shows, without where that is."""
    return name.partition(" <")[0].rpartition(".")[2]


def _describe(schema: Schema) -> None:
    """Hand the lines of a docstring that explain fields down to the fields."""
    properties: Schema = schema.get("properties", {})
    kept: list[str] = []
    current: list[Schema] = []
    for line in inspect.cleandoc(worded(schema["description"])).splitlines():
        match = _FIELD.fullmatch(line)
        names = [camel(name) for name in match[1].split(", ")] if match else []
        if match and all("$ref" not in properties.get(name, {"$ref": ""}) for name in names):
            current = [properties[name] for name in names]
            for field in current:
                field.setdefault("description", match[2])
        elif current and line.startswith(" "):
            for field in current:
                field["description"] += " " + line.strip()
        else:
            current = []
            if match and all(name in properties for name in names):
                kept.append(f"{', '.join(f'`{name}`' for name in names)}: {match[2]}")
            elif line.startswith(" ") and kept:
                kept[-1] += " " + line.strip()
            else:
                kept.append(line)
    schema["description"] = "\n".join(kept).strip()


def inherited(schema: Schema, struct: type[msgspec.Struct]) -> None:
    """The words for its fields that stand at the types which the struct is made from."""
    properties = schema.get("properties", {})
    for base in struct.__mro__[1:]:
        bare: dict[str, Schema] = {
            name: {} for name, told in properties.items() if not {"description", "$ref"} & set(told)
        }
        _describe({"description": base.__doc__ or "", "properties": bare})
        for name, words in ((name, told["description"]) for name, told in bare.items() if told):
            properties[name]["description"] = REWORDED.get(words, words)


def tidy_part(name: str, value: Any) -> Any:
    """One keyword's value; what is data and not schema stays as it is."""
    if name == "default":
        return msgspec.json.decode(msgspec.json.encode(value))
    if name in ("enum", "const", "examples", "mapping", "required"):
        return value
    if name == "properties":
        return {key: tidy(part) for key, part in value.items()}
    return tidy(value)


def _union(schema: Schema) -> Schema:
    """``anyOf`` as ``oneOf``, and null as a type where the rest is one plain type."""
    if "anyOf" not in schema:
        return schema
    rest = {name: value for name, value in schema.items() if name != "anyOf"}
    branches = [branch for branch in schema["anyOf"] if branch != _NULL]
    nullable = len(branches) < len(schema["anyOf"])
    branches = _one_list([b for b in branches if not _contained(b, branches)])
    if len(branches) > 1 and all(set(b) == {"type"} for b in branches):
        branches = [{"type": [b["type"] for b in branches]}]
    if "discriminator" in rest:
        branches = [{"oneOf": branches, "discriminator": rest.pop("discriminator")}]
    if len(branches) == 1:
        return rest | (_or_null(branches[0]) if nullable else branches[0])
    return rest | {"oneOf": [*branches, _NULL] if nullable else branches}


def _one_list(branches: list[Schema]) -> list[Schema]:
    """Several closed lists of texts as one."""
    if len(branches) < 2 or not all(b.get("type") == "string" and _values(b) for b in branches):
        return branches
    values = dict.fromkeys(value for branch in branches for value in _values(branch))
    return [{"type": "string", "enum": list(values)}]


def _values(branch: Schema) -> list[str]:
    return [branch["const"]] if "const" in branch else branch.get("enum", [])


def _contained(branch: Schema, branches: list[Schema]) -> bool:
    """Whether another branch takes all that this one takes: of the two, one alone may match."""
    kind = branch.get("type")
    return {"enum", "const"} & set(branch) != set() and any(
        other.get("type") == kind and set(other) <= {"type", "maxLength"} for other in branches
    )


def _or_null(schema: Schema) -> Schema:
    kind = schema.get("type")
    if "discriminator" in schema:
        # A judge of tags looks at objects alone: to it, null would fit the union as well.
        return {"oneOf": [{"type": "object", **schema}, _NULL]}
    if kind is None or {"enum", "const", "oneOf"} & set(schema):
        return {"oneOf": [schema, _NULL]}
    kinds = kind if isinstance(kind, list) else [kind]
    return schema | {"type": [*kinds, "null"]}


def _enum(schema: Schema) -> Schema:
    values = schema.get("enum")
    if not isinstance(values, list):
        return schema
    rest = {name: value for name, value in schema.items() if name != "enum"}
    if all(isinstance(value, str) for value in values):
        rest["type"] = "string"
    elif all(isinstance(value, int) for value in values):
        rest["type"] = "integer"
    return rest | ({"const": values[0]} if len(values) == 1 else {"enum": values})


def _tuple(schema: Schema) -> Schema:
    """A tuple of fixed places as an array of that length whose items may be any of them."""
    places = schema.get("prefixItems")
    if places is None:
        return schema
    rest = {name: value for name, value in schema.items() if name not in ("prefixItems", "items")}
    kinds: list[Schema] = []
    for place in places:
        if place not in kinds:
            kinds.append(place)
    return rest | {"items": kinds[0] if len(kinds) == 1 else {"anyOf": kinds}}


def references(schema: Any) -> set[str]:
    """Names of the components that ``schema`` refers to directly."""
    if isinstance(schema, list):
        return set().union(*(references(item) for item in schema)) if schema else set()
    if not isinstance(schema, dict):
        return set()
    here = {schema["$ref"].removeprefix(REF)} if "$ref" in schema else set()
    return here.union(*(references(value) for value in schema.values()))


def closure(names: set[str], components: dict[str, Schema]) -> set[str]:
    """``names`` and every component that they lead to."""
    seen: set[str] = set()
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        if name not in seen:
            seen.add(name)
            waiting.extend(references(components[name]))
    return seen


@everywhere
def bounded(schema: Schema) -> Schema:
    """A request's schema with the bounds that hold for every body (``service.http.decoding``)."""
    found = {
        name: value if name in ("default", "mapping", "required") else bounded(value)
        for name, value in schema.items()
    }
    for kind, limits in _BOUNDS.items():
        if found.get("type") == kind and not {"const", "enum", "properties"} & set(found):
            found = {**limits, **found}
    return found


_BOUNDS: dict[str, Schema] = {
    "string": {"maxLength": 4096},
    "array": {"maxItems": 2000},
    "object": {"maxProperties": 2000},
    "integer": {"minimum": -(2**53) + 1, "maximum": 2**53 - 1},
}


@everywhere
def opened(schema: Schema) -> Schema:
    """An answer's schema: open, so that fields and words may be added within v1."""
    found = {
        name: value if name == "mapping" else opened(value)
        for name, value in schema.items()
        if not (name == "additionalProperties" and value is False)
    }
    if found.get("type") == "string" and "enum" in found:
        found[WORDS] = found.pop("enum")
    return found
