"""``decklog query``: moments of evidence files at which something holds."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from projections.probes import EVERY, saved
from projections.query import KINDS
from service.cli import main
from service.cli.tools import Tools
from tests.service.cli.conftest import Done, Run
from tests.service.cli.play import Table
from tests.support.server import ROOT

HISTORY = ROOT / "tests" / "evidence" / "history"


@pytest.fixture
def inside(capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs a command in this process, with the installed rulesets."""

    def call(*args: object) -> Done:
        code = main([str(arg) for arg in args])
        return Done(code, *capsys.readouterr())

    return call


@pytest.fixture
def hits(finished: Table) -> list[int]:
    """The events of the finished game at which dice fell."""
    return [
        roll["seq"] for roll in finished.http.get(f"/v1/games/{finished.id}/rolls").json()["items"]
    ]


def test_moments_are_told_as_links_that_show_takes(
    run: Run, finished: Table, bundle: Path, hits: list[int]
) -> None:
    events = finished.http.get(f"/v1/games/{finished.id}/events?limit=200").json()["items"]
    fired = [event["seq"] for event in events if event["type"] == "pennant.fire-declared"]
    told = run("query", bundle, 'event.type == "fire-declared"')
    links = [line.split()[0] for line in told.out.splitlines()[:-1]]
    assert links == [f"{bundle}@{seq}" for seq in fired]
    assert told.out.splitlines()[-1] == f"{len(fired)} in 1 file"
    there = run("show", links[0], "--json").json
    assert there["version"] == fired[0]
    assert run("why", links[0], "--json").json["event"]["seq"] == fired[0]
    assert run("query", bundle, "len(rolls) > 0", "--json").json["count"] == len(set(hits))


def test_each_kind_of_question(run: Run, bundle: Path, live_bundle: Path) -> None:
    def seqs(question: str) -> list[int]:
        (row,) = run("query", bundle, question, "--json").json["files"]
        return [moment["seq"] for moment in row["moments"]]

    every = seqs("all(state.left <= 5)")
    assert every == seqs("state.left <= 5")
    assert seqs("first(state.left <= 5)") == every[:1]
    assert seqs("last(state.left <= 5)") == every[-1:]
    assert seqs("when(state.left <= 5)") == every[:1]
    assert seqs("when(state.left != before.left and before != null)") != []
    counted = run("query", bundle, live_bundle, "count(state.left <= 5)")
    assert counted.out.splitlines()[0] == f"{bundle}  {len(every)}"
    assert seqs("count(state.left <= 5)") == []
    assert set(KINDS) == {"first", "last", "all", "count", "when"}
    assert (
        run("query", bundle, 'game.ruleset == "pennant" and seq == 2', "--json").json["count"] == 1
    )


def test_what_one_seat_knew_is_all_that_its_file_answers(
    run: Run, live: Table, live_bundle: Path
) -> None:
    """p2's choice is in nobody's question before it is open."""
    own = run("query", live_bundle, 'first(event.actor == "p1")', "--json").json
    assert own["count"] == 1
    seq = own["files"][0]["moments"][0]["seq"]
    public = run("query", live_bundle, f"seq == {seq}", "--as", "public", "--json").json
    assert public["files"][0]["moments"][0]["text"] != own["files"][0]["moments"][0]["text"]
    run("query", live_bundle, "seq == 1", "--as", "p2").assert_mistake("does not show the game")


def test_what_cannot_be_asked_is_said(run: Run, bundle: Path, tmp_path: Path) -> None:
    run("query", bundle).assert_mistake("then a QUESTION")
    run("query", bundle, "first(import os)").assert_mistake("at 7", "'import'")
    run("query", bundle, "state.left ==").assert_mistake("at 14")
    run("query", bundle, "@nothing").assert_mistake("No question 'nothing' is saved for pennant")
    run("query", tmp_path / "gone.decklog", "seq == 1").assert_mistake("cannot be read")
    typo = run("query", bundle, "state.lefft == 1")
    assert "nothing ever stood at state.lefft" in typo.err
    assert typo.out == "Nothing of that in 1 file.\n"
    assert "nothing ever" not in run("query", bundle, "state.left == 99").err


def test_a_file_that_cannot_be_read_stops_none_of_the_others(
    run: Run, bundle: Path, tmp_path: Path
) -> None:
    broken = tmp_path / "broken.decklog"
    broken.write_bytes(bundle.read_bytes()[:-40])
    copies = [shutil.copy(bundle, tmp_path / f"{n}.decklog") for n in range(20)]
    told = run("query", broken, *copies, "first(state.left <= 5)")
    assert told.code == 0
    assert f"{broken} was not asked" in told.err
    assert told.out.splitlines()[-1] == "20 in 20 files"


def test_a_question_that_asks_too_much_is_stopped(
    run: Run, bundle: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("projections.language.ALTOGETHER", 500)
    run("query", bundle, "state == before").assert_mistake("too much of this game")


def test_questions_of_ones_own_are_read_from_a_file(run: Run, bundle: Path, tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    own.write_text('[[probe]]\nname = "lost"\ntext = "Mine."\nquery = "first(seq == 3)"\n')
    assert run("query", bundle, "@lost", "--probes", own, "--json").json["count"] == 1
    assert "Mine." in run("query", "--list", "--probes", own).out
    own.write_text('[[probe]]\nname = "lost"\ntext = "Mine."\nquery = "import"\n')
    run("query", bundle, "@lost", "--probes", own).assert_mistake("at 1")
    own.write_text("[[probe]]\nname = 1\n")
    run("query", bundle, "@lost", "--probes", own).assert_mistake("no saved questions")


def probes() -> Iterator[tuple[str, str]]:
    for ruleset, found in saved().items():
        yield from ((ruleset, probe.name) for probe in found)


@pytest.mark.parametrize(("ruleset", "name"), sorted(probes()))
def test_every_saved_question_fits_its_games(inside: Run, ruleset: str, name: str) -> None:
    """Of today's form and of older ones: what it names stands somewhere, and it finds something."""
    paths = {
        "crimson-tide": [HISTORY / "crimson-tide.decklog"],
        "naval-battles": [HISTORY / "naval-battles.decklog"],
        "war-at-sea": [HISTORY / "war-at-sea-6.decklog"],
    }
    asked = paths.get(ruleset, [paths["war-at-sea"][0]])
    told = inside("query", *asked, f"@{name}", "--json")
    assert told.code == 0, told.err
    assert told.json["nowhere"] == []
    assert "was not asked" not in told.err
    if name not in ("all-sixes", "by-clock"):
        assert told.json["count"] > 0


def test_saved_questions_are_of_rulesets_that_there_are() -> None:
    assert set(saved()) == {*Tools().games, EVERY} - {"pennant"}
    for found in saved().values():
        names = [probe.name for probe in found]
        assert len(set(names)) == len(names)
        assert all(probe.text.endswith(".") for probe in found)
