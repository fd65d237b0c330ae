"""No text of the document speaks of our program: its readers know fields as they are sent."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from service.openapi.document import build, plain
from service.openapi.shape import worded
from tests.support.pennant import GAME

INSIDES = re.compile(
    r":\w+:`|``|\b\w+\.py\b|\b[a-z]+(?:_[a-z0-9]+)+\b|\b[A-Z]{2,}_[A-Z_]{2,}\b"
    r"|\b(?:domain|projections)\.[a-z_]+\b|\bservice\.[a-z]+\.[a-z]+"
    r"|\b[Mm]sgspec\b|\b[Dd]ocstring|\bLitestar\b|\bdict\b|\btuple\b|\bTrue\b"
)
"""Marks of Sphinx, files, modules, constants and types of Python, names in snake case."""


def texts(part: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """Every text that people read, with its path; recorded answers are what they are."""
    if isinstance(part, dict):
        for name, each in part.items():
            if name in ("description", "summary", "title") and isinstance(each, str):
                yield f"{path}/{name}", each
            elif name != "examples" or "properties" in path.rsplit("/", 1)[-1:]:
                yield from texts(each, f"{path}/{name}")
    elif isinstance(part, list):
        for place, each in enumerate(part):
            yield from texts(each, f"{path}/{place}")


def insides(document: Any) -> list[str]:
    return [
        f"{path}: {found[0]} in {text}"
        for path, text in texts(document)
        if (found := INSIDES.search(text))
    ]


def test_no_text_speaks_of_our_program() -> None:
    document = plain()
    assert len(list(texts(document))) > 2000
    assert insides(document) == []


@pytest.mark.parametrize(
    "text",
    ["as :class:`Entry` says", "in ``data``", "see sequence.py", "its caused_by", "PUBLIC_DOMAIN"],
)
def test_such_a_text_is_found(text: str) -> None:
    document = json.loads(json.dumps(plain()))
    document["components"]["schemas"]["Entry"]["description"] = text
    assert len(insides(document)) == 1


def test_marks_of_docstrings_become_those_of_readers() -> None:
    assert worded("``a``, :class:`~x.y.Entry`, ``caused_by``") == "`a`, `Entry`, `causedBy`"


def test_what_may_be_null_is_not_said_to_be_none() -> None:
    found = [
        f"{name}.{field}"
        for name, schema in plain()["components"]["schemas"].items()
        for field, each in schema.get("properties", {}).items()
        if "null" in str(each.get("type")) + str(each.get("oneOf"))
        and re.search(r"\bNone\b", each.get("description", ""))
    ]
    assert found == []


def test_what_is_said_of_a_field_is_kept_where_a_reference_stands_for_it() -> None:
    """Nothing stands beside a reference: it stands with the object that has the field."""
    schemas = build({"pennant": GAME}, {}, {})["components"]["schemas"]
    for owner, name, words in (
        ("ReadyCommand", "odds", "exact odds, where dice would roll"),
        ("ReadyCommand", "worthwhile", "what makes it worth a look"),
        ("Problem", "nearest", "the likest one that would be accepted"),
        ("Template", "schema", "a JSON Schema of the command body"),
    ):
        assert schemas[owner]["properties"][name].keys() == {"$ref"}
        assert f"\n`{name}`: " in schemas[owner]["description"]
        assert words in schemas[owner]["description"]
