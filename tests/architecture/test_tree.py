"""What the other tests here read: a file is theirs as soon as it lies there."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.architecture.tree import against, files_of


def test_a_file_that_nobody_added_yet_is_read(tmp_path: Path) -> None:
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    for name in (".gitignore", "added.py", "new.py", "built.py", "gone.py"):
        (tmp_path / name).write_text("built.py\n", "utf-8")
    subprocess.run(["git", "add", "added.py", "gone.py"], cwd=tmp_path, check=True)
    (tmp_path / "gone.py").unlink()
    assert files_of(tmp_path) == (".gitignore", "added.py", "new.py")


def test_a_file_against_a_rule_is_named_with_its_faults() -> None:
    assert against(["short", "much too long"], lambda name: name.split()[1:]) == {
        "much too long": ["too", "long"]
    }


def test_a_rule_about_no_file_is_no_rule() -> None:
    with pytest.raises(AssertionError, match="about no file"):
        against([], lambda _: [])
