"""A summary as it is stored: what is shown today, the form that it has, and what it stands on.

Before it stand its mark, made with the store's key over all the rest and the game's name, so that
no flipped bit is shown as truth; its form; and the hash of the event that it is of, by which a
commit says what it was decided on. All three have their places, where SQL finds them.

A summary is a read model: all of it can be made again from the log, but for the game's name and how
its seats are to be filled. So its form has no number that anybody must raise: it is a digest of
what the wire form is now, and a row of another form is made again (``service/play/summaries.py``):
as soon as somebody asks for the game, and in the background beside that.
"""

from __future__ import annotations

import hashlib
from typing import Any, NamedTuple, TypeVar

import msgspec

from ..errors import Damaged
from ..models import GameId, GameSummary, Standstill
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

    One of before there were marks is: it is made again.
    """
    return mark_of(box, game, data) >= 0


def mark_of(box: Box, game: GameId, data: bytes) -> int:
    """The number of the key that a row is marked with; -1 for none of them.

    One of before there were marks counts as one of the first: it is made again.
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
    return _checked(box, game, version, data, _DECODER)


S = TypeVar("S", GameSummary, "AnyForm")


def _checked(
    box: Box, game: GameId, version: int, data: bytes, decoder: msgspec.json.Decoder[S]
) -> S:
    data = bytes(data)
    if not is_genuine(box, game, data):
        raise _damaged(game)
    try:
        summary = decoder.decode(data)
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


class Older(NamedTuple):
    """A row whose summary another program has written.

    place  in the list of all games
    data   what it wrote
    """

    place: int
    game: GameId
    version: int
    data: bytes


def of_another_form(look: Queries, after: int = 0, limit: int = 1 << 62) -> list[Older]:
    """At most ``limit`` games whose summary is of another form, above the place ``after``."""
    return _older(look, f"{_FORM_IN_SQL} <> ?", FORM, after, limit)


def without_a_mark(look: Queries, after: int = 0, limit: int = 1 << 62) -> list[Older]:
    """Of those the ones of before format 3, on which no commit can stand."""
    begins = f"substr(summary, 1, {len(_MARKED)})"
    return _older(look, f"{begins} <> ?", _MARKED.decode(), after, limit)


def _older(look: Queries, which: str, value: str, after: int, limit: int) -> list[Older]:
    found = look.query(
        f"SELECT place, game, version, summary FROM games WHERE place > ? AND {which} "
        "ORDER BY place LIMIT ?",
        (after, value.encode(), limit),
    )
    return [Older(place, game, version, bytes(data)) for place, game, version, data in found]


def is_of_this_form(data: bytes) -> bool:
    """Whether what a row has is in the form of this program."""
    return data.startswith(_MARKED) and data[_FORM] == FORM.encode()


class AnyForm(msgspec.Struct, frozen=True, rename="camel"):
    """Of a summary in whatever form: how old its game is, and how its clocks stand.

    A form that has no such field knew no such thing.
    """

    id: GameId
    version: int
    created_at: str = ""
    updated_at: str = ""
    expires_at: str | None = None
    deadline: int = 0
    paused: Standstill | None = None


_ANY_FORM = msgspec.json.Decoder(AnyForm)


def of_any_form(box: Box, game: GameId, version: int, data: bytes) -> AnyForm:
    """For who goes over all games, and needs no more of each. Raises Damaged, ValidationError."""
    return _checked(box, game, version, data, _ANY_FORM)


def count_of_another_form(look: Queries) -> int:
    """How many games have a summary of another form."""
    counted = f"SELECT count(*) FROM games WHERE {_FORM_IN_SQL} <> ?"
    return int(look.query(counted, (FORM.encode(),))[0][0])


def renew(recorder: Database, box: Box, version: int, summary: GameSummary, head: str) -> None:
    """Put a summary in the place of that of ``version``; nothing where the game has gone on."""
    if summary.version != version:
        return
    recorder.put((), [(_RENEW, (summary.id, version, encode(box, summary, head)))])
