"""A foreign judge of the vectors: Go's own ``sumdb/note`` and ``sumdb/tlog``, in go/main.go.

They lie in the source of Go's tool chain. What it has answered stands in tests/data/log-go.json;
``python -m tests.service.log.judge_go --write`` asks anew (``tests.support.go``).
"""

from __future__ import annotations

import shutil
from pathlib import Path

from tests.service.log.vectors import FILE
from tests.support.go import GoJudge

OURS = "module judge\n\ngo 1.24\n\nrequire golang.org/x/mod v0.0.0\n\nreplace golang.org/x/mod => "


def laid(root: Path, folder: Path) -> None:
    """Its module, and beside it the one that lies in the tool chain."""
    module = folder / "mod"
    shutil.copytree(root / "src/cmd/vendor/golang.org/x/mod/sumdb", module / "sumdb")
    (module / "go.mod").write_text("module golang.org/x/mod\n\ngo 1.24\n")
    (folder / "go.mod").write_text(OURS + "./mod\n")


JUDGE = GoJudge(
    program=Path(__file__).parent / "go" / "main.go",
    vectors=FILE,
    recorded=FILE.with_name("log-go.json"),
    laid=laid,
    flags={"GOFLAGS": "-mod=mod"},
)

if __name__ == "__main__":
    JUDGE.main()
