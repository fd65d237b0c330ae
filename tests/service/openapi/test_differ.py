"""The differ finds each kind of breaking change, and lets each additive one pass."""

from __future__ import annotations

import copy
import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from litestar.testing import TestClient

from domain.kernel.finder import games
from service.app import create_app
from service.http import registry
from service.http.operation import Farewell
from service.openapi.differ import Change, differences
from service.openapi.document import FOLDER, build, plain
from service.openapi.paths import paths_for
from service.openapi.released import RELEASED, latest
from service.openapi.shape import WORDS
from service.settings import Settings
from tests.support.pennant import GAME

pytestmark = pytest.mark.slow("contract")

Document = dict[str, Any]
Mutation = Callable[[Document], object]


@pytest.fixture(scope="module")
def old() -> Document:
    """A small document of the real shape: the service with one little ruleset."""
    made: Document = json.loads(json.dumps(build({"pennant": GAME}, {}, {})))
    return made


def op(document: Document, path: str, method: str = "get") -> Document:
    found: Document = document["paths"][path][method]
    return found


def schema(document: Document, name: str) -> Document:
    found: Document = document["components"]["schemas"][name]
    return found


def field(document: Document, name: str, of: str) -> Document:
    found: Document = schema(document, name)["properties"][of]
    return found


def parameter(document: Document, path: str, name: str) -> Document:
    return next(p for p in op(document, path)["parameters"] if p["name"] == name)


GAMES, GAME_PATH, COMMANDS = "/v1/games", "/v1/games/{game}", "/v1/games/{game}/commands"
EVENTS = "/v1/games/{game}/events"


def removed(of: Callable[[Document], dict[str, Any]], name: str) -> Mutation:
    return lambda d: of(d).pop(name)


def changed(of: Callable[[Document], dict[str, Any]], **values: Any) -> Mutation:
    return lambda d: of(d).update(values)


def without_parameter(document: Document) -> None:
    found = op(document, GAMES)
    found["parameters"] = [p for p in found["parameters"] if p["name"] != "status"]


def with_parameter(required: bool) -> Mutation:
    new = {"name": "mood", "in": "query", "required": required, "schema": {"type": "string"}}
    return lambda d: op(d, GAMES)["parameters"].append(new)


def moved_code(document: Document) -> None:
    answers = op(document, GAME_PATH)["responses"]
    form = "application/problem+json"
    moved = answers["404"]["content"][form]["examples"].pop("game.not-found")
    answers["422"]["content"][form]["examples"]["game.not-found"] = moved


def codes(document: Document, status: str) -> Document:
    answer = op(document, GAME_PATH)["responses"][status]
    found: Document = answer["content"]["application/problem+json"]["examples"]
    return found


def lost_branch(document: Document) -> None:
    event = schema(document, "Event")
    gone = event["oneOf"].pop()["$ref"]
    mapping = event["discriminator"]["mapping"]
    event["discriminator"]["mapping"] = {n: r for n, r in mapping.items() if r != gone}


def new_branch(document: Document) -> None:
    event = schema(document, "Event")
    first = event["oneOf"][0]["$ref"].rpartition("/")[2]
    made = copy.deepcopy(schema(document, first))
    made["properties"]["type"] = {"type": "string", "const": "decklog.new-thing"}
    document["components"]["schemas"]["NewThing"] = made
    event["oneOf"].append({"$ref": "#/components/schemas/NewThing"})
    event["discriminator"]["mapping"]["decklog.new-thing"] = "#/components/schemas/NewThing"


def renamed_component(document: Document) -> None:
    """Names of components are ours alone: everything under another name is the same contract."""
    text = json.dumps(document["components"]["schemas"]).replace("GameSummary", "GameInShort")
    document["components"]["schemas"] = json.loads(text)
    paths = json.dumps(document["paths"]).replace("schemas/GameSummary", "schemas/GameInShort")
    document["paths"] = json.loads(paths)


def required(name: str, of: str) -> Mutation:
    return lambda d: schema(d, name).setdefault("required", []).append(of)


def optional(name: str, of: str) -> Mutation:
    return lambda d: schema(d, name)["required"].remove(of)


