"""What the store keeps of a game's events and orders, as values."""

from __future__ import annotations

import msgspec

Row = tuple[int, str, bytes]
"""One stored event: seq, topic (``<type>.v<schema>``), and the state as rows.py writes it."""


class StoredCommand(msgspec.Struct, frozen=True):
    """An order as it was given: canonical JSON, and the first and last seq that it led to.

    signature  the seat's own; b"" where it signs nothing
    """

    first: int
    last: int
    id: str
    seat: str
    command: bytes
    at: str
    signature: bytes = b""
