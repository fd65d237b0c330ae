"""The digests of rules: their archive's (tests/service/engines), and the older one over files."""

from __future__ import annotations

import hashlib
import sys
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import msgspec
import pytest

import domain.examples.pennant
import domain.kernel
from domain.kernel.finder import games
from service import container
from service.dice import nwd1
from service.engines.installed import built
from service.evidence import digest
from service.evidence.records import ENGINE, RulesUsed
from tests.support import pennant, soundings

KERNEL = Path(domain.kernel.__path__[0])
EXAMPLE = Path(domain.examples.pennant.__path__[0])


def below(folder: Path) -> set[str]:
    """The Python files below a folder, and its data, by their paths in it."""
    found = [path for path in folder.rglob("*") if path.suffix in (".py", ".toml")]
    return {path.relative_to(folder).as_posix() for path in found}


def test_a_game_of_one_module() -> None:
    names = [file.name for file in digest.rules_files(soundings.GAME)]
    own = [name for name in names if name.startswith("game/")]
    assert own == ["game/soundings.py"]
    kernel = {name for name in names if name.startswith("kernel/")}
    assert kernel == {f"kernel/{name}" for name in below(KERNEL) if not name.startswith("testing/")}
    assert names == sorted(names)


def test_a_package_that_is_not_installed() -> None:
    """All files of the package that has the game's name, not the one with its state alone."""
    names = [file.name for file in digest.rules_files(pennant.GAME)]
    own = {*below(EXAMPLE), "rules/sample.jsonl"}
    assert [name for name in names if name.startswith("game/")] == sorted(
        f"game/{name}" for name in own
    )


def test_each_file_by_its_bytes() -> None:
    listed = {file.name: file.sha256 for file in digest.rules_files(pennant.GAME)}
    for path in KERNEL.glob("*.py"):
        assert listed[f"kernel/{path.name}"] == hashlib.sha256(path.read_bytes()).hexdigest()


def test_the_digest_spelled_out() -> None:
    listed = (digest.RulesFile("a", "01" * 32), digest.RulesFile("b", "02" * 32))
    fields = (b"a", b"\x01" * 32, b"b", b"\x02" * 32)
    assert digest.digest_of(listed) == nwd1.th("nwe1/rules", *fields)


def test_the_digest_is_that_of_the_archive() -> None:
    ruleset = digest.ruleset_of(pennant.GAME)
    assert ruleset == ("pennant", "1.0.0", "domain.examples.pennant")
    assert digest.rules_digest(pennant.GAME) == hashlib.sha256(built(ruleset)).digest()


def test_a_game_of_one_module_has_an_archive_too() -> None:
    """What shows is in it, since it stands in that one module."""
    inside = container.unpack(built(digest.ruleset_of(soundings.GAME)), container.ENGINE)
    about = msgspec.json.decode(inside["engine.json"])
    assert about["root"] == "tests.support.soundings:GAME"
    assert inside["tests/__init__.py"] == b""
    assert "domain/kernel/shown/roles.py" in inside


def test_each_form_is_compared_with_its_own() -> None:
    game = pennant.GAME
    archived, listed = digest.rules_digest(game).hex(), digest.digest_of(digest.rules_files(game))
    used = RulesUsed(game.ruleset, game.version, archived, ENGINE)
    assert digest.are_installed(game, used)
    assert not digest.are_installed(game, RulesUsed(game.ruleset, game.version, archived))
    assert digest.are_installed(game, RulesUsed(game.ruleset, game.version, listed.hex()))


def test_installed_games_are_folders_with_their_data() -> None:
    for game in games().values():
        names = [file.name for file in digest.rules_files(game)]
        assert len([name for name in names if name.startswith("game/")]) > 1
        assert not [n for n in names if "__pycache__" in n or n.endswith((".pyc", ".md"))]
        assert len(digest.rules_digest(game)) == 32


@pytest.fixture
def folder_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A game in a folder of its own, which is not installed."""
    folder = tmp_path / "foldergame"
    (folder / "units").mkdir(parents=True)
    (folder / "__init__.py").write_text("class State:\n    pass\n")
    (folder / "units" / "ships.toml").write_text("x = 1\n")
    (folder / "README.md").write_text("words\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "foldergame", raising=False)
    return folder


def listing_of(folder: Path) -> tuple[digest.RulesFile, ...]:
    digest._files_of.cache_clear()
    module = ModuleType("x")
    exec(f"from {folder.name} import State", module.__dict__)
    return digest.rules_files(replace(pennant.GAME, state=module.State))


def test_a_changed_data_file_changes_the_digest(folder_game: Path) -> None:
    before = listing_of(folder_game)
    assert [f.name for f in before if f.name.startswith("game/")] == [
        "game/__init__.py",
        "game/units/ships.toml",
    ]
    (folder_game / "README.md").write_text("other words\n")
    assert listing_of(folder_game) == before
    (folder_game / "units" / "ships.toml").write_text("x = 2\n")
    after = listing_of(folder_game)
    assert digest.digest_of(after) != digest.digest_of(before)
    (folder_game / "units" / "ships.toml").rename(folder_game / "units" / "boats.toml")
    assert digest.digest_of(listing_of(folder_game)) != digest.digest_of(after)


def test_the_set_up_counts_with_all_its_parts() -> None:
    setup = pennant.SETUP
    others = [
        msgspec.structs.replace(setup, edition="second"),
        msgspec.structs.replace(setup, scenario="other"),
        msgspec.structs.replace(setup, seats=("p2", "p1")),
        msgspec.structs.replace(setup, options={"turns": 5}),
    ]
    assert len({digest.scenario_digest(s) for s in (setup, *others)}) == 5