def new_field(name: str, needed: bool = False) -> Mutation:
    def mutate(document: Document) -> None:
        schema(document, name)["properties"]["mood"] = {"type": "string"}
        if needed:
            schema(document, name)["required"].append("mood")

    return mutate


def answers_of(path: str, method: str = "get") -> Callable[[Document], Document]:
    return lambda d: op(d, path, method)["responses"]


BREAKING: dict[str, tuple[Mutation, str]] = {
    "an operation goes": (removed(lambda d: d["paths"], "/v1/rulesets"), "operation-removed"),
    "a method goes": (removed(lambda d: d["paths"][GAMES], "post"), "operation-removed"),
    "an operation is renamed": (
        changed(lambda d: op(d, GAMES), operationId="listAllGames"),
        "operation-renamed",
    ),
    "a path is renamed": (
        lambda d: d["paths"].update({"/v1/plays": d["paths"].pop(GAMES)}),
        "operation-removed",
    ),
    "a token is needed": (
        changed(lambda d: op(d, GAME_PATH), security=[{"token": []}]),
        "token-required",
    ),
    "a parameter goes": (without_parameter, "parameter-removed"),
    "a new parameter is required": (with_parameter(True), "parameter-required"),
    "a parameter becomes required": (
        changed(lambda d: parameter(d, GAMES, "status"), required=True),
        "parameter-required",
    ),
    "a parameter takes less": (
        lambda d: parameter(d, GAMES, "limit")["schema"].update(maximum=50),
        "bound-tightened",
    ),
    "a parameter changes its type": (
        lambda d: parameter(d, GAMES, "limit").update(schema={"type": "boolean"}),
        "type-changed",
    ),
    "a body goes": (removed(lambda d: op(d, GAMES, "post"), "requestBody"), "body-removed"),
    "a body is asked for": (
        lambda d: op(d, GAMES).update(requestBody=op(d, GAMES, "post")["requestBody"]),
        "body-required",
    ),
    "a request field goes": (
        removed(lambda d: schema(d, "PennantNewGame")["properties"], "name"),
        "field-removed",
    ),
    "a request field becomes required": (required("PennantNewGame", "name"), "field-required"),
    "a new request field is required": (new_field("PennantNewGame", True), "field-required"),
    "a request value goes": (
        lambda d: field(d, "PennantNewGame", "grade")["enum"].remove("A1"),
        "value-removed",
    ),
    "a request field is closed to a list": (
        changed(lambda d: field(d, "PennantNewGame", "name"), enum=["a", "b"]),
        "values-closed",
    ),
    "a request text gets shorter": (
        changed(lambda d: field(d, "PennantNewGame", "name"), maxLength=5),
        "bound-tightened",
    ),
    "a request list gets shorter": (
        changed(lambda d: field(d, "PennantNewGame", "seats"), maxItems=2),
        "bound-tightened",
    ),
    "a request text gets a pattern": (
        changed(lambda d: field(d, "PennantNewGame", "name"), pattern="^x"),
        "pattern-changed",
    ),
    "a request field changes its type": (
        changed(lambda d: field(d, "PennantNewGame", "name"), type="integer"),
        "type-changed",
    ),
    "a command goes": (
        lambda d: schema(d, "Command")["oneOf"].pop(),
        "branch-removed",
    ),
    "a status of success goes": (removed(answers_of(EVENTS), "204"), "status-removed"),
    "a status of success comes": (
        lambda d: answers_of(GAME_PATH)(d).update({"202": {"description": "Later."}}),
        "status-added",
    ),
    "a code goes": (removed(lambda d: codes(d, "404"), "game.not-found"), "code-removed"),
    "a code changes its status": (moved_code, "code-status"),
    "the code of an unknown address goes": (
        removed(lambda d: d["x-unrouted"], "route.not-found"),
        "code-removed",
    ),
    "a header goes": (
        removed(lambda d: answers_of(GAME_PATH)(d)["200"]["headers"], "ETag"),
        "header-removed",
    ),
    "a link goes": (
        removed(lambda d: answers_of(GAMES, "post")(d)["201"]["links"], "getGame"),
        "link-removed",
    ),
    "a media type goes": (
        removed(lambda d: answers_of(EVENTS)(d)["200"]["content"], "text/event-stream"),
        "media-removed",
    ),
    "an answer's field goes": (
        removed(lambda d: schema(d, "GameSummary")["properties"], "version"),
        "field-removed",
    ),
    "an answer's field may be absent": (
        optional("GameSummary", "version"),
        "field-may-be-absent",
    ),
    "an answer's field may be null": (
        changed(lambda d: field(d, "GameSummary", "version"), type=["integer", "null"]),
        "null-widened",
    ),
    "an answer's field changes its type": (
        changed(lambda d: field(d, "GameSummary", "version"), type="string"),
        "type-changed",
    ),
    "an answer's value goes": (
        lambda d: field(d, "GameSummary", "status")[WORDS].remove("open"),
        "value-removed",
    ),
    "an answer's list of values is opened": (
        removed(lambda d: field(d, "PennantChosenEvent", "type"), "const"),
        "values-opened",
    ),
    "an event type goes": (lost_branch, "branch-removed"),
    "a field deep inside goes": (
        removed(lambda d: schema(d, "Rules")["properties"], "digest"),
        "field-removed",
    ),
}

