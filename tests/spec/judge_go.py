"""A foreign judge of the dice: Go's standard library, by go/main.go, from the specification alone.

What it has answered stands in tests/data/dice-go.json; ``python -m tests.spec.judge_go --write``
asks anew (``tests.support.go``).
"""

from __future__ import annotations

from pathlib import Path

from tests.spec.vectors import SPEC
from tests.support.go import GoJudge
from tests.support.server import ROOT


def laid(root: Path, folder: Path) -> None:
    """It needs nothing but the standard library."""
    (folder / "go.mod").write_text("module judge\n\ngo 1.24\n")


JUDGE = GoJudge(
    program=Path(__file__).parent / "go" / "main.go",
    vectors=SPEC / "vectors" / "dice.json",
    recorded=ROOT / "tests" / "data" / "dice-go.json",
    laid=laid,
)

if __name__ == "__main__":
    JUDGE.main()
