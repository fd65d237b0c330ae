"""The pages' HTML is valid as they are drawn; what they load is little, and nothing jumps."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.looked_at import Loading, faults, loading
from tests.support.server import Running
from tests.support.typed_pages import WEB

from .conftest import Person

People = Callable[..., Person]
MOST = Loading(requests=78, bytes=275_000, shift=0.1)
"""Measured while every page brought the modules of all: the lobby 63 requests, 232 kB, 0.084;
the desk of a short game 76, 268 kB, 0.020."""


@pytest.mark.slow("clients")
@pytest.mark.timeout(300)
def test_the_html_of_every_page_is_valid(person: People, finished: str, tmp_path: Path) -> None:
    one = person()
    seen = {
        "front": ("", ".offers button"),
        "lobby": ("lobby", "form button[type=submit]"),
        "evidence": ("evidence", "#file"),
        "replay": (f"replay/{finished}", ".log button"),
        "table": (f"game/{finished}", ".log li"),
    }
    pages = {"index": (WEB / "index.html").read_text("utf-8")}
    for name, (place, there) in seen.items():
        one.go(place)
        one.page.locator(there).first.wait_for()
        pages[name] = one.page.content()
    assert faults(tmp_path, pages) == []


@pytest.mark.slow("clients")
def test_html_that_is_not_valid_is_found(tmp_path: Path) -> None:
    body = "<p id=a>One<p id=a>Two<button type=button><a href=x>A</a></button>"
    wrong = f"<!doctype html><html lang=en><title>Wrong</title>{body}"
    found = {each.split(": ")[1] for each in faults(tmp_path, {"wrong": wrong})}
    assert {"no-dup-id", "element-permitted-content"} <= found


@pytest.mark.slow("clients")
@pytest.mark.timeout(400)
@pytest.mark.parametrize("place", ["", "replay/"])
def test_a_page_loads_little_and_nothing_jumps(
    server: Running, finished: str, tmp_path: Path, place: str
) -> None:
    """Lighthouse calls a layout good that shifts by less than a tenth."""
    found = loading(tmp_path, f"{server.url}/#/{place}{finished if place else ''}")
    assert 0 < found.requests <= MOST.requests
    assert 0 < found.bytes <= MOST.bytes
    assert found.shift < MOST.shift
