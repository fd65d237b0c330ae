"""``decklog custom``: documents are checked offline, alone and together, in every edition."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from domain.games.war_at_sea.rules.customs import CUSTOMS, examples
from tests.service.cli.conftest import Run
from tests.support.pennant import REGATTA


def written(folder: Path, name: str, document: Any) -> str:
    path = folder / name
    path.write_text(document if isinstance(document, str) else json.dumps(document), "utf-8")
    return str(path)


def test_a_good_document_is_tried_in_every_edition(run: Run, tmp_path: Path) -> None:
    done = run("custom", "check", "--scenario", written(tmp_path, "r.json", REGATTA))
    assert done.code == 0
    assert done.out.endswith("r.json: scenario, good\nedition first: a game can be opened\n")


def test_a_faulty_one_is_told_with_place_rule_and_code(run: Run, tmp_path: Path) -> None:
    file = written(tmp_path, "odd.toml", 'name = "Odd"\nturns = 3\n')
    done = run("custom", "check", "--scenario", file)
    assert done.code == 1
    assert "odd.toml: scenario, 1 fault\n" in done.out
    assert "/turns: One seat would have a turn more. Take an even number. [PEN-6]" in done.out
    told = run("custom", "check", "--scenario", file, "--json").json
    assert (told["good"], told["editions"]) == (False, {})
    assert told["faults"]["scenario"][0]["code"] == "regatta.odd"


@pytest.mark.parametrize(
    "args",
    [
        ("check",),
        ("check", "--scenario", "nowhere.json"),
        ("check", "--map", "m.json"),
        ("schema", "deck"),
        ("example", "scenario", "kraken"),
    ],
)
def test_used_wrongly(run: Run, args: tuple[str, ...]) -> None:
    run("custom", *args).assert_mistake("")


@pytest.mark.parametrize(("name", "text"), [("a.json", "{"), ("a.toml", "= 1"), ("b.json", "\x80")])
def test_a_file_that_cannot_be_read(run: Run, tmp_path: Path, name: str, text: str) -> None:
    run("custom", "check", "--scenario", written(tmp_path, name, text)).assert_mistake("")


def test_schema_and_example_are_what_the_ruleset_says(run: Run) -> None:
    assert run("custom", "example", "scenario").json == REGATTA
    assert run("custom", "schema", "scenario").json["title"] == "Regatta"


def test_the_pieces_of_war_at_sea_are_checked_together(ask: Run, tmp_path: Path) -> None:
    scenario = next(each for each in examples("scenarios") if each["id"] == "hold-the-islands")
    map_ = next(each for each in examples("maps") if each["id"] == "island-chain")
    assert [custom.kind for custom in CUSTOMS] == ["scenario", "map"]
    files = ["--ruleset", "war-at-sea", "--scenario", written(tmp_path, "s.json", scenario)]
    alone = ask("custom", "check", *files, "--json").json
    assert {fault["code"] for found in alone["editions"].values() for fault in found} == {
        "setup.no-map"
    }
    files += ["--map", written(tmp_path, "m.json", map_)]
    both = ask("custom", "check", *files, "--json").json
    assert (both["good"], both["editions"]) == (True, {"2007": [], "2009": []})
