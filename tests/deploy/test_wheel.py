"""A wheel owns one name, plays where nothing else of the tree is, and takes games of others."""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
import zipfile
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import domain
from domain.kernel.finder import games
from service.evidence.digest import rules_digest

ROOT = Path(domain.__file__).parents[1]
SITE = Path(pytest.__file__).parents[1]
"""Where what Decklog needs is installed."""

BUILD = """
import sys
sys.path.insert(0, "deploy")
import wheels
sys.stdout = sys.stderr
name = getattr(wheels, sys.argv[1])(sys.argv[2])
sys.__stdout__.write(name)
"""

PLAY = """
from decklog.domain.kernel.codec import full
from decklog.domain.kernel.finder import games
from decklog.domain.kernel.setup import Setup
from decklog.domain.kernel.testing.completeness import check_complete
from decklog.service.bots import RandomLegal
from decklog.service.bots.local import LocalGame

game = games()["pennant"]
setup = Setup("pennant", game.editions[-1], "standard", ("p1", "p2"), full(game.options()))
bots = {seat: RandomLegal(number) for number, seat in enumerate(setup.seats)}
table = LocalGame(game, setup, "elsewhere")
print(game.state.__module__, table.play(bots), len(table.events))
"""

DIGESTS = """
from decklog.domain.kernel.finder import games
from decklog.service.evidence.digest import rules_digest
for name, game in games().items():
    print(name, rules_digest(game).hex())
"""

NAMES = """
import sys
from importlib.util import find_spec
import decklog.service.app
ours = ("domain", "projections", "service")
print([name for name in ours if find_spec(name)], [m for m in sys.modules if m in ours])
"""


def wheels() -> Any:
    """The build backend as a module."""
    spec = spec_from_file_location("wheels", ROOT / "deploy" / "wheels.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


# --- imports are written anew -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("from domain.kernel import codec\n", "from decklog.domain.kernel import codec\n"),
        ("    from service import cli\n", "    from decklog.service import cli\n"),
        ("import domain\n", "import decklog.domain as domain\n"),
        ("import service.cli as c\n", "import decklog.service.cli as c\n"),
        ("from .domain import x\n", "from .domain import x\n"),
        ("from domains import x\nx = 'from domain import'\n",) * 2,
    ],
)
def test_an_import_of_ours_is_written_anew_and_nothing_else(old: str, new: str) -> None:
    nested = old.startswith(" ")
    before, after = ("if True:\n" + old, "if True:\n" + new) if nested else (old, new)
    assert wheels().moved(before) == after


@pytest.mark.parametrize("source", ["import domain.kernel\n", "import domain, os\n"])
def test_an_import_that_cannot_be_is_refused(source: str) -> None:
    with pytest.raises(ValueError, match="write one import"):
        wheels().moved(source, "here.py")


def test_what_decides_a_game_is_packed_as_it_is(tmp_path: Path) -> None:
    """Otherwise an installed service would judge by other rules than the tree that it is of."""
    wheels().stage(ROOT, tmp_path)
    for folder in ("domain/kernel", "domain/games"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            name = path.relative_to(ROOT)
            assert (tmp_path / "decklog" / name).read_bytes() == path.read_bytes(), name


# --- a wheel, installed -----------------------------------------------------------------------


class Installed(NamedTuple):
    """A wheel, and an environment in which it alone is installed besides what it needs."""

    wheel: Path
    home: Path

    def run(self, *words: str, path: str = "") -> str:
        """What a program of the environment prints, away from the tree and without settings."""
        return ran([str(self.home / "bin" / words[0]), *words[1:]], self.home, path)


def ran(words: list[str], folder: Path, path: str = "") -> str:
    environment = {"PATH": os.defpath, "HOME": str(folder)} | ({"PYTHONPATH": path} if path else {})
    done = subprocess.run(
        words, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def built(what: str, tree: Path, into: Path) -> Path:
    return into / ran([sys.executable, "-c", BUILD, what, str(into)], tree)


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """The wheel of a source distribution of the tree: so both have all that they need."""
    folder = tmp_path_factory.mktemp("wheel")
    with tarfile.open(built("build_sdist", ROOT, folder)) as source:
        source.extractall(folder, filter="data")
    (tree,) = (path for path in folder.iterdir() if path.is_dir())
    wheel, home = built("build_wheel", tree, folder), folder / "env"
    ran([sys.executable, "-m", "venv", str(home)], folder)
    (site,) = home.glob("lib/python*/site-packages")
    (site / "needed.pth").write_text(f"{SITE}\n", "utf-8")
    found = Installed(wheel, home)
    found.run("python", "-m", "pip", "install", "--no-index", "--no-deps", str(wheel))
    return found


@pytest.fixture(scope="module")
def plugin(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A game in a package of somebody else's, which is found by its entry point."""
    folder = tmp_path_factory.mktemp("plugin")
    source = ROOT / "domain" / "examples" / "pennant"
    for path in source.rglob("*.py"):
        place = folder / "pennant_elsewhere" / path.relative_to(source)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(wheels().moved(path.read_text("utf-8")), "utf-8")
    told = folder / "pennant_elsewhere-1.dist-info"
    told.mkdir()
    (told / "METADATA").write_text("Metadata-Version: 2.1\nName: pennant-elsewhere\nVersion: 1\n")
    point = "[decklog.games]\npennant = pennant_elsewhere.game:GAME\n"
    (told / "entry_points.txt").write_text(point, "utf-8")
    return folder


@pytest.mark.slow("wheel")
def test_it_owns_one_name(installed: Installed) -> None:
    with zipfile.ZipFile(installed.wheel) as wheel:
        tops = {name.partition("/")[0] for name in wheel.namelist()}
    assert sorted(top for top in tops if not top.endswith(".dist-info")) == ["decklog"]
    assert installed.run("python", "-c", NAMES) == "[] []\n"


@pytest.mark.slow("wheel")
def test_its_demo_plays_a_battle_and_upholds_it(installed: Installed) -> None:
    told = installed.run("decklog", "demo", "--fast")
    assert "\nUPHELD" in told
    assert "orders decided again" in told


@pytest.mark.slow("wheel")
def test_it_judges_by_the_rules_of_the_tree(installed: Installed) -> None:
    """By the same digests, so that each upholds what the other has recorded."""
    there = dict(line.split() for line in installed.run("python", "-c", DIGESTS).splitlines())
    assert there == {name: rules_digest(game).hex() for name, game in games().items()}


@pytest.mark.slow("wheel")
def test_a_game_of_another_package_plays_there_and_in_the_tree(
    installed: Installed, plugin: Path
) -> None:
    there = installed.run("python", "-c", PLAY, path=str(plugin))
    here = ran([sys.executable, "-c", PLAY], plugin, f"{plugin}{os.pathsep}{ROOT}")
    assert there == here
    assert there.startswith("pennant_elsewhere.rules.state ")
