"""``released.json``: what a build gives out to judge by, each with its digest: engines and files.

A digest says which rules decided a game; this list says whose they are. It is written beside
``judge.html`` (``python -m service.judge``), and every service gives its own.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path

import msgspec

from domain.kernel.finder import games

from ..build import service_version
from ..engines import carry
from ..engines.strange import OURS
from ..evidence.digest import rules_digest, ruleset_of
from . import alone, vendor

NAME = "released.json"


class Engine(msgspec.Struct, frozen=True, omit_defaults=True):
    """An engine.

    digest   SHA-256 of its archive
    rules    by which its games name it, where that is the older digest over a list of files
    release  that first had it; "" of those that are of before there were any
    commit   whose files it is made of, where it is of the past
    """

    digest: str
    ruleset: str
    version: str
    rules: str = ""
    release: str = ""
    commit: str = ""


class File(msgspec.Struct, frozen=True):
    """A file that is given out."""

    name: str
    sha256: str
    bytes: int


class Released(msgspec.Struct, frozen=True):
    """All of it.

    release  the number of this build; until it is released, of what is being written
    files    none where they were not built
    """

    release: str
    engines: tuple[Engine, ...]
    files: tuple[File, ...]


def released(folder: Path = vendor.FOLDER) -> bytes:
    """The list, as JSON.

    folder  where the files were built
    """
    engines = sorted([*_past(), *_installed()], key=lambda each: (each.ruleset, each.digest))
    found = Released(service_version(), tuple(engines), tuple(_files(folder)))
    return msgspec.json.format(msgspec.json.encode(found), indent=1) + b"\n"


def _past() -> Iterator[Engine]:
    for each in carry.table():
        rules = each.rules if each.rules != each.digest else ""
        yield Engine(
            each.digest, each.ruleset, each.version, rules, each.release, commit=each.commit
        )


def _installed() -> Iterator[Engine]:
    """Those of this build; what an operator installs besides is nobody's release."""
    carried = {each.digest for each in carry.table()}
    for game in games().values():
        digest = rules_digest(game).hex()
        if ruleset_of(game).home.startswith(OURS) and digest not in carried:
            yield Engine(digest, game.ruleset, game.version, release=service_version())


def _files(folder: Path) -> Iterator[File]:
    whole = folder / alone.NAME
    if whole.is_file():
        data = whole.read_bytes()
        yield File(alone.NAME, hashlib.sha256(data).hexdigest(), len(data))
