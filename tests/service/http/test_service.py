"""What every answer carries, and what the service says of itself."""

from __future__ import annotations

import asyncio
import json
import logging
import re
import uuid
from html import unescape
from pathlib import Path
from typing import Any

import httpx
import pytest
from litestar import get
from litestar.testing import TestClient

from service import app as app_module
from service import build
from service.app import create_app
from service.desk import Desk
from service.http import refusals
from service.http.access import Unguarded
from service.http.registry import operations
from service.http.reply import named_version, plain
from service.http.routes import get as own
from service.http.web import FOR_EVER, HOME, JUDGING, POLICY, WORKER, edition, files
from service.judge.parts import built
from service.play.writer import Writer
from service.problems import BY_CODE
from service.serve import run
from service.settings import Settings
from service.views.reader import Reader
from tests.service.http.table import Match, Table, code
from tests.support.contract import Contract
from tests.support.pennant import GAME
from tests.support.server import running, start


def limited(tmp_path: Path, rate: int) -> Settings:
    return Settings(
        database=tmp_path / "decklog.sqlite", rate_limit=rate, chain_length=64, log_level="WARNING"
    )


def test_the_service_says_what_it_is_and_what_its_limits_are(table: Table) -> None:
    told = table.get("/v1").json()
    assert told["name"] == "Decklog"
    assert told["limits"]["bodyBytes"] == 262_144
    assert [ruleset["id"] for ruleset in told["rulesets"]] == ["pennant"]


def test_a_ruleset_shows_its_options_with_schema_and_defaults(table: Table) -> None:
    shown = table.get("/v1/rulesets/pennant").json()
    assert shown["defaults"] == {"ruleset": "pennant", "turns": 4}
    assert shown["options"]["properties"]["turns"]["maximum"] == 20_000
    assert shown["phases"] == ["colours", "battle"]


def test_catalogues_are_searched_and_cut_into_pages(table: Table) -> None:
    everything = table.get("/v1/rulesets/pennant/rules").json()["items"]
    assert len(everything) > 2
    path, seen = "/v1/rulesets/pennant/rules?limit=2", []
    while path:
        page = table.get(path)
        seen += page.json()["items"]
        path = page.links["next"]["url"] if "next" in page.links else ""
    assert seen == everything
    wanted = everything[1]
    assert table.get(f"/v1/rulesets/pennant/rules/{wanted['id']}").json() == wanted
    found = table.get(f"/v1/rulesets/pennant/rules?q={wanted['id']}").json()["items"]
    assert wanted in found
    assert table.get("/v1/rulesets/pennant/units?q=no+such+thing").json()["items"] == []


@pytest.mark.parametrize(
    "path",
    [
        "/openapi.json", "/openapi.yaml", "/docs", "/", "/problems", "/v1", "/v1/rulesets",
        "/v1/rulesets/pennant", "/v1/rulesets/pennant/units", "/v1/rulesets/pennant/rules",
    ],
)  # fmt: skip
def test_what_does_not_change_is_not_sent_again(table: Table, path: str) -> None:
    first = table.get(path)
    tag = first.headers["etag"]
    assert re.fullmatch(r'"[0-9a-f]{32}(-gzip)?"', tag)
    for header in (tag, f"W/{tag}", f'"other", {tag}', "*"):
        again = table.get(path, If_None_Match=header)
        assert (again.status_code, again.content) == (304, b"")
        assert again.headers["etag"] == tag
    assert table.get(path, If_None_Match='"other"').content == first.content


def test_games_and_views_are_not_sent_again_until_they_change(table: Table) -> None:
    match = table.create()
    for rest in ("", "/view", "/commands"):
        old = table.get(match.path + rest).headers["etag"]
        assert table.get(match.path + rest, If_None_Match=old).status_code == 304
    before = {rest: table.get(match.path + rest).headers["etag"] for rest in PARTS}
    table.choose_colours(match)
    for rest, old in before.items():
        assert table.get(match.path + rest, If_None_Match=old).status_code == 200


PARTS = ("", "/view", "/commands")


def test_an_etag_is_of_one_representation_and_any_names_its_version(table: Table) -> None:
    match = table.create()
    tokens = ("", match.tokens["p1"], match.tokens["p2"])
    shown = {
        (token, rest): table.get(match.path + rest, token) for token in tokens for rest in PARTS
    }
    by_tag: dict[str, set[bytes]] = {}
    for answer in shown.values():
        by_tag.setdefault(plain(answer.headers["etag"]), set()).add(answer.content)
    assert all(len(bodies) == 1 for bodies in by_tag.values())
    assert len(by_tag) > len(PARTS), "seats see different things"
    version = table.version(match)
    assert {named_version(tag) for tag in by_tag} == {version}
    body = {"type": "pennant.choose", "colour": "bold"}
    for seat, tag in (("p1", shown["", "/view"].headers["etag"]), ("p2", f'"{version}"')):
        fields = {"Idempotency-Key": uuid.uuid4().hex, "If-Match": tag}
        path = f"{match.path}/commands"
        done = table.ask("POST", path, match.tokens[seat], fields, json=body)
        assert (done.status_code, done.headers["etag"]) == (200, f'"{done.json()["version"]}"')


