"""Breaks what stands in the way of each threat, one after the other: the test named has to fail.

    python -m tests.spec.guards [THREAT...]

Each is broken in a copy of the tree, where that one test is run; before it is broken, it passes.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Sequence
from pathlib import Path

import msgspec

from tests.architecture.tree import ROOT, tracked

BOOK = Path(__file__).with_name("guards.toml")
FAILED = 1
"""What pytest answers where tests ran and one of them failed."""


class Guard(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A line of the program that stands in the way of a threat.

    broken  what is put in its place; ``test``: what has to fail then
    """

    threat: int
    file: str
    text: str
    broken: str
    test: str

    @property
    def source(self) -> str:
        """The file as it is."""
        return (ROOT / self.file).read_text("utf-8")


def guards() -> list[Guard]:
    """All that the book names."""
    told = tomllib.loads(BOOK.read_text("utf-8"))
    return msgspec.convert(told["guard"], list[Guard])


def unnoticed(found: Sequence[Guard]) -> list[Guard]:
    """Those that can be broken without a failure of their test. Raises RuntimeError where a test
    fails in the copy as it is."""
    with tempfile.TemporaryDirectory(prefix="guards-") as folder:
        copy = Path(folder, "tree")
        _copy(copy)
        whole = _run(copy, sorted({each.test for each in found}))
        if whole.returncode:
            raise RuntimeError(f"nothing is broken, and tests fail:\n{whole.stdout[-4000:]}")
        return [each for each in found if not _is_noticed(copy, each)]


def _copy(to: Path) -> None:
    """All files of the tree, in a repository of their own: tests ask git which there are."""
    for name in tracked():
        (to / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, to / name)
    subprocess.run(["git", "init", "--quiet", to], check=True)


def _is_noticed(copy: Path, guard: Guard) -> bool:
    file, source = copy / guard.file, guard.source
    file.write_text(source.replace(guard.text, guard.broken), "utf-8")
    try:
        return _run(copy, [guard.test]).returncode == FAILED
    finally:
        file.write_text(source, "utf-8")


def _run(copy: Path, tests: Sequence[str]) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pytest", "-q", "-x", "--tiers", "none", "-n", "0"]
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    return subprocess.run(
        [*command, "-p", "no:cacheprovider", *tests], cwd=copy, text=True, check=False,
        env=kept | {"PYTHONPATH": str(copy), "PYTHONDONTWRITEBYTECODE": "1"},
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip


def main(words: Sequence[str]) -> int:
    """The command."""
    asked = [each for each in guards() if not words or str(each.threat) in words]
    left = unnoticed(asked)
    for each in left:
        print(f"threat {each.threat}: {each.test} does not notice that {each.file} is broken")
    print(f"{len(asked) - len(left)} of {len(asked)} are noticed")
    return 1 if left else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
