"""Engines of the history: the files of a commit as they were, packed verbatim.

Before there were archives the dice were bound to a digest over a list of files. It can be worked
out again from such an archive, so it is seen that these are the rules that a file names.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from .. import container
from ..dice import nwd1
from .build import ABOUT, FORM, INTERFACE, MSGSPEC, PYTHON
from .closure import Tree
from .load import WHOLE

KERNEL = "domain/kernel/"
LISTED = (".py", ".toml", ".json", ".jsonl")
"""Ends of the names of files that the older digest was over."""


def pack(tree: Tree, ruleset: str, version: str, home: str) -> bytes:
    """The archive of a game as it was.

    tree     the files of a commit, at least those of the kernel and of the game
    version  of the rules of then
    home     the game's package by its dotted name; its ``GAME`` is the engine
    """
    folder = f"{home.replace('.', '/')}/"
    files = {name: tree[name] for name in tree if _listed(name, folder) is not None}
    files |= {name: b"" for name in _above(folder) if name not in files}
    about = {
        "form": FORM, "interface": INTERFACE, "kind": WHOLE, "msgspec": MSGSPEC, "python": PYTHON,
        "root": f"{home}:GAME", "ruleset": ruleset, "version": version,
    }  # fmt: skip
    files[ABOUT] = json.dumps(about, sort_keys=True, separators=(",", ":")).encode()
    return container.pack(files)


def listed_digest(files: Mapping[str, bytes], about: Mapping[str, Any]) -> str:
    """The older digest, in hex, over the files of such an archive: TH("nwe1/rules", ...)."""
    folder = f"{about['root'].partition(':')[0].replace('.', '/')}/"
    named = {_listed(name, folder): content for name, content in files.items()}
    fields: list[bytes] = []
    for name in sorted(each for each in named if each is not None):
        fields += [name.encode(), hashlib.sha256(named[name]).digest()]
    return nwd1.th("nwe1/rules", *fields).hex()


def _listed(name: str, folder: str) -> str | None:
    """The name of a file in the older list; None for one that is not in it."""
    if not name.endswith(LISTED) or name.startswith(f"{KERNEL}testing/"):
        return None
    for start, short in ((KERNEL, "kernel/"), (folder, "game/")):
        if name.startswith(start):
            return short + name.removeprefix(start)
    return None


def _above(folder: str) -> list[str]:
    """The packages above the game and the kernel, which are empty."""
    parts = folder.split("/")[:-2]
    return [f"{'/'.join(parts[:depth])}/__init__.py" for depth in range(1, len(parts) + 1)]
