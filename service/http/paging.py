"""Pages: opaque cursors, a limit of 1 to 200, a Link header. No total counts."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Sequence
from typing import TypeVar

from service.following.reading import TOP, Spot
from service.problems import Refusal

from .decoding import bad_query

T = TypeVar("T")

_NUMBER = re.compile("[1-9][0-9]{0,15}")
_SPOT = re.compile(f"({_NUMBER.pattern})/(.+)", re.DOTALL)


def write_cursor(text: str) -> str:
    """``text`` as an opaque cursor."""
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def read_cursor(cursor: str) -> str:
    """The text of a cursor; "" for none. Raises ``query.invalid`` for what we never gave out."""
    if not cursor:
        return ""
    try:
        padded = cursor + "=" * (-len(cursor) % 4)
        text = base64.b64decode(padded, altchars=b"-_", validate=True).decode()
    except (binascii.Error, UnicodeError, ValueError):
        raise bad_cursor() from None
    if write_cursor(text) != cursor or "\x00" in text:  # PostgreSQL has no text with NUL
        raise bad_cursor()
    return text


def read_offset(cursor: str) -> int:
    """The place in a list that does not change; raises ``query.invalid``."""
    text = read_cursor(cursor)
    if text and not _NUMBER.fullmatch(text):
        raise bad_cursor()
    return int(text or "0")


def write_spot(spot: Spot) -> str:
    """The cursor of what follows a document in a projection's list."""
    return write_cursor(f"{spot.rank}/{spot.key}")


def read_spot(cursor: str) -> Spot:
    """The document after which the list goes on; raises ``query.invalid``."""
    text = read_cursor(cursor)
    found = _SPOT.fullmatch(text)
    if text and not found:
        raise bad_cursor()
    return Spot(int(found[1]), found[2]) if found else TOP


def bad_cursor() -> Refusal:
    """The refusal of a cursor that this list never gave out."""
    return bad_query("cursor", "unknown-value", "not a cursor of this list")


def cut(items: Sequence[T], offset: int, limit: int) -> tuple[tuple[T, ...], str | None]:
    """The page at ``offset`` and the cursor of the next one; raises ``query.invalid``."""
    if offset and offset >= len(items):
        raise bad_cursor()
    end = offset + limit
    return tuple(items[offset:end]), write_cursor(str(end)) if end < len(items) else None
