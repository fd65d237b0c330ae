"""The specification below ``/docs``: every page, and every link of it leads somewhere."""

from __future__ import annotations

import re

from service.http import guide
from tests.service.http.table import Table
from tests.spec.vectors import SPEC

LINK = re.compile(r'href="(/docs[^"#]*)')


def test_every_part_is_a_page_and_its_links_lead_somewhere(table: Table) -> None:
    parts = {path.stem for path in SPEC.glob("*.md")} - {"README"}
    assert set(guide.specified()) == {"spec", *(f"spec-{part}" for part in parts)}
    found = set[str]()
    for name in guide.specified():
        page = table.client.get(f"/docs/{name}")
        assert page.status_code == 200
        assert guide.title(name) in page.text
        assert not re.search(r'href="[a-z]+\.(md|py|mjs)|href="vectors', page.text)
        found.update(LINK.findall(page.text))
    assert found > {f"/docs/{name}" for name in guide.specified()}
    assert {table.client.get(path).status_code for path in found} == {200}
    assert table.client.get("/docs/spec-nothing").status_code == 404
