"""``show --svg`` and ``replay --html``: pictures and films as files, from a service and offline."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree as ET

import httpx
import pytest

from tests.service.cli.conftest import Run
from tests.service.cli.play import Table
from tests.support.server import Running


@pytest.fixture
def evidence(run: Run, server: Running, finished: Table, tmp_path: Path) -> Path:
    path = tmp_path / "game.decklog"
    assert run("export", finished.id, "--url", server.url, "-o", path).code == 0
    return path


def test_show_saves_the_picture_that_the_service_draws(
    run: Run, server: Running, finished: Table, tmp_path: Path
) -> None:
    for at in ((), ("--at", 4)):
        file = tmp_path / "board.svg"
        done = run("show", finished.id, "--url", server.url, *at, "--svg", file)
        assert done.code == 0
        assert str(file) in done.out
        query = {"at": at[1]} if at else {}
        served = httpx.get(f"{server.url}/v1/games/{finished.id}/board.svg", params=query)
        assert file.read_bytes() == served.content


def test_the_picture_from_a_file_is_that_of_the_service(
    run: Run, server: Running, finished: Table, evidence: Path, tmp_path: Path
) -> None:
    file = tmp_path / "board.svg"
    for at in (4, 9):
        assert run("show", evidence, "--at", at, "--svg", file).code == 0
        query: dict[str, int | str] = {"at": at, "as": "truth"}
        served = httpx.get(f"{server.url}/v1/games/{finished.id}/board.svg", params=query)
        assert file.read_bytes() == served.content


def test_a_picture_that_cannot_be_is_a_mistake(run: Run, evidence: Path, tmp_path: Path) -> None:
    file = tmp_path / "board.svg"
    run("show", evidence, "--at", 1, "--svg", file).assert_mistake("no board")
    run("show", evidence, "--at", 999, "--svg", file).assert_mistake("no version 999")
    assert run("show", evidence, "--json", "--svg", file).code == 2
    run("show", evidence, "--svg", tmp_path / "no" / "board.svg").assert_mistake("written")
    assert not file.exists()


def test_a_film_has_every_version_and_sentence(
    run: Run, server: Running, finished: Table, evidence: Path, tmp_path: Path
) -> None:
    film = tmp_path / "film.html"
    for target in ((evidence,), (finished.id, "--url", server.url)):
        assert run("replay", *target, "--html", film).code == 0
        page = film.read_text("utf-8")
        data = page.partition('id="data">')[2].partition("</script>")[0]
        shots = json.loads(data)["shots"]
        assert len(shots) == finished.summary()["version"]
        told = run("replay", *target, "--all", "--json").json["events"]
        assert [shot[3] for shot in shots] == [event["text"] for event in told]
        head = page.partition("</head>")[0]
        assert "default-src 'none'" in head
        assert "http" not in head.replace("http-equiv", "").replace("http://www.w3.org", "")
    run("replay", evidence, "--all", "--html", film).assert_mistake("--html")


def test_the_pictures_of_a_film_are_well_formed(run: Run, evidence: Path, tmp_path: Path) -> None:
    film = tmp_path / "film.html"
    assert run("replay", evidence, "--html", film).code == 0
    data = film.read_text("utf-8").partition('id="data">')[2].partition("</script>")[0]
    for line in json.loads(data)["lines"]:
        ET.fromstring(line)
