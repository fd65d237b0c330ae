"""A summary as it is stored: what is shown today, the form that it has, and what it stands on.

Before it stand its mark, made with the store's key over all the rest and the game's name, so that
no flipped bit is shown as truth; its form; and the hash of the event that it is of, by which a
commit says what it was decided on. All three have their places, where SQL finds them.

A summary is a read model: all of it can be made again from the log, but for the game's name and how
its seats are to be filled. So its form has no number that anybody must raise: it is a digest of
what the wire form is now, and a row of another form is made again (``service/play/summaries.py``).
"""

from __future__ import annotations

import hashlib
from typing import Any

import msgspec

from ..errors import Damaged
from ..models import GameId, GameSummary
from .box import Box
from .database import Database
from .queries import Queries

_DECODER = msgspec.json.Decoder(GameSummary)
_RENEW = (
    "UPDATE games SET summary = new.column3 FROM (VALUES (?,?,?)) AS new "
    "WHERE game = new.column1 AND version = new.column2"
)
_MARK, _FORM, _HEAD = slice(9, 73), slice(83, 99), slice(109, 173)
"""Where mark, form and head stand in what is stored."""

_MARKED = b'{"mark":"'
"""How rows begin since the store's format 3."""

HEAD_IN_SQL = f"substr(games.summary, {_HEAD.start + 1}, {_HEAD.stop - _HEAD.start})"
_FORM_IN_SQL = f"substr(summary, {_FORM.start + 1}, {_FORM.stop - _FORM.start})"


def form_of(type_: type[msgspec.Struct]) -> str:
    """A name for the form of a type: fields and types, those of its parts too, but no words."""
    schema = msgspec.json.encode(_bare(msgspec.json.schema(type_)), order="sorted")
    return hashlib.sha256(schema).hexdigest()[:16]


def _bare(part: Any) -> Any:
    if isinstance(part, dict):
        return {name: _bare(value) for name, value in part.items() if name != "description"}
    return [_bare(each) for each in part] if isinstance(part, list) else part


FORM = form_of(GameSummary)


def encode(box: Box, summary: GameSummary, head: str) -> bytes:
    """The stored form of a summary at the event of that hash."""
    text = f'","form":"{FORM}","head":"{head}",'.encode() + msgspec.json.encode(summary)[1:]
    return _MARKED + _mark(box, summary.id, text) + text


def _mark(box: Box, game: GameId, text: bytes) -> bytes:
    return box.mark(f"summary/{game}", text).encode()


def is_genuine(box: Box, game: GameId, data: bytes) -> bool:
    """Whether a row is as this service, or another with its key, has written it.

    One of before there were marks is: it is made again at the start.
    """
    return mark_of(box, game, data) >= 0


def mark_of(box: Box, game: GameId, data: bytes) -> int:
    """The number of the key that a row is marked with; -1 for none of them.

    One of before there were marks counts as one of the first: it is made again at the start.
    """
    if not data.startswith(_MARKED):
        return 0
    return box.marked_by(f"summary/{game}", data[_MARK.stop :], data[_MARK])


def marked_anew(box: Box, game: GameId, data: bytes) -> bytes | None:
    """A row whose mark is of a former key, marked by the present one; None of any other."""
    if mark_of(box, game, data) < 1:
        return None
    text = data[_MARK.stop :]
    return _MARKED + _mark(box, game, text) + text


def decode(box: Box, game: GameId, version: int, data: bytes) -> GameSummary:
    """The summary in the row of a game, which says besides at which version it is.

    Raises Damaged where anything of it was changed; ValidationError for another form that lacks
    what this one needs.
    """
    data = bytes(data)
    if not is_genuine(box, game, data):
        raise _damaged(game)
    try:
        summary = _DECODER.decode(data)
    except msgspec.ValidationError:
        raise
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise _damaged(game) from None
    if (summary.id, summary.version) != (game, version):
        raise _damaged(game)
    return summary


def head_of(data: bytes) -> str:
    """The hash of the event that a row in the present layout is of; "" in an older one."""
    return bytes(data[_HEAD]).decode("ascii", "replace") if data.startswith(_MARKED) else ""


def _damaged(game: GameId) -> Damaged:
    return Damaged(f"What is kept of game {game} beside its events is not as it was written.")


def of_another_form(recorder: Database, box: Box) -> list[tuple[GameId, int, bytes]]:
    """The games whose summary another program has written: id, version, and what it wrote.

    Not those that somebody else has changed: what no log has could not be told from what was.
    """
    found = recorder.query(
        f"SELECT game, version, summary FROM games WHERE {_FORM_IN_SQL} <> ? ORDER BY place",
        (FORM.encode(),),
    )
    return [(game, version, bytes(data)) for game, version, data in found
            if is_genuine(box, game, bytes(data))]  # fmt: skip


def count_of_another_form(look: Queries) -> int:
    """How many games have a summary of another form."""
    counted = f"SELECT count(*) FROM games WHERE {_FORM_IN_SQL} <> ?"
    return int(look.query(counted, (FORM.encode(),))[0][0])


def renew(recorder: Database, box: Box, version: int, summary: GameSummary, head: str) -> None:
    """Put a summary in the place of that of ``version``; nothing where the game has gone on."""
    if summary.version != version:
        return
    recorder.put((), [(_RENEW, (summary.id, version, encode(box, summary, head)))])
