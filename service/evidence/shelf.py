"""Where a judge finds the engine that a game names, and whether he vouches for it.

A digest identifies, it does not vouch: whoever forges a record can forge an engine that decides as
it says. So an engine counts as rules only when it is on the judge's own list.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple, Protocol

from ..engines import carry, load, whole
from .records import ENGINE, RulesUsed

SUFFIX = ".engine"


class Place(Protocol):
    """Where engines may be."""

    @property
    def name(self) -> str:
        """How it reads after "from"."""

    def find(self, used: RulesUsed) -> Iterator[bytes]:
        """Archives that may be the one; whoever asks compares their digests."""


class Found(NamedTuple):
    """An engine with the digest that was asked for.

    digest   SHA-256 of the archive
    place    where it was
    vouched  whether it is on the judge's list: what this build carries, and what the caller trusts
    """

    archive: bytes
    digest: str
    place: str
    vouched: bool


class Search(NamedTuple):
    """What came of looking for an engine; ``strange`` names places with something else."""

    found: Found | None
    strange: tuple[str, ...]


class Carried:
    """What this build carries."""

    name = "this build"

    def find(self, used: RulesUsed) -> Iterator[bytes]:
        for engine in carry.table():
            if used.digest in (engine.rules, engine.digest):
                yield carry.archive(engine)


class Folder:
    """A folder of archives: a cache, or one that somebody names."""

    def __init__(self, path: Path, name: str = "") -> None:
        self._path = path
        self.name = name or str(path)

    def find(self, used: RulesUsed) -> Iterator[bytes]:
        """The one that the digest names first; then all, since they may be called otherwise."""
        named = self._path / f"{used.digest}{SUFFIX}"
        for file in (named, *sorted(self._path.glob(f"*{SUFFIX}"))):
            try:
                archive = file.read_bytes()
            except OSError:
                continue
            if file == named or is_it(archive, used):
                yield archive

    def keep(self, archive: bytes) -> None:
        """Put an archive into it, by its digest; nothing where it cannot be written."""
        digest = hashlib.sha256(archive).hexdigest()
        try:
            self._path.mkdir(parents=True, exist_ok=True, mode=0o700)
            whole_file = self._path / f"{digest}{SUFFIX}"
            fresh = whole_file.with_suffix(".new")
            fresh.write_bytes(archive)
            fresh.replace(whole_file)
        except OSError:
            return


class Given:
    """An archive in hand: the one in the file."""

    def __init__(self, archive: bytes, name: str = "the file itself") -> None:
        self._archive = archive
        self.name = name

    def find(self, used: RulesUsed) -> Iterator[bytes]:
        yield self._archive


class Service:
    """A service that keeps engines.

    fetch  the bytes for a digest, None for none
    kept   a folder that takes what was found
    """

    def __init__(
        self, name: str, fetch: Callable[[str], bytes | None], kept: Folder | None = None
    ) -> None:
        self.name = name
        self._fetch = fetch
        self._kept = kept

    def find(self, used: RulesUsed) -> Iterator[bytes]:
        archive = self._fetch(used.digest)
        if archive is not None:
            if self._kept is not None and is_it(archive, used):
                self._kept.keep(archive)
            yield archive


CARRIED = Carried()


def search(used: RulesUsed, places: Sequence[Place], trusted: Collection[str]) -> Search:
    """The engine of a game, in the first place that has it."""
    strange = []
    for place in places:
        for archive in place.find(used):
            if is_it(archive, used):
                digest = hashlib.sha256(archive).hexdigest()
                return Search(Found(archive, digest, place.name, vouched(digest, trusted)), ())
            strange.append(place.name)
    return Search(None, tuple(dict.fromkeys(strange)))


def vouched(digest: str, trusted: Collection[str]) -> bool:
    """Whether an archive of this SHA-256 is on the list."""
    return digest in trusted or any(digest == engine.digest for engine in carry.table())


def is_it(archive: bytes, used: RulesUsed) -> bool:
    """Whether it is the very engine that a record names."""
    if used.form == ENGINE:
        return hashlib.sha256(archive).hexdigest() == used.digest
    try:
        files, about = load.opened(archive)
    except load.Unloadable:
        return False
    return about.get("kind") == load.WHOLE and whole.listed_digest(files, about) == used.digest
