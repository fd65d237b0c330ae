"""Whether a stored form only grew: all that was written in the old one is read, and means the same.

The rule is that of the contract's differ (service/openapi/differ.py) for what a service accepts:
it may only grow. Two things are stricter, for what is read here is also written again, byte for
byte: a default is a meaning (what was left out stood for it), and a field never loses or gains one.

Free is: a field more, with a default, of a struct that leaves defaults out; a word more of a closed
list; a branch more of a union, ``null`` too (nothing that is stored is in it); a looser bound.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

Schema = Mapping[str, Any]
Form = Mapping[str, Schema]
"""The components of a stored form by name, as ``tests.support.frozen.form`` makes them."""

_REF = "$ref"
_BOUNDS = {
    "minimum": 1, "exclusiveMinimum": 1, "minLength": 1, "minItems": 1,
    "maximum": -1, "exclusiveMaximum": -1, "maxLength": -1, "maxItems": -1,
    "minProperties": 1, "maxProperties": -1, "multipleOf": 0, "pattern": 0,
}  # fmt: skip
"""Bounds, and whether a greater (1), a smaller (-1) or any other one (0) lets less through."""

_COMPARED = {
    "type", "enum", "const", "properties", "required", "items", "prefixItems", "default",
    "propertyNames", *_BOUNDS,
}  # fmt: skip
_SILENT = {"title", "examples", "discriminator", "additionalProperties"}
"""What says nothing more, or is looked at by itself."""


def breaks(old: Form, new: Form, keeping: frozenset[str] = frozenset()) -> list[str]:
    """What stored data would notice, as sentences; none if the form only grew.

    keeping  titles of the structs that write their defaults out: a field more is written, too
    """
    found = _Comparison(old, new, keeping).schema({_REF: _root(old)}, {_REF: _root(new)}, "")
    return list(dict.fromkeys(found))


def _root(form: Form) -> str:
    """The event's own component: the one that no other one mentions."""
    inner = {name for schema in form.values() for name in _mentioned(schema)}
    (root,) = form.keys() - inner
    return root


def _mentioned(part: Any) -> Iterator[str]:
    if isinstance(part, dict):
        if isinstance(part.get(_REF), str):
            yield part[_REF]
        for value in part.values():
            yield from _mentioned(value)
    elif isinstance(part, list):
        for value in part:
            yield from _mentioned(value)


