"""Rule 26, over the whole document: an answer that judges by rules names them, in the one form."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from service.http.rulesets import TAG as CATALOGUE
from service.http.webhooks import TAG as WEBHOOKS
from service.openapi.document import plain
from tests.service.openapi.test_rules import json_answers

NAMED = "#/components/schemas/Rules"

SILENT = {
    "listEvents": "rule 20 fixes what an event has; the first one of a game names the rules",
    "listOwnEvents": "events as listEvents gives them",
    "getStatistics": "counts of many games, of any edition and version",
    "listProblems": "codes that rules refuse with: nothing is judged",
}
"""What cites rules or tells of a game, and does not name by which it is judged; and why."""


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    return plain()


class Schemas:
    """The component schemas, with questions to them."""

    def __init__(self, document: dict[str, Any]) -> None:
        self.all: dict[str, Any] = document["components"]["schemas"]

    def branches(self, schema: dict[str, Any]) -> Iterator[dict[str, Any]]:
        """The objects that the schema may be; null is none."""
        if "$ref" in schema:
            yield from self.branches(self.all[schema["$ref"].rpartition("/")[2]])
        elif "oneOf" in schema or "anyOf" in schema:
            for each in schema.get("oneOf") or schema["anyOf"]:
                yield from self.branches(each)
        elif schema.get("type") != "null":
            yield schema

    def names_rules(self, schema: dict[str, Any], deeper: bool = True) -> bool:
        """Whether every branch is sure to have the rules: itself, its items, or its game."""
        return all(self._branch_names(each, deeper) for each in self.branches(schema))

    def _branch_names(self, branch: dict[str, Any], deeper: bool) -> bool:
        if branch.get("type") == "array":
            return self.names_rules(branch["items"], deeper)
        required = set(branch.get("required", ()))
        parts = {n: p for n, p in branch.get("properties", {}).items() if n in required}
        if any(part.get("$ref") == NAMED for part in parts.values()):
            return True
        if any({"$ref": NAMED} in part.get("oneOf", ()) for part in parts.values()):
            return True  # odds of dice of one's own: judged by nobody's rules
        inner = [parts[name] for name in ("items", "game") if name in parts]
        return deeper and any(self.names_rules(part, False) for part in inner)

    def cites(self, schema: dict[str, Any], seen: frozenset[str] = frozenset()) -> bool:
        """Whether a rule's ID, or the rules themselves, are anywhere in it."""
        for branch in self.branches(schema):
            for name, part in branch.get("properties", {}).items():
                if name in ("rule", "rules"):
                    return True
                key = json.dumps(part, sort_keys=True)
                if key not in seen and self.cites(part, seen | {key}):
                    return True
            inner = branch.get("items")
            if inner is not None and self.cites(inner, seen):
                return True
        return False


def test_what_judges_by_rules_names_them(document: dict[str, Any]) -> None:
    """All that is told of a game, and whatever else cites a rule. The catalogue is the rules."""
    schemas = Schemas(document)
    # The digest of the files of ruleset and kernel says more of the engine than a number would.
    assert set(schemas.all["Rules"]["required"]) == {"ruleset", "edition", "version", "digest"}
    silent, judging = [], []
    for operation, path, schema in json_answers(document):
        name, told = operation["operationId"], "/v1/games/{game}" in path
        if {CATALOGUE, WEBHOOKS} & set(operation["tags"]):
            continue
        if told or schemas.cites(schema):
            judging.append(name)
            if not schemas.names_rules(schema):
                silent.append(name)
    assert {"giveCommand", "getOdds", "listResults", "getRoll", "checkCustom"} <= set(judging)
    assert set(silent) == set(SILENT)


def test_a_schema_that_does_not_name_them_is_found(document: dict[str, Any]) -> None:
    done = document["components"]["schemas"]["CommandDone"]
    optional = {**done, "required": [name for name in done["required"] if name != "rules"]}
    schemas = Schemas(document)
    assert schemas.names_rules(done)
    assert not schemas.names_rules(optional)
    assert not schemas.names_rules({"$ref": "#/components/schemas/EventPage"})


def test_a_refusal_by_rules_can_name_them(document: dict[str, Any]) -> None:
    problem = document["components"]["schemas"]["Problem"]["properties"]
    assert problem["rules"]["$ref"] == NAMED
    examples = document["components"]["examples"]
    recorded = [each["value"] for each in examples.values() if each["value"].get("rule")]
    assert [each["code"] for each in recorded if "rules" in each], "none was recorded by a rule"
