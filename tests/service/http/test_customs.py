"""Documents of the players' own over HTTP: checked, kept under their content's name, played."""

from __future__ import annotations

from typing import Any

import pytest

from domain.kernel.form import GREATEST
from service.play.customs import DOCUMENT_LIMIT, name_of
from tests.service.http.table import Table, code
from tests.support.pennant import REGATTA

KIND = "/v1/rulesets/pennant/customs/scenario"
ODD = {"name": "Odd", "turns": 3}


def test_kinds_have_a_schema_and_examples_that_pass(table: Table) -> None:
    (kind,) = table.get("/v1/rulesets/pennant/customs").json()["items"]
    assert kind["kind"] == "scenario"
    schema = table.get(kind["schemaPath"])
    assert schema.json()["additionalProperties"] is False
    again = table.ask("GET", kind["schemaPath"], headers={"If-None-Match": schema.headers["etag"]})
    assert again.status_code == 304
    for example in kind["examples"]:
        assert table.post(f"{KIND}/check", example).status_code == 200


def test_a_posted_document_is_named_by_its_content_and_kept_once(table: Table) -> None:
    checked = table.post(f"{KIND}/check", REGATTA).json()
    assert code(table.get(f"/v1/customs/{checked['id']}")) == "resource.not-found"
    first = table.post(KIND, REGATTA)
    again = table.post(KIND, dict(reversed(REGATTA.items())))
    assert first.status_code == again.status_code == 201
    told = [each.json() for each in (first, again)]
    goes = [each.pop("expiresAt") for each in told]
    assert goes == sorted(goes)
    assert (
        told
        == [
            {
                "id": name_of("pennant", "scenario", REGATTA),
                "ruleset": "pennant",
                "kind": "scenario",
                "name": "Regatta",
            }
        ]
        * 2
    )
    assert first.json()["id"] == checked["id"]
    shown = table.get(first.headers["location"])
    assert shown.json() == again.json() | {"document": REGATTA}
    assert "immutable" not in shown.headers["cache-control"], "it goes when nobody names it"


def test_a_repeated_post_is_answered_again_and_another_under_its_key_refused(table: Table) -> None:
    key = "a-post-of-a-document-2cf24dba5fb0"
    one = table.post(KIND, REGATTA, key=key)
    two = table.post(KIND, REGATTA, key=key)
    assert (two.json(), two.headers["idempotency-replayed"]) == (one.json(), "true")
    other = table.post(KIND, {"name": "Other", "turns": 4}, key=key)
    assert code(other) == "idempotency.key-reused"


def test_all_faults_come_at_once_with_place_and_rule(table: Table) -> None:
    wrong = {"name": "", "turns": 0, "wind": 7}
    for path in (f"{KIND}/check", KIND):
        problem = table.post(path, wrong)
        assert (problem.status_code, code(problem)) == (422, "document.faulty")
        assert {(e["pointer"], e["code"]) for e in problem.json()["errors"]} == {
            ("/name", "document.too-short"),
            ("/turns", "document.out-of-range"),
            ("/wind", "document.unknown-field"),
        }
    judged = table.post(KIND, ODD).json()
    assert (judged["rule"], judged["errors"][0]["code"]) == ("PEN-6", "regatta.odd")
    assert judged["hint"] == "Take an even number."


@pytest.mark.parametrize("document", [[], "text", 7, {"name": "x", "turns": GREATEST}])
def test_anything_that_is_json_is_judged(table: Table, document: Any) -> None:
    assert code(table.post(f"{KIND}/check", document)) == "document.faulty"


def test_size_and_depth_have_limits(table: Table) -> None:
    large = {**REGATTA, "more": ["x" * 4000] * (DOCUMENT_LIMIT // 4000 + 1)}
    for path in (f"{KIND}/check", KIND):
        assert code(table.post(path, large)) == "document.too-large"
    new = {"ruleset": "pennant", "customs": {"scenario": {"document": large}}}
    assert code(table.post("/v1/games", new)) == "document.too-large"
    deep: Any = 1
    for _ in range(40):
        deep = [deep]
    assert code(table.post(f"{KIND}/check", {**REGATTA, "more": deep})) == "body.malformed"


def test_only_what_was_posted_to_be_listed_is_in_the_list(table: Table) -> None:
    documents = [{"name": f"Race {n}", "turns": 2 * n} for n in (1, 2, 3)]
    for document in documents:
        table.post(KIND, document)
    assert table.get(KIND).json() == {"items": [], "next": None}
    for document in documents:
        assert table.post(f"{KIND}?listed=true", document).status_code == 201
    table.post(KIND, documents[0])
    page = table.get(f"{KIND}?limit=2").json()
    rest = table.get(f"{KIND}?limit=2&cursor={page['next']}").json()
    names = [item["name"] for item in page["items"] + rest["items"]]
    assert (names, rest["next"]) == (["Race 3", "Race 2", "Race 1"], None)


@pytest.mark.parametrize("by_id", [True, False])
def test_a_game_names_a_document_or_carries_it(table: Table, by_id: bool) -> None:
    wish = {"id": table.post(KIND, REGATTA).json()["id"]} if by_id else {"document": REGATTA}
    match = table.create(customs={"scenario": wish})
    game = match.created.json()["game"]
    named = {"kind": "scenario", "id": name_of("pennant", "scenario", REGATTA), "name": "Regatta"}
    assert (game["scenario"], game["customs"]) == ("custom", [named])
    first = table.get(f"{match.path}/events?limit=1").json()["items"][0]
    assert first["data"]["setup"]["customs"] == {"scenario": REGATTA}
    opened = table.get(f"{match.path}/events?after=1&limit=1").json()["items"][0]
    assert opened["data"]["turns"] == REGATTA["turns"]


@pytest.mark.parametrize(
    ("new", "refused", "pointer"),
    [
        ({"customs": {"scenario": {}}}, "custom.unclear", "/customs/scenario"),
        (
            {"customs": {"scenario": {"id": "0" * 64, "document": REGATTA}}},
            "custom.unclear",
            "/customs/scenario",
        ),
        ({"customs": {"scenario": {"id": "0" * 64}}}, "custom.unknown", "/customs/scenario/id"),
        ({"customs": {"scenario": {"id": "me"}}}, "body.invalid", "/customs/scenario/id"),
        ({"customs": {"weather": {}}}, "body.invalid", "/customs/weather"),
        (
            {"customs": {"scenario": {"document": REGATTA}}, "scenario": "convoy"},
            "custom.unclear",
            "/scenario",
        ),
        (
            {"customs": {"scenario": {"document": ODD}}},
            "document.faulty",
            "/customs/scenario/document/turns",
        ),
        (
            {"customs": {"deck": {"document": {}}}},
            "document.faulty",
            "/customs/deck/document",
        ),
    ],
)
def test_what_a_new_game_may_not_bring(
    table: Table, new: dict[str, Any], refused: str, pointer: str
) -> None:
    problem = table.post("/v1/games", {"ruleset": "pennant", **new})
    assert code(problem) == refused
    assert problem.json()["errors"][0]["pointer"] == pointer


def test_a_document_of_another_ruleset_or_kind_is_not_there(table: Table) -> None:
    for path in ("/v1/rulesets/chess/customs/scenario", "/v1/rulesets/pennant/customs/deck"):
        assert code(table.get(path)) == "resource.not-found"
        assert code(table.post(path, {})) == "resource.not-found"
        assert code(table.get(f"{path}/schema")) == "resource.not-found"
    assert code(table.get("/v1/customs/not-an-id")) == "resource.not-found"
