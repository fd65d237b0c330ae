"""What several operations have in common stands once, in the components, as it is sent.

Made and compared, a document has every parameter, answer and example in its place; :func:`share`
puts what is the same into the components, and :func:`spread` puts it back. :func:`set_out` writes
what is short on one line.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from http import HTTPStatus
from typing import Any

from service.http.operation import JSON
from service.problems import MEDIA_TYPE

Plain = dict[str, Any]

SHARED = ("parameters", "responses")
EXAMPLES = "#/components/examples/"
WIDTH = 132
"""Columns of a line that holds a whole value."""
SHORT = 110
"""Columns of a field, at most, that shares a line with others."""


def share(document: Mapping[str, Any]) -> Plain:
    """A copy in which what is the same stands in the components; recorded examples stand there."""
    found: Plain = json.loads(json.dumps(document))
    components = found["components"]
    for operation in _operations(found):
        for place, forms in _recorded(operation):
            for name, example in forms.items():
                key = f"{operation['operationId']}.{place}.{name}"
                components["examples"][key] = example
                forms[name] = {"$ref": EXAMPLES + key}
    for kind, made in zip(SHARED, (_parameters(found), _refusals(found)), strict=True):
        components[kind] = dict(sorted(made.items()))
    return found


def spread(document: Mapping[str, Any]) -> Plain:
    """The document with all of it in its places again."""
    found: Plain = json.loads(json.dumps(document))
    components = found["components"]
    shared = {kind: components.pop(kind, {}) for kind in SHARED}
    for operation in _operations(found):
        if "parameters" in operation:
            operation["parameters"] = [
                _whole(each, shared["parameters"]) for each in operation["parameters"]
            ]
        operation["responses"] = {
            status: _whole(each, shared["responses"])
            for status, each in operation["responses"].items()
        }
    taken = set()
    for operation in _operations(found):
        for _, forms in _recorded(operation):
            for name, example in forms.items():
                if "$ref" in example:
                    key = example["$ref"].removeprefix(EXAMPLES)
                    forms[name] = components["examples"][key]
                    taken.add(key)
    for key in taken:
        del components["examples"][key]
    return found


def _whole(part: Plain, shared: Mapping[str, Plain]) -> Plain:
    """A part itself, or a copy of what it refers to."""
    if "$ref" not in part:
        return part
    found: Plain = json.loads(json.dumps(shared[part["$ref"].rpartition("/")[2]]))
    return found


def _operations(document: Plain) -> Iterator[Plain]:
    for item in document["paths"].values():
        yield from item.values()


def _recorded(operation: Plain) -> Iterator[tuple[str, Plain]]:
    """The examples of its request and of its answers that are no problems, each with a name for its
    place."""
    body = operation.get("requestBody", {}).get("content", {}).get(JSON, {})
    if "examples" in body:
        yield "request", body["examples"]
    for status, answer in operation["responses"].items():
        for media, form in answer.get("content", {}).items():
            if media != MEDIA_TYPE and "examples" in form:
                short = "" if media == JSON else "." + media.rpartition("/")[2].partition("+")[0]
                yield f"{status}{short}", form["examples"]


def _parameters(document: Plain) -> dict[str, Plain]:
    """Parameters that stand more than once, by the names they get; in their places, references."""
    places = [
        (each["name"], operation, operation["parameters"], place)
        for operation in _operations(document)
        for place, each in enumerate(operation.get("parameters", ()))
    ]
    return _named(places, "parameters")


def _refusals(document: Plain) -> dict[str, Plain]:
    """Problems that are answered more than once, in the same way."""
    places = [
        (HTTPStatus(int(status)).phrase, operation, operation["responses"], status)
        for operation in _operations(document)
        for status in operation["responses"]
        if status >= "400"
    ]
    return _named(places, "responses")


def _named(places: list[tuple[str, Plain, Any, Any]], kind: str) -> dict[str, Plain]:
    """Names for what is the same: that which stands most often has the short one, any other is
    named after the first operation that has it."""
    texts = [json.dumps(holder[place]) for _, _, holder, place in places]
    counts = Counter(texts)
    found: dict[str, Plain] = {}
    names: dict[str, str] = {}
    order = sorted(zip(places, texts, strict=True), key=lambda each: -counts[each[1]])
    for (word, operation, _, _), text in order:
        if text in names or counts[text] < 2:
            continue
        short = "".join(part[0].upper() + part[1:] for part in word.replace("-", " ").split())
        id_ = operation["operationId"]
        names[text] = short if short not in found else f"{short}Of{id_[0].upper()}{id_[1:]}"
        found[names[text]] = json.loads(text)
    for (_, _, holder, place), text in zip(places, texts, strict=True):
        if text in names:
            holder[place] = {"$ref": f"#/components/{kind}/{names[text]}"}
    return found


def set_out(value: Any) -> str:
    """JSON for readers: what fits on a line stands on one, words of a list fill lines."""
    return _set_out(value, 0, 0)


def _set_out(value: Any, depth: int, used: int) -> str:
    whole = json.dumps(value, ensure_ascii=False)
    if not isinstance(value, dict | list) or not value or depth + used + len(whole) < WIDTH:
        return whole
    inner = "\n" + " " * (depth + 1)
    if isinstance(value, dict):
        rows = [
            f"{json.dumps(name)}: {_set_out(part, depth + 1, len(name) + 4)}"
            for name, part in value.items()
        ]
    else:
        rows = [_set_out(part, depth + 1, 0) for part in value]
    rows = list(_filled(rows, depth + 1, WIDTH if _of_a_piece(value) else SHORT))
    start, end = "{}" if isinstance(value, dict) else "[]"
    return start + inner + ("," + inner).join(rows) + "\n" + " " * depth + end


def _of_a_piece(value: Any) -> bool:
    """Whether its parts are read together: words of a list, keywords of what is described, what
    only refers to something."""
    parts = value.values() if isinstance(value, dict) else value
    if all(isinstance(part, dict) and set(part) == {"$ref"} for part in parts):
        return True
    if isinstance(value, dict):
        return isinstance(value.get("description"), str)
    return not any(isinstance(part, dict | list) for part in parts)


def _filled(words: list[str], depth: int, longest: int) -> Iterator[str]:
    """Lines of words, as many in each as there is room for; a word that is longer has its own."""
    line, last = words[0], words[0]
    for word in words[1:]:
        alone = "\n" in last + word or max(len(last), len(word)) > longest
        if alone or depth + len(line) + len(word) + 3 > WIDTH:
            yield line
            line = word
        else:
            line += ", " + word
        last = word
    yield line