class _Comparison:
    """Two forms; names of components are of no account, and each pair is compared once."""

    def __init__(self, old: Form, new: Form, keeping: frozenset[str]) -> None:
        self._old, self._new, self._keeping = old, new, keeping
        self._seen: set[tuple[str, str]] = set()

    def schema(self, old: Schema, new: Schema, at: str) -> Iterator[str]:
        """A value that is a union is compared branch by branch."""
        if old.get("default", self) != new.get("default", self):
            yield f"{at}: its default is another one"
        told = _tag_field(old, new)
        before, after = _branches(self._old, old, told), _branches(self._new, new, told)
        for name in before:
            if name in after:
                yield from self._branch(before[name], after[name], at)
            else:
                yield f"{at}: no {name} any more"

    def _branch(self, old: Schema, new: Schema, at: str) -> Iterator[str]:
        pair = (old.get(_REF, ""), new.get(_REF, ""))
        if pair in self._seen and all(pair):
            return
        self._seen.add(pair)
        before, after = _resolved(self._old, old), _resolved(self._new, new)
        unknown = (before.keys() | after.keys()) - _COMPARED - _SILENT - {_REF, "anyOf"}
        yield from (f"{at}: what {word} means is not known here" for word in sorted(unknown))
        yield from _words(before, after, at)
        yield from _tighter(before, after, at)
        yield from self._properties(before, after, at)
        yield from self._items(before, after, at)

    def _properties(self, old: Schema, new: Schema, at: str) -> Iterator[str]:
        before, after = old.get("properties", {}), new.get("properties", {})
        for name in before.keys() - after.keys():
            yield f"{at}.{name}: gone"
        for name in after.keys() - before.keys():
            if name in new.get("required", ()):
                yield f"{at}.{name}: new and without a default"
            elif new.get("title", "").partition("[")[0] in self._keeping:
                yield f"{at}.{name}: new, and its struct writes defaults out (omit_defaults)"
        for name in before.keys() & after.keys():
            if (name in old.get("required", ())) != (name in new.get("required", ())):
                yield f"{at}.{name}: gained or lost its default"
            yield from self.schema(before[name], after[name], f"{at}.{name}")
        yield from self._others(old, new, at)

    def _others(self, old: Schema, new: Schema, at: str) -> Iterator[str]:
        """Keys that are not named: those of a dict, or none."""
        before, after = (each.get("additionalProperties", True) for each in (old, new))
        if isinstance(before, dict) and isinstance(after, dict):
            yield from self.schema(before, after, f"{at}{{}}")
        elif before != after and not (before is False and after is True):
            yield f"{at}: other keys"
        if "propertyNames" in new:
            yield from self.schema(old.get("propertyNames", {}), new["propertyNames"], f"{at} key")

    def _items(self, old: Schema, new: Schema, at: str) -> Iterator[str]:
        before, after = old.get("prefixItems", ()), new.get("prefixItems", ())
        if len(before) != len(after):
            yield f"{at}: {len(before)} places became {len(after)}"
        for place, (one, other) in enumerate(zip(before, after, strict=False)):
            yield from self.schema(one, other, f"{at}[{place}]")
        inner, now = old.get("items", False), new.get("items", False)
        if isinstance(inner, dict) and isinstance(now, dict):
            yield from self.schema(inner, now, f"{at}[]")
        elif inner != now:
            yield f"{at}: what it holds"


def _words(old: Schema, new: Schema, at: str) -> Iterator[str]:
    if old.get("type") != new.get("type"):
        yield f"{at}: {old.get('type')} became {new.get('type')}"
    before, after = (_listed(each) for each in (old, new))
    if before is None and after is not None:
        yield f"{at}: only {sorted(after)} any more"
    elif after is not None:
        yield from (f"{at}: no {word} any more" for word in sorted((before or set()) - after))


def _listed(schema: Schema) -> set[str] | None:
    if "const" in schema:
        return {str(schema["const"])}
    return {str(word) for word in schema["enum"]} if "enum" in schema else None


def _tighter(old: Schema, new: Schema, at: str) -> Iterator[str]:
    for name, sign in _BOUNDS.items():
        before, after = old.get(name), new.get(name)
        if after is None or before == after:
            continue
        if before is None or not sign or (after - before) * sign > 0:
            yield f"{at}: {name} was {before} and is {after}"


def _resolved(form: Form, schema: Schema) -> Schema:
    return form[schema[_REF]] if _REF in schema else schema


def _tag_field(*schemas: Schema) -> str:
    """What the branches of a union are told by; one of the two forms is enough to know it."""
    inner = [part for each in schemas for part in (each, *each.get("anyOf", ()))]
    named = (each["discriminator"]["propertyName"] for each in inner if "discriminator" in each)
    return str(next(named, ""))


def _branches(form: Form, schema: Schema, tag_field: str) -> dict[str, Schema]:
    """What a value may be, by its tag, else by its one kind: ``null``, ``array``, ``object``."""
    found: dict[str, Schema] = {}
    for branch in _flat(schema):
        resolved = _resolved(form, branch)
        words = resolved.get("properties", {}).get(tag_field, {}).get("enum", ())
        name = " ".join((resolved.get("type", "word"), *words))
        assert name not in found or "enum" in resolved, f"two branches are of the kind {name}"
        both = name in found  # two closed lists of words are one
        found[name] = {"enum": [*found[name]["enum"], *resolved["enum"]]} if both else branch
    return found


def _flat(schema: Schema) -> Iterator[Schema]:
    """The branches of a union, those of a union within it too."""
    if "anyOf" not in schema:
        yield schema
    for branch in schema.get("anyOf", ()):
        yield from _flat(branch)
