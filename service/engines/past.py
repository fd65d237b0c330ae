"""The engine of a game as it was at a commit of a checkout."""

from __future__ import annotations

from pathlib import Path

from . import whole
from .build import ALWAYS, Ruleset, build
from .history import tree_at
from .load import load


def engine_at(checkout: Path, commit: str, ruleset: Ruleset) -> bytes:
    """Its archive. Raises NoHistory, Unloadable, Unbuildable.

    Of a commit before rules and what shows them were apart, the files are packed as they were. The
    rules of that commit run, here and in this process: they say their version.
    """
    folder = ruleset.home.replace(".", "/")
    tree = tree_at(checkout, commit, ["domain/kernel", folder])
    nameless = ruleset._replace(version="")
    if {f"{folder}/rules/engine.py", *ALWAYS} <= tree.keys():
        version = load(build(tree, nameless)).engine.version
        return build(tree, ruleset._replace(version=version))
    version = load(whole.pack(tree, ruleset.name, "", ruleset.home)).engine.version
    return whole.pack(tree, ruleset.name, version, ruleset.home)
