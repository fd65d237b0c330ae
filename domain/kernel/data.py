"""The one door by which a ruleset reads the data files that are shipped inside its own package."""

from __future__ import annotations

from importlib.resources import files
from typing import TypeVar

import msgspec

T = TypeVar("T")


def read_bytes(package: str, name: str) -> bytes:
    """The bytes of a packaged file; ``name`` may contain ``/``."""
    return files(package).joinpath(name).read_bytes()


def load_toml(package: str, name: str, type: type[T]) -> T:
    """A packaged TOML file as ``type``. Raises msgspec.ValidationError when it does not fit."""
    return msgspec.toml.decode(read_bytes(package, name), type=type)


def list_files(package: str, folder: str, suffix: str) -> tuple[str, ...]:
    """Names (``folder/name``) of the packaged files in a folder, sorted, so that order is fixed."""
    names = (entry.name for entry in files(package).joinpath(folder).iterdir())
    return tuple(f"{folder}/{name}" for name in sorted(names) if name.endswith(suffix))
