"""The document: what the code says, valid, and in the dialect that every generator understands."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]
from openapi_spec_validator.validation.exceptions import OpenAPIValidationError

from domain.kernel.commands import tag_of
from domain.kernel.finder import games
from service.app import create_app
from service.http import registry
from service.openapi.codes import codes_in, refusal_codes, refusing, source_files
from service.openapi.document import (
    COMMITTED,
    build,
    encode,
    plain,
    read_examples,
    read_problem_examples,
)
from service.openapi.record import record, record_all, together
from service.openapi.shape import WORDS
from service.play import opening
from service.problems import KINDS
from service.settings import Settings
from tests.support.contract import Contract
from tests.support.pennant import GAME
from tests.support.validity import validate

pytestmark = pytest.mark.slow("contract")

MADE_ANEW = "run make remake (python -m service.openapi --write)"
VERB = re.compile(r"(get|list|create|delete|take|give|check|revoke|rotate|test|repeat)[A-Z]\w+")


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    return plain()


def nodes(value: Any, path: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """Every object in the document that may be a schema, with its path; examples left out."""
    if isinstance(value, dict):
        yield path, value
        for name, part in value.items():
            if name not in ("example", "examples", "default", "mapping"):
                yield from nodes(part, f"{path}/{name}")
    elif isinstance(value, list):
        for place, part in enumerate(value):
            yield from nodes(part, f"{path}/{place}")


def operations(document: Mapping[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for path, item in document["paths"].items():
        for method, operation in item.items():
            yield method, path, operation


def requests(document: dict[str, Any]) -> set[str]:
    """Names of the components that request bodies lead to."""
    waiting = [
        json.dumps(op["requestBody"]) for _, _, op in operations(document) if "requestBody" in op
    ]
    seen: set[str] = set()
    while waiting:
        for name in re.findall(r'"\$ref": "#/components/schemas/(\w+)"', waiting.pop()):
            if name not in seen:
                seen.add(name)
                waiting.append(json.dumps(document["components"]["schemas"][name]))
    return seen


def test_the_committed_document_is_what_the_code_says() -> None:
    assert COMMITTED.read_bytes() == encode(build(games(), read_examples())), MADE_ANEW


def test_the_service_serves_the_committed_bytes(tmp_path: Any) -> None:
    app = create_app(Settings(database=tmp_path / "x.sqlite"))
    assert app.state.http.describe() == COMMITTED.read_bytes()


def test_the_document_is_valid_openapi_3_1(document: dict[str, Any]) -> None:
    assert document["openapi"] == "3.1.0"
    validate(document)


@pytest.mark.parametrize(
    ("place", "told"),
    [(("components", "schemas", "GameSummary", "type"), "objekt"), (("info",), {"title": "x"})],
)
def test_what_is_not_valid_is_noticed(place: tuple[str, ...], told: Any) -> None:
    """Also where all the rest was found to be valid before."""
    made = build({"pennant": GAME}, {}, {})
    validate(made)
    *way, last = place
    at = made
    for step in way:
        at = at[step]
    at[last] = told
    with pytest.raises(OpenAPIValidationError):
        validate(made)


def test_it_describes_a_plug_in_as_well_and_both_together() -> None:
    schemas: dict[str, Any] = {}
    together = {**games(), "pennant": GAME}
    for rulesets in ({"pennant": GAME}, together):
        made = build(rulesets, {}, {})
        validate(made)
        schemas = made["components"]["schemas"]
        assert schemas["PennantChosenEvent"]["properties"]["type"]["const"] == "pennant.chosen"
        assert "PennantFire" in json.dumps(schemas["Command"] | schemas["PennantFire"])
    branches = schemas["Command"]["discriminator"]["mapping"]
    tags = [tag_of(command) for game in together.values() for command in game.commands]
    assert sorted(branches) == sorted(tags)
    assert len(set(branches.values())) == len(tags)
    assert {
        schemas[ref.rpartition("/")[2]]["properties"]["type"]["const"] for ref in branches.values()
    } == set(tags)


def test_every_route_is_in_the_document_and_nothing_else(document: dict[str, Any]) -> None:
    described = {(method.upper(), path) for method, path, _ in operations(document)}
    assert described == {(operation.method, operation.path) for operation in registry.operations()}
    app = create_app(Settings())
    routed = {
        (method, re.sub(r":\w+}", "}", route.path_format if hasattr(route, "path_format") else ""))
        for route in app.routes
        for method in getattr(route, "methods", ())
        if method != "OPTIONS"
    }
    assert described == routed


def test_every_operation_is_named_explained_and_tagged_once(document: dict[str, Any]) -> None:
    tags = {tag["name"] for tag in document["tags"]}
    ids = [operation["operationId"] for _, _, operation in operations(document)]
    assert len(ids) == len(set(ids))
    for _, _, operation in operations(document):
        id_ = operation["operationId"]
        assert VERB.fullmatch(id_), (
            f"{id_}: an operation's id is a verb of VERB in this file and a noun, as listGames"
        )
        assert operation["summary"], f"{id_} has no summary"
        assert operation["description"].endswith((".", "?")), f"{id_}: no sentence describes it"
        assert len(operation["tags"]) == 1
        assert set(operation["tags"]) <= tags
        statuses = set(operation["responses"])
        assert any(status < "300" for status in statuses)
        assert any(status >= "400" for status in statuses)


def test_what_is_sent_is_described_under_a_tag_that_no_operation_has(
    document: dict[str, Any],
) -> None:
    sent = document["webhooks"]
    assert set(sent) == {"your-turn", "happened", "game-over", "test"}
    tags = {tag for _, _, operation in operations(document) for tag in operation["tags"]}
    listed = {tag["name"] for tag in document["tags"]}
    for name, item in sent.items():
        message = item["post"]
        assert set(message["tags"]) <= listed - tags
        form = message["requestBody"]["content"]["application/json"]
        judge = Draft202012Validator({**form["schema"], "components": document["components"]})
        assert not list(judge.iter_errors(form["examples"][name]["value"]))
        schema = document["components"]["schemas"][form["schema"]["$ref"].rpartition("/")[2]]
        assert schema["properties"]["type"] == {"type": "string", "const": name}
        assert set(schema["required"]) == set(schema["properties"])


def test_every_error_is_a_problem_document(document: dict[str, Any]) -> None:
    for _, path, operation in operations(document):
        for status, answer in operation["responses"].items():
            if status >= "400":
                assert list(answer["content"]) == ["application/problem+json"], (path, status)
                form = answer["content"]["application/problem+json"]
                assert form["schema"] == {"$ref": "#/components/schemas/Problem"}
                assert form["examples"]


def empty_lists(document: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Examples of pages that hold nothing: operation and ruleset."""
    for _, _, operation in operations(document):
        answer = operation["responses"].get("200", {}).get("content", {})
        for name, example in answer.get("application/json", {}).get("examples", {}).items():
            if example["value"].get("items") == []:
                yield operation["operationId"], name


