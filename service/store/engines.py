"""Rows of the engines that stored games name: kept for ever, compressed, under their digests."""

from __future__ import annotations

import hashlib
import zlib

from .bulk import Statement
from .database import Database


def insertion(digest: str, archive: bytes) -> Statement:
    """Keeps an archive; one that is kept already stays as it is."""
    return (
        "INSERT INTO engines (digest, archive) VALUES (?,?) ON CONFLICT (digest) DO NOTHING",
        (digest, zlib.compress(archive, 9)),
    )


def is_kept(recorder: Database, digest: str) -> bool:
    """Whether the archive is there."""
    return bool(recorder.query("SELECT 1 FROM engines WHERE digest = ?", (digest,)))


def find(recorder: Database, digest: str) -> bytes | None:
    """The archive; None where there is none, or what is there is not it any more."""
    found = recorder.query("SELECT archive FROM engines WHERE digest = ?", (digest,))
    if not found:
        return None
    try:
        archive = zlib.decompress(found[0][0])
    except zlib.error:
        return None
    return archive if hashlib.sha256(archive).hexdigest() == digest else None


def missing(recorder: Database) -> tuple[str, ...]:
    """Games that are not over, in whose summary a digest stands that no kept engine has."""
    found = recorder.query(
        "SELECT game FROM games WHERE status <> 'finished' AND NOT EXISTS ("
        "SELECT 1 FROM engines WHERE instr(games.summary, engines.digest) > 0) ORDER BY place"
    )
    return tuple(str(row[0]) for row in found)
