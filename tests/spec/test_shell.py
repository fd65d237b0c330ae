"""The checker in shell: true files pass, changed ones do not, and without openssl it says so."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from service.evidence import bundle
from service.evidence.casefile import unpack
from tests.spec.test_checkers import FILES, changed
from tests.spec.vectors import SPEC
from tests.spec.whole import ROOT_KEY, cosigned, whole

ROOT = str(ROOT_KEY.verify_key)


def run(*words: str, **more: str) -> tuple[int, str]:
    done = subprocess.run(
        ["sh", str(SPEC / "check.sh"), *words],
        capture_output=True, text=True, check=False, env={**os.environ, **more},
    )  # fmt: skip
    return done.returncode, done.stdout + done.stderr


def written(folder: Path, data: bytes) -> str:
    path = folder / "game.decklog"
    path.write_bytes(data)
    return str(path)


whole_tier = pytest.mark.slow("specification")
"""A shell hashes by a process for each: one true file and one changed file are judged always."""


@pytest.mark.parametrize(
    "name",
    [
        "links",
        *(
            pytest.param(name, marks=whole_tier)
            for name in ("hidden dice", "a new start", "a beacon", "a beacon before a new start")
        ),
    ],
)
def test_true_files_hold(name: str, tmp_path: Path) -> None:
    """Where chains are short the master makes them again."""
    short = name in ("links", "a new start", "a beacon before a new start")
    code, said = run(written(tmp_path, FILES[name]()), MASTER="yes" if short else "")
    assert code == 0, said
    assert "origin not proven: unsigned" in said
    assert ("the master makes the chains\n" in said) == short
    assert (" batches, each made again (seats: " in said, "WRONG" in said) == (True, False)


@pytest.mark.parametrize(
    "name",
    [
        "an event",
        *(
            pytest.param(name, marks=whole_tier)
            for name in ("a face", "an order", "an opening", "the log's proof")
        ),
    ],
)
def test_no_changed_file_holds(name: str, tmp_path: Path) -> None:
    code, said = run(written(tmp_path, changed(name, tmp_path)))
    assert (code, ": WRONG: " in said) == (1, True), said


@whole_tier
def test_another_master_is_found_where_that_is_asked_for(tmp_path: Path) -> None:
    manifest, files = unpack(FILES["links"]())
    secrets = files[bundle.SECRETS]
    files[bundle.SECRETS] = secrets[:11] + (b"1" if secrets[11:12] == b"0" else b"0") + secrets[12:]
    line = written(
        tmp_path, bundle.pack(files, manifest.game, manifest.head, manifest.rules, "truth")
    )
    code, said = run(line)
    assert (code, "is not checked: MASTER=yes asks for it" in said) == (0, True), said
    code, said = run(line, MASTER="yes")
    assert (code, "WRONG: the master: pub" in said) == (1, True), said


@whole_tier
def test_signatures_are_checked_where_openssl_is(tmp_path: Path) -> None:
    line = written(tmp_path, whole(tmp_path / "log"))
    code, said = run(line, ROOT, OPENSSL="none-of-that-name")
    assert code == 0
    assert "origin not proven: no openssl is here, signatures are not checked" in said
    there = shutil.which("openssl") is not None
    code, said = run(line, ROOT)
    told = "origin shown" if there else "origin not proven: no openssl is here"
    assert (code, told in said) == (0, True), said
    line = written(tmp_path, changed("the manifest's signature", tmp_path))
    code, said = run(line, ROOT)
    told = "WRONG: the signature of the manifest" if there else "signatures are not checked"
    assert (code, told in said) == (1 if there else 0, True), said


def test_what_others_add_is_no_strange_file_and_is_said_not_to_be_checked(tmp_path: Path) -> None:
    line = written(tmp_path, cosigned(tmp_path / "log"))
    code, said = run(line)
    assert (code, "cosignatures and receipts are not checked here" in said) == (0, True), said
    assert "not checked here" not in run(written(tmp_path, whole(tmp_path / "two")))[1]


def test_a_file_that_nobody_signed_is_refused_to_who_knows_the_root(tmp_path: Path) -> None:
    code, said = run(written(tmp_path, FILES["links"]()), ROOT)
    assert (code, "WRONG: nobody has signed it" in said) == (1, True), said
