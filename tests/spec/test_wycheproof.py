"""Project Wycheproof's figures, by every program of ours that checks signatures or derives keys."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from service.dice import nwd1
from service.evidence import ed25519
from tests.spec import wycheproof
from tests.spec.test_checkers import PROGRAMS, run
from tests.support.programs import NODE

pytestmark = pytest.mark.slow("specification")

TOLD = json.loads(wycheproof.FILE.read_text("utf-8"))
PAGE = Path(__file__).with_name("wycheproof.mjs")

VERIFY: dict[str, Callable[[bytes, bytes, bytes], bool]] = {
    "with a library": ed25519.verify, "plainly": ed25519.verify_plainly,
}  # fmt: skip


def given(row: dict[str, Any], *names: str) -> list[bytes]:
    return [bytes.fromhex(row[name]) for name in names]


def test_there_is_something_to_refuse() -> None:
    """As many as the project has, and of each kind some that are not to hold."""
    counted = {kind: len(TOLD[kind]) for kind in ("ed25519", "hmac", "hkdf")}
    assert counted == {"ed25519": 151, "hmac": 174, "hkdf": 86}
    assert all({row["holds"] for row in TOLD[kind]} == {True, False} for kind in counted)
    assert "Apache-2.0" in TOLD["from"]


@pytest.mark.parametrize("way", list(VERIFY))
def test_ed25519(way: str) -> None:
    wrong = [
        row["test"]
        for row in TOLD["ed25519"]
        if VERIFY[way](*given(row, "public", "message", "signature")) != row["holds"]
    ]
    assert wrong == []


def test_hmac() -> None:
    """A shorter tag is the beginning of the whole one."""
    wrong = []
    for row in TOLD["hmac"]:
        key, text, tag = given(row, "key", "text", "tag")
        if (nwd1.mac(key, text)[: len(tag)] == tag) != row["holds"]:
            wrong.append(row["test"])
    assert wrong == []


def derives(row: dict[str, Any]) -> bool:
    ikm, salt, info, out = given(row, "ikm", "salt", "info", "out")
    try:
        return nwd1.hkdf(ikm, salt, info, row["size"]) == out
    except nwd1.DiceError:
        return False


def test_hkdf() -> None:
    assert [row["test"] for row in TOLD["hkdf"] if derives(row) != row["holds"]] == []


@pytest.mark.parametrize("language", list(PROGRAMS))
def test_the_checkers_beside_the_specification(language: str, tmp_path: Path) -> None:
    code, said = run(language, str(wycheproof.FILE))
    assert (code, "411 vectors of wycheproof hold" in said) == (0, True), said
    for kind, row in (("ed25519", 3), ("hmac", -1), ("hkdf", 40)):
        told = json.loads(wycheproof.FILE.read_text("utf-8"))
        told[kind][row]["holds"] = not told[kind][row]["holds"]
        path = tmp_path / "wrong.json"
        path.write_text(json.dumps(told))
        assert run(language, str(path))[0] == 1, kind


def test_the_page() -> None:
    done = subprocess.run(
        [NODE, str(PAGE), str(wycheproof.FILE)], capture_output=True, text=True, check=True
    )
    assert json.loads(done.stdout) == {
        "counted": {"ed25519": 151, "hmac": 174, "hkdf": 86}, "wrong": []
    }  # fmt: skip
