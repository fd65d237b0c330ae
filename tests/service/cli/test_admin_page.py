"""``decklog admin page``: the operator's page, for who has the operator's token and nobody else."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from service.ops import board
from tests.service.cli.conftest import Run
from tests.service.http.table import Match, Table
from tests.support.server import ROOT, Running, running

WHO = {"by": "harbour master"}


@contextmanager
def page_of(database: Path, token: Path) -> Iterator[tuple[str, list[str]]]:
    """The page in a process of its own: its address, and at the end all that it has said."""
    line = [sys.executable, "-m", "service.cli", "admin", "page", "--port", "0"]
    process = subprocess.Popen(
        [*line, "--token-file", str(token), "--database", str(database)],
        cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        env={k: v for k, v in os.environ.items() if not k.startswith("DECKLOG_")},
    )  # fmt: skip
    assert process.stdout is not None
    said: list[str] = []
    try:
        said.append(process.stdout.readline())
        assert said[0].startswith("The operator's page is at"), said + process.stdout.readlines()
        yield said[0].split()[-1].rstrip("/"), said
    finally:
        process.send_signal(signal.SIGTERM)
        said.extend(process.communicate(timeout=30)[0].splitlines())


def entered(client: httpx.Client, token: str) -> httpx.Response:
    return client.post("/login", data={**WHO, "token": token})


def act(client: httpx.Client, path: str, **told: str) -> str:
    """Fill in a form of a page, as a browser does; the page that is shown then."""
    shown = client.get(path)
    (secret, *_) = re.findall(r'name="secret" value="([0-9a-f]+)"', shown.text)
    fields = {"secret": secret, "back": path, "why": "as was asked", **told}
    answer = client.post("/act", data=fields)
    assert (answer.status_code, answer.headers["location"]) == (303, path)
    return client.get(path).text


def test_the_operator_sees_and_does_what_the_command_line_does(tmp_path: Path, run: Run) -> None:
    token, where = tmp_path / "operator.token", ("--database", tmp_path / "decklog.sqlite")
    with (
        running(tmp_path, "pennant", chain_length=64) as server,
        httpx.Client(base_url=server.url, timeout=20) as players,
    ):
        table = Table.at(players)
        match, gone = table.create(name="SECRETNAME"), table.create()
        with page_of(server.database, token) as (url, said):
            assert token.stat().st_mode & 0o777 == 0o600
            with httpx.Client(base_url=url, timeout=30) as client:
                _used(client, table, match, gone, token.read_text().strip())
                _reads_as_told(client, run, match, *where)
        text = "\n".join(said)
        for secret in (token.read_text().strip(), *match.tokens.values(), match.organiser):
            assert secret not in text + run("store", "acts", "--json", *where).out


def _used(client: httpx.Client, table: Table, match: Match, gone: Match, token: str) -> None:
    assert entered(client, token).headers["location"] == "/"
    seen = act(client, f"/game/{match.id}", act="freeze", game=match.id, tell="We look.")
    assert "Done: freeze." in seen
    assert table.get(match.path).json()["paused"]["reason"] == "We look."
    assert match.id in client.get("/").text
    again = act(client, f"/game/{match.id}", act="freeze", game=match.id)
    assert "Nothing was done: " in again
    unmeant = act(client, f"/game/{gone.id}", act="delete", game=gone.id)
    assert "tick that you mean it" in unmeant
    assert table.get(gone.path).status_code == 200
    assert "Done: delete." in act(client, f"/game/{gone.id}", act="delete", game=gone.id, yes="yes")
    assert table.get(gone.path).status_code == 410
    assert "Done: ban." in act(client, "/", act="ban", who="203.0.113.7", hours="2")
    assert "203.0.113.7" in client.get("/").text
    assert "Done: announce." in act(client, "/", act="announce", text="<b>Sunday</b>")
    assert "&lt;b&gt;Sunday" in client.get("/").text
    tokens = re.findall(
        r'name="token" value="([0-9a-f]{16})"', client.get(f"/game/{match.id}").text
    )
    assert any(each in match.tokens["p1"] for each in tokens)


def _reads_as_told(client: httpx.Client, run: Run, match: Match, *where: object) -> None:
    """The same as the command line; nobody's name and nobody's secret."""
    told = run("admin", "status", "--json", *where).json
    shown = client.get("/").text
    assert f"<td>events</td><td>{told['events']}</td>" in shown
    assert told["frozen"] == [match.id]
    assert all(each["name"] in shown for each in told["workers"])
    listed = client.get("/games?sort=size").text
    assert match.id in listed
    assert 'sort=size" aria-current=page' in listed
    log = client.get("/log").text
    assert [each in log for each in ("harbour master", "as was asked", "freeze")] == [True] * 3
    acts = run("store", "acts", match.id, "--json", *where).json
    assert (acts[0]["act"], acts[0]["operator"]) == ("page-opened", WHO["by"])
    assert [each["act"] for each in acts].count("page-opened") == 1, "once for who has come in"
    pages = "".join(client.get(path).text for path in ("/", "/games", "/log", f"/game/{match.id}"))
    for secret in ("SECRETNAME", *match.tokens.values(), match.organiser):
        assert secret not in pages


@pytest.fixture(scope="module")
def quiet(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Running, Path]]:
    folder = tmp_path_factory.mktemp("quiet")
    with running(folder, "pennant", chain_length=64) as server:
        yield server, folder / "operator.token"


def test_nobody_else_comes_in(quiet: tuple[Running, Path]) -> None:
    server, token = quiet
    with httpx.Client(base_url=server.url) as players, page_of(server.database, token) as (url, _):
        match = Table.at(players).create()
        with httpx.Client(base_url=url) as client:
            for path in ("/", "/games", "/log", f"/game/{match.id}", "/nothing"):
                refused = client.get(path, headers={"Authorization": f"Bearer {match.organiser}"})
                assert (refused.status_code, match.id in refused.text) == (401, False)
                assert "script" not in refused.headers["content-security-policy"]
                assert "default-src 'none'" in refused.headers["content-security-policy"]
            assert client.post("/act", data={"act": "reload", "why": "x"}).status_code == 401
            wrong = [entered(client, match.organiser).status_code for _ in range(6)]
            assert wrong == [403] * 5 + [429]
            assert entered(client, token.read_text().strip()).status_code == 429
            assert client.post("/login", content=b"x" * 20_000).status_code == 413
        assert Table.at(players).get("/log").status_code == 404


def test_a_form_of_another_site_does_nothing(quiet: tuple[Running, Path], run: Run) -> None:
    server, token = quiet
    with page_of(server.database, token) as (url, _), httpx.Client(base_url=url) as client:
        came = entered(client, token.read_text().strip())
        cookie = came.headers["set-cookie"]
        assert [each in cookie for each in ("HttpOnly", "SameSite=Strict")] == [True, True]
        for secret in ({}, {"secret": "0" * 64}):
            refused = client.post("/act", data={"act": "reload", "why": "x", **secret})
            assert refused.status_code == 403
        shown = act(client, "/", act="reissue", game="x")
        assert "there is no such act" in shown
        assert "say why" in act(client, "/", act="reload", why=" ")
        assert client.request("DELETE", "/").status_code == 405
    assert run("store", "acts", "--json", "--database", server.database).json == []


def test_it_goes_on_under_the_keys_of_now(tmp_path: Path, run: Run) -> None:
    """After the key that it was begun with was dropped every game was damaged on it, and nobody did
    what it asked for."""
    token, where = tmp_path / "operator.token", ("--database", tmp_path / "decklog.sqlite")
    signed = ("--by", "harbour master", "--why", "it leaked")
    with running(tmp_path, "pennant", chain_length=64) as server:
        with httpx.Client(base_url=server.url, timeout=20) as players:
            Table.at(players).create()
        with (
            page_of(server.database, token) as (url, _),
            httpx.Client(base_url=url, timeout=30) as client,
        ):
            entered(client, token.read_text().strip())
            assert run("admin", "rotate", *signed, *where).code == 0
            assert "Done: announce." in act(client, "/", act="announce", text="Between")
            dropped = ("admin", "rotate", "--drop", *signed, *where)
            assert eventually(lambda: run(*dropped).code == 0)
            assert "Done: announce." in act(client, "/", act="announce", text="Afterwards")
            assert "Games that are damaged: 0" in client.get("/").text


def eventually(done: Callable[[], bool]) -> bool:
    until = time.monotonic() + 60
    while time.monotonic() < until:
        if done():
            return True
        time.sleep(0.2)
    return False


def test_a_token_that_others_may_read_or_guess_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "token"
    made = board.token_in(file)
    assert board.token_in(file) == made
    file.chmod(0o644)
    with pytest.raises(ValueError, match="others may read"):
        board.token_in(file)
    file.chmod(0o600)
    file.write_text("short")
    with pytest.raises(ValueError, match="fewer than"):
        board.token_in(file)


@pytest.mark.parametrize("hours", ["-5", "0", "soon", "1000000000", "²", "87601"])
def test_a_ban_for_a_time_that_there_is_not_is_refused(hours: str) -> None:
    """It was done, or came to a fault of ours, while nobody was banned."""
    told = {"act": "ban", "why": "x", "who": "203.0.113.7", "hours": hours}
    with pytest.raises(ValueError, match=r"^hours are a number from 1 to 87,600$"):
        board._instruction(told, "harbour master")
    asked = board._instruction(told | {"hours": " 24 "}, "harbour master")
    assert asked.about["seconds"] == "86400"


@pytest.mark.parametrize("data", [b"why=a%00b&by=m%00e", b"why=a\0b&by=m\0e"])
def test_what_no_database_holds_is_in_no_form(data: bytes) -> None:
    """PostgreSQL's texts have no NUL: such an act failed for ever, and all after it waited."""

    async def receive() -> dict[str, object]:
        return {"type": "http.request", "body": data}

    assert asyncio.run(board._form({}, receive)) == {"why": "ab", "by": "me"}


def test_one_is_led_back_to_a_page_that_a_header_can_name() -> None:
    """An act was done, and answered with 500."""
    for back in ("/game/漢", "/game/a\r\nx", "//games.example", "/game/../log", "/game/"):
        assert not board._ours(back)
    assert board._ours("/game/0123456789abcdef")
