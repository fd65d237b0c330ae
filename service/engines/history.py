"""Trees of files as they were at a commit, out of a checkout with its history."""

from __future__ import annotations

import io
import subprocess
import tarfile
from collections.abc import Sequence
from pathlib import Path


class NoHistory(Exception):
    """The files of that commit cannot be had here; the message says why."""


def has(checkout: Path, commit: str) -> bool:
    """Whether a checkout has the files of a commit: a shallow one has those of the last alone."""
    if _is_option(commit):
        return False
    words = ["git", "-C", str(checkout), "cat-file", "-e", f"{commit}^{{tree}}"]
    try:
        return subprocess.run(words, capture_output=True, check=False).returncode == 0
    except OSError:
        return False


def tree_at(checkout: Path, commit: str, folders: Sequence[str]) -> dict[str, bytes]:
    """The files below these folders at a commit, by their paths. Raises NoHistory."""
    if _is_option(commit):
        raise NoHistory(f"{commit} is no commit")
    try:
        done = subprocess.run(
            ["git", "-C", str(checkout), "archive", "--format=tar", commit, "--", *folders],
            capture_output=True, check=False,
        )  # fmt: skip
    except OSError as error:
        raise NoHistory(f"git does not run: {error.strerror}") from None
    if done.returncode:
        raise NoHistory(done.stderr.decode(errors="replace").strip())
    with tarfile.open(fileobj=io.BytesIO(done.stdout)) as packed:
        files = {each.name: packed.extractfile(each) for each in packed if each.isfile()}
        return {name: file.read() for name, file in files.items() if file is not None}


def commits(checkout: Path, old: str, new: str, folders: Sequence[str]) -> list[str]:
    """Commits after ``old`` up to ``new`` that change something below these folders, oldest first.

    Along the first parents: a branch that was merged counts as one step. Raises NoHistory.
    """
    if _is_option(old):
        raise NoHistory(f"{old} is no commit")
    words = ["git", "-C", str(checkout), "rev-list", "--reverse", "--first-parent"]
    try:
        done = subprocess.run(
            [*words, f"{old}..{new}", "--", *folders], capture_output=True, check=False, text=True
        )
    except OSError as error:
        raise NoHistory(f"git does not run: {error.strerror}") from None
    if done.returncode:
        raise NoHistory(done.stderr.strip())
    return done.stdout.split()


def day_of(checkout: Path, commit: str) -> str:
    """When a commit was made, as a day. Raises NoHistory."""
    if _is_option(commit):
        raise NoHistory(f"{commit} is no commit")
    words = ["git", "-C", str(checkout), "show", "--no-patch", "--format=%cs", commit, "--"]
    try:
        done = subprocess.run(words, capture_output=True, check=False, text=True)
    except OSError as error:
        raise NoHistory(f"git does not run: {error.strerror}") from None
    if done.returncode:
        raise NoHistory(done.stderr.strip())
    return done.stdout.strip()


def _is_option(commit: str) -> bool:
    """Whether git would take it for an option: ``--output=FILE`` makes it empty a file."""
    return commit.startswith("-")