def test_the_document_is_the_same_for_json_and_yaml_readers(table: Table) -> None:
    json_, yaml = table.get("/openapi.json"), table.get("/openapi.yaml")
    assert json_.content == yaml.content
    assert yaml.headers["content-type"] == "application/yaml"


def test_pages_load_nothing_from_anywhere(table: Table) -> None:
    for path in ("/docs", "/problems", "/problems/version.stale"):
        page = table.get(path, Accept="text/html")
        assert page.headers["content-security-policy"].startswith("default-src 'none'")
        for forbidden in ("<script", "<link", "<img", " src=", "@import"):
            assert forbidden not in page.text
        for link in re.findall(r'href="([^"]+)"', page.text):
            assert link.startswith(("/", "#")), link
            assert table.get(link).status_code == 200
    text = table.get("/docs").text
    assert all(f'href="/docs/{operation.id}"' in text for operation in operations())


def test_the_pages_for_people_load_from_here_only_and_run_no_inline_script(table: Table) -> None:
    home = table.get("/", Accept="text/html")
    policy = home.headers["content-security-policy"]
    assert "script-src 'self'" in policy
    assert "unsafe" not in policy.replace("'wasm-unsafe-eval'", "")
    assert "frame-src 'none'" in policy
    assert "<style" not in home.text
    assert re.findall(r"<script[^>]*>", home.text) == [
        f'<script type="module" src="/pages/{edition()}/app.js">'
    ]
    for name, body in files().items():
        answer = table.get(f"/pages/{name}")
        assert answer.content == body
        expected = {"index.html": HOME, WORKER: JUDGING}.get(name, POLICY)
        assert answer.headers["content-security-policy"] == expected
        if name in built():
            continue  # others wrote it, and the policy lets it reach nothing
        text = re.sub(r"/\*.*?\*/", "", answer.text, flags=re.DOTALL)  # where types are named
        for wanted in re.findall(r'(?:from|src=|href=)\s?"([^"]+)"', text):
            if wanted.startswith("./"):
                assert wanted[2:] in files(), wanted
            elif not wanted.startswith("#"):
                assert wanted.startswith("/"), wanted
                assert table.get(wanted).status_code == 200
        outside = r"https?://(?!www\.w3\.org/2000/svg|judge\.invalid/)"  # a name that is none
        assert not re.search(outside, answer.text), name
    assert policy == HOME
    assert "unsafe" not in POLICY
    assert "connect-src 'none'" in JUDGING
    assert "self" not in JUDGING.split("script-src")[1].split(";")[0]
    for none in ("none.js", f"{edition()}/none.js", "x/app.js", f"a/{edition()}/app.js"):
        assert code(table.get(f"/pages/{none}")) == "resource.not-found", none


def test_a_file_by_its_edition_is_asked_for_once(table: Table) -> None:
    for name, body in files().items():
        answer = table.get(f"/pages/{edition()}/{name}")
        assert (answer.content, answer.headers["cache-control"]) == (body, FOR_EVER)
        assert "no-cache" in table.get(f"/pages/{name}").headers["cache-control"]
    # A page of another build finds what there is, and keeps none of it.
    other = table.get(f"/pages/{'0' * 16}/app.js")
    assert (other.content, other.headers["cache-control"]) == (files()["app.js"], "no-cache")
    assert "no-cache" in table.get("/", Accept="text/html").headers["cache-control"]


def test_the_documentation_shows_problems_as_they_come(table: Table) -> None:
    text = unescape(table.get("/docs/giveCommand").text)
    assert "<pre>null</pre>" not in text
    shown = json.loads(table.get("/openapi.json").content)["components"]["examples"]
    stale = shown["version.stale"]["value"]
    assert stale["detail"] in text
    assert json.dumps(stale, indent=2) in unescape(
        table.get("/problems/version.stale", Accept="text/html").text
    )
    problems = {name: example for name, example in shown.items() if name in BY_CODE}
    assert problems
    for code_, example in problems.items():
        assert example["value"]["code"] == code_


