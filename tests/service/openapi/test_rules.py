"""Rules of the contract about the document that no other test holds: names, nulls, pages."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from service.openapi.document import plain
from service.openapi.shape import WORDS
from tests.service.openapi.test_document import nodes, operations, requests

KEBAB = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9]+(-[a-z0-9]+)*)*")
"""Words with hyphens; codes and event types have a dot between subject and word."""

NAMES_OF_THE_FIELD = {
    "A0", "A1", "A2", "A3", "Allies", "Axis", "Dive Bomber", "Fighter", "Torpedo Bomber",
    *"CLMNSW", "",
}  # fmt: skip
"""Values that are no words of ours: dice grades, the two alliances, subtypes as cards print them,
letters of a map's squares, and "" for none. They stand in recorded games and stay."""

CARDS = re.compile(r"/schemas/\w+(Figures|Printed)/")
"""Figures as cards print them: types of ships and the like."""


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    return plain()


def test_everything_is_in_the_one_file(document: dict[str, Any]) -> None:
    found = [n["$ref"] for _, n in nodes(document) if isinstance(n.get("$ref"), str)]
    assert len(found) > 1000
    assert not [each for each in found if not each.startswith("#/")]


def test_null_is_a_type_beside_one_other(document: dict[str, Any]) -> None:
    count = 0
    for path, node in nodes(document):
        if node.get("type") == "null":
            assert re.search(r"/oneOf/\d+$", path), path
        if isinstance(node.get("type"), list) and "null" in node["type"]:
            count += 1
            assert len(node["type"]) == 2, path
    assert count > 15


def json_answers(document: dict[str, Any]) -> Iterator[tuple[dict[str, Any], str, dict[str, Any]]]:
    """Operation, path and schema of every JSON body of a success."""
    for _, path, operation in operations(document):
        for status, answer in operation["responses"].items():
            form = answer.get("content", {}).get("application/json")
            if status.startswith("2") and form is not None:
                yield operation, path, form["schema"]


def json_forms(document: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    for _, path, operation in operations(document):
        for place in (operation.get("requestBody", {}), *operation["responses"].values()):
            for media, form in place.get("content", {}).items():
                if media.endswith("json") and media != "application/x-ndjson":
                    yield path, form["schema"]


def test_every_body_and_every_item_has_a_name(document: dict[str, Any]) -> None:
    for path, schema in json_forms(document):
        assert set(schema) == {"$ref"}, path
    for path, node in nodes(document["components"]["schemas"]):
        items = node.get("items")
        if isinstance(items, dict):
            assert "properties" not in items, path


def test_no_name_is_that_of_what_makes_another(document: dict[str, Any]) -> None:
    """Go's client has a function ``NewFork`` beside a type ``Fork``, and ``NullableFork`` too."""
    names = set(document["components"]["schemas"])
    assert not [made for made in ("New", "Nullable") for name in names if made + name in names]


def test_pages_are_items_and_a_cursor_and_no_count(document: dict[str, Any]) -> None:
    schemas = document["components"]["schemas"]
    paged = {
        schema["$ref"].rpartition("/")[2]
        for path, item in document["paths"].items()
        for operation in item.values()
        if any(p.get("name") == "cursor" for p in operation.get("parameters", ()))
        for status, answer in operation["responses"].items()
        if status == "200"
        for schema in [answer["content"]["application/json"]["schema"]]
    }
    assert len(paged) > 8
    for name in paged - {"CommandList"}:
        assert list(schemas[name]["properties"]) == ["items", "next"], name
    assert {"items", "next"} <= set(schemas["CommandList"]["required"])
    assert not {"total", "count"} & set(schemas["CommandList"]["properties"])


STRETCHES = {"getFilm": (1, 1000), "getReview": (1, 50)}


def test_a_page_has_at_most_200_items(document: dict[str, Any]) -> None:
    """But a stretch of one game's versions, and of its decisions."""
    pages, stretches = [], {}
    for _, _, operation in operations(document):
        by_name = {each.get("name"): each for each in operation.get("parameters", ())}
        if (limit := by_name.get("limit")) is None:
            continue
        bounds = limit["schema"]["minimum"], limit["schema"]["maximum"]
        if operation["operationId"] in STRETCHES:
            stretches[operation["operationId"]] = bounds
        else:
            pages.append(bounds)
    assert len(pages) > 8
    assert {*pages} == {(1, 200)}
    assert stretches == STRETCHES


def test_values_are_words_with_hyphens(document: dict[str, Any]) -> None:
    values = {
        value
        for path, node in nodes(document)
        if not CARDS.search(path)
        for words in (node.get("enum"), node.get(WORDS))
        if isinstance(words, list)
        for value in words
        if isinstance(value, str)
    }
    assert len(values) > 300
    assert {value for value in values if not KEBAB.fullmatch(value)} == NAMES_OF_THE_FIELD


def test_every_event_has_what_the_contract_names(document: dict[str, Any]) -> None:
    schemas = document["components"]["schemas"]
    fields = ["seq", "type", "at", "actor", "causedBy", "schemaVersion", "data", "text", "rules"]
    for name in schemas["Event"]["discriminator"]["mapping"].values():
        branch = schemas[name.rpartition("/")[2]]
        for one in branch.get("anyOf", [branch]):
            event = schemas[one["$ref"].rpartition("/")[2]] if "$ref" in one else one
            assert set(fields) <= set(event["required"]), name
    assert set(schemas["EventText"]["required"]) >= {"key", "params"}


def test_requests_take_no_number_that_is_no_integer(document: dict[str, Any]) -> None:
    schemas = document["components"]["schemas"]
    assert len(requests(document)) > 20
    for path, node in nodes(schemas):
        assert node.get("type") != "number", path
        bound = node.get("maximum", 0)
        assert isinstance(bound, int), path
        assert abs(bound) < 2**53, path