def ships_none(operation: str, ruleset: str) -> bool:
    """Whether a ruleset has nothing at all of what its catalogue would list."""
    listed = getattr(games()[ruleset].catalogue, operation.removeprefix("list").lower(), None)
    return listed is not None and not listed()


def test_an_example_of_a_list_shows_a_row(document: dict[str, Any]) -> None:
    """Readers learn the fields of a row from it, and a field that is never filled shows there."""
    empty = [each for each in empty_lists(document) if not ships_none(*each)]
    assert not empty, f"service/openapi/record.py records a list before anything is in it: {empty}"
    document["paths"]["/v1/none"] = {"get": {"operationId": "listNone", "responses": {"200": {
        "content": {"application/json": {"examples": {"war-at-sea": {"value": {"items": []}}}}}
    }}}}  # fmt: skip
    found = [each for each in empty_lists(document) if not ships_none(*each)]
    del document["paths"]["/v1/none"]
    assert found == [("listNone", "war-at-sea")]


def test_every_code_is_listed_and_has_an_example_of_itself(document: dict[str, Any]) -> None:
    codes = document["components"]["schemas"]["Problem"]["properties"]["code"][WORDS]
    rules = {code for game in games().values() for code in refusal_codes(game)}
    assert set(codes) == {kind.code for kind in KINDS} | rules
    assert len(codes) == len(set(codes))
    inside, outside = document["components"]["examples"], document["x-unrouted"]
    examples = inside | outside
    assert set(examples) == set(codes)
    assert not set(inside) & set(outside)
    assert all(example["value"]["code"] == code for code, example in examples.items())
    used = set(re.findall(r'"#/components/examples/([\w.-]+)"', json.dumps(document["paths"])))
    assert used == set(codes) - set(outside), "each code is an answer of some operation"


