"""``decklog engine``: archives are written, listed, shown and checked, offline."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

import pytest

from service import container
from service.engines.build import build
from service.evidence.digest import rules_digest
from tests.service.cli.conftest import Run
from tests.service.engines.trees import PENNANT, RULES, replaced
from tests.support import pennant

DIGEST = rules_digest(pennant.GAME).hex()


@pytest.fixture
def archive(run: Run, tmp_path: Path) -> Path:
    path = tmp_path / "pennant.engine"
    done = run("engine", "build", "pennant", "-o", str(path))
    assert done.code == 0
    assert done.out.split() == [DIGEST, str(path.stat().st_size), str(path)]
    return path


def test_it_is_the_digest_of_the_rules(run: Run, archive: Path) -> None:
    assert sha256(archive.read_bytes()).hexdigest() == DIGEST
    size = archive.stat().st_size
    assert run("engine", "list").out == f"{DIGEST}  {size:>7}  pennant 1.0.0\n"
    (listed,) = run("engine", "list", "--json").json
    assert listed == {"ruleset": "pennant", "version": "1.0.0", "digest": DIGEST, "size": size}


def test_what_is_in_it_is_shown(run: Run, archive: Path) -> None:
    told = run("engine", "show", str(archive)).out
    assert told.startswith(DIGEST)
    assert "  root: domain.examples.pennant.rules.engine:ENGINE\n" in told
    files = run("engine", "show", str(archive), "--json").json["files"]
    assert files == {
        name: len(content)
        for name, content in container.unpack(archive.read_bytes(), container.ENGINE).items()
    }


def test_that_of_the_installed_rules_is_told_from_others(
    run: Run, archive: Path, tmp_path: Path
) -> None:
    done = run("engine", "check", str(archive))
    assert (done.code, done.out) == (
        0, f"{DIGEST}: the installed rules\nsample: it comes out as it says\n"
    )  # fmt: skip
    other = tmp_path / "other.engine"
    sample = f"{RULES}sample.jsonl"
    other.write_bytes(build(replaced(PENNANT, sample, '"steady"', '"bold"'), PENNANT))
    told = run("engine", "check", str(other), "--json")
    assert (told.code, told.json["installed"], told.json["good"]) == (1, DIGEST, False)
    assert told.json["sample"].startswith("line 2: other")


def test_what_shows_a_game_is_built_listed_shown_and_checked(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "pennant.shown"
    made = run("engine", "build", "pennant", "--shown", "-o", str(path), "--json").json
    digest = sha256(path.read_bytes()).hexdigest()
    assert made == {"digest": digest, "size": path.stat().st_size, "file": str(path)}
    engine, showing = run("engine", "list", "--shown", "--json").json
    assert (engine["digest"], showing["digest"], showing["for"]) == (DIGEST, digest, DIGEST)
    assert f"{digest}  " in run("engine", "list", "--shown").out
    told = run("engine", "show", str(path), "--json").json
    assert told["about"]["for"] == DIGEST
    assert any(name.endswith("shown/words.py") for name in told["files"])
    good = run("engine", "check", str(path))
    assert (good.code, good.out) == (
        0, f"{digest}: what shows the installed rules\nsample: it comes out as it says\n"
    )  # fmt: skip


def test_what_shows_a_game_may_be_built_for_an_older_engine(run: Run, tmp_path: Path) -> None:
    older, path = tmp_path / "older.engine", tmp_path / "older.shown"
    tree = replaced(PENNANT, f"{RULES}engine.py", '"1.0.0"', '"0.9.0"')
    older.write_bytes(build(tree, PENNANT._replace(version="0.9.0")))
    done = run("engine", "build", "pennant", "--shown", "--over", str(older), "-o", str(path))
    assert done.code == 0
    about = run("engine", "show", str(path), "--json").json["about"]
    assert about["for"] == sha256(older.read_bytes()).hexdigest()
    other = run("engine", "check", str(path), "--json")
    assert (other.code, other.json["good"], other.json["sample"]) == (1, False, "it is not run")
    run("engine", "build", "pennant", "--over", str(older)).assert_mistake("--over goes with")
    run("engine", "build", "pennant", "--shown", "--over", str(path)).assert_mistake("no archive")


def test_what_is_no_archive(run: Run, tmp_path: Path) -> None:
    for number, data in enumerate((b"", b"PK", container.pack({"a": b""}))):
        path = tmp_path / f"{number}.engine"
        path.write_bytes(data)
        run("engine", "show", str(path)).assert_mistake("no archive of rules")
    run("engine", "check", str(tmp_path / "none.engine")).assert_mistake("")
    run("engine", "build", "kraken").assert_mistake("not installed")