ADDITIVE: dict[str, tuple[Mutation, str]] = {
    "an operation comes": (
        lambda d: d["paths"].update({"/v1/plays": {"get": copy.deepcopy(op(d, GAMES))}}),
        "operation-added",
    ),
    "an operation is deprecated": (
        changed(lambda d: op(d, GAMES), deprecated=True),
        "operation-deprecated",
    ),
    "an optional parameter comes": (with_parameter(False), "parameter-added"),
    "a parameter takes more": (
        lambda d: parameter(d, GAMES, "limit")["schema"].update(maximum=500),
        "bound-loosened",
    ),
    "an optional request field comes": (new_field("PennantNewGame"), "field-added"),
    "a request value comes": (
        lambda d: field(d, "PennantNewGame", "grade")["enum"].append("A9"),
        "value-added",
    ),
    "a request text gets longer": (
        changed(lambda d: field(d, "PennantNewGame", "name"), maxLength=500),
        "bound-loosened",
    ),
    "a request field may be null": (
        changed(lambda d: field(d, "PennantNewGame", "name"), type=["string", "null"]),
        "null-widened",
    ),
    "a field of an answer comes": (new_field("GameSummary"), "field-added"),
    "a field of an answer is always there": (
        required("SeatSummary", "held"),
        "",
    ),
    "a value of an answer comes": (
        lambda d: field(d, "GameSummary", "status")[WORDS].append("paused"),
        "value-added",
    ),
    "an event type comes": (new_branch, "branch-added"),
    "a code comes": (lambda d: codes(d, "404").update({"game.gone": {}}), "code-added"),
    "a header comes": (
        lambda d: answers_of(GAME_PATH)(d)["200"]["headers"].update({"Age": {}}),
        "header-added",
    ),
    "a media type comes": (
        lambda d: answers_of(EVENTS)(d)["200"]["content"].update(
            {"text/csv": {"schema": {"type": "string"}}}
        ),
        "media-added",
    ),
    "a status of failure comes": (
        lambda d: answers_of(GAME_PATH)(d).update({"418": {"description": "No."}}),
        "status-added",
    ),
    "a component is renamed": (renamed_component, ""),
    "a text changes": (changed(lambda d: op(d, GAMES), summary="Other words"), ""),
}


def after(old: Document, mutate: Mutation) -> list[Change]:
    new = copy.deepcopy(old)
    mutate(new)
    return differences(old, new)


@pytest.mark.parametrize("name", BREAKING)
def test_a_breaking_change_is_found(old: Document, name: str) -> None:
    mutate, rule = BREAKING[name]
    found = after(old, mutate)
    assert rule in {change.rule for change in found if change.breaking}, found


@pytest.mark.parametrize("name", ADDITIVE)
def test_an_additive_change_passes(old: Document, name: str) -> None:
    mutate, rule = ADDITIVE[name]
    found = after(old, mutate)
    assert [change for change in found if change.breaking] == []
    assert {change.rule for change in found} == ({rule} if rule else set())


def test_nothing_has_changed_where_nothing_was_changed(old: Document) -> None:
    assert differences(old, copy.deepcopy(old)) == []


