"""Engines over HTTP: for ever, by their digests; and a judge who has none fetches what he needs."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import httpx
import pytest

from service import container
from service.cli import main
from service.engines import carry
from service.http.operation import ARCHIVE
from service.http.rulesets import FOREVER
from tests.service.engines.trees import PENNANT, built
from tests.service.http.table import Table, code
from tests.service.ops.play import create, play
from tests.support import pennant
from tests.support.server import running

DIGEST = hashlib.sha256(built(PENNANT)).hexdigest()


def test_an_engine_that_no_game_names_yet_is_given(table: Table) -> None:
    assert table.get("/v1/rulesets/pennant").json()["digest"] == DIGEST
    given = table.get(f"/v1/engines/{DIGEST}")
    assert hashlib.sha256(given.content).hexdigest() == DIGEST
    assert container.unpack(given.content, container.ENGINE)
    assert given.headers["content-type"] == ARCHIVE
    assert given.headers["cache-control"] == FOREVER
    assert given.headers["content-disposition"] == f'attachment; filename="{DIGEST}.engine"'


def test_its_tag_is_its_digest_in_either_form(table: Table) -> None:
    path = f"/v1/engines/{DIGEST}"
    plain = table.get(path, Accept_Encoding="identity")
    packed = table.get(path, Accept_Encoding="gzip")
    assert plain.headers["etag"] == f'"{DIGEST}"'
    assert packed.headers["etag"] == f'"{DIGEST}-gzip"'
    assert plain.content == packed.content
    assert int(packed.headers["content-length"]) < len(plain.content) / 2
    for tag in (plain.headers["etag"], packed.headers["etag"]):
        again = table.get(path, If_None_Match=tag)
        assert (again.status_code, again.headers["cache-control"]) == (304, FOREVER)


@pytest.mark.parametrize("digest", ["0" * 64, DIGEST.upper(), DIGEST[:-1], "war-at-sea"])
def test_what_is_not_here_has_a_code_of_its_own(table: Table, digest: str) -> None:
    refused = table.get(f"/v1/engines/{digest}")
    assert (refused.status_code, code(refused)) == (404, "engine.not-found")
    assert refused.headers["cache-control"] == "no-store"


def test_the_list_has_what_is_installed_kept_and_carried(table: Table) -> None:
    found, address = [], "/v1/engines?limit=2"
    while address:
        page = table.get(address)
        found += page.json()["items"]
        address = page.links.get("next", {}).get("url", "")
    digests = [each["digest"] for each in found]
    assert digests == sorted({DIGEST, *(engine.digest for engine in carry.table())})
    (here,) = (each for each in found if each["installed"])
    assert here == {
        "digest": DIGEST, "ruleset": "pennant", "version": pennant.GAME.version,
        "bytes": len(built(PENNANT)), "installed": True,
    }  # fmt: skip
    assert code(table.get("/v1/engines?cursor=eA")) == "query.invalid"


def test_a_judge_without_the_engine_fetches_it_from_the_service(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Over a real connection; what was fetched once is in the cache when nobody answers."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    file = tmp_path / "game.decklog"
    (tmp_path / "games").mkdir()
    with running(tmp_path / "games", "pennant", chain_length=64) as server:
        with httpx.Client(base_url=server.url, timeout=30) as client:
            begun = create(client, "pennant")
            play(client, begun, 1_000, seed="engines")
            assert client.get(begun.path).json()["status"] == "finished"
            file.write_bytes(client.get(f"{begun.path}/evidence").content)
        judged = ["verify", str(file), "--json", "--trust-engine", DIGEST]
        assert main(judged, {}) == 3, "it is neither installed nor anywhere else"
        assert DIGEST in json.loads(capsys.readouterr().out)["reason"]
        assert main([*judged, "--engines", server.url], {}) == 0
        told = json.loads(capsys.readouterr().out)
        assert told["word"] == "UPHELD"
        assert any(server.url in note for note in told["notes"])
        assert server.stop() == 0
    assert main([*judged, "--engines", server.url], {}) == 0
    assert any("the local cache" in n for n in json.loads(capsys.readouterr().out)["notes"])
