"""The page on which every operation of the document can be tried, in a real browser."""

from __future__ import annotations

import json

import httpx
import pytest
from playwright.sync_api import Browser, expect

from tests.pages.conftest import Person
from tests.support.server import Running

pytestmark = pytest.mark.slow("pages")


def test_it_shows_every_operation_and_asks_no_other_host(browser: Browser, server: Running) -> None:
    document = json.loads(httpx.get(server.url + "/openapi.json", timeout=60).content)
    operations = {
        each["operationId"] for item in document["paths"].values() for each in item.values()
    }
    person = Person(browser, server.url)
    person.page.goto(server.url + "/docs/reference")
    for operation in operations:
        expect(person.page.locator(f"[id$='-{operation}'].opblock")).to_have_count(1)
    assert person.watch.hosts == {server.url.removeprefix("http://")}
    assert person.watch.complaints == []
    person.context.close()
