"""Each generator's recipe in the quick start runs, with the versions that are pinned."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

import pytest

from tests.docs.guide import text
from tests.support import clients
from tests.support.programs import JAVA, environment
from tests.support.server import Running, running

RECIPES = [
    line
    for block in re.findall(r"^```sh\n(.*?)^```", text("quick-start"), re.MULTILINE | re.DOTALL)
    for line in block.splitlines()
]
INSTALLING = re.compile(r"pip install '?([a-z-]+)(?:\[[a-z0-9]+\])?==([0-9.]+)'?")
NPX = re.compile(r"npx --yes (@?[^@\s]+)@(\S+)")
TOOLS = {"openapi-typescript": "openapi-typescript", "@hey-api/openapi-ts": "openapi-ts"}
SECONDS = 240
GENERATING = [line for line in RECIPES if not INSTALLING.fullmatch(line)]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    folder: Path = tmp_path_factory.mktemp("recipes")
    with running(folder, log_level="WARNING") as server:
        yield server


def test_what_is_installed_is_what_the_recipes_pin() -> None:
    pins = [found.groups() for line in RECIPES if (found := INSTALLING.fullmatch(line))]
    assert {name for name, _ in pins} == {"openapi-python-client", "openapi-generator-cli"}
    for name, pin in pins:
        assert version(name) == pin


def test_the_node_tools_are_those_of_the_lock_file() -> None:
    packages = (clients.CLIENTS / "package.json").read_text("utf-8")
    pins = [found.groups() for line in RECIPES if (found := NPX.match(line))]
    assert {name for name, _ in pins} == set(TOOLS)
    for name, pin in pins:
        assert f'"{name}": "{pin}"' in packages


def as_here(line: str, url: str) -> str:
    """The command with this service's address and the tools that are installed here."""
    found = NPX.match(line)
    if found:
        clients.install()
        line = shlex.quote(clients.tool(TOOLS[found[1]])) + line[found.end() :]
    return line.replace("$API", url)


@pytest.mark.parametrize("line", GENERATING, ids=lambda line: " ".join(line.split()[:3]))
def test_a_recipe_makes_a_client(line: str, server: Running, tmp_path: Path) -> None:
    places = [str(Path(sys.executable).parent), str(Path(JAVA).parent), environment()["PATH"]]
    path = environment() | {
        "PATH": os.pathsep.join(places),
        "JAVA_HOME": str(Path(JAVA).parents[1]),
    }
    done = subprocess.run(
        as_here(line, server.url), shell=True, cwd=tmp_path, env=path, capture_output=True,
        text=True, timeout=SECONDS, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    made = [each for each in tmp_path.rglob("*") if each.suffix in (".ts", ".py", ".java", ".go")]
    assert any("GameSummary" in each.read_text("utf-8") for each in made)
