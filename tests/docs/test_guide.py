"""The client developer's guide is real: every command runs, and its output is the one shown."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.docs.console import matches
from tests.docs.guide import GUIDE, PAGES, quoting, text, tour
from tests.support.server import Running, running

PROMISED = {
    "quick-start",
    "clients",
    "bots",
    "time-travel",
    "events",
    "webhooks",
    "clocks",
    "dice",
    "evidence",
    "custom",
    "organisers",
    "errors",
    "secrecy",
    "versioning",
    "limits",
}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    folder: Path = tmp_path_factory.mktemp("guide")
    with running(
        folder, rate_limit=6000, chain_length=512, log_level="WARNING", deadline_grace=0
    ) as server:
        yield server


@pytest.mark.parametrize("page", PAGES)
def test_the_commands_of_a_page_say_what_is_shown(
    page: str, server: Running, tmp_path: Path
) -> None:
    for each, output, code in tour(page, server, tmp_path):
        assert code == 0, f"$ {each.command}\n{output}"
        assert matches(each.output, output), (
            f"make remake writes it anew (make docs)\n$ {each.command}\n{output}"
        )


def test_the_promised_pages_are_there() -> None:
    assert set(PAGES) >= PROMISED


def test_the_quoted_programs_are_those_that_are_tested() -> None:
    assert quoting("quick-start", text("quick-start")) == text("quick-start")


def test_every_page_is_served_and_leads_to_the_others(server: Running) -> None:
    home = httpx.get(f"{server.url}/docs")
    assert home.headers["content-type"].startswith("text/html")
    followed: set[str] = set()
    for page in PAGES:
        assert f'href="/docs/{page}"' in home.text
        served = httpx.get(f"{server.url}/docs/{page}")
        assert served.status_code == 200
        title = (GUIDE / f"{page}.md").read_text("utf-8").splitlines()[0].removeprefix("# ")
        assert f"<h1>{title}</h1>" in served.text
        links = {*re.findall(r'href="(/[^"#]*)', served.text)}
        for link in sorted(links - followed):  # each page leads to all the others
            assert httpx.get(server.url + link).status_code == 200, link
        followed |= links
    assert httpx.get(f"{server.url}/docs/nothing").json()["code"] == "resource.not-found"
