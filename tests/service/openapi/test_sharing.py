"""What is the same in several operations is sent once; a slice is a whole document."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import httpx
import pytest
from litestar.testing import TestClient

from domain.kernel.finder import games
from service.app import create_app
from service.openapi.document import (
    COMMITTED,
    SLICES,
    build,
    encode,
    plain,
    read_examples,
    slice_at,
    slices,
)
from service.openapi.sharing import WIDTH, set_out, share, spread
from service.settings import Settings
from tests.service.openapi.test_document import MADE_ANEW, operations
from tests.support.pennant import GAME
from tests.support.validity import validate

pytestmark = pytest.mark.slow("contract")

MOST_LINES = 15_000
"""Of the document without its examples (issue 30): one has to be able to read it."""
SPANNING = {
    "Command", "Event", "View", "NewGame", "GameOptions", "Odds", "UnknownCommand", "UnknownEvent",
    "UnknownView", "UnknownGameOptions", "UnknownOdds", "Problem", "Entry", "UnknownEntry", "Setup",
    "UnknownSetup", "Preview", "UnknownPreview", "RollResult", "Worthwhile",
    "UnknownWorthwhile",
}  # fmt: skip
"""Components that name what is of every ruleset: unions, lists of codes and of events."""


def without_examples(part: Any) -> Any:
    if isinstance(part, dict):
        return {key: without_examples(each) for key, each in part.items() if key != "examples"}
    return [without_examples(each) for each in part] if isinstance(part, list) else part


def accepted(operation: dict[str, Any]) -> Any:
    """An operation without its refusals, of which each ruleset has its own."""
    kept = {status: each for status, each in operation["responses"].items() if status < "400"}
    return without_examples({**operation, "responses": kept})


def test_what_is_shared_comes_back_to_its_places() -> None:
    whole = json.loads(json.dumps(build({"pennant": GAME}, {}, {})))
    shared = share(whole)
    assert shared != whole
    assert spread(shared) == whole
    assert spread(json.loads(COMMITTED.read_bytes())) == plain()
    assert json.loads(set_out(shared)) == shared


def test_no_parameter_and_no_refusal_stands_twice() -> None:
    sent = json.loads(COMMITTED.read_bytes())
    said: Counter[str] = Counter()
    for _, _, operation in operations(sent):
        refusals = [each for status, each in operation["responses"].items() if status >= "400"]
        for part in [*operation.get("parameters", ()), *refusals]:
            said[json.dumps(part)] += "$ref" not in part
    assert [part for part, count in said.items() if count > 1] == []
    for kind in ("parameters", "responses"):
        forms = [json.dumps(each) for each in sent["components"][kind].values()]
        assert len(set(forms)) == len(forms) > 10


def test_no_recorded_example_stands_in_a_path() -> None:
    sent = json.loads(COMMITTED.read_bytes())
    assert '"value"' not in json.dumps(sent["paths"])
    assert "getGame.200.war-at-sea" in sent["components"]["examples"]


def test_the_document_is_short_enough_to_be_read() -> None:
    text = set_out(without_examples(json.loads(COMMITTED.read_bytes())))
    assert len(text.splitlines()) < MOST_LINES
    wide = [line for line in text.splitlines() if len(line) > WIDTH + 2]
    whole = [line for line in wide if '"description": "' not in line and '"summary"' not in line]
    assert [line[:150] for line in whole if len(line) < 400 and '"pattern"' not in line] == []


@pytest.mark.parametrize("ruleset", sorted(games()))
def test_a_slice_has_the_types_of_the_whole(ruleset: str) -> None:
    validate(json.loads(slice_at(ruleset).read_bytes()))
    whole, alone = plain(), spread(json.loads(slice_at(ruleset).read_bytes()))
    types, own = whole["components"]["schemas"], alone["components"]["schemas"]
    assert set(own) < set(types)
    differing = {name for name, schema in own.items() if schema != types[name]}
    assert differing <= SPANNING
    for name in SPANNING & {name for name in own if "oneOf" in own[name]}:
        mapping = own[name]["discriminator"]["mapping"]
        assert mapping.items() <= types[name]["discriminator"]["mapping"].items(), name
    assert {each["operationId"]: accepted(each) for _, _, each in operations(alone)} == {
        each["operationId"]: accepted(each) for _, _, each in operations(whole)
    }


def test_the_committed_slices_are_what_the_code_says() -> None:
    made = slices(games(), read_examples())
    assert sorted(made) == sorted(SLICES.glob("*.json"))
    assert [path.name for path, said in made.items() if path.read_bytes() != said] == [], MADE_ANEW


def test_a_slice_is_served_as_it_is_committed(tmp_path: Any) -> None:
    with TestClient(create_app(Settings(database=tmp_path / "x.sqlite"))) as client:
        for ruleset in games():
            answer: httpx.Response = client.get(f"/openapi/{ruleset}.json")
            assert answer.status_code == 200
            assert answer.content == slice_at(ruleset).read_bytes()
            tag = {"If-None-Match": answer.headers["etag"]}
            assert client.get(f"/openapi/{ruleset}.json", headers=tag).status_code == 304
        for name in ("pennant.json", "war-at-sea", "openapi.json"):
            assert client.get(f"/openapi/{name}").json()["code"] == "resource.not-found"


def test_a_slice_of_what_is_not_committed_is_built(tmp_path: Any) -> None:
    app = create_app(Settings(database=tmp_path / "x.sqlite"), {**games(), "pennant": GAME})
    with TestClient(app) as client:
        assert client.get("/openapi/pennant.json").content == encode(build({"pennant": GAME}, {}))


def test_the_form_for_strict_validators_has_a_constant_of_each_branch(tmp_path: Any) -> None:
    """Ajv, where it heeds `discriminator`, refuses a union that has a branch without one."""
    with TestClient(create_app(Settings(database=tmp_path / "x.sqlite"))) as client:
        strict = spread(client.get("/openapi/validators.json").json())
    validate(strict)
    schemas, count = strict["components"]["schemas"], 0
    for name, schema in schemas.items():
        if "discriminator" in schema:
            tag = schema["discriminator"]["propertyName"]
            for branch in schema["oneOf"]:
                properties = schemas[branch["$ref"].rpartition("/")[2]]["properties"]
                assert "const" in properties[tag], name
            count += 1
    assert count > 0
    whole = plain()["components"]["schemas"]
    for name, schema in schemas.items():
        kept = {key: each for key, each in whole[name].items() if key != "discriminator"}
        assert schema in (whole[name], kept), name
