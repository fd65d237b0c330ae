"""What the other tests here read: a file is theirs as soon as it lies there."""

from __future__ import annotations

import subprocess
from pathlib import Path

from tests.architecture.tree import files_of


def test_a_file_that_nobody_added_yet_is_read(tmp_path: Path) -> None:
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    for name in (".gitignore", "added.py", "new.py", "built.py", "gone.py"):
        (tmp_path / name).write_text("built.py\n", "utf-8")
    subprocess.run(["git", "add", "added.py", "gone.py"], cwd=tmp_path, check=True)
    (tmp_path / "gone.py").unlink()
    assert files_of(tmp_path) == (".gitignore", "added.py", "new.py")
