"""Schemathesis reads the document and tries to catch the running service at breaking it."""

from __future__ import annotations

import os
import subprocess
import sys
import uuid
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.service.openapi import fitting
from tests.support.server import ROOT, Running, running

SECONDS = {"examples,coverage,fuzzing": 50, "stateful": 15}
"""How long each kind of attack goes on."""

WITHOUT_HEADER = [400, 401, 403, 406, 415, 422, 428]
"""What a request without a required header gets: 428 is If-Match (RFC 6585)."""

REFUSING = "[304, 401, 403, 404, 409, 412, 422, 428, '2xx']"
"""A command may fit the document and still be refused: by the rules, the version, the token."""

HOOKED = os.environ | {"SCHEMATHESIS_HOOKS": fitting.__name__, "PYTHONPATH": str(ROOT)}
"""With the check that a body which fits its schema is read."""

NOTHING_TRIED = "Empty test suite"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    folder: Path = tmp_path_factory.mktemp("schemathesis")
    with running(folder, chain_length=64, stream_limit=100_000, log_level="WARNING") as server:
        yield server


def attack(server: Running, folder: Path, phases: str, settings: str, *options: str) -> str:
    """Run Schemathesis with all its checks; what it printed."""
    config = folder / "schemathesis.toml"
    config.write_text(
        f"{settings}\n[checks.positive_data_acceptance]\nexpected-statuses = {REFUSING}\n"
        f"[checks.missing_required_header]\nexpected-statuses = {WITHOUT_HEADER}\n"
    )
    command = [
        str(Path(sys.executable).with_name("schemathesis")), "--config-file", str(config), "run",
        f"{server.url}/openapi.json", "--phases", phases, "--mode", "all", "--checks", "all",
        "--max-time", str(SECONDS[phases]), "-n", "20", "--seed", "1", "--no-color",
        "--warnings", "off", "--suppress-health-check", "all", "--request-timeout", "20", *options,
    ]  # fmt: skip
    done = subprocess.run(
        command, check=False, cwd=folder, capture_output=True, text=True, timeout=170, env=HOOKED
    )
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-1000:]
    return done.stdout


@pytest.mark.slow("strangers")
def test_no_request_makes_the_service_break_its_document(server: Running, tmp_path: Path) -> None:
    made = httpx.post(
        f"{server.url}/v1/games",
        json={"ruleset": "war-at-sea"},
        headers={"Idempotency-Key": str(uuid.uuid4())},
        timeout=60,
    ).json()
    game, token = made["game"]["id"], made["tokens"][0]["token"]
    settings = f'[parameters]\ngame = "{game}"\n[auth.openapi.token]\nbearer = "{token}"'
    said = attack(
        server, tmp_path, "examples,coverage,fuzzing", settings,
        "--exclude-operation-id", "revokeToken",
    )  # fmt: skip
    assert "No issues found" in said
    assert server.process.poll() is None


@pytest.mark.slow("strangers")
def test_no_chain_of_requests_does(server: Running, tmp_path: Path) -> None:
    said = attack(server, tmp_path, "stateful", "")
    if NOTHING_TRIED in said:  # a busy machine: reading the document took all the time
        said = attack(server, tmp_path, "stateful", "", "--max-time", "120")
    assert "No issues found" in said


@pytest.mark.slow("strangers")
def test_it_would_catch_a_service_that_breaks_its_document(tmp_path: Path) -> None:
    """A test of the test: the document of a service that knows other rulesets is not kept."""
    with running(tmp_path, "pennant", chain_length=64) as other:
        document = httpx.get(f"{other.url}/openapi.json").json()
        document["paths"]["/v1"]["get"]["responses"]["200"]["content"] = {
            "application/json": {"schema": {"type": "object", "required": ["nothing-of-it"]}}
        }
        lie = tmp_path / "lie.json"
        lie.write_bytes(httpx.Response(200, json=document).content)
        command = [
            str(Path(sys.executable).with_name("schemathesis")), "run", str(lie), "--url",
            other.url, "--include-path", "/v1", "--phases", "coverage,fuzzing", "-n", "3",
            "--no-color",
        ]  # fmt: skip
        done = subprocess.run(
            command, check=False, cwd=tmp_path, capture_output=True, text=True, timeout=100
        )
    assert done.returncode == 1
    assert "nothing-of-it" in done.stdout
