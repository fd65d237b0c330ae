"""Holds every answer that a test gets against the document."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Set
from typing import Any

import httpx
import msgspec
from jsonschema_rs import Draft202012Validator

from service.openapi.shape import closure, references
from service.openapi.sharing import spread

PROBLEM = "application/problem+json"

_COMPILED: dict[tuple[str, str], Draft202012Validator] = {}
"""Every judge that was needed in this process, by its document's components and its schema."""


def _told(response: httpx.Response) -> Iterator[Any]:
    """The `data` of each server-sent event of an answer that was read to its end."""
    for line in response.text.splitlines():
        if line.startswith("data: "):
            yield json.loads(line.removeprefix("data: "))


class Contract:
    """The document as a judge of answers."""

    def __init__(self, document: Mapping[str, Any]) -> None:
        self.document = document
        self._routes = [
            (re.compile(_pattern(path)), item) for path, item in document["paths"].items()
        ]
        components = msgspec.json.encode(document["components"])
        self._components = hashlib.sha256(components).hexdigest()

    @classmethod
    def of(cls, document: bytes) -> Contract:
        """The judge by a document; one for all services of this process that serve the same."""
        digest = hashlib.sha256(document).hexdigest()
        if digest not in _JUDGES:
            _JUDGES[digest] = cls(spread(json.loads(document)))
        return _JUDGES[digest]

    def check(self, response: httpx.Response) -> None:
        """Raise AssertionError when the answer is not one that the document promises."""
        method = response.request.method.lower()
        if method == "options":
            return
        heads = method == "head"
        operation = self._operation(response.request.url.path, "get" if heads else method)
        if operation is None:
            assert response.status_code in (404, 405), response
            if heads:
                assert not response.content
                return
            self._body(response, PROBLEM, {"$ref": "#/components/schemas/Problem"})
            return
        where = f"{operation['operationId']} {response.status_code}"
        promised = operation["responses"].get(str(response.status_code))
        assert promised is not None, f"{where} is not in the document: {response.text[:400]}"
        for name, header in promised.get("headers", {}).items():
            value = response.headers.get(name)
            if value is not None:
                self._valid(self._header(header), _as(value, self._header(header)), where)
        content = promised.get("content", {})
        media = response.headers.get("content-type", "").split(";")[0]
        if not content:
            assert not response.content, f"{where} has a body"
            return
        assert media in content, f"{where} came as {media!r}"
        if heads:
            assert not response.content, f"{where} has a body"
            return
        self._body(response, media, content[media]["schema"])
        if media == PROBLEM and response.status_code < 500:
            sent, asked = _sent(response.request), {*response.request.url.params}
            wrong = self.misplaced(operation, response.json(), sent, asked)
            assert not wrong, f"{where}: {wrong} is no parameter and no field of the body ({sent})"

    def misplaced(
        self,
        operation: Mapping[str, Any],
        problem: Mapping[str, Any],
        sent: Any = None,
        asked: Set[str] = frozenset(),
    ) -> list[str]:
        """What a problem blames that the operation does not take: neither a parameter, nor a field
        of its body.

        sent, asked  the body and the query, which may have what nobody asked for
        """
        named = (self._named(each, "parameters") for each in operation.get("parameters", ()))
        parameters = {str(each["name"]) for each in named} | asked
        bodies = operation.get("requestBody", {}).get("content", {}).values()
        schemas = [body["schema"] for body in bodies]
        return [
            pointer
            for pointer in (str(each["pointer"]) for each in problem.get("errors", ()))
            if not (pointer[:1] == "#" and pointer[1:] in parameters)
            if not (pointer[:1] != "#" and (leads(sent, pointer) or self.field(schemas, pointer)))
        ]

    def field(self, schemas: Iterable[Mapping[str, Any]], pointer: str) -> bool:
        """Whether a pointer leads to a field that one of the schemas has or leaves open."""
        found = list(schemas)
        for step in pointer.split("/")[1:]:
            found = [inner for each in found for inner in self._inside(each, step)]
        return bool(found)

    def _inside(self, schema: Any, step: str) -> Iterator[Mapping[str, Any]]:
        """What a schema says of a field or of an entry of a list."""
        if not isinstance(schema, Mapping) or not schema:
            yield {}
            return
        if "$ref" in schema:
            yield from self._inside(self._named(schema, "schemas"), step)
            return
        for key in ("oneOf", "anyOf", "allOf"):
            for branch in schema.get(key, ()):
                yield from self._inside(branch, step)
        if step in schema.get("properties", {}):
            yield schema["properties"][step]
        elif isinstance(schema.get("additionalProperties"), Mapping):
            yield schema["additionalProperties"]
        if step.isdecimal() and "items" in schema:
            yield schema["items"]

    def _named(self, schema: Mapping[str, Any], kind: str) -> Mapping[str, Any]:
        if "$ref" not in schema:
            return schema
        found: Mapping[str, Any] = self.document["components"][kind][
            schema["$ref"].rpartition("/")[2]
        ]
        return found

    def _operation(self, path: str, method: str) -> Mapping[str, Any] | None:
        for pattern, item in self._routes:
            if pattern.fullmatch(path) and method in item:
                found: Mapping[str, Any] = item[method]
                return found
        return None

    def _header(self, header: Mapping[str, Any]) -> Mapping[str, Any]:
        name = header["$ref"].rpartition("/")[2]
        schema: Mapping[str, Any] = self.document["components"]["headers"][name]["schema"]
        return schema

    def _body(self, response: httpx.Response, media: str, schema: Mapping[str, Any]) -> None:
        assert response.headers["content-type"].split(";")[0] == media, response.headers
        if media.endswith("json") and media != "application/x-ndjson":
            self._valid(schema, response.json(), f"{response.request.url.path}")
        for told in _told(response) if "contentSchema" in schema else ():
            self._valid(schema["contentSchema"], told, f"{response.request.url.path}")

    def _valid(self, schema: Mapping[str, Any], value: Any, where: str) -> None:
        errors = [
            f"{_place(error.instance_path)}: {error.message[:300]}"
            for error in self._judge(schema).iter_errors(value)
        ]
        assert not errors, f"{where}: {errors[:3]}"

    def _judge(self, schema: Mapping[str, Any]) -> Draft202012Validator:
        key = self._components, json.dumps(schema, sort_keys=True)
        if key not in _COMPILED:
            known = self.document["components"]["schemas"]
            meant = {name: known[name] for name in closure(references(schema), known)}
            whole = {**schema, "components": {"schemas": meant}}
            _COMPILED[key] = Draft202012Validator(whole)
        return _COMPILED[key]


_JUDGES: dict[str, Contract] = {}


def leads(value: Any, pointer: str) -> bool:
    """Whether a JSON pointer leads somewhere in a value."""
    for told in pointer.split("/")[1:]:
        step = told.replace("~1", "/").replace("~0", "~")
        if isinstance(value, Mapping) and step in value:
            value = value[step]
        elif isinstance(value, list) and step.isdecimal() and int(step) < len(value):
            value = value[int(step)]
        else:
            return False
    return True


def _sent(request: httpx.Request) -> Any:
    """The body of a request, if it is JSON."""
    try:
        return json.loads(request.read())
    except (ValueError, RuntimeError):
        return None


def _place(path: Iterable[str | int]) -> str:
    return "$" + "".join(f"[{part!r}]" for part in path)


def _pattern(path: str) -> str:
    return re.sub(r"\{(\w+)\}", lambda m: ".+" if m[1] in ("roll", "file") else "[^/]+", path)


def _as(value: str, schema: Mapping[str, Any]) -> Any:
    return int(value) if schema.get("type") == "integer" else value