def test_no_code_is_missed_in_the_files_that_are_left_out() -> None:
    for game in games().values():
        assert refusal_codes(game) == codes_in(refusing(source_files(game)))


def test_the_dialect_is_narrow(document: dict[str, Any]) -> None:
    for path, node in nodes(document):
        for forbidden in ("nullable", "prefixItems", "allOf", "$defs"):
            assert forbidden not in node or path.endswith("/properties"), (path, forbidden)
        if "$ref" in node and isinstance(node["$ref"], str):
            assert set(node) == {"$ref"}, path
        if node.get("type") == "number":
            pytest.fail(f"{path} is a number that need not be an integer")


def test_every_union_of_objects_has_a_full_mapping_and_const_tags(
    document: dict[str, Any],
) -> None:
    schemas = document["components"]["schemas"]
    count = 0
    for path, node in nodes(document):
        branches = [b for b in node.get("oneOf", ()) if "$ref" in b]
        if len(branches) < 2:
            continue
        count += 1
        tag = node["discriminator"]["propertyName"]
        mapping = node["discriminator"]["mapping"]
        newer = [b for b in branches if b["$ref"].rpartition("/")[2].startswith("Unknown")]
        assert newer == branches[len(branches) - len(newer) :], (
            f"{path}: the last one is judged last"
        )
        assert set(mapping.values()) == {b["$ref"] for b in branches if b not in newer}, path
        for each in newer:
            unknown = schemas[each["$ref"].rpartition("/")[2]]["properties"][tag]["pattern"]
            assert not [value for value in mapping if re.match(unknown, value)], path
            for value in (f"{next(iter(mapping))}er", "semaphore", "semaphore.hoist"):
                assert re.match(unknown, value), path
        for value, reference in mapping.items():
            branch = schemas[reference.rpartition("/")[2]]
            for one in [schemas[b["$ref"].rpartition("/")[2]] for b in branch.get("anyOf", ())] or [
                branch
            ]:
                assert tag in one["required"], path
                assert one["properties"][tag] == {"type": "string", "const": value}, path
    assert count > 3
    for name in ("Event", "View", "Command", "GameOptions"):
        last = schemas[name]["oneOf"][-1]["$ref"]
        assert last.endswith(f"/Unknown{name}")
    assert "Unknown" not in str(schemas["NewGame"]["oneOf"])


def test_no_list_of_words_in_an_answer_is_closed(document: dict[str, Any]) -> None:
    """A client that is older than a word would not read the answer."""
    asked = requests(document)
    for name, schema in document["components"]["schemas"].items():
        for path, node in nodes(schema, name):
            if name not in asked and node.get("type") == "string":
                assert "enum" not in node, path


def test_times_have_their_format(document: dict[str, Any]) -> None:
    schemas = document["components"]["schemas"]
    for field in ("createdAt", "updatedAt", "expiresAt"):
        assert schemas["GameSummary"]["properties"][field]["format"] == "date-time", field
    for name, schema in schemas.items():
        if name.endswith("Event") and "properties" in schema:
            assert schema["properties"]["at"]["format"] == "date-time", name
    assert "format" not in schemas["WarAtSeaDeploy"]["properties"]["at"], "a sector"


def test_requests_are_closed_and_bounded_and_answers_are_open(document: dict[str, Any]) -> None:
    schemas = document["components"]["schemas"]
    asked = requests(document)
    assert {"NewGame", "TakeSeat", "Command"} <= asked
    for name, schema in schemas.items():
        for path, node in nodes(schema, name):
            if name not in asked:
                assert node.get("additionalProperties") is not False, path
                continue
            if name == "UnknownCommand":
                continue  # it is posted as it was offered
            if "properties" in node and isinstance(node["properties"], dict):
                if "anyOf" in node:
                    continue  # its branches are closed; it only names the tag that all have
                assert node.get("additionalProperties") is False, path
            plain = not {"const", "enum"} & set(node)
            if node.get("type") == "string" and plain:
                assert "maxLength" in node, path
            if node.get("type") == "array":
                assert "maxItems" in node, path
            if node.get("type") == "integer" and plain:
                assert "maximum" in node, path


