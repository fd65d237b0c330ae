"""The parts of the page's judge, where they were built: what was vendored, and our own packages."""

from __future__ import annotations

import json
from pathlib import Path

from . import framed, vendor

TREE = "tree.zip"
WHEEL = "msgspec.whl"
LIST = "judge.json"
WORKER = "judge-worker.js"


def built(folder: Path = vendor.FOLDER) -> dict[str, bytes]:
    """The files that the page's worker asks for by name, and a list of these names: an empty one
    where the judge was not built.

    Raises NotPinned: a judge of other parts than those that were pinned is none.
    """
    try:
        found = vendor.vendored(folder)
        tree = (folder / TREE).read_bytes()
    except FileNotFoundError:
        return {LIST: b"[]"}
    wheel = found.pop(vendor.WHEEL)
    whole = {**found, WHEEL: wheel, TREE: tree, framed.NAME: framed.page()}
    return {**whole, LIST: json.dumps([*whole, WORKER]).encode()}
