"""Judges from outside: Spectral and Redocly find nothing, and the Arazzo files run (B7)."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from service.openapi.document import tried
from tests.support import clients, programs
from tests.support.server import ROOT, Running, running

LINT = ROOT / "openapi" / "lint"
ARAZZO = ROOT / "openapi" / "arazzo"
FILES = sorted(path.name for path in ARAZZO.glob("*.arazzo.yaml"))
SHORT: dict[str, dict[str, Any]] = {
    "play-a-game.arazzo.yaml": {"ruleset": "crimson-tide", "options": {"turns": 1, "points": 60}}
}
USUAL = {"ruleset": "war-at-sea"}
HEAVY = ("Command", "Event", "View")


@pytest.fixture(scope="module", autouse=True)
def tools() -> None:
    clients.install()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    folder: Path = tmp_path_factory.mktemp("judges")
    with running(folder, chain_length=1024, log_level="WARNING") as server:
        yield server


def run(*command: str, folder: Path = clients.CLIENTS) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [clients.tool(command[0]), *command[1:]], cwd=folder, env=programs.environment(),
        capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip


def redocly(document: Path) -> list[dict[str, Any]]:
    config = str(LINT / "redocly.yaml")
    done = run("redocly", "lint", str(document), "--config", config, "--format", "json")
    problems: list[dict[str, Any]] = json.loads(done.stdout)["problems"]
    return problems


def spectral(document: Path) -> str:
    rules = str(LINT / "spectral.yaml")
    return run("spectral", "lint", str(document), "--ruleset", rules, "--fail-severity=hint").stdout


def spoiled(folder: Path) -> Path:
    """A small document with one fault for each judge."""
    document = {
        "openapi": "3.1.0",
        "info": {"title": "Spoiled", "version": "1", "contact": {"name": "x"}},
        "paths": {"/v1/x": {"get": {"operationId": "getX", "responses": {}}}},
        "components": {"schemas": {"Lost": {"type": "object"}}},
    }
    path = folder / "spoiled.json"
    path.write_text(json.dumps(document), "utf-8")
    return path


NO_CONSTANT = re.compile(r'discriminator: "properties/\w+" must have "const" or "enum"')


@pytest.mark.slow("document")
def test_redocly_finds_nothing_in_the_document(tmp_path: Path) -> None:
    """But that an open union has a branch without a constant, which it says of every example; where
    branches are tried instead, all examples fit, and it cannot see that the branches exclude."""
    document = json.loads(clients.DOCUMENT.read_bytes())
    path = tmp_path / "picked.json"
    path.write_text(json.dumps(tried(document)), "utf-8")
    assert {each["ruleId"] for each in redocly(path)} == {"no-illogical-composition-keywords"}
    said = redocly(clients.DOCUMENT)
    assert [each for each in said if not NO_CONSTANT.search(each["message"])] == []
    assert said, "the branches have constants now: the decision may go"
    found = {problem["ruleId"] for problem in redocly(spoiled(tmp_path))}
    assert {"no-unused-components", "operation-summary"} <= found


AJV = """
const Ajv = require("@redocly/ajv/dist/2020").default;
const whole = require(process.argv[1]);
const ajv = new Ajv({ discriminator: true, strict: false, validateFormats: false });
ajv.addSchema(whole, "it");
const refused = [];
for (const name of Object.keys(whole.components.schemas)) {
  try { ajv.getSchema("it#/components/schemas/" + name); }
  catch (error) { refused.push(name + ": " + error.message); }
}
console.log(JSON.stringify(refused));
"""
"""Compiles every component as a strict validator does, and says which are refused."""


@pytest.mark.slow("document")
@pytest.mark.timeout(400)
def test_a_strict_validator_compiles_the_form_that_is_for_it(tmp_path: Path) -> None:
    document = json.loads(clients.DOCUMENT.read_bytes())
    said = {}
    for name, form in (("plain", document), ("tried", tried(json.loads(json.dumps(document))))):
        path = tmp_path / f"{name}.json"
        path.write_text(json.dumps(form), "utf-8")
        done = subprocess.run(
            [programs.NODE, "-e", AJV, str(path)], cwd=clients.CLIENTS, capture_output=True,
            env=programs.environment(), text=True, timeout=300, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr[-2000:]
        said[name] = json.loads(done.stdout)
    assert said["tried"] == []
    assert any("const" in each for each in said["plain"]), "the other form may go"


@pytest.mark.slow("document")
@pytest.mark.timeout(400)
def test_spectral_finds_nothing_in_the_document(tmp_path: Path) -> None:
    assert "No results" in spectral(clients.DOCUMENT)
    said = spectral(spoiled(tmp_path))
    assert "oas3-unused-component" in said
    assert "decklog-summary" in said


@pytest.fixture(scope="module")
def light(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Arazzo files beside a document whose large unions take anything.

    The runner compiles the schemas anew for each step; what fits them is held elsewhere.
    """
    folder: Path = tmp_path_factory.mktemp("light")
    document = json.loads(clients.DOCUMENT.read_bytes())
    tried(document)
    for name in HEAVY:
        document["components"]["schemas"][name] = {"type": "object"}
    (folder / "openapi.json").write_text(json.dumps(document), "utf-8")
    shutil.copytree(ARAZZO, folder / "arazzo")
    return folder


def test_there_is_a_file_for_each_promised_workflow() -> None:
    promised = {"play-a-game", "resume-a-stream", "stale-write", "invite"}
    assert promised <= {name.removesuffix(".arazzo.yaml") for name in FILES}


@pytest.mark.timeout(400)
@pytest.mark.parametrize("name", FILES)
def test_a_workflow_runs_against_the_real_server(server: Running, light: Path, name: str) -> None:
    given = {**SHORT.get(name, USUAL), "key": str(uuid.uuid4())}
    done = run(
        "redocly", "respect", f"arazzo/{name}", "--server", f"decklog={server.url}", "--input",
        json.dumps(given), folder=light,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]


def test_a_workflow_that_is_not_kept_fails(server: Running, light: Path) -> None:
    text = (light / "arazzo" / "invite.arazzo.yaml").read_text("utf-8")
    assert '"seat.taken"' in text
    (light / "arazzo" / "lie.arazzo.yaml").write_text(text.replace("seat.taken", "seat.free"))
    done = run(
        "redocly", "respect", "arazzo/lie.arazzo.yaml", "--server", f"decklog={server.url}",
        "--input", json.dumps({**USUAL, "key": str(uuid.uuid4())}), folder=light,
    )  # fmt: skip
    assert done.returncode != 0
