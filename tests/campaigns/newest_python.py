"""All recorded games on the newest Python there is: the same state hashes as on any other.

``python -m tests.campaigns.newest_python``
    CPython for WebAssembly, the newest that npm's ``pyodide`` carries, with msgspec's own compiled
    code for it from the package index: another version, another processor, half the word length
``python -m tests.campaigns.newest_python --python python3.13``
    an interpreter of this machine, in an environment of its own with msgspec and nothing else

``--game crimson_tide`` replays only that ruleset's. Needs the npm registry, or the interpreter.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Sequence
from pathlib import Path

from tests.support.programs import NODE, NPM

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / "build" / "newest-python"


def wasm(game: str, folder: Path = BUILD) -> int:
    """Fetch interpreter and msgspec where they are not there yet, and replay."""
    pyodide = folder / "node_modules" / "pyodide"
    if not pyodide.exists():
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "package.json").write_text('{"private": true}\n', "utf-8")
        _run(*NPM, "install", "--silent", "--no-fund", "--no-audit", "pyodide", cwd=folder)
    packages = folder / "packages"
    if not packages.exists():
        _unpack(_wheel(pyodide, folder), packages)
    script = Path(__file__).with_suffix(".mjs")
    return _run(NODE, str(script), str(pyodide), str(packages), str(ROOT), game, check=False)


def tags(lock: str) -> list[str]:
    """The options by which pip finds a wheel for the interpreter of a ``pyodide-lock.json``."""
    info = json.loads(lock)["info"]
    major, minor, *_ = info["python"].split(".")
    return [
        "--platform", f"pyemscripten_{info['abi_version']}_wasm32",
        "--python-version", f"{major}.{minor}",
        "--implementation", "cp",
        "--abi", f"cp{major}{minor}",
    ]  # fmt: skip


def _wheel(pyodide: Path, folder: Path) -> Path:
    wheels = folder / "wheels"
    lock = (pyodide / "pyodide-lock.json").read_text("utf-8")
    pip = (_pip(), "download", "--quiet", "--no-deps", "--only-binary=:all:")
    _run(*pip, *tags(lock), "--dest", str(wheels), "msgspec")
    return next(wheels.glob("msgspec-*.whl"))


def _pip() -> str:
    found = shutil.which("pip") or shutil.which("pip3")
    if found is None:
        raise SystemExit("pip is not on the path")
    return found


def _unpack(wheel: Path, packages: Path) -> None:
    with zipfile.ZipFile(wheel) as file:
        file.extractall(packages)


def native(python: str, game: str, folder: Path = BUILD) -> int:
    """Replay with an interpreter of this machine."""
    home = folder / Path(python).name
    inside = home / "bin" / "python"
    if not inside.exists():
        _run(python, "-m", "venv", str(home))
        _run(str(inside), "-m", "pip", "install", "--quiet", "msgspec")
    return _run(str(inside), "-m", "tests.campaigns.replays", game, check=False)


def _run(*command: str, cwd: Path = ROOT, check: bool = True) -> int:
    return subprocess.run(command, cwd=cwd, check=check).returncode


def main(arguments: Sequence[str]) -> int:
    """0 when every recorded game is alike."""
    parser = argparse.ArgumentParser(prog="tests.campaigns.newest_python", description=__doc__)
    parser.add_argument("--python", metavar="PATH", help="an interpreter of this machine instead")
    parser.add_argument("--game", default="*", help="a folder of tests/games; all unless told")
    options = parser.parse_args(arguments)
    if options.python:
        return native(options.python, options.game)
    return wasm(options.game)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
