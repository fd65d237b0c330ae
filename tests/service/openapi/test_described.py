"""Each field of an answer and each parameter is described, and each parameter has bounds.

What has no words yet stands in ``undescribed.json``, which may only shrink (``python -m
tests.service.openapi.test_described`` strikes what has them by now).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from domain.kernel.finder import games
from service.http.routes import camel
from service.openapi.document import plain

OWED = Path(__file__).with_name("undescribed.json")
BOUNDS = {
    "string": {"maxLength", "enum", "pattern", "const"},
    "integer": {"maximum", "enum"},
}


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    return plain()


def undescribed(document: dict[str, Any]) -> dict[str, list[str]]:
    """By component, the properties without words, their own or a component's."""
    found = {
        name: sorted(field for field, is_ in schema.get("properties", {}).items() if _bare(is_))
        for name, schema in document["components"]["schemas"].items()
    }
    return {name: fields for name, fields in found.items() if fields}


def _bare(schema: dict[str, Any]) -> bool:
    return "description" not in schema and "const" not in schema and "$ref" not in str(schema)


def wordless(document: dict[str, Any]) -> list[str]:
    """Components that say nothing of themselves. Lists of words, which a field names, need not."""
    return sorted(
        name
        for name, schema in document["components"]["schemas"].items()
        if not schema.get("description") and not {"enum", "x-extensible-enum"} & schema.keys()
    )


