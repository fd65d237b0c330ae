"""The pages are made of the ready-made client's own modules, byte for byte."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from service.http.web import CLIENT, OF_CLIENT, files
from tests.architecture.tree import ROOT, text
from tests.deploy.test_wheel import wheels
from tests.service.http.table import Table


@pytest.mark.parametrize("name", OF_CLIENT)
def test_a_module_of_the_client_is_served_as_it_is(house: Table, name: str) -> None:
    served = house.get(f"/pages/client-{name}")
    assert served.headers["content-type"].startswith("text/javascript")
    assert served.content == (ROOT / "openapi/clients/typescript/src" / name).read_bytes()
    assert not re.search(rb"^import ", served.content, re.MULTILINE), (
        "it finds no other by its name"
    )


def test_requests_and_streams_of_the_pages_go_through_them() -> None:
    asking = text("service/web/api.js")
    assert {f'"./client-{name}"' for name in OF_CLIENT} <= set(re.findall(r'"[^"]+\.js"', asking))
    assert "setTimeout" not in asking, "the pages have no patience of their own"
    imported = re.findall(r'import \{ ([^}]+) \} from "\./client-([\w.]+)"', asking)
    for names, module in imported:
        exported = files()[f"client-{module}"].decode()
        for name in names.split(", "):
            assert re.search(rf"export (async )?(function|class) {name}\b", exported), name


def test_an_installed_service_has_them(tmp_path: Path) -> None:
    wheels().stage(ROOT, tmp_path)
    packed = tmp_path / "decklog" / CLIENT.relative_to(ROOT)
    assert all((packed / name).is_file() for name in OF_CLIENT)
