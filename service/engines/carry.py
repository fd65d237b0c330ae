"""Engines of the past that this build carries: they are on every judge's list.

Each is its archive, compressed, beside ``table.toml``, which says what it is made of; and what
shows it, where that is an archive of its own.
``python -m tests.support.past`` makes them anew out of the repository's history.
"""

from __future__ import annotations

import hashlib
import lzma
from functools import cache
from importlib.resources import files

import msgspec

from . import carried


class Carried(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An engine of the past.

    commit  whose files it is made of
    rules   what binds the dice of its games: the older digest over its files, or ``digest``
    digest  SHA-256 of its archive
    day     of that commit
    release  that first had it; "" of what is of before there were any
    """

    ruleset: str
    version: str
    commit: str
    rules: str
    digest: str
    day: str
    release: str = ""


class _Table(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    engine: tuple[Carried, ...]


@cache
def table() -> tuple[Carried, ...]:
    """All that are carried."""
    text = files(carried).joinpath("table.toml").read_bytes()
    return msgspec.toml.decode(text, type=_Table).engine


def archive(engine: Carried) -> bytes:
    """The archive. Raises ValueError where it is not what the table says."""
    packed = files(carried).joinpath(f"{engine.ruleset}-{engine.commit}.xz").read_bytes()
    data = lzma.decompress(packed)
    if hashlib.sha256(data).hexdigest() != engine.digest:
        raise ValueError(f"the engine {engine.digest} that is carried here is damaged")
    return data


def shown_over(digest: str) -> bytes | None:
    """The archive of what shows the engine of that digest; None where there is none."""
    return next((shown(each) for each in table() if each.digest == digest), None)


def shown(engine: Carried) -> bytes | None:
    """The archive of what shows it; None where it shows itself."""
    file = files(carried).joinpath(f"{engine.ruleset}-{engine.commit}.shown.xz")
    return lzma.decompress(file.read_bytes()) if file.is_file() else None