def test_an_application_with_a_route_without_a_guard_does_not_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shared: Any = vars(app_module)["application"]  # what is registered here is no other test's
    monkeypatch.setattr("service.app.application", getattr(shared, "__wrapped__", shared))

    async def back_door() -> str:
        return "come in"

    app = create_app(limited(tmp_path, 0), {"pennant": GAME})
    for door in (
        get("/v1/back-door/1"), own("/v1/back-door/2"), own("/v1/back-door/3", guards=[nobody]),
    ):  # fmt: skip
        with pytest.raises(Unguarded, match="back-door"):
            app.register(door(back_door))


async def nobody(*_: object) -> None:
    """A guard that is none of ours: nothing says who is let in."""


def test_pages_of_any_origin_may_use_the_service(table: Table) -> None:
    asked = table.ask(
        "OPTIONS",
        "/v1/games",
        headers={"Origin": "https://a.example", "Access-Control-Request-Method": "POST"},
    )
    assert asked.status_code == 204
    assert asked.headers["access-control-allow-origin"] == "*"
    assert "POST" in asked.headers["access-control-allow-methods"]
    assert "Idempotency-Key" in asked.headers["access-control-allow-headers"]
    for answer in (table.get("/v1"), table.get("/nowhere"), table.ask("PUT", "/v1/games")):
        exposed = answer.headers["access-control-expose-headers"].split(", ")
        assert {
            "ETag", "Location", "Link", "RateLimit", "Retry-After", "Idempotency-Replayed"
        } <= set(exposed)  # fmt: skip
        assert answer.headers["x-content-type-options"] == "nosniff"
    assert table.ask("OPTIONS", "/nowhere").status_code == 404


def test_what_a_token_shows_is_kept_by_no_cache(table: Table) -> None:
    match = table.create()
    assert match.created.headers["cache-control"] == "no-store"
    for rest in ("", "/view", "/commands", "/events", "/rolls"):
        with_token = table.get(match.path + rest, match.tokens["p1"])
        assert with_token.headers["cache-control"] == "no-store"
        assert "Authorization" in with_token.headers["vary"]
    version = table.version(match)
    fixed = table.get(f"{match.path}/view?at={version}")
    assert "immutable" in fixed.headers["cache-control"]


def test_a_spent_quota_is_said_and_refilled(tmp_path: Path) -> None:
    app = create_app(limited(tmp_path, 30), {"pennant": GAME})
    now = [0.0]
    http = app.state.http
    http.limits.requests._clock = lambda: now[0]
    with TestClient(app) as client:
        table = Table(client, Contract.of(http.describe()))
        left = []
        for _ in range(30):
            answer = table.get("/v1")
            assert answer.status_code == 200
            assert answer.headers["ratelimit-policy"] == '"requests";q=30;w=60'
            left.append(int(re.search(r"r=(\d+)", answer.headers["ratelimit"])[1]))  # type: ignore[index]
        assert left == list(range(29, -1, -1))

        refused = table.get("/v1")
        assert (refused.status_code, code(refused)) == (429, "rate.exceeded")
        wait = int(refused.headers["retry-after"])
        assert wait == 2
        assert table.get("/healthz").status_code == 200
        assert "ratelimit" in table.get("/nowhere").headers

        now[0] += wait
        assert table.get("/v1").status_code == 200


def test_each_token_has_a_quota_of_its_own_and_guessing_is_slowed(tmp_path: Path) -> None:
    app = create_app(limited(tmp_path, 200), {"pennant": GAME})
    with TestClient(app) as client:
        table = Table(client, Contract.of(app.state.http.describe()))
        match = table.create()
        mine, other = (table.get(match.path, match.tokens[seat]) for seat in ("p1", "p2"))
        assert mine.headers["ratelimit"] == other.headers["ratelimit"]
        seen = [table.get(match.path, f"dl_seat_{n}").status_code for n in range(110)]
        assert seen[:100] == [401] * 100
        assert seen[105:] == [429] * 5
        assert table.get(match.path, match.tokens["p1"]).status_code == 200


def test_counters_count(table: Table) -> None:
    match = table.create()
    table.choose_colours(match)
    table.command(match, "p1", {"type": "pennant.pass"}, 1)
    text = table.get("/metrics").text
    assert "decklog_commands_total 2.0\n" in text
    assert "decklog_conflicts_total 1.0\n" in text
    assert 'route="/v1/games/{game}/commands",status="200"} 2.0\n' in text


