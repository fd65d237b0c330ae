"""The reference: a page for each operation, and one that leads to all of them."""

from __future__ import annotations

import re
from html import unescape

from service.http.registry import operations
from tests.service.http.table import Table, code

MOST_ROWS = 130
"""Lines that the page of all operations has at most; it had thousands."""


def test_every_operation_has_a_page_with_all_that_the_document_says(table: Table) -> None:
    document = table.get("/openapi.json").json()
    for operation in operations():
        page = table.get(f"/docs/{operation.id}", Accept="text/html")
        assert page.status_code == 200, operation.id
        text = unescape(page.text)
        assert f"<code>{operation.path}</code>" in text
        told = document["paths"][operation.path][operation.method.lower()]
        assert f"<h1>{told['summary']}</h1>" in text
        for status in told["responses"]:
            assert f"<summary>{status} " in text, (operation.id, status)
        assert "<script" not in page.text


def test_links_of_the_pages_lead_somewhere(table: Table) -> None:
    found = set[str]()
    for name in ("listPieces", "createGame", "getOdds"):
        found |= set(re.findall(r'href="([^"#]+)"', table.get(f"/docs/{name}").text))
    assert "/problems/version.unknown" in found
    for link in sorted(found):
        assert table.get(link, Accept="text/html").status_code == 200, link


def test_the_home_page_is_short_and_leads_to_each_of_them(table: Table) -> None:
    text = table.get("/docs").text
    linked = re.findall(r'href="/docs/(\w+)">', text)
    assert {each.id for each in operations()} <= set(linked)
    assert text.count("<tr>") < MOST_ROWS
    assert "<details>" not in text


def test_what_is_no_operation_has_no_page(table: Table) -> None:
    assert code(table.get("/docs/listNothing")) == "resource.not-found"
