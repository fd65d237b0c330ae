"""The digest moves for whatever could decide otherwise, and for nothing else."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from hashlib import sha256
from pathlib import Path

import pytest

from service import container
from service.engines import build as building
from service.engines.build import Ruleset, build
from service.engines.closure import Unbuildable
from tests.service.engines.trees import (
    PENNANT,
    ROOT,
    RULES,
    RULESETS,
    built,
    changed,
    replaced,
    tree,
)

pytestmark = pytest.mark.slow("engines")

KERNEL = "domain/kernel/"
SHIPS = "domain/games/naval_battles/rules/ships/germany.toml"
SCENARIOS = "domain/games/naval_battles/rules/scenarios.py"
NAVAL = RULESETS["naval-battles"]


def test_every_ruleset_has_an_archive_of_its_own() -> None:
    digests = {sha256(built(ruleset)).hexdigest() for ruleset in RULESETS.values()}
    assert len(digests) == len(RULESETS) == 4


@pytest.mark.parametrize("ruleset", RULESETS.values(), ids=RULESETS)
def test_what_is_in_it(ruleset: Ruleset) -> None:
    files = container.unpack(built(ruleset), container.ENGINE)
    about = json.loads(files.pop("engine.json"))
    assert about == {
        "form": 1, "interface": 1, "kind": "cut", "msgspec": ">=0.20,<1", "python": ">=3.11",
        "root": f"{ruleset.home}.rules.engine:ENGINE", "ruleset": ruleset.name,
        "version": ruleset.version,
    }  # fmt: skip
    home = ruleset.home.replace(".", "/")
    assert files.pop("sample.jsonl") == tree(ruleset)[f"{home}/rules/sample.jsonl"]
    strange = [
        name for name in files
        if not name.startswith((f"{home}/rules/", KERNEL))
        and not (name.endswith("/__init__.py") and files[name] == b"")
    ]  # fmt: skip
    assert strange == []
    assert not [n for n in files if "/shown/" in n or "/testing/" in n or "rulebook" in n]
    assert f"{KERNEL}codec.py" in files
    assert f"{KERNEL}forking.py" in files


def test_what_it_needs_is_what_the_package_needs() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["requires-python"] == building.PYTHON
    assert f"msgspec{building.MSGSPEC}" in project["dependencies"]


# Another text, the same digest


@pytest.mark.parametrize("ruleset", RULESETS.values(), ids=RULESETS)
def test_no_file_that_shows_moves_it(ruleset: Ruleset) -> None:
    home = ruleset.home.replace(".", "/")
    shows = (f"{home}/shown/", f"{KERNEL}shown/", f"{home}/game.py", f"{home}/rulebook.toml")
    files = {
        name: content + b"\nx = 1\n" if name.startswith(shows) else content
        for name, content in tree(ruleset).items()
    }
    assert len([name for name in files if files[name] != tree(ruleset)[name]]) > 10
    assert build(files, ruleset) == built(ruleset)


def test_no_comment_docstring_or_layout_moves_it() -> None:
    files = {
        name: _remarked(content.decode()).encode() if name.endswith(".py") else content
        for name, content in tree(PENNANT).items()
    }
    assert files[f"{RULES}state.py"] != tree(PENNANT)[f"{RULES}state.py"]
    assert build(files, PENNANT) == built(PENNANT)


def _remarked(source: str) -> str:
    """Every docstring another, a remark on each block, and each level twice as deep."""
    source = re.sub(r'(?m)^( *)"""(?=\w)', r'\1"""Otherwise: ', source)
    source = re.sub(r"(?m)^(\s*(?:def|class|if|for|return) .*[:)])$", r"\1  # why", source)
    return "# before\n" + re.sub(r"(?m)^( +)", r"\1\1", source) + "\n# after\n"


def test_no_source_and_no_remark_in_data_moves_it() -> None:
    text = "# Another remark.\n"
    files = changed(NAVAL, SHIPS, lambda t: text + t.replace('status = "', 'status = "really '))
    assert build(files, NAVAL) == built(NAVAL)


# What decides otherwise, another digest


@pytest.mark.parametrize(
    ("ruleset", "name", "old", "new"),
    [
        (NAVAL, SHIPS, "points = 7", "points = 8"),
        (NAVAL, "domain/games/naval_battles/rules/deck.toml", "count = 2", "count = 3"),
        (NAVAL, "domain/games/naval_battles/rules/turns.py", " + 1", " + 2"),
        (PENNANT, f"{RULES}commands.py", "= 4", "= 5"),
        (PENNANT, f"{RULES}course.py", "return", "return not"),
        (PENNANT, f"{RULES}sample.jsonl", '"faces":[[', '"faces":[[1,'),
        (PENNANT, f"{KERNEL}chance.py", '"pub"', '"open"'),
        (PENNANT, f"{KERNEL}codec.py", '"sorted"', '"deterministic"'),
    ],
)
def test_it_moves(ruleset: Ruleset, name: str, old: str, new: str) -> None:
    assert build(replaced(ruleset, name, old, new), ruleset) != built(ruleset)


def test_another_version_is_another_archive() -> None:
    assert build(tree(PENNANT), PENNANT._replace(version="2")) != built(PENNANT)


# Wherever it is built


PROGRAM = """
import functools, hashlib, pathlib, sys
from service.engines import build as building
from service.engines.build import Ruleset, build
lines = building.lines
building.lines = functools.cache(lambda source: tuple(lines(source)))
root = pathlib.Path.cwd()
files = {p.relative_to(root).as_posix(): p.read_bytes() for p in root.rglob("*") if p.is_file()}
for line in sys.argv[1:]:
    print(hashlib.sha256(build(files, Ruleset(*line.split("|")))).hexdigest())