def test_every_judgement_is_in_the_written_list() -> None:
    text = (FOLDER / "CHANGES.md").read_text("utf-8")
    source = (FOLDER.parent / "service" / "openapi" / "differ.py").read_text("utf-8")
    given = set(re.findall(r'"([a-z]+(?:-[a-z]+)+)"', source)) - {"x-unrouted"}
    given |= {f"{kind}-{how}" for kind in ("null", "type") for how in ("narrowed", "widened")}
    given |= {"values-closed", "values-opened"}
    listed = set(re.findall(r"^\| `([a-z-]+)` \|", text, re.MULTILINE))
    assert listed == given
    tried = {rule for _, rule in (*BREAKING.values(), *ADDITIVE.values()) if rule}
    assert tried <= listed
    assert len(tried) > 25


def test_the_committed_document_breaks_nothing_that_was_released() -> None:
    committed = plain()
    breaking = [str(change) for change in differences(latest(), committed) if change.breaking]
    assert breaking == []


def entries(text: str) -> list[str]:
    """What is told below "Unreleased", each bullet as one line."""
    told = text.partition("\n## Unreleased\n")[2].partition("\n## ")[0]
    return [re.sub(r"\s+", " ", each) for each in re.findall(r"^- .*(?:\n  .*)*", told, re.M)]


def unannounced(old: dict[str, Any], new: dict[str, Any], text: str) -> list[str]:
    """Names that clients find in the newer document and in no line below "Unreleased".

    A name that the older document has as well says nothing alone: its line names where it is
    another one, too, or any line about any ``seat`` would do.
    """
    told, known = entries(text), json.dumps(old)
    places: dict[str, set[str]] = {}
    for change in differences(old, new):
        places.setdefault(_named(change), set()).update(_places(change, old, new))
    return sorted(
        name
        for name, where in places.items()
        # A branch without a tag is known by its fields alone: it has no name to be told by.
        if "," not in name
        and not any(
            has(line, name) and (not has(known, name) or any(has(line, each) for each in where))
            for line in told
        )
    )


def has(text: str, name: str) -> bool:
    """Whether it stands there: `seat.taken` is a code and no word about `seat`."""
    return re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-]|\.\w)", text) is not None


def _places(change: Change, *documents: dict[str, Any]) -> Iterator[str]:
    """By what a line may say where it is: the operation, its path, a branch, a field above it."""
    method, path = change.where.split(":")[0].split()[:2] if " " in change.where else ("", "")
    for document in documents:
        yield from (
            each["operationId"]
            for way, each in document["paths"].get(path, {}).items()
            if way == method.lower()
        )
    yield from {path, change.where} - {""}
    if change.rule.startswith("status"):
        yield _named(change)  # it comes with a code, which has to be told as well
    yield from re.findall(r"<([^<>]+)>", change.where)
    yield from re.findall(r"\.([A-Za-z]\w*)(?=[.\[ <])", change.where)


GONE = re.compile(r"\b(was|were|gone|no longer|any more|in the place of)\b")


def unknown(text: str, *documents: dict[str, Any]) -> list[str]:
    """Paths and names in the lines below "Unreleased" that no document has, and none ever lost.

    What is gone from both may be told, by a sentence that says that it is.
    """
    known = " ".join(json.dumps(document) for document in documents)
    found = []
    for line in entries(text):
        for sentence in re.split(r"(?<=[.;]) ", line):
            names = (
                name
                for span in re.findall(r"`([^`]+)`", sentence)
                for name in re.findall(r"[\w./{}-]+", re.sub(r'"[^"]*\.\.\."', "", span))
            )
            found += [name for name in names if not GONE.search(sentence) and not _is(name, known)]
    return found


def _is(name: str, known: str) -> bool:
    """Whether it is a word of a document; of a pointer or a dotted name each part is."""
    if has(known, name) or name.startswith("/v1"):
        return has(known, name)
    return all(has(known, part) for part in re.split(r"[./]", name.strip("/.{}")))


