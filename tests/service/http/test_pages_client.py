"""The pages are made of the ready-made client's own modules, byte for byte."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from service.http.web import CLIENT, OF_CLIENT, files
from tests.architecture.tree import ROOT, text
from tests.deploy.test_wheel import wheels
from tests.service.http.table import Table

OWN = sorted(path.name for path in (ROOT / "service" / "web").glob("*.js"))
ANEW = r"""
    \bfetch\((?!["`]/pages/) | getReader\( | TextDecoderStream
    | "(Authorization|Idempotency-Key|Last-Event-ID)" | nwd1/(player-chain|renewed)
    | "Decklog-(Head|Receipt|Signature)" | generateKey\(
"""
"""What the client does: asking, following, giving links, keeping heads."""
BESIDE = {"api.js": {"fetch("}, "lessons.js": {"fetch("}, "nwd1.js": {"nwd1/renewed"}}
"""What else does so: what lights the lamp; what reads a file beside the pages; and the second
opinion, from the definition alone."""


@pytest.mark.parametrize("name", OF_CLIENT)
def test_a_module_of_the_client_is_served_as_it_is(house: Table, name: str) -> None:
    served = house.get(f"/pages/{name}")
    assert served.headers["content-type"].startswith("text/javascript")
    assert served.content == (ROOT / "openapi/clients/typescript/src" / name).read_bytes()
    assert set(imports(served.text)) <= set(OF_CLIENT), "it finds what it imports"


def imports(module: str) -> list[str]:
    return re.findall(r"^import [^;]*\"\./([\w.-]+)\";", module, re.MULTILINE)


def test_the_pages_are_made_of_them() -> None:
    assert not set(OWN) & set(OF_CLIENT), "one would be served in the other's place"
    used = {name for own in OWN for name in imports(text(f"service/web/{own}"))}
    reached, wanted = set[str](), used & set(OF_CLIENT)
    while wanted - reached:
        reached |= wanted
        wanted |= {each for name in wanted for each in imports(files()[name].decode())}
    assert reached == set(OF_CLIENT), "none is served that no page needs"
    assert {"client.js", "heads.js", "patch.js", "dice.js"} <= used


@pytest.mark.parametrize("name", OWN)
def test_no_page_does_itself_what_the_client_does(name: str) -> None:
    found = {each.group() for each in re.finditer(ANEW, text(f"service/web/{name}"), re.VERBOSE)}
    assert found == BESIDE.get(name, set())


def test_an_installed_service_has_them(tmp_path: Path) -> None:
    wheels().stage(ROOT, tmp_path)
    packed = tmp_path / "decklog" / CLIENT.relative_to(ROOT)
    assert all((packed / name).is_file() for name in OF_CLIENT)
