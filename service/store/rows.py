"""Between stored rows and records: the hashed body verbatim, its hash, and the truth beside it.

*Hash what you store, store what you hash*: nothing is ever re-encoded to be checked. Each record is
checked on every read: its own hash, its link to the one before, its number and its game.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from struct import pack

import msgspec

from ..errors import Damaged
from .store import Row

GENESIS = "0" * 64
"""``prev`` of the first event."""

_TAG = b"nwe1/event"
_PREFIX = pack(">I", len(_TAG)) + _TAG + pack(">I", 1)


class Cause(msgspec.Struct, frozen=True, gc=False):
    """The command that led to an event: its id, and the salted digest of the order."""

    id: str = ""
    digest: str = ""


class Body(msgspec.Struct, frozen=True, gc=False):
    """The hashed object (evidence.md 3.1); ``data`` and ``sealed`` stay as they are written."""

    v: int
    game: str
    seq: int
    type: str
    schema: int
    at: str
    actor: str
    cause: Cause
    prev: str
    data: msgspec.Raw
    sealed: msgspec.Raw


class Record(msgspec.Struct, frozen=True, gc=False):
    """One event of the chain. ``truth`` is the whole data: the public data where nothing is hidden."""

    body: Body
    raw: bytes
    hash: str
    truth: msgspec.Raw


class _Stored(msgspec.Struct, gc=False):
    body: msgspec.Raw
    hash: str
    truth: msgspec.Raw = msgspec.Raw()


_STORED = msgspec.json.Decoder(_Stored)
_BODY = msgspec.json.Decoder(Body)


def event_hash(raw: bytes | memoryview) -> str:
    """TH("nwe1/event", body) in hex: the link that the next event carries."""
    return hashlib.sha256(b"".join((_PREFIX, pack(">I", len(raw)), raw))).hexdigest()


def write_row(seq: int, type_: str, schema: int, raw: bytes, hash_: str, truth: bytes) -> Row:
    """A row; ``truth`` is empty where the public data is the whole."""
    beside = b',"truth":' + truth if truth else b""
    state = b'{"body":' + raw + b',"hash":"' + hash_.encode() + b'"' + beside + b"}"
    return Row(seq, f"{type_}.v{schema}", state)


def read_rows(game: str, rows: Iterable[Row], after: int, prev: str) -> list[Record]:
    """The records of rows that follow event ``after``, whose hash is ``prev``.

    Raises Damaged at the first row that is not what the chain says, with its number.
    """
    records: list[Record] = []
    for row in rows:
        after += 1
        record = _read(game, row, after, prev)
        prev = record.hash
        records.append(record)
    return records


def _read(game: str, row: Row, seq: int, prev: str) -> Record:
    try:
        stored = _STORED.decode(row.state)
        raw = bytes(stored.body)
        body = _BODY.decode(raw)
    except msgspec.DecodeError as error:
        raise damaged(game, seq, f"cannot be read ({error})") from None
    if event_hash(raw) != stored.hash:
        raise damaged(game, seq, "does not have its hash")
    if body.prev != prev:
        raise damaged(game, seq, "does not follow the event before it")
    if body.seq != seq or row.seq != seq or body.game != game:
        raise damaged(game, seq, "is not in its place")
    if row.topic != f"{body.type}.v{body.schema}":
        raise damaged(game, seq, "is stored under another name")
    return Record(body, raw, stored.hash, stored.truth if bytes(stored.truth) else body.data)


def damaged(game: str, seq: int, what: str) -> Damaged:
    return Damaged(f"Event {seq} of game {game} {what}; the game is frozen until it is reviewed.")


def last_hash(records: Sequence[Record], before: str) -> str:
    """The hash that the next event must carry as ``prev``."""
    return records[-1].hash if records else before
