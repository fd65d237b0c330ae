"""The chain of the operator's log: each act is linked to the one before by a hash.

A worker links what is new within a second, whoever has put it down, and says the newest hash in its
own log: so that an act that is changed or taken away later is found, and one who makes the whole
chain anew has another head than the one that was said. Acts are linked in the order in which they
are found, for PostgreSQL gives out places before it is seen who has one.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import msgspec
from eventsourcing.persistence import IntegrityError

from .bulk import Statement
from .database import Database
from .queries import Queries

PAGE = 500
"""Acts that are read at once."""

LATE = 1_000
"""Places below the last one that was linked: so far back an act may still come to light."""

BEGINNING = "0" * 64

_ACT = "a.place, a.at, a.operator, a.act, a.game, a.why, a.details"
_HEAD = "SELECT number, hash FROM act_links ORDER BY number DESC LIMIT 1"
_NEW = (
    f"SELECT {_ACT} FROM acts a "
    "WHERE a.place > (SELECT coalesce(max(place), 0) FROM act_links) - ? "
    "AND NOT EXISTS (SELECT 1 FROM act_links l WHERE l.place = a.place) ORDER BY a.place LIMIT ?"
)
_ADD = "INSERT INTO act_links (number, place, hash) VALUES (?,?,?)"
_LINKED = (
    f"SELECT l.number, l.hash, {_ACT} FROM act_links l LEFT JOIN acts a ON a.place = l.place "
    "WHERE l.number > ? ORDER BY l.number LIMIT ?"
)
_LOOSE = (
    "SELECT count(*) FROM acts a "
    "WHERE NOT EXISTS (SELECT 1 FROM act_links l WHERE l.place = a.place)"
)


class Head(NamedTuple):
    """How many acts are linked, and the hash of the last one."""

    number: int
    hash: str


class Linked(msgspec.Struct, frozen=True):
    """What an examination of the chain finds.

    linked  acts, with ``head`` the hash of the last one
    loose   acts that nobody has linked yet
    faults  in words
    """

    linked: int
    head: str
    loose: int
    faults: tuple[str, ...]


def head(recorder: Queries) -> Head:
    """Of the chain; before the first act it is ``BEGINNING``."""
    found = recorder.query(_HEAD)
    return Head(int(found[0][0]), found[0][1]) if found else Head(0, BEGINNING)


def link(recorder: Database) -> Head | None:
    """Link some acts that are not yet; the head where that was done now.

    Nothing happens where another worker is quicker. Raises StoreUnavailable, StoreFull.
    """
    rows = recorder.query(_NEW, (LATE, PAGE))
    if not rows:
        return None
    last, statements = head(recorder), list[Statement]()
    for row in rows:
        last = Head(last.number + 1, _hash(last.hash, row))
        statements.append((_ADD, (last.number, row[0], last.hash)))
    try:
        return last if recorder.exchange([], statements) else None
    except IntegrityError:
        return None


def examined(recorder: Queries) -> Linked:
    """Read every act and its link."""
    faults, last = list[str](), Head(0, BEGINNING)
    for number, hash_, row in _links(recorder):
        if number != last.number + 1:
            faults.append(f"links {last.number + 1} to {number - 1} are gone")
        elif row[0] is None:
            faults.append(f"act {number} is gone")
        elif _hash(last.hash, row) != hash_:
            faults.append(f"act {number} is not the one that was linked: now {row[3]} of {row[1]}")
        last = Head(number, hash_)
    ((loose,),) = recorder.query(_LOOSE)
    return Linked(last.number, last.hash, int(loose), tuple(faults))


def _links(recorder: Queries) -> Iterator[tuple[int, str, Sequence[Any]]]:
    after = 0
    while rows := recorder.query(_LINKED, (after, PAGE)):
        for number, hash_, *row in rows:
            yield int(number), hash_, row
        after = int(rows[-1][0])


def _hash(before: str, row: Sequence[Any]) -> str:
    place, *words, details = row
    text = msgspec.json.encode([before, int(place), *words, bytes(details).hex()])
    return hashlib.sha256(text).hexdigest()