def test_no_line_names_what_no_document_has() -> None:
    text = (FOLDER / "CHANGES.md").read_text("utf-8")
    found = unknown(text, latest(), plain())
    assert not found, (
        f"openapi/CHANGES.md names below Unreleased what neither document has: {found}; "
        'of what is gone the sentence says "was", "gone", "no longer" or "in the place of"'
    )


def test_a_name_that_no_document_has_is_noticed() -> None:
    document = plain()
    head = "\n## Unreleased\n\n- New: "
    for told, names in (
        ("`GET /v1/results`, `limits.forkDays` and `/command/type`.", []),
        ("`GET /v1/losses-of-all`.", ["/v1/losses-of-all"]),
        ("`lastSeaat` of a game; `winners` of another.", ["lastSeaat"]),
        ("`limits.forkDayz`.", ["limits.forkDayz"]),
        ("`winners`. The `placard` is gone.", []),
        ("`placard`. The `winners` were others.", ["placard"]),
    ):
        assert unknown(f"{head}{told}\n", document) == names
    assert unknown("\n## Unreleased\n\n## 0.1.0\n\n- `placard`.\n", document) == []


def test_a_code_is_no_word_about_the_field_that_it_begins_with() -> None:
    old, new = (plain() for _ in range(2))
    new["components"]["schemas"]["GameSummary"]["properties"]["leadsBy"] = {"type": "integer"}
    for told, missing in (("`leadsBy.named`", ["leadsBy"]), ("`leadsBy`.", []), ("leadsBy.", [])):
        assert unannounced(old, new, f"\n## Unreleased\n\n- {told}\n") == missing
        assert unlogged(old, new, f"\n## [Unreleased]\n\n- {told}\n") == missing


def test_a_known_name_alone_does_not_tell_what_is_new() -> None:
    old, new = (plain() for _ in range(2))
    new["components"]["schemas"]["WebhookList"]["properties"]["seat"] = {"type": "string"}
    head = "\n## Unreleased\n\n- "
    assert unannounced(old, new, f"{head}Broken: `seat` may be absent.\n") == ["seat"]
    assert unannounced(old, new, f"{head}`seat` in `listWebhooks`.\n") == []
    assert unannounced(old, new, f"{head}`listWebhooks` has more.\n- A `seat`.\n") == ["seat"]


def _named(change: Change) -> str:
    """What a change is about: a field, a parameter, or else a code, a value, a path, an event."""
    if change.rule.startswith("parameter"):
        return change.where.rpartition(": ")[2].partition(" in ")[0]
    last = change.where.split()[-1].strip("<>[]")
    return last.rpartition(".")[2] if change.rule.startswith("field") else last


def test_all_that_is_new_since_the_release_is_told_to_clients() -> None:
    text = (FOLDER / "CHANGES.md").read_text("utf-8")
    missing = unannounced(latest(), plain(), text)
    assert not missing, f"openapi/CHANGES.md needs a line below Unreleased about {missing}"


def unlogged(old: dict[str, Any], new: dict[str, Any], changelog: str) -> list[str]:
    """The same names that no line of the changelog's unreleased part has, in its shorter form.

    There an event or a code is told without its ruleset, an operation as ``GET luck``.
    """
    told = changelog.partition("\n## [Unreleased]\n")[2].partition("\n## [")[0]
    names = {_named(change) for change in differences(old, new)}
    return sorted(name for name in names if "," not in name and not _logged(name, told))


def _logged(name: str, told: str) -> bool:
    if name.startswith("/"):
        last = [part for part in name.split("/") if not part.startswith("{")][-1]
        short = rf"\b(GET|POST|DELETE) (\S*/)?{re.escape(last)}(?![\w-])"
        return name in told or re.search(short, told) is not None
    ruleset, _, event = name.rpartition(".")
    forms = {name, event} if ruleset in games() else {name}
    return any(has(told, form) for form in forms)


def test_all_that_is_new_since_the_release_is_in_the_changelog() -> None:
    text = (FOLDER.parent / "CHANGELOG.md").read_text("utf-8")
    missing = unlogged(latest(), plain(), text)
    assert not missing, f"CHANGELOG.md needs a line below [Unreleased] about {missing}"


