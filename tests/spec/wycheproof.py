"""Figures of Project Wycheproof for what the proofs are made of, in the specification's own form.

    python -m tests.spec.wycheproof CLONE

CLONE is a clone of C2SP/wycheproof (Apache-2.0), at any commit; the file names it. Only
numbers are taken: inputs, outputs, and whether they are to hold; no text.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.spec.vectors import FOLDER

FILE = FOLDER / "wycheproof.json"
SOURCE = "Project Wycheproof (C2SP/wycheproof, Apache-2.0)"
VALID = {"valid": True, "invalid": False}


def read(clone: Path, name: str) -> Any:
    path = f"HEAD:testvectors_v1/{name}_test.json"
    return json.loads(subprocess.check_output(["git", "-C", str(clone), "show", path]))


def tests(told: Any) -> Iterator[tuple[Any, Any]]:
    """Each test, with its group."""
    for group in told["testGroups"]:
        yield from ((group, each) for each in group["tests"])


def ed25519(told: Any) -> list[dict[str, Any]]:
    return [
        {
            "test": each["tcId"], "public": group["publicKey"]["pk"], "message": each["msg"],
            "signature": each["sig"], "holds": VALID[each["result"]],
        }
        for group, each in tests(told)
    ]  # fmt: skip


def hkdf(told: Any) -> list[dict[str, Any]]:
    return [
        {
            "test": each["tcId"], "ikm": each["ikm"], "salt": each["salt"], "info": each["info"],
            "size": each["size"], "out": each["okm"], "holds": VALID[each["result"]],
        }
        for _, each in tests(told)
    ]  # fmt: skip


def hmac(told: Any) -> list[dict[str, Any]]:
    """``tag`` may be the beginning of the whole one."""
    return [
        {
            "test": each["tcId"], "key": each["key"], "text": each["msg"], "tag": each["tag"],
            "holds": VALID[each["result"]],
        }
        for _, each in tests(told)
    ]  # fmt: skip


def text(clone: Path) -> str:
    commit = subprocess.check_output(["git", "-C", str(clone), "rev-parse", "HEAD"], text=True)
    found = {
        "ed25519": ed25519(read(clone, "ed25519")), "hkdf": hkdf(read(clone, "hkdf_sha256")),
        "hmac": hmac(read(clone, "hmac_sha256")),
    }  # fmt: skip
    parts = ['"of":"wycheproof"', f'"from":{json.dumps(f"{SOURCE}, commit {commit.strip()}")}']
    for name, rows in found.items():
        body = ",\n".join(json.dumps(row) for row in rows)
        parts.append(f'"{name}":[\n{body}\n]')
    return "{" + ",\n".join(parts) + "}\n"


if __name__ == "__main__":
    FILE.write_text(text(Path(sys.argv[1])), "utf-8")