def texts(part: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """Every text for readers, with its place."""
    if isinstance(part, dict):
        for name, each in part.items():
            if name in ("description", "summary") and isinstance(each, str):
                yield path, each
            elif name != "examples":
                yield from texts(each, f"{path}/{name}")
    elif isinstance(part, list):
        for each in part:
            yield from texts(each, path)


COLUMN = re.compile(r"^ *\w+(?:, \w+)* {2,}\S.*$", re.MULTILINE)
"""A line of a docstring, as it stands in the source."""
INSIDE = re.compile(
    r"\b(?:inventory|docstring)\b|\b\w+\.(?:toml|py|md)\b|`\w+>`|_{2}|"
    r"`(?:MasterOpened|GameClosed|ChainRenewed|RulesChanged|Options|whatIsPassedOn)`"
)
"""Words of the source, where nobody has it."""


def unworded(document: dict[str, Any]) -> list[str]:
    """Texts in which the source shows: columns of a docstring, files, classes."""
    return [
        f"{path}: {found[0]}"
        for path, text in texts(document)
        for found in (*COLUMN.finditer(text), *INSIDE.finditer(text))
    ]


TIME = re.compile(r"at|\w+At|due|since|until|timestamp")


def undated(document: dict[str, Any]) -> list[str]:
    """Fields of the service that are named like a time, hold text and are not said to be one."""
    rulesets = tuple(name.title().replace("-", "") for name in games())
    found = []
    for name, schema in document["components"]["schemas"].items():
        for field, is_ in schema.get("properties", {}).items():
            values = is_.get("additionalProperties", {})
            text = "string" in (is_.get("type"), *_list(is_.get("type")))
            told = is_ if text else values if values == {**values, "type": "string"} else None
            if told and TIME.fullmatch(field) and not name.startswith(rulesets):
                found += [f"{name}.{field}"] * (told.get("format") != "date-time")
    return found


def _list(kinds: Any) -> list[str]:
    return kinds if isinstance(kinds, list) else []


GONE = re.compile(r"^(\w+) {2,}\S.*$", re.MULTILINE)


def stale(document: dict[str, Any]) -> list[str]:
    """Lines that explain a field which a component does not have."""
    return [
        f"{name}.{line}"
        for name, schema in document["components"]["schemas"].items()
        for line in GONE.findall(schema.get("description", ""))
        if camel(line) not in schema.get("properties", {})
    ]


def parameters(document: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Each parameter of a query, with its operation."""
    for item in document["paths"].values():
        for operation in item.values():
            for each in operation.get("parameters", ()):
                if each.get("in") == "query":
                    yield operation["operationId"], each


def faults(document: dict[str, Any]) -> list[str]:
    """Parameters of a query that lack words or bounds."""
    found = []
    for id_, each in parameters(document):
        schema, where = each["schema"], f"{id_}: query parameter {each['name']!r}"
        if not each.get("description"):
            found.append(f"{where} has no description")
        wanted = BOUNDS.get(schema.get("type", ""), set())
        if wanted and not wanted & schema.keys():
            found.append(f"{where} has no bound: one of {sorted(wanted)}")
    return found


def unlinked(document: dict[str, Any]) -> list[str]:
    """Lists with a cursor that do not say that their pages have a Link header."""
    paged = {id_ for id_, each in parameters(document) if each["name"] == "cursor"}
    return sorted(
        operation["operationId"]
        for item in document["paths"].values()
        for operation in item.values()
        if operation["operationId"] in paged
        and "Link" not in operation["responses"]["200"].get("headers", {})
    )


def test_each_field_of_the_service_is_described_or_owed(document: dict[str, Any]) -> None:
    owed, found = json.loads(OWED.read_bytes()), undescribed(document)
    new = [
        f"{name}.{field}"
        for name, fields in found.items()
        for field in fields
        if field not in owed.get(name, ())
    ]
    assert not new, (
        f"without a description: {new}; the docstring of the class has a line for each field"
    )
    paid = [
        f"{name}.{field}"
        for name, fields in owed.items()
        for field in fields
        if field not in found.get(name, ())
    ]
    assert not paid, f"described by now, so strike it from undescribed.json: {paid}"


def test_no_words_are_left_of_a_field_that_is_gone(document: dict[str, Any]) -> None:
    assert stale(document) == [], "a docstring explains a field of another name, or none"


def test_each_component_says_what_it_is(document: dict[str, Any]) -> None:
    assert wordless(document) == []
    spoilt = json.loads(json.dumps(document))
    del spoilt["components"]["schemas"]["Standing"]["description"]
    assert wordless(spoilt) == ["Standing"]


def test_no_text_shows_the_source(document: dict[str, Any]) -> None:
    assert unworded(document) == []
    spoilt = json.loads(json.dumps(document))
    spoilt["components"]["schemas"]["Standing"]["description"] = "Told.\n\ndue   see options.toml"
    assert len(unworded(spoilt)) == 2


def test_each_time_is_said_to_be_one(document: dict[str, Any]) -> None:
    assert undated(document) == []
    spoilt = json.loads(json.dumps(document))
    del spoilt["components"]["schemas"]["Standing"]["properties"]["due"]["additionalProperties"][
        "format"
    ]
    assert undated(spoilt) == ["Standing.due"]


def test_each_query_parameter_has_words_and_bounds(document: dict[str, Any]) -> None:
    assert not faults(document), "; ".join(faults(document))


def test_each_list_with_pages_says_that_it_links_them(document: dict[str, Any]) -> None:
    assert not unlinked(document), f"answers of {unlinked(document)} do not name the header Link"


def test_what_lacks_words_bounds_or_a_header_is_found(document: dict[str, Any]) -> None:
    spoilt = json.loads(json.dumps(document))
    listed = spoilt["paths"]["/v1/results"]["get"]
    listed["parameters"].append({"in": "query", "name": "mover", "schema": {"type": "string"}})
    del listed["responses"]["200"]["headers"]["Link"]
    spoilt["components"]["schemas"]["GameSummary"]["properties"]["mover"] = {"type": "string"}
    assert [said.partition(" has no ")[2][:5] for said in faults(spoilt)] == ["descr", "bound"]
    assert unlinked(spoilt) == ["listResults"]
    assert "mover" in undescribed(spoilt)["GameSummary"]
    spoilt["components"]["schemas"]["GameSummary"]["description"] += "\nmovers  who has to move"
    assert stale(spoilt) == ["GameSummary.movers"]


def _strike() -> None:
    """Keep of what is owed what lacks words still."""
    owed, found = json.loads(OWED.read_bytes()), undescribed(plain())
    left = {
        name: [field for field in fields if field in found.get(name, ())]
        for name, fields in owed.items()
    }
    rows = [f"  {json.dumps(n)}: {json.dumps(f)}" for n, f in sorted(left.items()) if f]
    OWED.write_text("{\n" + ",\n".join(rows) + "\n}\n", "utf-8")


if __name__ == "__main__":
    _strike()