def test_what_the_changelog_does_not_name_is_noticed() -> None:
    old, new = (plain() for _ in range(2))
    new["paths"]["/v1/games/{game}/losses-of-all"] = {"get": new["paths"]["/v1/results"]["get"]}
    new["components"]["schemas"]["GameSummary"]["properties"]["leadsBy"] = {"type": "integer"}
    text = "# Changelog\n\n## [Unreleased]\n\n- More.\n\n## [0.1.0]\n\n- `leadsBy`.\n"
    path = "/v1/games/{game}/losses-of-all"
    assert unlogged(old, new, text) == [path, "leadsBy"]
    for operation in (f"`GET {path}`", "`GET losses-of-all`", f"{path} lists"):
        told = text.replace("- More.", f"- `leadsBy` of a game; {operation}.")
        assert unlogged(old, new, told) == []
    assert unlogged(old, new, text.replace("- More.", "- `leadsBy`: losses-of-all.")) == [path]
    assert _logged("war-at-sea.light-changed", "`light-changed` tells")
    assert not _logged("game.over", "over")


def test_a_field_and_a_path_that_nobody_told_are_noticed() -> None:
    old = plain()
    new = plain()
    new["paths"]["/v1/losses-of-all"] = {"get": new["paths"]["/v1/results"]["get"]}
    new["components"]["schemas"]["GameSummary"]["properties"]["leadsBy"] = {"type": "integer"}
    text = "# Changes\n\n## Unreleased\n\n## 0.1.0\n\n- Field `leadsBy`.\n"
    assert unannounced(old, new, text) == ["/v1/losses-of-all", "leadsBy"]
    told = text.replace("Unreleased\n", "Unreleased\n\n- `leadsBy`; `GET /v1/losses-of-all`.\n")
    assert unannounced(old, new, told) == []


def test_a_parameter_is_told_by_its_own_name() -> None:
    """Not as "query", the word that says where it stands, which is in any list of changes."""
    old, new = (plain() for _ in range(2))
    with_parameter(False)(new)
    line = "- The query of `listGames` has more."
    assert unannounced(old, new, f"\n## Unreleased\n\n{line}\n") == ["mood"]
    assert unlogged(old, new, f"\n## [Unreleased]\n\n{line}\n") == ["mood"]
    told = f"{line}: `mood`."
    assert unannounced(old, new, f"\n## Unreleased\n\n{told}\n") == []
    assert unlogged(old, new, f"\n## [Unreleased]\n\n{told}\n") == []


def test_the_command_tells_and_judges(tmp_path: Path) -> None:
    document = plain()
    del document["paths"]["/v1/rulesets"]
    (tmp_path / "new.json").write_text(json.dumps(document), "utf-8")
    released = str(next(RELEASED.glob("*.json")))
    command = [sys.executable, "-m", "service.openapi", "--diff", released]
    spoiled = subprocess.run(
        [*command, str(tmp_path / "new.json")], capture_output=True, text=True, check=False
    )
    assert spoiled.returncode == 1
    assert "breaking  operation-removed  GET /v1/rulesets\n" in spoiled.stdout
    kept = subprocess.run(command, capture_output=True, text=True, check=False)
    assert kept.returncode == 0
    assert kept.stdout.startswith(("0 breaking", "additive"))


def test_a_deprecated_operation_says_so_in_every_answer_and_in_the_document(
    tmp_path: Path,
) -> None:
    farewell = Farewell(1_800_000_000, "Tue, 14 Dec 2027 08:00:00 GMT", "/docs/versioning")
    old = next(each for each in registry.operations() if each.id == "listRulesets")
    gone = replace(old, farewell=farewell)
    documented = paths_for(registry.plain_paths(), (gone,), (), {})
    assert documented["/v1/rulesets"]["get"]["deprecated"] is True
    settings = Settings(database=tmp_path / "old.sqlite", chain_length=64, log_level="ERROR")
    app = create_app(settings, {"pennant": GAME})
    (route,) = (each for each in registry.routes_of(app) if each.operation.id == old.id)
    route.operation = gone
    with TestClient(app) as client:
        fields = client.get("/v1/rulesets").headers
        assert fields["deprecation"] == "@1800000000"
        assert fields["sunset"] == farewell.sunset
        assert 'rel="deprecation"' in fields["link"]
        assert "deprecation" not in client.get("/v1").headers
