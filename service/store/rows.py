"""Between stored rows and records: the hashed body verbatim, its hash, and the truth beside it.

*Hash what you store, store what you hash*: nothing is ever re-encoded to be checked. Each record is
checked on every read: its hash, its link to the one before, its number, its game, and that the
truth beside it is the one that was sealed.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from domain.kernel.values import TRUTH

from ..errors import Damaged
from ..evidence import chain
from ..evidence.chain import ChainError, Envelope, Link, Seals
from .store import Row


class Record(msgspec.Struct, frozen=True, gc=False):
    """One event of the chain.

    body   the hashed object; ``raw`` is its text, which has the hash ``hash``
    truth  the event's whole data: the public data where nothing is hidden
    """

    body: Envelope
    raw: bytes
    hash: str
    truth: bytes | msgspec.Raw


class _Stored(msgspec.Struct, gc=False):
    body: msgspec.Raw
    hash: str
    truth: msgspec.Raw = msgspec.Raw()


_STORED = msgspec.json.Decoder(_Stored)


def write_row(seq: int, type_: str, schema: int, link: Link, truth: bytes) -> Row:
    """A row; ``truth`` is empty where the public data is the whole."""
    beside = b',"truth":' + truth if truth else b""
    state = b'{"body":' + link.body + b',"hash":"' + link.hash.encode() + b'"' + beside + b"}"
    return Row(seq, f"{type_}.v{schema}", state)


def read_rows(game: str, rows: Iterable[Row], seals: Seals, after: int, prev: str) -> list[Record]:
    """The records of rows that follow event ``after``, whose hash is ``prev``.

    Raises Damaged at the first row that is not what the chain says, with its number.
    """
    records: list[Record] = []
    for row in rows:
        after += 1
        record = _read(game, row, seals, after, prev)
        prev = record.hash
        records.append(record)
    return records


def _read(game: str, row: Row, seals: Seals, seq: int, prev: str) -> Record:
    try:
        stored = _STORED.decode(row.state)
        raw = bytes(stored.body)
        body = chain.verify(raw, stored.hash, game=game, seq=seq, prev=prev)
    except (msgspec.DecodeError, ChainError, UnicodeDecodeError) as error:
        raise damaged(game, seq, str(error)) from None
    if row.seq != seq:
        raise damaged(game, seq, f"stored as number {row.seq}")
    if row.topic != f"{body.type}.v{body.schema}":
        raise damaged(game, seq, f"stored under the name {row.topic}")
    truth = bytes(stored.truth)
    sealed = body.sealed.get(TRUTH)
    if sealed is not None or truth:
        if sealed != seals.seal(TRUTH, seq, truth or chain.NULL):
            raise damaged(game, seq, "the truth beside it is not the one that was sealed")
    return Record(body, raw, stored.hash, truth or body.data)


def damaged(game: str, seq: int, what: str) -> Damaged:
    return Damaged(f"Event {seq} of game {game} is not as it should be ({what}).")
