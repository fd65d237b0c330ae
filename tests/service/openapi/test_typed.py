"""Typed to the end: each object and value has a form, or is named here with its reason."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from jsonschema_rs import Draft202012Validator

from domain.kernel.finder import games
from domain.kernel.game import Game
from service.http.wire import ENCODER, EntryShown
from service.openapi.document import build, plain
from tests.service.openapi.test_document import requests
from tests.support.pennant import GAME

STATE = "a value of any place in any state, whose type is that of the place"
EFFECT = "an effect by its word: its figures are those of over a hundred kinds"
OPEN: dict[str, str] = {
    "CrimsonTideEffectTold": EFFECT,
    "WarAtSeaEffectTold": EFFECT,
    "Changed.before": STATE,
    "Changed.after": STATE,
    "ValueChange.before": STATE,
    "Frames.state": STATE,
    "Patch.value": STATE,
    "TableChange.value": "a value of any place of a table; at the path of the whole a `TableWhole`",
    "TableWhole.state": "that of `View`, whose branches tell themselves apart by what is beside it",
    "ValueChange.after": STATE,
    "Explanation.value": STATE,
    "Fork.state": "a position in its canonical form, which the rules read: views show it",
    "CrimsonTideForked.state": "the same, as recorded",
    "NavalBattlesForked.state": "the same, as recorded",
    "WarAtSeaForked.state": "the same, as recorded",
    "CustomContent": "a document of some kind: `getCustomSchema` has the schema of each",
    "WarAtSeaCustomsBrought.map": "such a document",
    "WarAtSeaCustomsBrought.scenario": "such a document",
    "Document": "a document as this one: its form is that of OpenAPI 3.1",
    "JsonSchema": "a schema: its form is that of JSON Schema (2020-12)",
    "UnknownCommand": "a command that is newer than this document, posted as it was offered",
}
"""Objects and values without a form, each with the reason why it has none."""

KEYS = {"properties", "oneOf", "anyOf", "$ref", "const", "enum", "additionalProperties"}


def schemas(part: Any, path: str) -> Iterator[tuple[str, Any]]:
    """Every schema of a component, with its name; maps by the name of their field."""
    yield path, part
    if not isinstance(part, dict):
        return
    for name, each in part.get("properties", {}).items():
        yield from schemas(each, f"{path}.{name}" if "." not in path else path)
    for key in ("items", "additionalProperties"):
        if isinstance(part.get(key), dict):
            yield from schemas(part[key], path)
    for key in ("oneOf", "anyOf"):
        for each in part.get(key, ()):
            yield from schemas(each, path)


def bare(document: dict[str, Any]) -> set[str]:
    """Where an object has no fields and no type of its values, or a value no type at all."""
    found = set()
    for name, schema in document["components"]["schemas"].items():
        for path, part in schemas(schema, name):
            kinds = part.get("type", ()) if isinstance(part, dict) else ()
            untyped = not {"type", *KEYS} & set(part) or part.get("additionalProperties") in (
                True,
                {},
            )
            if untyped or ("object" in kinds and not KEYS & set(part)):
                found.add(path)
    return found


def test_every_object_has_a_form_or_a_reason() -> None:
    assert bare(plain()) == set(OPEN)


def test_an_object_without_a_form_is_found() -> None:
    document = json.loads(json.dumps(plain()))
    told = document["components"]["schemas"]
    told["GameSummary"]["properties"]["notes"] = {"type": ["object", "null"]}
    told["RollOdds"]["properties"]["tables"] = {"type": "array", "items": {"type": "object"}}
    told["Role"]["properties"]["more"] = {"description": "anything"}
    told["Draft"] = {"type": "object", "additionalProperties": {}}
    new = {"GameSummary.notes", "RollOdds.tables", "Role.more", "Draft"}
    assert bare(document) - set(OPEN) == new


@pytest.mark.parametrize("ruleset", sorted(games()))
def test_all_that_a_ruleset_ships_has_the_type_that_is_told(ruleset: str) -> None:
    game: Game[Any, Any, Any] = games()[ruleset]
    components = {"schemas": plain()["components"]["schemas"]}
    mapping = components["schemas"]["Entry"]["discriminator"]["mapping"]
    shipped = game.catalogue
    every = {"unit": shipped.units, "ability": shipped.abilities, "scenario": shipped.scenarios}
    for kind, entries in {**every, "map": shipped.maps}.items():
        told = [EntryShown.of(ruleset, kind, each) for each in entries()]
        if not told:
            continue
        branch = {"$ref": mapping[f"{ruleset}.{kind}"]}
        judge = Draft202012Validator({**branch, "components": components})
        figures = components["schemas"][mapping[f"{ruleset}.{kind}"].rpartition("/")[2]]
        form = components["schemas"][figures["properties"]["data"]["$ref"].rpartition("/")[2]]
        for entry in told:
            value = json.loads(ENCODER.encode(entry))
            assert [str(each)[:300] for each in judge.iter_errors(value)] == [], entry.id
            assert value["data"].keys() <= form["properties"].keys(), entry.id


def test_what_a_unit_costs_is_typed() -> None:
    told = plain()["components"]["schemas"]
    for name, cost in (("WarAtSea", "cost"), ("CrimsonTide", "cost"), ("NavalBattles", "points")):
        figures = told[f"{name}UnitFigures"]
        assert figures["properties"][cost]["type"] == "integer"
        assert cost in figures["required"]


def test_a_ruleset_that_does_not_type_its_entries_has_no_branch() -> None:
    made = build({"pennant": GAME}, {}, {})["components"]["schemas"]
    assert GAME.catalogue.forms == {}
    assert [each["$ref"].rpartition("/")[2] for each in made["Entry"]["oneOf"]] == ["UnknownEntry"]


SHORT_AND_WHOLE = {
    "CrimsonTideForked.state", "NavalBattlesForked.state", "WarAtSeaForked.state",
    "CrimsonTideShot.seen", "CrimsonTideStart.pose", "CrimsonTideUnit.at", "CrimsonTideUnit.pose",
}  # fmt: skip
"""Of what an event tells in short, where what is as usual is left out, and a view shows whole."""


def test_what_may_be_absent_is_never_null() -> None:
    document = plain()
    asked = requests(document)
    both = {
        f"{name}.{field}"
        for name, schema in document["components"]["schemas"].items()
        if name not in asked
        for field, each in schema.get("properties", {}).items()
        if field not in schema.get("required", ())
        and ("null" in each.get("type", ()) or {"type": "null"} in each.get("oneOf", ()))
    }
    assert both == SHORT_AND_WHOLE
