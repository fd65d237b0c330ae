"""Rule 8, over the whole document: what creates leads on by links, and no link leads nowhere."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from service.openapi.document import plain
from tests.service.openapi.test_document import operations

GAME = {"getGame", "listCommands", "listEvents"}


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    return plain()


def known(document: Mapping[str, Any]) -> dict[str, tuple[str, str, dict[str, Any]]]:
    """Method, path and operation by id."""
    return {each[2]["operationId"]: each for each in operations(document)}


def every_link(
    document: dict[str, Any],
) -> Iterator[tuple[dict[str, Any], dict[str, Any], dict[str, Any]]]:
    """Operation, answer and link."""
    for _, _, operation in operations(document):
        for answer in operation["responses"].values():
            for link in answer.get("links", {}).values():
                yield operation, answer, link


def stands(document: dict[str, Any], schema: dict[str, Any], pointer: str) -> bool:
    """Whether every answer of that schema may have something at the pointer, under a known name."""
    for step in pointer.split("/")[1:]:
        while "$ref" in schema:
            schema = document["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
        if "oneOf" in schema:  # a part that may be null
            schema = next(each for each in schema["oneOf"] if each.get("type") != "null")
            while "$ref" in schema:
                schema = document["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
        if step not in schema.get("required", ()):
            return False
        schema = schema["properties"][step]
    return True


def test_what_is_created_leads_on_to_itself(document: dict[str, Any]) -> None:
    """Each 201 names its Location; a link leads there, and a game's also to commands and events."""
    ids = known(document)
    created = {
        name: operation["responses"]["201"]
        for name, (_, _, operation) in ids.items()
        if "201" in operation["responses"]
    }
    assert {"createGame", "createCustom", "createWebhook", "createFork", "takeSeat"} <= set(created)
    for name, answer in created.items():
        assert "Location" in answer["headers"], name
        leads = set(answer["links"])
        assert any(ids[each][0] == "get" and ids[each][1].endswith("}") for each in leads), name
        reference = answer["content"]["application/json"]["schema"]["$ref"]
        whole = document["components"]["schemas"][reference.rpartition("/")[2]]
        assert leads >= GAME or "game" not in whole["properties"], name


def test_every_link_leads_to_an_operation_with_all_that_it_needs(document: dict[str, Any]) -> None:
    ids, count = known(document), 0
    for operation, answer, link in every_link(document):
        where = f"{operation['operationId']} to {link['operationId']}"
        _, _, target = ids[link["operationId"]]
        taken = {each["name"]: each for each in target.get("parameters", ())}
        own = {each["name"] for each in operation.get("parameters", ()) if each["in"] == "path"}
        needed = {name for name, each in taken.items() if each["in"] == "path"}
        assert needed <= set(link["parameters"]) <= set(taken), where
        for value in link["parameters"].values():
            source, _, place = value.partition("#")
            if source == "$response.body":
                schema = answer["content"]["application/json"]["schema"]
                assert stands(document, schema, place), (where, value)
            else:
                assert source.removeprefix("$request.path.") in own, (where, value)
        count += 1
    assert count > 20


def test_a_pointer_to_nothing_is_found(document: dict[str, Any]) -> None:
    made = {"$ref": "#/components/schemas/GameCreated"}
    assert stands(document, made, "/game/id")
    assert stands(document, made, "/game/fork/game")
    assert not stands(document, made, "/id")
    assert not stands(document, made, "/game/nothing")
