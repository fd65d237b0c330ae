"""What the page's judge needs besides our own files: pinned by SHA-256, got by the usual clients.

``python -m service.judge.vendor`` puts it into ``build/judge``; a second run finds it there.
"""

from __future__ import annotations

import hashlib
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Sequence
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[2] / "build" / "judge"

PYODIDE = "pyodide@314.0.7"
MSGSPEC = "msgspec==0.22.0"
WHEEL = "msgspec-0.22.0-cp314-cp314-pyemscripten_2026_0_wasm32.whl"
TAGS = (
    "--platform", "pyemscripten_2026_0_wasm32", "--python-version", "3.14",
    "--implementation", "cp", "--abi", "cp314",
)  # fmt: skip

PINNED = {
    "pyodide.mjs": "6f1d60f7bf529beb300f0f47983c921d3982363640ba20af0e38efdddbc66109",
    "pyodide.asm.mjs": "f7cdc8ece80678ceb712f8e65ebe6d3a83203a180c399865f49612a051693635",
    "pyodide.asm.wasm": "cc36e3cab04fdfc9a63ff13eb52eae2b911bf46c025cc7b281f394bd3de1d5e6",
    "python_stdlib.zip": "fa1957e5777068fc4f7437f96d860ae2fbe9c19732ba06c84e004ec16dd7dd7a",
    "pyodide-lock.json": "5dc2fc119108bc148c7457dc86e7675b5c87e1cafd420b9c34c1eaef7b36c010",
    WHEEL: "a66b1766311e42371e509c996c3933b161c7ae0eabdf361af5316dec197e1022",
}
"""SHA-256 of each file."""


class NotPinned(Exception):
    """What came is not what was pinned."""


def vendored(folder: Path = FOLDER) -> dict[str, bytes]:
    """The files by name, where all of them are there. Raises FileNotFoundError, NotPinned."""
    found = {name: (folder / name).read_bytes() for name in PINNED}
    for name, content in found.items():
        digest = hashlib.sha256(content).hexdigest()
        if digest != PINNED[name]:
            raise NotPinned(f"{name} has the SHA-256 {digest}, not {PINNED[name]}")
    return found


def fetch(npm: Sequence[str], folder: Path = FOLDER) -> None:
    """Get the files that are not there yet.

    npm  the command line of npm
    """
    try:
        vendored(folder)
    except (FileNotFoundError, NotPinned):
        with tempfile.TemporaryDirectory() as name:
            _fetch(npm, Path(name), folder)
        vendored(folder)


def _fetch(npm: Sequence[str], to: Path, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    pip = (sys.executable, "-m", "pip", "--disable-pip-version-check", "download", "--quiet")
    only = ("--no-deps", "--only-binary=:all:", "--dest", str(to))
    subprocess.run([*pip, *only, *TAGS, MSGSPEC], check=True)
    subprocess.run([*npm, "pack", "--silent", PYODIDE], cwd=to, check=True, capture_output=True)
    (folder / WHEEL).write_bytes((to / WHEEL).read_bytes())
    with tarfile.open(next(to.glob("*.tgz"))) as packed:
        for name in set(PINNED) - {WHEEL}:
            member = packed.extractfile(f"package/{name}")
            assert member is not None
            (folder / name).write_bytes(member.read())


def main() -> None:
    """Get what is not there yet, by the npm of the path."""
    fetch(("npm",))


if __name__ == "__main__":
    main()
