"""What a build gives out to judge by is listed with its digests; every service has the list."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from domain.kernel.finder import games
from service.build import service_version
from service.engines import carry
from service.evidence.digest import rules_digest
from service.http import web
from service.judge import __main__ as building
from service.judge import alone, released, vendor
from tests.service.http.table import Table
from tests.support import elsewhere

PART = b"a part that is not ours"


def listed(table: Table) -> Any:
    return table.get(f"/pages/{released.NAME}").json()


def test_the_engines_of_a_build_are_listed_with_their_release(table: Table) -> None:
    found = listed(table)
    assert found["release"] == service_version()
    engines = {each["digest"]: each for each in found["engines"]}
    for game in games().values():
        told = engines[rules_digest(game).hex()]
        assert (told["ruleset"], told["version"]) == (game.ruleset, game.version)
        assert told["release"] == service_version()
    for each in carry.table():
        told = engines[each.digest]
        assert told["commit"] == each.commit
        assert told.get("rules", told["digest"]) == each.rules, "by what its games name it"
        assert "release" not in told, "there was none yet"
    assert len(engines) == len(games()) + len(carry.table())


def test_every_engine_of_the_past_on_the_list_is_given(table: Table) -> None:
    for each in listed(table)["engines"]:
        if "commit" in each:
            given = table.get(f"/v1/engines/{each['digest']}")
            assert hashlib.sha256(given.content).hexdigest() == each["digest"]


def test_what_an_operator_installs_is_nobodys_release(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with elsewhere.game(tmp_path) as stranger:
        monkeypatch.setattr(released, "games", lambda: {**games(), "pennant": stranger})
        found = json.loads(released.released(tmp_path))
    assert {each["ruleset"] for each in found["engines"]} == set(games())


def test_the_page_that_was_built_is_listed_with_its_digest(
    table: Table,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    for name in vendor.PINNED:
        (tmp_path / name).write_bytes(PART)
    digest = hashlib.sha256(PART).hexdigest()
    monkeypatch.setattr(vendor, "PINNED", dict.fromkeys(vendor.PINNED, digest))
    building.main(tmp_path)
    page = (tmp_path / alone.NAME).read_bytes()
    sha256 = hashlib.sha256(page).hexdigest()
    written = json.loads((tmp_path / released.NAME).read_bytes())
    assert written["files"] == [{"name": alone.NAME, "sha256": sha256, "bytes": len(page)}]
    assert capsys.readouterr().out == f"{sha256}  {alone.NAME}\n"
    building.main(tmp_path)
    assert json.loads((tmp_path / released.NAME).read_bytes()) == written, "it can be built again"


def test_a_service_without_the_page_lists_none(tmp_path: Path) -> None:
    assert json.loads(released.released(tmp_path))["files"] == []


def test_the_list_is_a_file_of_the_pages() -> None:
    web.files.cache_clear()  # what the page is built of may have come since they were read
    assert web.files()[released.NAME] == released.released()
