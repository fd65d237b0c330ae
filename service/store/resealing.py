"""Another key in the place of a former one: what was sealed under that is sealed anew.

A box has a ring of keys (``box.py``): the first one seals and marks, and each opens. What is under
another than the first is gone through in pages, row by row, each guarded by what was read: a
service goes on meanwhile, and several workers may do it at once. Last comes the word by which a key
is known to fit, so that a former key cannot be left away before all else is done.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from .box import Box, WrongKey
from .bulk import Statement
from .database import Database
from .idempotency import purpose_of
from .queries import Queries
from .summaries import mark_of, marked_anew

PAGE = 128
"""Rows that are read at a time."""

KEY_CHECK = "key-check"


class _Column(NamedTuple):
    """What is sealed, one by one.

    name     of it, for an operator
    table, key, value  where: the columns that name the row, and the one that is sealed
    purpose  for which it is sealed, by the key of the row
    """

    name: str
    table: str
    key: tuple[str, ...]
    value: str
    purpose: Callable[..., str]


_COLUMNS = (
    _Column("masters", "games", ("game",), "master", "master/{}".format),
    _Column("answers", "idempotency", ("caller", "key"), "answer", purpose_of),
    _Column("webhooks", "webhooks", ("webhook",), "url", "webhook/{}/url".format),
    _Column("webhooks", "webhooks", ("webhook",), "secret", "webhook/{}/secret".format),
    _Column("webhooks", "webhooks", ("webhook",), "former", "webhook/{}/secret".format),
)
SUMMARIES = "summaries"
NAMES = (*dict.fromkeys(column.name for column in _COLUMNS), SUMMARIES)


class _Found(NamedTuple):
    """Something sealed: the number of its key, -1 where none opens it, and what seals it anew."""

    name: str
    number: int
    anew: Statement | None


def counts(recorder: Queries, box: Box) -> dict[str, dict[str, int]]:
    """How many are sealed under which key, by kind; "" stands for none of the keys."""
    told = {name: dict.fromkeys((*box.names, ""), 0) for name in NAMES}
    for page in _pages(recorder, box):
        for found in page:
            told[found.name]["" if found.number < 0 else box.names[found.number]] += 1
    return told


def reseal(recorder: Database, box: Box, pause: Callable[[], object]) -> int:
    """Go through all once; how many were under another key than the first.

    pause  is called between two pages. Raises StoreFull, StoreUnavailable.
    """
    former = 0
    for page in _pages(recorder, box):
        for found in page:
            if found.number != 0:
                former += 1
            if found.anew is not None:
                recorder.exchange([found.anew], ())
        pause()
    if not former:
        _word(recorder, box)
    return former


def _word(recorder: Database, box: Box) -> None:
    """The word that shows whether a key fits."""
    ((value,),) = recorder.query("SELECT value FROM meta WHERE name = ?", (KEY_CHECK,))
    word, number = box.opened(KEY_CHECK, bytes(value))
    if number:
        sql = "UPDATE meta SET value = ? WHERE name = ? AND value = ?"
        recorder.exchange([(sql, (box.seal(KEY_CHECK, word), KEY_CHECK, value))], ())


def _pages(recorder: Queries, box: Box) -> Iterator[list[_Found]]:
    for column in _COLUMNS:
        for rows in _rows(recorder, column.table, column.key, column.value):
            yield [_sealed(box, column, row) for row in rows]
    for rows in _rows(recorder, "games", ("game",), "summary"):
        yield [_marked(box, game, value) for game, value in rows]


def _rows(
    recorder: Queries, table: str, key: tuple[str, ...], value: str
) -> Iterator[list[tuple[Any, ...]]]:
    names, marks = ", ".join(key), ", ".join("?" * len(key))
    sql = (
        f"SELECT {names}, {value} FROM {table} WHERE {value} IS NOT NULL "
        f"AND ({names}) > ({marks}) ORDER BY {names} LIMIT {PAGE}"
    )
    after: tuple[Any, ...] = ("",) * len(key)
    while rows := recorder.query(sql, after):
        yield rows
        after = tuple(rows[-1][: len(key)])


def _sealed(box: Box, column: _Column, row: tuple[Any, ...]) -> _Found:
    *key, value = row
    purpose = column.purpose(*key)
    try:
        secret, number = box.opened(purpose, bytes(value))
    except WrongKey:
        return _Found(column.name, -1, None)
    if not number:
        return _Found(column.name, 0, None)
    guard = " AND ".join(f"{name} = ?" for name in (*column.key, column.value))
    sql = f"UPDATE {column.table} SET {column.value} = ? WHERE {guard}"
    return _Found(column.name, number, (sql, (box.seal(purpose, secret), *key, value)))


def _marked(box: Box, game: str, value: Any) -> _Found:
    data = bytes(value)
    number = mark_of(box, game, data)
    anew = marked_anew(box, game, data)
    sql = "UPDATE games SET summary = ? WHERE game = ? AND summary = ?"
    return _Found(SUMMARIES, number, None if anew is None else (sql, (anew, game, value)))
