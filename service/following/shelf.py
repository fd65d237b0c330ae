"""A projection's documents: read through, written together with the place that they stand for."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import TypeVar

import msgspec

from domain.kernel.codec import canonical

from ..store.bulk import Statement
from ..store.database import Database

T = TypeVar("T", bound=msgspec.Struct)

REMEMBERED = 5_000
"""Documents that are kept in memory between two batches."""

_WRITE = (
    "INSERT INTO projected (projection, key, kind, rank, document) VALUES (?,?,?,?,?) "
    "ON CONFLICT (projection, key) DO UPDATE SET kind = excluded.kind, rank = excluded.rank, "
    "document = excluded.document"
)


SEPARATOR = b"\n"
"""Between a document, in whose text there is none, and its checksum."""


class Unsound(Exception):
    """A document of a projection is not as it was written: the projection has to be made anew."""

    def __init__(self, projection: str, key: str) -> None:
        super().__init__(f"{projection}: {key}")
        self.projection = projection


def checksum(key: str, kind: str, rank: int, document: bytes) -> bytes:
    """SHA-256 over all that is read of a row, in hex, by half."""
    parts = (key.encode(), kind.encode(), str(rank).encode(), document)
    return hashlib.sha256(b"\n".join(parts)).hexdigest()[:32].encode()


def sound(projection: str, key: str, kind: str, rank: int, stored: bytes) -> bytes:
    """The document of a row. Raises Unsound where the row was changed."""
    document, _, given = bytes(stored).rpartition(SEPARATOR)
    if checksum(key, kind, rank, document) != given:
        raise Unsound(projection, key)
    return document


class StoredShelf:
    """The shelf of one projection in the store. ``statements`` is what was written since."""

    def __init__(self, recorder: Database, name: str) -> None:
        self._recorder = recorder
        self._name = name
        self._known: dict[str, msgspec.Struct | None] = {}
        self._written: dict[str, tuple[str, int]] = {}

    def read(self, key: str, type_: type[T]) -> T | None:
        """The document under the key."""
        if key not in self._known:
            self._known[key] = self._look_up(key, type_)
        found = self._known[key]
        assert found is None or isinstance(found, type_)
        return found

    def _look_up(self, key: str, type_: type[T]) -> T | None:
        rows = self._recorder.query(
            "SELECT kind, rank, document FROM projected WHERE projection = ? AND key = ?",
            (self._name, key),
        )
        if not rows:
            return None
        kind, rank, stored = rows[0]
        return msgspec.json.decode(sound(self._name, key, kind, rank, stored), type=type_)

    def write(self, key: str, document: msgspec.Struct, *, rank: int = 0, kind: str = "") -> None:
        """Keep the document in place of the one that was there."""
        self._known[key] = document
        self._written[key] = (kind, rank)

    def statements(self) -> Iterator[Statement]:
        """What stores the documents that were written since they were last kept."""
        for key, (kind, rank) in self._written.items():
            document = canonical(self._known[key])
            stored = document + SEPARATOR + checksum(key, kind, rank, document)
            yield _WRITE, (self._name, key, kind, rank, stored)

    def kept(self) -> None:
        """The documents are in the store now."""
        self._written.clear()
        if len(self._known) > REMEMBERED:
            self._known.clear()

    def forget(self) -> None:
        """Somebody else may have written: nothing in memory counts any more."""
        self._known.clear()
        self._written.clear()
