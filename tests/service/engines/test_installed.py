"""The archive of installed rules is kept beside compiled modules, and never believed blindly."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256
from importlib import import_module
from pathlib import Path

import pytest

from service.app import create_app
from service.engines import installed
from service.engines.build import Ruleset
from service.engines.closure import Tree
from service.settings import Settings
from tests.service.engines.trees import PENNANT, built, tree
from tests.support import pennant


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where it is kept, empty yet."""
    file = tmp_path / "cache" / "kept.json"
    monkeypatch.setattr(installed, "_file", lambda ruleset: file)
    installed.named.cache_clear()
    return file


@pytest.fixture
def building(monkeypatch: pytest.MonkeyPatch) -> list[Ruleset]:
    """What was built, in order."""
    done: list[Ruleset] = []

    def build(tree: Tree, ruleset: Ruleset) -> bytes:
        done.append(ruleset)
        return built(ruleset._replace(version="1.0.0"))

    monkeypatch.setattr(installed, "build", build)
    return done


def named() -> installed.Named:
    """As a new process would ask."""
    installed.named.cache_clear()
    return installed.named(PENNANT)


def test_it_is_built_once(kept: Path, building: list[Ruleset]) -> None:
    expected = (sha256(built(PENNANT)).hexdigest(), len(built(PENNANT)))
    assert [named(), named()] == [expected, expected]
    assert installed.archive(PENNANT) == built(PENNANT)
    assert building == [PENNANT]
    assert [path.name for path in kept.parent.iterdir()] == [kept.name]


def test_of_other_sources_it_is_not_believed(
    kept: Path, building: list[Ruleset], monkeypatch: pytest.MonkeyPatch
) -> None:
    named()
    other = {**tree(PENNANT), "domain/kernel/values.py": b"x = 1\n"}
    monkeypatch.setattr(installed, "sources", lambda home: other)
    named()
    assert len(building) == 2


def test_of_another_version_it_is_not_believed(kept: Path, building: list[Ruleset]) -> None:
    named()
    installed.named(PENNANT._replace(version="2"))
    assert [each.version for each in building] == ["1.0.0", "2"]


HARM: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda whole: b"",
    "cut": lambda whole: whole[:-1],
    "a bit": lambda whole: whole[:-1] + bytes([whole[-1] ^ 1]),
    "no head": lambda whole: whole.partition(b"\n")[2],
    "no archive": lambda whole: whole.partition(b"\n")[0],
    "of other sources": lambda whole: b"0" * 64 + whole[64:],
    "another archive": lambda whole: whole.partition(b"\n")[0] + b"\nanother",
}


@pytest.mark.parametrize("harm", HARM.values(), ids=HARM)
def test_what_is_damaged_is_built_again(
    harm: Callable[[bytes], bytes], kept: Path, building: list[Ruleset]
) -> None:
    expected = named()
    kept.write_bytes(harm(kept.read_bytes()))
    assert named() == expected
    assert installed.archive(PENNANT) == built(PENNANT)
    assert len(building) == 2


def test_who_asks_for_a_build_gets_one(kept: Path, building: list[Ruleset]) -> None:
    named()
    assert installed.built(PENNANT) == built(PENNANT)
    assert len(building) == 2


def test_where_nothing_can_be_written_nothing_is(kept: Path, building: list[Ruleset]) -> None:
    kept.parent.write_text("a file, no folder")
    assert named() == named()
    assert len(building) == 2
    assert kept.parent.read_text() == "a file, no folder"


def test_where_compiled_modules_are_not_kept_at_all(
    building: list[Ruleset], monkeypatch: pytest.MonkeyPatch
) -> None:
    def nowhere(ruleset: Ruleset) -> Path:
        raise OSError("no cache tag")

    monkeypatch.setattr(installed, "_file", nowhere)
    assert named() == named()
    assert len(building) == 2


def test_it_lies_beside_the_compiled_modules() -> None:
    file = installed._file(PENNANT)
    assert file.parent.name == "__pycache__"
    assert file.name == "domain.examples.pennant.engine"


def test_no_service_starts_with_rules_that_have_no_archive(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "lottery.py").write_text("import random\n\nclass State:\n    pass\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    state = import_module("lottery").State
    monkeypatch.delitem(sys.modules, "lottery")
    game = replace(pennant.GAME, state=state)
    with pytest.raises(ValueError, match=r"lottery\.py:1 imports random"):
        create_app(Settings(), {"pennant": game})
