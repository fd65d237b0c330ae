"""Copies that leave the server are sealed for a key that it does not hold."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from service.backups.copies import Failed
from service.backups.sealing import KEY, MAGIC, PART, TAG, make_pair, seal, unseal
from tests.service.cli.conftest import Run, run
from tests.service.ops.test_backup import a_store, backup, made

__all__ = ["run"]

FRONT = len(MAGIC) + KEY


@pytest.mark.parametrize("size", [0, 1, PART - 1, PART, PART + 1, 3 * PART, 3 * PART + 5])
def test_what_was_sealed_is_opened_as_it_was(tmp_path: Path, size: int) -> None:
    file, key = tmp_path / "copy", tmp_path / "private"
    file.write_bytes(body := os.urandom(size))
    public = make_pair(key)
    sealed = seal(file, tmp_path / "away", public)
    assert size < 16 or body[:16] not in sealed.read_bytes()
    assert seal(file, tmp_path / "again", public).read_bytes() != sealed.read_bytes()
    unseal(sealed, tmp_path / "back", key)
    assert (tmp_path / "back").read_bytes() == body
    assert {path.stat().st_mode & 0o777 for path in (key, sealed, tmp_path / "back")} == {0o600}


HARMED = {
    "a bit": lambda data: data[:-20] + bytes([data[-20] ^ 1]) + data[-19:],
    "the key of the moment": lambda data: (
        data[: FRONT - 1] + bytes([data[FRONT - 1] ^ 1]) + data[FRONT:]
    ),
    "the bit of it that is not used": lambda data: (
        data[: FRONT - 1] + bytes([data[FRONT - 1] ^ 0x80]) + data[FRONT:]
    ),
    "cut off at a part": lambda data: data[: FRONT + 2 * (PART + TAG)],
    "cut off within one": lambda data: data[:-5],
    "nothing but its front": lambda data: data[:FRONT],
    "a part left out": lambda data: data[:FRONT] + data[FRONT + PART + TAG :],
    "parts changed over": lambda data: (
        data[:FRONT] + data[FRONT + PART + TAG : FRONT + 2 * (PART + TAG)]
        + data[FRONT : FRONT + PART + TAG] + data[FRONT + 2 * (PART + TAG) :]
    ),
    "something after it": lambda data: data + b"more",
    "no sealed copy": lambda data: b"SQLite format 3\0" + data,
}  # fmt: skip


@pytest.mark.parametrize("what", HARMED)
def test_what_was_changed_is_not_opened(tmp_path: Path, what: str) -> None:
    file, key = tmp_path / "copy", tmp_path / "private"
    file.write_bytes(os.urandom(2 * PART + 100))
    sealed = seal(file, tmp_path / "away", make_pair(key))
    whole = sealed.read_bytes()
    harmed = HARMED[what](whole)
    assert harmed != whole
    sealed.write_bytes(harmed)
    with pytest.raises(Failed):
        unseal(sealed, tmp_path / "back", key)
    assert not list(tmp_path.glob("back*"))


def test_another_key_opens_nothing(tmp_path: Path) -> None:
    file = tmp_path / "copy"
    file.write_bytes(b"a copy")
    sealed = seal(file, tmp_path / "away", make_pair(tmp_path / "one"))
    make_pair(tmp_path / "two")
    with pytest.raises(Failed, match="another key"):
        unseal(sealed, tmp_path / "back", tmp_path / "two")
    with pytest.raises(Failed, match="not overwritten"):
        make_pair(tmp_path / "two")
    for public in ("", "zz", "00" * 31, "00" * 32):
        with pytest.raises(Failed, match="public key"):
            seal(file, tmp_path / "away", public)


def test_a_store_leaves_the_server_sealed_and_comes_back(run: Run, tmp_path: Path) -> None:
    copy = made("sqlite", a_store(tmp_path), tmp_path / "backups")
    key, away, back = tmp_path / "private", tmp_path / "away", tmp_path / "back"
    public = run("backup", "keys", key).out.strip()
    (tmp_path / "public").write_text(public + "\n", "ascii")
    done = run("backup", "seal", tmp_path / "backups", away, "--for", f"@{tmp_path / 'public'}")
    sealed = Path(done.out.strip())
    assert [path.name for path in away.iterdir()] == [f"{copy.name}.sealed"]
    opened = Path(run("backup", "open", sealed, back, "--with", key).out.strip())
    assert backup("restore", opened, tmp_path / "new.sqlite").returncode == 0
    assert (tmp_path / "new.sqlite").read_bytes() == copy.read_bytes()
    run("backup", "open", sealed, tmp_path / "x", "--with", tmp_path / "public").assert_mistake(
        "another key"
    )
    run("backup", "keys", key).assert_mistake("not overwritten")
    newest = ""
    for _ in range(2):
        made("sqlite", tmp_path / "decklog.sqlite", tmp_path / "backups")
        words = ("--for", public, "--keep", 2)
        newest = run("backup", "seal", tmp_path / "backups", away, *words).out.strip()
    assert len(list(away.iterdir())) == 2
    assert sealed not in away.iterdir()
    assert Path(newest) in away.iterdir()
    copy.write_bytes(b"no copy")
    run("backup", "seal", copy, away, "--for", public).assert_mistake("differs")
