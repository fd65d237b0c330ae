"""A summary as it is stored: what is shown today, and the form that it has.

A summary is a read model: all of it can be made again from the log, but for the game's name and how
its seats are to be filled. So its form has no number that anybody must raise: it is a digest of
what the wire form is now, and a row of another form is made again (``service/play/summaries.py``).
"""

from __future__ import annotations

import hashlib
from typing import Any

import msgspec

from ..models import GameId, GameSummary
from .database import Database

_DECODER = msgspec.json.Decoder(GameSummary)
_RENEW = (
    "UPDATE games SET summary = new.column3 FROM (VALUES (?,?,?)) AS new "
    "WHERE game = new.column1 AND version = new.column2"
)


def form_of(type_: type[msgspec.Struct]) -> str:
    """A name for the form of a type: fields and types, those of its parts too, but no words."""
    schema = msgspec.json.encode(_bare(msgspec.json.schema(type_)), order="sorted")
    return hashlib.sha256(schema).hexdigest()[:16]


def _bare(part: Any) -> Any:
    if isinstance(part, dict):
        return {name: _bare(value) for name, value in part.items() if name != "description"}
    return [_bare(each) for each in part] if isinstance(part, list) else part


FORM = form_of(GameSummary)
_HEAD = f'{{"form":"{FORM}",'.encode()


def encode(summary: GameSummary) -> bytes:
    """The stored form."""
    return _HEAD + msgspec.json.encode(summary)[1:]


def decode(data: bytes) -> GameSummary:
    """What is stored. Raises ValidationError for another form that lacks what this one needs."""
    return _DECODER.decode(data)


def of_another_form(recorder: Database) -> list[tuple[GameId, int, bytes]]:
    """The games whose summary another program has written: id, version, and what it wrote."""
    found: list[Any] = recorder.query(
        "SELECT game, version, summary FROM games WHERE substr(summary, 1, ?) <> ? ORDER BY place",
        (len(_HEAD), _HEAD),
    )
    return found


def renew(recorder: Database, version: int, summary: GameSummary) -> None:
    """Put a summary in the place of that of ``version``; nothing where the game has gone on."""
    if summary.version != version:
        return
    recorder.put((), [(_RENEW, (summary.id, version, encode(summary)))])
