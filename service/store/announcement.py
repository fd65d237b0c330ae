"""What an operator tells everybody who uses the service: a text, or nothing."""

from __future__ import annotations

from .bulk import Statement
from .queries import Queries

_READ = "SELECT value FROM meta WHERE name = 'announcement'"
_PUT = (
    "INSERT INTO meta (name, value) VALUES ('announcement', ?) "
    "ON CONFLICT (name) DO UPDATE SET value = excluded.value"
)


def put(text: str) -> Statement:
    """In place of what was announced before; "" for nothing."""
    return _PUT, (text.encode(),)


def announced(recorder: Queries) -> str:
    found = recorder.query(_READ)
    return bytes(found[0][0]).decode() if found else ""