def test_a_view_always_shows_every_field_of_its_state(document: dict[str, Any]) -> None:
    """A client's types say so; a fork's opening, which holds a state without defaults, may not."""
    schemas = document["components"]["schemas"]
    for name in document["components"]["schemas"]["View"]["discriminator"]["mapping"].values():
        view = schemas[name.rpartition("/")[2]]
        state = schemas[view["properties"]["state"]["$ref"].rpartition("/")[2]]
        assert set(state["required"]) == set(state["properties"])
        assert len(state["required"]) > 20


def test_every_example_fits_its_schema(document: dict[str, Any]) -> None:
    checked = 0
    components = document["components"]
    for _, path, operation in operations(document):
        places = [operation.get("requestBody", {}), *operation["responses"].values()]
        for place in places:
            for media, form in place.get("content", {}).items():
                if not media.endswith("json") or media == "application/x-ndjson":
                    continue
                judge = Draft202012Validator({**form["schema"], "components": components})
                for example in form.get("examples", {}).values():
                    value = example.get("value")
                    if value is None:
                        value = components["examples"][example["$ref"].rpartition("/")[2]]["value"]
                    errors = [f"{e.json_path}: {e.message[:200]}" for e in judge.iter_errors(value)]
                    assert not errors, (path, media, errors[:3])
                    checked += 1
    assert checked > 100


JSON_SUCCESS = "application/json"
WITHOUT_EXAMPLE = {"getOpenapiJson", "getRulesetOpenapi"}
"""The document would hold itself."""


def test_every_json_answer_has_a_recorded_example(document: dict[str, Any]) -> None:
    for _, _, operation in operations(document):
        for status, answer in operation["responses"].items():
            form = answer.get("content", {}).get(JSON_SUCCESS)
            if form is not None and operation["operationId"] not in WITHOUT_EXAMPLE:
                assert form.get("examples"), (operation["operationId"], status)


def test_every_recorded_refusal_blames_what_some_request_has(document: dict[str, Any]) -> None:
    """An example stands with each operation that gives its code; one of them takes that."""
    contract = Contract(document)
    for name, problem in read_problem_examples().items():
        errors = problem.get("errors", ())
        blamed = [each for each in errors if not each["code"].endswith("unknown-field")]
        giving = [
            operation
            for _, _, operation in operations(document)
            if f'"{name}"' in json.dumps(operation["responses"])
        ]
        fits = [each for each in giving if not contract.misplaced(each, {"errors": blamed})]
        assert fits, f"{name}: no operation that gives it takes {blamed}"


def test_every_request_that_is_not_legal_has_a_recorded_refusal() -> None:
    """A malformed tip never gets so far: the schema of the body refuses it before."""
    wanted = {kind.code for kind in KINDS if kind.status == 422} - {"dice.tip-malformed"}
    assert wanted <= set(read_problem_examples())


def test_the_examples_are_what_the_service_answers_today() -> None:
    examples, problems = asyncio.run(record_all(games().values()))
    anew = f"{MADE_ANEW}, and read what has changed"
    assert together(examples.values()) == read_examples(), anew
    assert problems == read_problem_examples(), anew


OTHER = bytes(range(32))


@pytest.mark.parametrize("digest", ["_digest_of_rules", "scenario_digest"])
@pytest.mark.parametrize("ruleset", sorted(games()))
def test_the_examples_do_not_hang_on_digests(
    ruleset: str, digest: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every file of the rules is in the first, every option of a set-up in the second."""
    monkeypatch.setattr(opening, digest, lambda _: OTHER)
    monkeypatch.setattr("service.views.rulesets.digests_known", lambda game: ())
    examples, _ = asyncio.run(record(games()[ruleset]))
    kept = read_examples()
    assert together([kept, examples]) == kept