"""


def pythons() -> dict[str, str]:
    """Every Python that is found here and new enough, by its version; the running one first."""
    named = [shutil.which(f"python3.{minor}") for minor in range(11, 16)]
    others = Path.home().glob(".pyenv/versions/3.*/bin/python")
    found: dict[str, str] = {}
    for path in (sys.executable, *filter(None, named), *map(str, sorted(others))):
        ask = [path, "-c", "import sys; print(sys.version_info[0], sys.version_info[1])"]
        told = subprocess.run(ask, capture_output=True, text=True, check=False).stdout.split()
        if told and (int(told[0]), int(told[1])) >= (3, 11):
            found.setdefault(".".join(told), path)
    return found


def test_every_python_builds_the_same_from_another_folder(tmp_path: Path) -> None:
    for ruleset in RULESETS.values():
        for name, content in reversed(tree(ruleset).items()):
            file = tmp_path / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content)
    expected = [sha256(built(ruleset)).hexdigest() for ruleset in RULESETS.values()]
    for version, python in pythons().items():
        done = subprocess.run(
            [python, "-c", PROGRAM, *map("|".join, RULESETS.values())],
            env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONHASHSEED": "7"},
            cwd=tmp_path, capture_output=True, text=True, check=True,
        )  # fmt: skip
        assert done.stdout.split() == expected, version


# What no archive may be made of


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("import random", "imports random"),
        ("from time import time", "imports time"),
        ("from domain.games.other import x", "imports domain.games.other"),
        ("import domain.kernel.chance", "write from ... import"),
        ("from importlib.resources import files", "imports importlib.resources"),
        ("from ..shown.words import ROLES", "only shows"),
        ("from domain.kernel.shown.bot import Bot", "only shows"),
        ("from .missing import x", "not there"),
        ("if 1: from domain.kernel.chance import Faces", "on a line with something else"),
        ("SHOWN_KEYS: object = {print(): 1}", "no literal"),
    ],
)
def test_it_is_refused(line: str, why: str) -> None:
    files = changed(PENNANT, f"{RULES}state.py", lambda text: f"{text}\n{line}\n")
    with pytest.raises(Unbuildable, match=why):
        build(files, PENNANT)


def test_what_only_a_type_checker_imports_is_not_needed() -> None:
    line = "\nif TYPE_CHECKING:\n    import random\nelse:\n    from .more import x\n"
    files = changed(PENNANT, f"{RULES}state.py", lambda text: text + line)
    files |= {f"{RULES}more.py": b"x = 1\n", f"{RULES}less.py": b"import random\n"}
    inside = container.unpack(build(files, PENNANT), container.ENGINE)
    assert inside[f"{RULES}more.py"] == b"x=1\n"
    assert f"{RULES}less.py" not in inside


def test_too_much_is_refused() -> None:
    files = {**tree(PENNANT), f"{RULES}large.json": b'"' + b"x" * container.ENGINE.size + b'"'}
    with pytest.raises(Unbuildable, match="bytes"):
        build(files, PENNANT)


def test_there_has_to_be_such_a_game() -> None:
    with pytest.raises(Unbuildable, match="no module"):
        build(tree(PENNANT), PENNANT._replace(home="domain.games.none"))
