"""Engines side by side in one process: each below a package that its archive's digest names.

The bytes that were hashed are the bytes that run: a finder over the archive in memory, and nothing
of it is ever written to a disk. Nothing of ``domain`` is imported here: an archive has its own.
"""

from __future__ import annotations

import hashlib
import importlib
import json
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from types import ModuleType
from typing import Any

from .. import container
from . import sample
from .build import ABOUT, INTERFACE, SAMPLE
from .finder import NAME, Finder

WHOLE = "whole"
"""The ``kind`` of an archive that was packed verbatim out of the history (``whole.py``)."""


class Unloadable(Exception):
    """The bytes are no engine that runs here; the message says why, in a sentence."""


@dataclass(frozen=True, eq=False)
class Loaded:
    """An engine, ready to be asked.

    engine  the record of its functions, whose values are its own kernel's
    digest  SHA-256 of the archive, in hex
    about   what the archive says of itself
    files   all that is in it
    """

    engine: Any
    digest: str
    about: Mapping[str, Any]
    files: Mapping[str, bytes]

    @property
    def package(self) -> str:
        """What all modules of the archive stand below, with a dot at the end."""
        return f"{NAME}{self.digest}."

    def kernel(self, name: str) -> Any:
        """A module of the engine's own kernel."""
        return importlib.import_module(f"{self.package}domain.kernel.{name}")

    def has_kernel(self, name: str) -> bool:
        return f"domain/kernel/{name}.py" in self.files

    @cached_property
    def forked(self) -> Any:
        """What decides the engine's forks. Raises Unloadable where it knows of none."""
        if self.has_kernel("forking"):
            return self.kernel("forking").fork_engine(self.engine)
        if self.has_kernel("fork"):  # of history
            return self.kernel("fork").fork_rules(self.engine)
        raise Unloadable("this engine is from before there were forks")

    def try_sample(self) -> int:
        """Play the sample; how many lines came out. Raises Unloadable where one does not.

        What was packed verbatim out of the history has none.
        """
        given = self.files.get(SAMPLE)
        if given is None:
            if self.about["kind"] == WHOLE:
                return 0
            raise Unloadable("it carries no sample to try it by")
        try:
            return sample.check(self.engine, sample.kernel(self.package), given)
        except sample.Differs as error:
            raise Unloadable(f"its sample does not come out here: {error}") from None
        except Exception as error:  # a strange engine may do anything
            told = f"{type(error).__name__}: {error}"
            raise Unloadable(f"its sample cannot be played here: {told}") from None


_LOADED: dict[str, Loaded] = {}


def load(archive: bytes, digest: str = "") -> Loaded:
    """The engine of an archive, once for each digest and process. Raises Unloadable.

    One thread at a time: two would make two of it.

    digest  what the archive has to be, in hex; "" takes it as it is
    """
    found = hashlib.sha256(archive).hexdigest()
    if digest and found != digest:
        raise Unloadable(f"the archive has the digest {found}, not {digest}")
    if found not in _LOADED:
        _LOADED[found] = _load(archive, found)
    return _LOADED[found]


def opened(archive: bytes) -> tuple[dict[str, bytes], dict[str, Any]]:
    """The files of an archive, and what it says of itself. Nothing of it runs. Raises Unloadable"""
    try:
        files = container.unpack(archive, container.ENGINE)
        about = json.loads(files[ABOUT])
        root, interface = about["root"], about["interface"]
    except (container.BadContainer, KeyError, TypeError, ValueError) as error:
        raise Unloadable(f"it is no archive of rules: {error}") from None
    if interface != INTERFACE:
        raise Unloadable(f"its interface is {interface}; {INTERFACE} is the one that is asked here")
    if not isinstance(root, str) or root.count(":") != 1:
        raise Unloadable("it does not say where its engine is")
    return files, about


def _load(archive: bytes, digest: str) -> Loaded:
    files, about = opened(archive)
    name = NAME + digest
    finder = Finder(name, files, strict=about["kind"] != WHOLE)
    sys.modules[name] = finder.package()
    sys.meta_path.insert(0, finder)
    try:
        if about["kind"] == WHOLE:
            _own_data(name)
        module, _, attribute = about["root"].partition(":")
        engine = getattr(importlib.import_module(f"{name}.{module}"), attribute)
    except Exception as error:  # a strange engine may do anything
        _forget(name, finder)
        raise Unloadable(f"it cannot be loaded: {type(error).__name__}: {error}") from None
    return Loaded(engine, digest, about, files)


def _own_data(package: str) -> None:
    """Let an archive of history read its own data, which its modules name as ``domain.games.x``."""
    data: Any = importlib.import_module(f"{package}.domain.kernel.data")
    files = data.files

    def own(name: str) -> Any:
        return files(name if name.startswith(package) else f"{package}.{name}")

    data.files = own


def _forget(name: str, finder: Finder) -> None:
    sys.meta_path.remove(finder)
    for each in [m for m in sys.modules if m == name or m.startswith(f"{name}.")]:
        del sys.modules[each]


def digest_in(module: str) -> str:
    """The digest of the engine that a module belongs to, by its full name; else ""."""
    package = module.partition(".")[0]
    return package.removeprefix(NAME) if package.startswith(NAME) else ""


def archive_of(digest: str) -> bytes:
    """The bytes of an engine that is loaded: there is one form of the same files."""
    return container.pack(_LOADED[digest].files)


def modules(loaded: Loaded) -> dict[str, ModuleType]:
    """The modules of a loaded engine, by their full names."""
    return {name: each for name, each in sys.modules.items() if name.startswith(loaded.package)}
