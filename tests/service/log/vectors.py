"""Vectors of the log in JSON, for any language: ``python -m tests.service.log.vectors --write``.

Trees and proofs are made by the second implementation (naive.py), texts by hand from their
definition, so that what is tested with them has no part in them.
"""

from __future__ import annotations

import base64
import hashlib
import json
import sys
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tests.service.log.naive import Tree

FILE = Path(__file__).parents[2] / "data" / "log-vectors.json"

RFC_LEAVES = (
    "", "00", "10", "2021", "3031", "40414243", "5051525354555657",
    "606162636465666768696a6b6c6d6e6f",
)  # fmt: skip
"""Those that every implementation of RFC 6962 is tried with."""

GAME: dict[str, Any] = {
    "game": "00112233445566778899aabbccddeeff",
    "hashes": [
        "0b3ee686f4c2b6f5d22082d4e74fc052e881a39b54e691dbd02893b83e10b3cd",
        "c137a03f5ae780648482e24c1100567967772f0405f2f6b9e80462981bbed1c5",
    ],
}


def made() -> dict[str, Any]:
    """All of the file."""
    return {
        "leaf": _leaves(),
        "tree": {
            "leaves": list(RFC_LEAVES),
            "sizes": [_size(Tree(_bytes(RFC_LEAVES)), size) for size in range(9)],
        },
        "large": {
            "leaves": "leaf i is the decimal number i, in ASCII",
            "sizes": [_size(Tree([b"%d" % i for i in range(821)]), size, 7) for size in LARGE],
        },
        "note": _note(),
    }


LARGE = (255, 256, 257, 511, 513, 820, 821)


def _bytes(texts: tuple[str, ...]) -> list[bytes]:
    return [bytes.fromhex(text) for text in texts]


def _tag(game: str) -> str:
    """TH("nwl2/tag", the 16 bytes of the id), cut to 16 bytes; written out."""
    told = b"\0\0\0\x08nwl2/tag" + b"\0\0\0\x01" + b"\0\0\0\x10" + bytes.fromhex(game)
    return hashlib.sha256(told).hexdigest()[:32]


def _leaves() -> list[dict[str, Any]]:
    found, game, tag = [], GAME["game"], _tag(GAME["game"])
    for seq, hash_ in enumerate(GAME["hashes"]):
        data = f"nwl2 {tag} {seq} {hash_}\n"
        leaf = hashlib.sha256(b"\x00" + data.encode()).hexdigest()
        row = {"game": game, "tag": tag, "seq": seq, "hash": hash_, "data": data, "leaf": leaf}
        found.append(row)
    return found


def _size(tree: Tree, size: int, step: int = 1) -> dict[str, Any]:
    some = [*range(0, size, max(1, size // step if step > 1 else 1))]
    return {
        "size": size,
        "root": tree.mth(0, size).hex(),
        "inclusion": [[i, [h.hex() for h in tree.path(i, 0, size)]] for i in some],
        "consistency": [[m, [h.hex() for h in tree.subproof(m, 0, size, True)]] for m in some if m],
    }


def _note() -> dict[str, str]:
    key = Ed25519PrivateKey.from_private_bytes(hashlib.sha256(b"nwl1 vector log key").digest())
    public = key.public_key().public_bytes_raw()
    name = "example.org/nwg/log"
    id_ = hashlib.sha256(name.encode() + b"\n\x01" + public).digest()[:4]
    tree = Tree([each["data"].encode() for each in _leaves()])
    text = f"{name}\n2\n{base64.b64encode(tree.mth(0, 2)).decode()}\n"
    line = base64.b64encode(id_ + key.sign(text.encode())).decode()
    return {
        "seed": hashlib.sha256(b"nwl1 vector log key").hexdigest(),
        "vkey": f"{name}+{id_.hex()}+{base64.b64encode(bytes([1]) + public).decode()}",
        "checkpoint": f"{text}\n\u2014 {name} {line}\n",
    }


def text() -> str:
    """As the file has it."""
    return json.dumps(made(), indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    if "--write" in sys.argv:
        FILE.write_text(text(), "utf-8")
    else:
        sys.exit(FILE.read_text("utf-8") != text())
