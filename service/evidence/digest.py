"""Digests of what a game is judged by: the files of its rules, and its set-up."""

from __future__ import annotations

import hashlib
import sys
from functools import cache
from importlib import import_module
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

import msgspec

from domain.kernel.codec import canonical
from domain.kernel.finder import home_of
from domain.kernel.game import Game
from domain.kernel.setup import Setup

from ..dice import nwd1

KERNEL = "domain.kernel"

DECIDING = (".py", ".toml", ".json", ".jsonl")
"""Files that can change a result. A README or a picture cannot."""


TESTING = "testing"
"""Of the kernel: what tests ask of a game decides nothing."""


class RulesFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A file of the rules: ``game/...`` or ``kernel/...``, and its SHA-256 in hex."""

    name: str
    sha256: str


def rules_files(game: Game[Any, Any, Any]) -> tuple[RulesFile, ...]:
    """The files that decide this game, sorted by name: its own and the kernel's.

    Of a game that is a package all files count, of one that is a single module that module.
    """
    return _files_of(home_of(game))


def rules_digest(game: Game[Any, Any, Any]) -> bytes:
    """What G binds the dice to: the digest over :func:`rules_files`."""
    return digest_of(rules_files(game))


def digest_of(listed: tuple[RulesFile, ...]) -> bytes:
    """TH("nwe1/rules", name, SHA-256, name, SHA-256, ...) of a list of files."""
    fields: list[bytes] = []
    for file in listed:
        fields += [file.name.encode(), bytes.fromhex(file.sha256)]
    return nwd1.th("nwe1/rules", *fields)


def scenario_digest(setup: Setup) -> bytes:
    """TH("nwe1/scenario", canonical set-up): edition, scenario, seats and options are fixed."""
    return nwd1.th("nwe1/scenario", canonical(setup))


@cache
def _files_of(home: str) -> tuple[RulesFile, ...]:
    found = {**_listing("kernel", files(KERNEL)), **_own(home)}
    return tuple(
        RulesFile(name, hashlib.sha256(found[name].read_bytes()).hexdigest())
        for name in sorted(found)
    )


def _own(home: str) -> dict[str, Traversable]:
    module = sys.modules.get(home) or import_module(home)
    if hasattr(module, "__path__"):
        return _listing("game", files(home))
    package, _, name = home.rpartition(".")
    return {f"game/{name}.py": files(package).joinpath(f"{name}.py")}


def _listing(name: str, folder: Traversable) -> dict[str, Traversable]:
    """Every deciding file below ``folder`` under its relative name."""
    found: dict[str, Traversable] = {}
    for entry in folder.iterdir():
        path = f"{name}/{entry.name}"
        if entry.is_dir() and entry.name not in ("__pycache__", TESTING):
            found.update(_listing(path, entry))
        elif entry.name.endswith(DECIDING):
            found[path] = entry
    return found
