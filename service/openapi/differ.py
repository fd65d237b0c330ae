"""What has changed between two versions of the document, and whether clients may break by it.

``differences(old, new)`` compares operations, parameters, bodies, answers, headers, codes and
schemas. Whether a change is breaking depends on its direction: what a request accepts may only
grow, what an answer promises may only grow. The list for people is in ``openapi/CHANGES.md``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Literal, NamedTuple

from .shape import REF, WORDS

Document = Mapping[str, Any]
Schema = Mapping[str, Any]
Way = Literal["request", "answer"]


class Change(NamedTuple):
    """One difference. ``rule`` names the sentence of CHANGES.md by which it is judged."""

    breaking: bool
    rule: str
    where: str

    def __str__(self) -> str:
        return f"{'breaking' if self.breaking else 'additive'}  {self.rule}  {self.where}"


def differences(old: Document, new: Document) -> list[Change]:
    """Every difference that clients can notice, breaking ones first."""
    found = dict.fromkeys((*_operations(old, new), *_unrouted(old, new)))
    return sorted(found, key=lambda change: (not change.breaking, change.where, change.rule))


def _operations(old: Document, new: Document) -> Iterator[Change]:
    before, after = _by_place(old), _by_place(new)
    for place in before.keys() | after.keys():
        if place not in after:
            yield Change(True, "operation-removed", place)
        elif place not in before:
            yield Change(False, "operation-added", place)
        else:
            yield from Comparison(old, new, place).operation(before[place], after[place])


def _by_place(document: Document) -> dict[str, Mapping[str, Any]]:
    """Operations by ``METHOD path``; names of path parameters are part of the path."""
    return {
        f"{method.upper()} {path}": operation
        for path, item in document["paths"].items()
        for method, operation in item.items()
    }


def _unrouted(old: Document, new: Document) -> Iterator[Change]:
    for code in set(old.get("x-unrouted", {})) - set(new.get("x-unrouted", {})):
        yield Change(True, "code-removed", code)


class Comparison:
    """Two versions of one operation.

    ``seen`` holds the pairs of components that are being compared, for schemas that lead to
    themselves; each is compared once in each direction.
    """

    def __init__(self, old: Document, new: Document, place: str) -> None:
        self.old, self.new, self.place = old, new, place
        self.seen: set[tuple[Way, str, str]] = set()

    def operation(self, old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[Change]:
        """All that differs."""
        if old["operationId"] != new["operationId"]:
            yield Change(True, "operation-renamed", f"{self.place}: {old['operationId']}")
        if new.get("deprecated") and not old.get("deprecated"):
            yield Change(False, "operation-deprecated", self.place)
        if {} in old.get("security", [{}]) and {} not in new.get("security", [{}]):
            yield Change(True, "token-required", self.place)
        yield from self._parameters(old, new)
        yield from self._body(old.get("requestBody"), new.get("requestBody"))
        yield from self._answers(old["responses"], new["responses"])

    # --- requests --------------------------------------------------------------------------------

    def _parameters(self, old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[Change]:
        before = {(p["in"], p["name"]): p for p in old.get("parameters", ())}
        after = {(p["in"], p["name"]): p for p in new.get("parameters", ())}
        for key in before.keys() | after.keys():
            where = f"{self.place}: {key[1]} in {key[0]}"
            if key not in after:
                yield Change(True, "parameter-removed", where)
            elif key not in before:
                needed = after[key].get("required", False)
                yield Change(needed, "parameter-required" if needed else "parameter-added", where)
            else:
                if after[key].get("required") and not before[key].get("required"):
                    yield Change(True, "parameter-required", where)
                yield from self.schema(
                    before[key]["schema"], after[key]["schema"], "request", where
                )

    def _body(self, old: Any, new: Any) -> Iterator[Change]:
        where = f"{self.place}: body"
        if old is None or new is None:
            if old is not None:
                yield Change(True, "body-removed", where)
            elif new is not None:
                needed = new.get("required", False)
                yield Change(needed, "body-required" if needed else "body-added", where)
            return
        if new.get("required") and not old.get("required"):
            yield Change(True, "body-required", where)
        yield from self._contents(old["content"], new["content"], "request", where)

    # --- answers ---------------------------------------------------------------------------------

    def _answers(self, old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[Change]:
        yield from self._codes(old, new)
        for status in old.keys() | new.keys():
            where = f"{self.place}: {status}"
            if status not in new:
                yield Change(status < "400", "status-removed", where)
            elif status not in old:
                yield Change(status < "400", "status-added", where)
            else:
                yield from self._answer(old[status], new[status], where)

    def _answer(
        self, old: Mapping[str, Any], new: Mapping[str, Any], where: str
    ) -> Iterator[Change]:
        before, after = set(old.get("headers", ())), set(new.get("headers", ()))
        for name in before - after:
            yield Change(True, "header-removed", f"{where} {name}")
        for name in after - before:
            yield Change(False, "header-added", f"{where} {name}")
        for name in set(old.get("links", ())) - set(new.get("links", ())):
            yield Change(True, "link-removed", f"{where} {name}")
        yield from self._contents(old.get("content", {}), new.get("content", {}), "answer", where)

    def _codes(self, old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[Change]:
        """Which problem codes there are, and with which status each one comes."""
        before, after = _codes(old), _codes(new)
        for code in before.keys() | after.keys():
            where = f"{self.place}: {code}"
            if code not in after:
                yield Change(True, "code-removed", where)
            elif code not in before:
                yield Change(False, "code-added", where)
            elif before[code] != after[code]:
                yield Change(True, "code-status", where)

    def _contents(
        self, old: Mapping[str, Any], new: Mapping[str, Any], way: Way, where: str
    ) -> Iterator[Change]:
        for media in old.keys() | new.keys():
            if media not in new:
                yield Change(True, "media-removed", f"{where} {media}")
            elif media not in old:
                yield Change(False, "media-added", f"{where} {media}")
            else:
                yield from self.schema(old[media]["schema"], new[media]["schema"], way, where)

    # --- schemas ---------------------------------------------------------------------------------

    def schema(self, old: Schema, new: Schema, way: Way, where: str) -> Iterator[Change]:
        """What differs between two schemas. Names of components are of no account."""
        pair = (way, old.get("$ref", ""), new.get("$ref", ""))
        if pair[1] and pair[2]:
            if pair in self.seen:
                return
            self.seen.add(pair)
        before, after = _resolved(self.old, old), _resolved(self.new, new)
        yield from self._kinds(before, after, way, where)
        yield from self._values(before, after, way, where)
        yield from self._bounds(before, after, way, where)
        yield from self._properties(before, after, way, where)
        if "items" in before and "items" in after:
            yield from self.schema(before["items"], after["items"], way, f"{where}[]")
        yield from self._branches(before, after, way, where)

    def _kinds(self, old: Schema, new: Schema, way: Way, where: str) -> Iterator[Change]:
        before, after = _kinds(old), _kinds(new)
        if before is None or after is None:
            if before != after and _plain(old) and _plain(new):
                narrower = after is not None
                yield Change((way == "request") == narrower, "type-changed", where)
            return
        if before - after:
            yield Change(way == "request", _name(before, after, "narrowed"), where)
        if after - before:
            yield Change(way == "answer", _name(before, after, "widened"), where)
        if before - after and after - before:
            yield Change(True, "type-changed", where)

    def _values(self, old: Schema, new: Schema, way: Way, where: str) -> Iterator[Change]:
        """Lists of values, closed or open: a new value of an answer is additive."""
        closed = _is_closed(new)
        if closed != _is_closed(old):
            yield Change((way == "request") == closed, "values-" + _closed(closed), where)
            return
        before, after = _listed(old), _listed(new)
        for value in before - after:
            yield Change(True, "value-removed", f"{where} {value}")
        for value in after - before:
            yield Change(False, "value-added", f"{where} {value}")

    def _bounds(self, old: Schema, new: Schema, way: Way, where: str) -> Iterator[Change]:
        """Bounds of requests. Those of answers are no promise: clients must not rely on them."""
        if way == "answer":
            return
        for name, sign in _BOUNDS.items():
            before, after = old.get(name), new.get(name)
            if before == after:
                continue
            tighter = before is None or (after is not None and (after - before) * sign > 0)
            yield Change(tighter, "bound-tightened" if tighter else "bound-loosened", where)
        if old.get("pattern") != new.get("pattern"):
            yield Change("pattern" in new, "pattern-changed", where)
        closed = new.get("additionalProperties") is False
        if closed and old.get("additionalProperties") is not False and "properties" in old:
            yield Change(True, "object-closed", where)

    def _properties(self, old: Schema, new: Schema, way: Way, where: str) -> Iterator[Change]:
        before, after = old.get("properties", {}), new.get("properties", {})
        needed, needs = set(old.get("required", ())), set(new.get("required", ()))
        for name in before.keys() | after.keys():
            at = f"{where}.{name}"
            if name not in after:
                yield Change(True, "field-removed", at)
            elif name not in before:
                must = way == "request" and name in needs
                yield Change(must, "field-required" if must else "field-added", at)
            else:
                if way == "request" and name in needs - needed:
                    yield Change(True, "field-required", at)
                if way == "answer" and name in needed - needs:
                    yield Change(True, "field-may-be-absent", at)
                yield from self.schema(before[name], after[name], way, at)

    def _branches(self, old: Schema, new: Schema, way: Way, where: str) -> Iterator[Change]:
        """Unions: branches are known by their tag, or by what they are where they have none."""
        before, after = _branches(self.old, old), _branches(self.new, new)
        if not before and not after:
            return
        for tag in before.keys() | after.keys():
            at = f"{where} <{tag}>"
            if tag not in after:
                yield Change(True, "branch-removed", at)
            elif tag not in before:
                yield Change(way == "answer" and tag == "null", "branch-added", at)
            else:
                yield from self.schema(before[tag], after[tag], way, at)


_BOUNDS = {
    "minimum": 1, "exclusiveMinimum": 1, "minLength": 1, "minItems": 1, "minProperties": 1,
    "maximum": -1, "exclusiveMaximum": -1, "maxLength": -1, "maxItems": -1, "maxProperties": -1,
}  # fmt: skip
"""Bounds, and whether a greater (1) or a smaller (-1) one lets less through."""


def _codes(answers: Mapping[str, Any]) -> dict[str, str]:
    """Problem codes of an operation, each with its status."""
    return {
        code: status
        for status, answer in answers.items()
        if status >= "400"
        for form in answer.get("content", {}).values()
        for code in form.get("examples", ())
    }


def _resolved(document: Document, schema: Schema) -> Schema:
    while "$ref" in schema:
        schema = document["components"]["schemas"][schema["$ref"].removeprefix(REF)]
    return schema


def _kinds(schema: Schema) -> set[str] | None:
    """The types that are let through; None where the schema does not say."""
    kind = schema.get("type")
    if kind is None:
        return None
    kinds = {kind} if isinstance(kind, str) else set(kind)
    return kinds | {"integer"} if "number" in kinds else kinds


def _name(before: set[str], after: set[str], how: str) -> str:
    return f"null-{how}" if before ^ after == {"null"} else f"type-{how}"


def _plain(schema: Schema) -> bool:
    return not {"oneOf", "anyOf", "enum", "const"} & set(schema)


def _listed(schema: Schema) -> set[str]:
    if "const" in schema:
        return {str(schema["const"])}
    return {str(value) for value in schema.get("enum", schema.get(WORDS, ()))}


def _is_closed(schema: Schema) -> bool:
    return bool({"const", "enum"} & set(schema))


def _closed(closed: bool) -> str:
    return "closed" if closed else "opened"


def _branches(document: Document, schema: Schema) -> dict[str, Schema]:
    """Branches of a union by a name that stays when a branch's component is renamed."""
    found: dict[str, Schema] = {}
    for word in ("oneOf", "anyOf"):
        for branch in schema.get(word, ()):
            name = _branch_name(document, schema, branch)
            found[name if name not in found else f"{name}+{len(found)}"] = branch
    return found


def _branch_name(document: Document, union: Schema, branch: Schema) -> str:
    tags = union.get("discriminator", {})
    for value, reference in tags.get("mapping", {}).items():
        if reference == branch.get("$ref"):
            return str(value)
    resolved = _resolved(document, branch)
    if "type" in resolved and "properties" not in resolved:
        return str(resolved["type"])
    return ",".join(sorted(resolved.get("required", ()))) or "object"
