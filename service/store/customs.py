"""Rows of the documents that players bring. What a row says is never changed."""

from __future__ import annotations

import msgspec

from .bulk import Statement
from .database import Database


class StoredCustom(msgspec.Struct, frozen=True):
    """A document as it is kept: canonical JSON under the name of its content.

    at  when it was posted or named last
    """

    id: str
    ruleset: str
    kind: str
    name: str
    document: bytes
    at: str = ""


_COLUMNS = "id, ruleset, kind, name, document, at"


def insertion(kept: StoredCustom) -> Statement:
    """Keeps a document; one that is kept already stays as it is."""
    return (
        (
            f"INSERT INTO customs ({_COLUMNS}, listed) VALUES (?,?,?,?,?,?,0) "
            "ON CONFLICT (id) DO NOTHING"
        ),
        msgspec.structs.astuple(kept),
    )


def listing(id: str) -> Statement:
    """From now on the document is in the list of its kind."""
    return ("UPDATE customs SET listed = 1 WHERE id = ?", (id,))


def used(id: str, at: str) -> Statement:
    """A game names the document, or it is posted again: it is kept for as long again."""
    return ("UPDATE customs SET at = ? WHERE id = ?", (at, id))


def find(recorder: Database, id: str) -> StoredCustom | None:
    """The document of that name."""
    found = recorder.query(f"SELECT {_COLUMNS} FROM customs WHERE id = ?", (id,))
    return StoredCustom(*found[0]) if found else None


def listed(
    recorder: Database, ruleset: str, kind: str, after: str, limit: int
) -> list[StoredCustom]:
    """Listed documents, the latest post first, after the one named ``after`` ("": first)."""
    found = recorder.query(
        f"SELECT {_COLUMNS} FROM customs WHERE ruleset = ? AND kind = ? AND listed = 1"
        " AND (? = '' OR place < (SELECT place FROM customs WHERE id = ?))"
        " ORDER BY place DESC LIMIT ?",
        (ruleset, kind, after, after, limit),
    )
    return [StoredCustom(*row) for row in found]
