"""Traces reach a real receiver, tell nothing secret, and cost nothing where nobody wants them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from service.ops.traces import NoTraces, spans_address, tracer_for
from service.settings import Settings
from tests.service.ops.play import Played, bearer, create, play
from tests.service.ops.receiver import Receiver, receiving
from tests.support.server import ROOT, running

SERVER, ERROR = 2, 2
TRACE, PARENT = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"
COMMANDS = "/v1/games/{game}/commands"


@pytest.fixture(scope="module")
def traced(tmp_path_factory: pytest.TempPathFactory) -> tuple[Receiver, Played]:
    """What came of a short game of Pennant."""
    folder = tmp_path_factory.mktemp("traces")
    with receiving() as receiver:
        told = {"traces": receiver.url, "chain_length": 64}
        with running(folder, "pennant", **told) as server:
            with httpx.Client(base_url=server.url, timeout=30) as client:
                game = create(client, "pennant")
                play(client, game, 4)
                sent = {"traceparent": f"00-{TRACE}-{PARENT}-01", "X-Request-Id": "the-caller-s-id"}
                client.get(game.path, headers={**sent, **bearer(game.tokens["p1"])})
                client.get(f"{game.path}?token={game.organiser}")
            assert server.stop() == 0
    return receiver, game


def test_a_command_is_a_request_with_its_decision_inside(traced: tuple[Receiver, Played]) -> None:
    receiver, game = traced
    requests = receiver.named(f"POST {COMMANDS}")
    decided = {span.parent: span for span in receiver.named("decide")}
    assert len(requests) == len(game.done) > 0
    for span in requests:
        assert span.kind == SERVER
        assert span.facts["http.route"] == COMMANDS
        assert span.facts["http.response.status_code"] == 200
        assert decided[span.id].trace == span.trace


def test_a_group_of_the_engine_is_linked_to_its_requests(traced: tuple[Receiver, Played]) -> None:
    receiver, _ = traced
    groups = {span.id: span for span in receiver.named("engine.group")}
    linked = {link for span in groups.values() for link in span.links}
    posts = receiver.named(f"POST {COMMANDS}") + receiver.named("POST /v1/games")
    assert {span.id for span in posts} <= linked
    commits = receiver.named("commit")
    assert {span.parent for span in commits} <= set(groups)
    assert sum(span.facts["decklog.requests"] for span in commits) == len(posts)


def test_a_trace_of_the_callers_goes_on(traced: tuple[Receiver, Played]) -> None:
    receiver, _ = traced
    (span,) = [each for each in receiver.spans if each.trace == TRACE]
    assert span.parent == PARENT
    assert span.facts["decklog.request_id"] == "the-caller-s-id"


def test_nothing_secret_and_no_game_is_in_it(traced: tuple[Receiver, Played]) -> None:
    receiver, game = traced
    raw = b"".join(receiver.raw)
    assert b"decklog" in raw
    for text in (game.id, *game.tokens.values(), game.organiser, "dl_"):
        assert text.encode() not in raw
    names = {name for span in receiver.spans for name in span.facts}
    assert names == {
        "http.request.method", "http.route", "http.response.status_code",
        "decklog.request_id", "decklog.waiting", "decklog.requests",
    }  # fmt: skip


def test_a_receiver_that_is_not_there_holds_nobody_up(tmp_path: Path) -> None:
    told = {"traces": "http://127.0.0.1:9", "chain_length": 64}
    with running(tmp_path, "pennant", **told) as server:
        with httpx.Client(base_url=server.url, timeout=30) as client:
            play(client, create(client, "pennant"), 3)
        assert server.stop() == 0


# The framework looks for the small API package by itself; the SDK and its exporter are what weighs.
LOADED = """
import os, sys
from service.app import create_app
from service.settings import Settings
from tests.support.pennant import GAME
create_app(Settings(traces=sys.argv[1]), {"pennant": GAME})
print(sorted(name for name in sys.modules if name.startswith(("opentelemetry.sdk", "google")))[:1])
"""


@pytest.mark.parametrize(("asked", "loaded"), [("", "[]"), ("http://x", "['google']")])
def test_it_is_imported_only_when_asked_for(asked: str, loaded: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", LOADED, asked],
        cwd=ROOT, capture_output=True, text=True, check=True, env={"PATH": ""},
    )  # fmt: skip
    assert done.stdout.strip() == loaded


SERVED = """
import sys
import service.serve
print(sorted({"httpx", "markdown_it", "rich"} & set(sys.modules)))
"""


def test_who_serves_has_imported_no_client_and_nothing_for_pages() -> None:
    """Each worker's start would take a sixth longer."""
    done = subprocess.run(
        [sys.executable, "-c", SERVED],
        cwd=ROOT, capture_output=True, text=True, check=True, env={"PATH": ""},
    )  # fmt: skip
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize(
    "environ",
    [
        {},
        {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://x", "OTEL_SDK_DISABLED": "true"},
        {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://x", "OTEL_TRACES_EXPORTER": "none"},
    ],
)
def test_without_an_address_there_are_none(environ: dict[str, str]) -> None:
    assert isinstance(tracer_for(Settings(), environ), NoTraces)


def test_the_standard_variables_do_as_well() -> None:
    tracer = tracer_for(Settings(), {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:9"})
    assert not isinstance(tracer, NoTraces)
    tracer.close()


def test_a_bare_address_gets_the_path_of_the_protocol() -> None:
    assert spans_address("http://c:4318") == spans_address("http://c:4318/")
    assert spans_address("http://c:4318") == "http://c:4318/v1/traces"
    assert spans_address("http://c/otlp/v1/traces") == "http://c/otlp/v1/traces"
