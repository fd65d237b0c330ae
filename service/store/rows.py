"""Between stored rows and records: the hashed body verbatim, its hash, and the truth beside it.

*Hash what you store, store what you hash*: nothing is ever re-encoded to be checked. Each record is
checked on every read: its hash, its link to the one before, its number, its game, and that the
truth beside it is the one that was sealed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from domain.kernel.values import TRUTH

from ..errors import Damaged
from ..evidence import chain
from ..evidence.chain import Cause, ChainError, Envelope, Link, Seals
from .stored import Row


class KeptCause(Cause, frozen=True, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """A cause as it is read; the collector need not follow it."""


class Body(Envelope, frozen=True, forbid_unknown_fields=True, gc=False):
    """The hashed object as it is read: no part of it is followed by the garbage collector."""

    cause: KeptCause


class Record(msgspec.Struct, frozen=True, gc=False):
    """One event of the chain.

    body   the hashed object; ``raw`` is its text, which has the hash ``hash``
    truth  the event's whole data: the public data where nothing is hidden
    """

    body: Body
    raw: bytes
    hash: str
    truth: bytes | msgspec.Raw


class _Stored(msgspec.Struct, gc=False):
    body: msgspec.Raw
    hash: str
    truth: msgspec.Raw = msgspec.Raw()


_STORED = msgspec.json.Decoder(_Stored)
_BODY = msgspec.json.Decoder(Body)

# Most rows hide nothing and end in their hash: their parts are where write_row put them.
_HEAD = b'{"body":'
_HASH = b',"hash":"'
_TAIL = len(_HASH) + 64 + len(b'"}')


def write_row(seq: int, type_: str, schema: int, link: Link, truth: bytes) -> Row:
    """A row; ``truth`` is empty where the public data is the whole."""
    beside = b',"truth":' + truth if truth else b""
    state = b'{"body":' + link.body + b',"hash":"' + link.hash.encode() + b'"' + beside + b"}"
    return seq, f"{type_}.v{schema}", state


def read_body(raw: bytes) -> Body:
    """The hashed object of a record that was just written. Raises msgspec.DecodeError."""
    return _BODY.decode(raw)


def read_rows(game: str, rows: Iterable[Row], seals: Seals, after: int, prev: str) -> list[Record]:
    """The records of rows that follow event ``after``, whose hash is ``prev``.

    Raises Damaged at the first row that is not what the chain says, with its number. This loop is
    most of what a cold game costs: it is written out for speed (tests/bench/bench_fold.py).
    """
    hash_of, decode = chain.hash_of, _BODY.decode
    records: list[Record] = []
    for stored_seq, topic, state in rows:
        after += 1
        try:
            raw, hash_, truth = parts(state)
            body = decode(raw)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise damaged(game, after, str(error)) from None
        if (
            hash_of(raw) != hash_
            or body.prev != prev
            or body.seq != after
            or stored_seq != after
            or body.game != game
            or topic != f"{body.type}.v{body.schema}"
        ):
            raise _misfit(game, (stored_seq, topic), raw, hash_, after, prev)
        sealed = body.sealed.get(TRUTH)
        if (sealed or truth) and sealed != seals.seal(TRUTH, after, truth or chain.NULL):
            raise damaged(game, after, "the truth beside it is not the one that was sealed")
        prev = hash_
        records.append(Record(body, raw, hash_, truth or body.data))
    return records


def _misfit(
    game: str, place: tuple[int, str], raw: bytes, hash_: str, seq: int, prev: str
) -> Damaged:
    """What exactly is wrong with a row that is not in its place."""
    try:
        chain.verify(raw, hash_, game=game, seq=seq, prev=prev)
    except ChainError as error:
        return damaged(game, seq, str(error))
    return damaged(game, seq, f"stored as number {place[0]} under the name {place[1]}")


def parts(state: bytes) -> tuple[bytes, str, bytes]:
    """Body, hash and truth of a row; each is checked afterwards. Raises msgspec.DecodeError."""
    if state[-_TAIL : len(_HASH) - _TAIL] == _HASH and state.startswith(_HEAD):
        return state[len(_HEAD) : -_TAIL], state[len(_HASH) - _TAIL : -2].decode(), b""
    stored = _STORED.decode(state)
    return bytes(stored.body), stored.hash, bytes(stored.truth)


class _Numbered(msgspec.Struct):
    t: int


def batch_number(game: str, state: bytes) -> int:
    """Number t of a dice batch, from its row. Raises Damaged."""
    try:
        raw, hash_, _ = parts(state)
        body = read_body(raw)
        number = msgspec.json.decode(body.data, type=_Numbered).t
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise damaged(game, 0, str(error)) from None
    if chain.hash_of(raw) != hash_ or body.game != game:
        raise damaged(game, body.seq, "hash")
    return number


def head_at(game: str, rows: Sequence[Row]) -> str:
    """The hash of an event, whose row is the first one. Raises Damaged."""
    if not rows:
        raise damaged(game, 0, "missing")
    seq, _, state = rows[0]
    try:
        raw, hash_, _ = parts(state)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise damaged(game, seq, str(error)) from None
    if chain.hash_of(raw) != hash_:
        raise damaged(game, seq, "hash")
    return hash_


def damaged(game: str, seq: int, what: str) -> Damaged:
    return Damaged(f"Event {seq} of game {game} is not as it should be ({what}).")
