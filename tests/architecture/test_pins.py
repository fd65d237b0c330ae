"""Everything that is installed is pinned and hashed, and everything that is asked for is pinned."""

from __future__ import annotations

import json
import re
import tomllib
from importlib.metadata import version
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.version import Version

from tests.architecture.tree import text, tracked

FILES = ("requirements/serve.txt", "requirements/test.txt")
PIN = re.compile(
    r"^(?P<name>[A-Za-z0-9._-]+)(\[[a-z,]+\])?==(?P<version>[^ ;\\]+)[^\\]*?"
    r"(?P<hashes>(?: *\\\n    --hash=sha256:[0-9a-f]{64})+)\n",
    re.MULTILINE,
)
NPM = [str(Path(name).parent) for name in tracked() if name.endswith("package-lock.json")]
PLAIN = re.compile(r"\d+\.\d+\.\d+")
HASH = re.compile(r"--hash=\w+:\w+")


def plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def pins(file: str) -> dict[str, set[str]]:
    """Versions by the name of the package; several where platforms differ."""
    found: dict[str, set[str]] = {}
    for match in PIN.finditer(text(file)):
        found.setdefault(plain(match["name"]), set()).add(match["version"])
    return found


def asked(*groups: str) -> list[Requirement]:
    """What pyproject.toml asks for: the project, all its extras, and the groups that are named."""
    told = tomllib.loads(text("pyproject.toml"))
    words = [*told["project"]["dependencies"]]
    for extra in told["project"]["optional-dependencies"].values():
        words += extra
    for group in groups:
        words += told["dependency-groups"][group]
    return [Requirement(word) for word in words]


@pytest.mark.parametrize("file", FILES)
def test_every_line_is_a_pin_with_hashes(file: str) -> None:
    assert PIN.sub("", text(file)).strip() == ""
    assert len(HASH.findall(text(file))) == text(file).count("sha256:") > 0


@pytest.mark.parametrize(
    ("file", "groups"),
    [("requirements/serve.txt", ("build",)), ("requirements/test.txt", ("test", "lock"))],
)
def test_what_is_asked_for_is_pinned_as_asked(file: str, groups: tuple[str, ...]) -> None:
    found = pins(file)
    for each in asked(*groups):
        versions = found.get(plain(each.name), set())
        assert versions, f"{each.name}: make lock"
        assert any(each.specifier.contains(one) for one in versions), (each, versions)


def test_tests_run_with_what_is_served() -> None:
    served, tested = pins(FILES[0]), pins(FILES[1])
    assert {name: tested.get(name) for name in served} == served


@pytest.mark.parametrize("name", ["litestar", "msgspec", "uvicorn", "cryptography", "psycopg"])
def test_what_runs_here_is_what_is_pinned(name: str) -> None:
    assert Version(version(name)) in {Version(one) for one in pins(FILES[1])[name]}


@pytest.mark.parametrize("folder", NPM)
def test_no_package_of_npm_hangs_on_a_word_that_moves(folder: str) -> None:
    """``npm ci`` resolves "latest" anew and refuses the lock file on the day of a new version."""
    moving = {
        name
        for package in json.loads(text(f"{folder}/package-lock.json"))["packages"].values()
        for name, wanted in package.get("dependencies", {}).items()
        if re.fullmatch(r"[a-z]+", wanted)
    }
    overrides = json.loads(text(f"{folder}/package.json")).get("overrides", {})
    assert {name for name in moving if not PLAIN.fullmatch(overrides.get(name, ""))} == set()
