"""The one door by which a ruleset reads the data files that are shipped inside its own package."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.resources import files
from typing import TypeVar

import msgspec

T = TypeVar("T")

ShownKeys = Mapping[str, Mapping[str, object] | None]
"""What only shows, in the data that a module of the rules reads: its constant ``SHOWN_KEYS``.

By patterns of files' names, relative to the module's folder and parted by blanks: by path of
the key (``unit.set``: of each ``[[unit]]``), what stands there where nothing shows; ``None``: the
key is absent then. ``None`` for a pattern: the files are absent. Literals only: the archive of what
decides (``service/engines``) reads it without running anything.
"""


def read_bytes(package: str, name: str) -> bytes:
    """The bytes of a packaged file; ``name`` may contain ``/``."""
    return files(package).joinpath(name).read_bytes()


def load_toml(package: str, name: str, type: type[T]) -> T:
    """A packaged TOML file as ``type``. Raises msgspec.ValidationError when it does not fit."""
    return msgspec.toml.decode(read_bytes(package, name), type=type)


def list_files(package: str, folder: str, suffix: str) -> tuple[str, ...]:
    """Names (``folder/name``) of the packaged files in a folder, sorted, so that order is fixed.

    None where there is no such folder: what only shows is absent where a game is only decided.
    """
    place = files(package).joinpath(folder)
    names = (entry.name for entry in place.iterdir()) if place.is_dir() else ()
    return tuple(f"{folder}/{name}" for name in sorted(names) if name.endswith(suffix))
