"""``decklog admin`` prints the service's receipt for a ruling: by it the record is held to that."""

from __future__ import annotations

from pathlib import Path

import httpx
import pytest

from tests.service.cli.conftest import Run
from tests.service.http.table import Table
from tests.support.server import running
from tests.support.service_keys import service_keys


def test_a_ruling_is_answered_with_its_receipt(
    run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    keys = service_keys(tmp_path)
    capsys.readouterr()
    own = ("--by", "harbour master", "--why", "asked", "--database", tmp_path / "decklog.sqlite")
    with (
        running(tmp_path, "pennant", chain_length=64, keys=str(keys.folder)) as server,
        httpx.Client(base_url=server.url, timeout=20) as client,
    ):
        table = Table.at(client)
        match = table.create()
        said = run("admin", "freeze", match.id, *own).out.splitlines()
        assert said[0] == f"Game {match.id} is frozen."
        told = run("admin", "end", match.id, "--tell", "enough", "--json", *own).json
        evidence = tmp_path / "game.decklog"
        evidence.write_bytes(table.get(f"{match.path}/evidence").content)
    receipts = []
    for number, text in enumerate((said[1], told["receipt"])):
        file = tmp_path / f"{number}.receipt"
        file.write_text(text)
        receipts += ["--receipt", file]
    done = run("verify", evidence, "--root", str(keys.root), *receipts)
    assert (done.code, "2 receipts have their events" in done.out) == (0, True), done
