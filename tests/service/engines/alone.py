"""Run as a program: games of an archive that is all there is, the installed ``domain`` hidden.

alone.py ARCHIVE FOLDER FILE...: unpacks into FOLDER, below a package of its own, plays each file
(a sample or a recorded game) and prints what its lines led to, as JSON.
"""

from __future__ import annotations

import importlib
import json
import sys
from importlib.abc import MetaPathFinder
from pathlib import Path
from typing import Any, NoReturn

from service import container
from service.engines import sample


class Hidden(MetaPathFinder):
    """No ``domain`` but that of the archive."""

    def find_spec(self, name: str, path: Any, target: Any = None) -> None:
        if name.partition(".")[0] in ("domain", "projections"):
            _refuse(name)


def _refuse(name: str) -> NoReturn:
    raise ImportError(f"{name} is imported from outside of the archive")


def engine(archive: Path, folder: Path) -> tuple[Any, sample.Kernel]:
    """The engine of an archive, and its kernel."""
    files = container.unpack(archive.read_bytes(), container.ENGINE)
    for name, content in files.items():
        file = folder / "engine_alone" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
    sys.path.insert(0, str(folder))
    module, _, name = json.loads(files["engine.json"])["root"].partition(":")
    found = getattr(importlib.import_module(f"engine_alone.{module}"), name)
    return found, sample.kernel("engine_alone.")


def main() -> None:
    archive, folder, *games = map(Path, sys.argv[1:])
    sys.meta_path.insert(0, Hidden())
    found, kernel = engine(archive, folder)
    done = [[*sample.tried(found, kernel, sample.read(game.read_bytes()))] for game in games]
    print(json.dumps({"kernel": kernel.canonical.__module__, "games": done}))


if __name__ == "__main__":
    main()
