"""The archives of the games that are installed here, without building them anew.

Building takes up to a second; every process needs the digest, and a store the archive as soon as a
game begins. So it is kept beside the compiled modules of this package, with a digest over all that
it was built from: the sources as they stand, and the builder. Nothing is believed without that, nor
where its own digest is another, and where nothing can be written, nothing is kept.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import sys
from functools import cache
from importlib import import_module
from importlib.resources import files
from importlib.resources.abc import Traversable
from importlib.util import cache_from_source
from pathlib import Path
from typing import NamedTuple

from domain import kernel

from .build import Ruleset, build
from .closure import Tree

KERNEL = "domain.kernel"
OURS = "domain."
BELOW = kernel.__name__.removesuffix(KERNEL)
"""What our packages stand below: nothing in the tree, ``decklog.`` where a wheel is installed."""

DECIDING = (".py", ".toml", ".json", ".jsonl")
"""Files that can change a result. A README or a picture cannot."""

TESTING = "testing"
"""Of the kernel: what tests ask of a game decides nothing."""

BUILDER = ("container.py", "engines/build.py", "engines/closure.py", "engines/data.py",
           "engines/normal.py")  # fmt: skip
"""Of the service: what an archive's bytes depend on besides the sources."""


class Named(NamedTuple):
    """An archive by its SHA-256 in hex, and how many bytes it has."""

    digest: str
    size: int


@cache
def named(ruleset: Ruleset) -> Named:
    """Digest and size of the archive of an installed game. Raises Unbuildable."""
    whole = archive(ruleset)
    return Named(hashlib.sha256(whole).hexdigest(), len(whole))


def archive(ruleset: Ruleset) -> bytes:
    """The archive of an installed game, kept or built. Raises Unbuildable."""
    tree = sources(ruleset.home)
    raw = _raw(tree, ruleset)
    kept = _kept(ruleset, raw)
    if kept is None:
        kept = build(tree, ruleset)
        _keep(ruleset, raw, kept)
    return kept


def as_kept(ruleset: Ruleset) -> tuple[str, bytes]:
    """Name and bytes of the file in which it is kept, for a copy of these sources elsewhere."""
    whole = archive(ruleset)
    head = _head(_raw(sources(ruleset.home), ruleset), whole)
    return _file(ruleset).name, head + b"\n" + whole


def built(ruleset: Ruleset) -> bytes:
    """The archive of an installed game, from its sources whatever is kept. Raises Unbuildable."""
    return build(sources(ruleset.home), ruleset)


def sources(home: str) -> dict[str, bytes]:
    """The files of a game and of the kernel, by their path from where all packages lie.

    The paths are those of the tree also where a wheel is installed: one archive, one digest.

    home  the game's package or module, by its name in the tree (``closure.in_tree``)

    Of a game that is a package all files count, of one that is a single module that module.
    """
    found = {**_listing(KERNEL.replace(".", "/"), files(kernel)), **_own(home)}
    return {name: found[name].read_bytes() for name in sorted(found)}


def _own(home: str) -> dict[str, Traversable]:
    name = f"{BELOW}{home}" if home.startswith(OURS) else home
    module = sys.modules.get(name) or import_module(name)
    path = home.replace(".", "/")
    if hasattr(module, "__path__"):
        return _listing(path, files(name))
    return {f"{path}.py": Path(str(module.__file__))}


def _listing(path: str, folder: Traversable) -> dict[str, Traversable]:
    """Every file below ``folder`` that can decide."""
    found: dict[str, Traversable] = {}
    for entry in folder.iterdir():
        name = f"{path}/{entry.name}"
        if entry.is_dir() and entry.name not in ("__pycache__", TESTING):
            found.update(_listing(name, entry))
        elif entry.name.endswith(DECIDING):
            found[name] = entry
    return found


# --- what is kept ---------------------------------------------------------------------------------


def _raw(tree: Tree, ruleset: Ruleset) -> str:
    """SHA-256 over all that the archive is built from."""
    service = Path(__file__).parents[1]
    built = {f"service/{name}": (service / name).read_bytes() for name in BUILDER}
    digest = hashlib.sha256("\0".join(ruleset).encode())
    for name, content in [*built.items(), *tree.items()]:
        digest.update(f"\0{name}\0{len(content)}\0".encode())
        digest.update(content)
    return digest.hexdigest()


def _file(ruleset: Ruleset) -> Path:
    """Where compiled modules lie too, so that it can be written wherever they can."""
    return Path(cache_from_source(__file__)).with_name(f"{ruleset.home}.engine")


def _kept(ruleset: Ruleset, raw: str) -> bytes | None:
    """The archive below one line, which says what it was built from and its own digest."""
    try:
        head, _, archive = _file(ruleset).read_bytes().partition(b"\n")
    except (OSError, NotImplementedError):
        return None  # Python says NotImplementedError where it keeps no compiled modules
    return archive if head == _head(raw, archive) else None


def _keep(ruleset: Ruleset, raw: str, archive: bytes) -> None:
    with contextlib.suppress(OSError, NotImplementedError):
        file = _file(ruleset)
        file.parent.mkdir(exist_ok=True)
        whole = file.with_name(f"{file.name}.{os.getpid()}")
        whole.write_bytes(_head(raw, archive) + b"\n" + archive)
        whole.replace(file)


def _head(raw: str, archive: bytes) -> bytes:
    return f"{raw} {hashlib.sha256(archive).hexdigest()}".encode()