def test_a_fault_of_ours_is_a_problem_without_its_insides_and_is_logged(
    table: Table, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def broken(*_: object, **__: object) -> None:
        raise RuntimeError("the secret insides")

    monkeypatch.setattr(Reader, "lobby", broken)
    with caplog.at_level(logging.ERROR):
        answer = table.get("/v1/games")
    assert (answer.status_code, code(answer)) == (500, "internal.error")
    assert "insides" not in answer.text
    assert "the secret insides" in caplog.text


def test_a_part_that_does_not_work_is_named(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    assert table.get("/readyz").json()["status"] == "ready"

    async def full(_: Desk) -> dict[str, bool]:
        return {"engine": True, "store": True, "writable": False}

    monkeypatch.setattr(Desk, "ready", full)
    answer = table.get("/readyz")
    assert (answer.status_code, code(answer)) == (503, "service.not-ready")
    assert answer.json()["errors"][0]["pointer"] == "#writable"
    assert int(answer.headers["retry-after"]) >= 1
    assert table.get("/healthz").status_code == 200


def test_an_answer_that_takes_too_long_is_given_up(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is read is waited for longer than what is posted: nobody polls a heavy read."""

    async def slow(*_: object, **__: object) -> None:
        await asyncio.sleep(30)

    monkeypatch.setattr(Reader, "lobby", slow)
    monkeypatch.setattr(Writer, "create_game", slow)
    monkeypatch.setattr(refusals, "PATIENCE", 0.05)
    answers = [table.get("/v1/games")]
    monkeypatch.setattr(refusals, "DEADLINE", 0.01)
    answers.append(table.post("/v1/games", {"ruleset": "pennant"}))
    for answer in answers:
        assert (answer.status_code, code(answer)) == (503, "service.deadline")
        assert int(answer.headers["retry-after"]) == 5


def test_a_proxy_waits_longer_than_the_service_does() -> None:
    """Else its own answer, which is no problem document, would come first."""
    proxy = (Path(__file__).resolve().parents[3] / "deploy/nginx.conf").read_text("utf-8")
    waits = re.search(r"proxy_read_timeout (\d+)s", proxy)
    assert waits is not None
    assert refusals.DEADLINE < refusals.PATIENCE < int(waits[1])


def test_streams_do_not_count_as_polls_but_pages_do(tmp_path: Path) -> None:
    app = create_app(limited(tmp_path, 50), {"pennant": GAME})
    app.state.http.limits.requests._clock = lambda: 0.0
    with TestClient(app) as client:
        table = Table(client, Contract.of(app.state.http.describe()))
        match = table.create()
        for media, spent in (("text/event-stream", 0), ("application/json", 1)):
            left = _left(table, match)
            for _ in range(5):
                table.get(f"{match.path}/events?follow=false", match.tokens["p1"], Accept=media)
            assert left - _left(table, match) == 5 * spent + 1


def _left(table: Table, match: Match) -> int:
    answer = table.get(match.path, match.tokens["p1"])
    found = re.search(r"r=(\d+)", answer.headers["ratelimit"])
    assert found is not None
    return int(found[1])


def test_a_full_disk_is_said_as_such(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    from service.errors import StoreFull

    async def full(*_: object, **__: object) -> None:
        raise StoreFull("The disk is full.")

    monkeypatch.setattr(Writer, "create_game", full)
    answer = table.post("/v1/games", {"ruleset": "pennant"})
    assert (answer.status_code, code(answer)) == (507, "store.full")


def test_the_greeting_shows_lines_that_work(tmp_path: Path) -> None:
    with running(tmp_path, "pennant", chain_length=64) as server:
        said = {line.split(" ", 1)[0]: line for line in server.lines}
        docs = said["Documentation:"].split()[-1]
        _, command, curl = said["Try:"].split()
        assert command == "curl"
        assert docs.startswith(server.url)
        assert httpx.get(docs).status_code == 200
        assert httpx.get(curl).json()["items"]
        assert server.stop() == 0


def test_a_port_in_use_is_refused_at_the_start_with_what_to_do(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with running(tmp_path, "pennant", chain_length=64) as server:
        port = int(server.url.rpartition(":")[2])
        settings = Settings(database=tmp_path / "other.sqlite", port=port)
        assert run(settings, {"pennant": GAME}) == 2
    told = capsys.readouterr()
    assert told.err.startswith(f"port.unusable: cannot listen on 127.0.0.1:{port}, address already")
    assert "--port 0" in told.err
    assert not told.out
    assert not (tmp_path / "other.sqlite").exists()


def test_a_store_in_use_is_refused_at_the_start_with_a_sentence(tmp_path: Path) -> None:
    with running(tmp_path, "pennant", chain_length=64), pytest.raises(RuntimeError) as refused:
        start(tmp_path, "pennant", chain_length=64)
    assert "store.locked" in str(refused.value)


def test_the_version_of_the_service_is_read_from_the_disk_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def no_files_left(name: str) -> str:
        raise OSError(24, "Too many open files")

    known = build.service_version()
    monkeypatch.setattr(build, "version", no_files_left)
    assert build.service_version() == known
