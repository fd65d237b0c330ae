"""Our own packages as one archive: what the judge imports, and what games decide by."""

from __future__ import annotations

import io
import subprocess
import sys
import zipfile
from importlib.metadata import entry_points
from pathlib import Path

from domain.kernel.finder import GROUP, games

from ..engines import installed
from ..evidence.digest import ruleset_of

ROOT = Path(__file__).resolve().parents[2]
_LISTED = """
import sys
import service.judge.inside
from domain.kernel.finder import games
games()
for name, module in sorted(sys.modules.items()):
    if name.partition(".")[0] in ("domain", "service", "projections") and module.__file__:
        print(module.__file__)
"""
_KEPT = "service/engines/__pycache__"
_BESIDE = (".toml", ".json", ".jsonl", ".xz", ".css")
"""Ends of the names of data that modules read beside themselves."""


def packed() -> bytes:
    """The archive: the same bytes for the same tree."""
    points = "".join(f"{p.name} = {p.value}\n" for p in sorted(entry_points(group=GROUP)))
    files = {
        "decklog-0.dist-info/METADATA": b"Metadata-Version: 2.1\nName: decklog\nVersion: 0\n",
        "decklog-0.dist-info/entry_points.txt": f"[{GROUP}]\n{points}".encode(),
        **{f"{_KEPT}/{name}": data for name, data in _archives()},
        **{str(path.relative_to(ROOT)): path.read_bytes() for path in _files()},
    }
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        for name in sorted(files):
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            archive.writestr(entry, files[name])
    return made.getvalue()


def _archives() -> list[tuple[str, bytes]]:
    """The archives of our games: a page would take seconds to build one."""
    return [installed.as_kept(ruleset_of(game)) for game in games().values()]


def _files() -> set[Path]:
    done = subprocess.run(
        [sys.executable, "-c", _LISTED], check=True, capture_output=True, text=True, cwd=ROOT
    )
    modules = {Path(line) for line in done.stdout.splitlines()}
    deciding = {
        path
        for path in (ROOT / "domain").rglob("*")
        if path.suffix in (".py", *_BESIDE) and "testing" not in path.parts
    }
    beside = {
        path
        for folder in {module.parent for module in modules}
        for path in folder.iterdir()
        if path.suffix in _BESIDE or path.suffix == ".engine"
    }
    builder = {ROOT / "service" / "engines" / name for name in ("build.py", "closure.py")}
    return modules | deciding | beside | builder
