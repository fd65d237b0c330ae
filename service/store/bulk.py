"""Many rows with few statements.

Each statement that SQLite runs lets go of the interpreter's lock and has to wait for it again while
the event loop is busy; each one that PostgreSQL runs is a message. So rows of one kind share one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import chain
from typing import Any, NamedTuple

Statement = tuple[str, tuple[Any, ...]]
"""One SQL statement with its parameters. ``VALUES (?,?)`` stands for one row; an UPDATE that takes
its row from such VALUES names by the first of them what it changes."""

WIDTHS = (64, 32, 16, 8, 4, 2, 1)
"""Rows of one statement: few widths, so that the database knows most statements already, and each
twice the next, so that few statements make any number."""

_ROW = re.compile(r"VALUES (\((?:\?, ?)*\?\))")


@cache
def wide(sql: str, rows: int) -> str:
    """The statement for so many rows."""
    return _ROW.sub(lambda found: "VALUES " + ",".join([found[1]] * rows), sql)


def combined(statements: Sequence[Statement]) -> Iterator[Statement]:
    """The same effect with fewer statements: first what is added, then what is changed.

    Nothing that is changed by a commit depends on a row's not being there yet, so the order between
    kinds may change. Of changes to one row the last one counts.
    """
    kinds: dict[str, list[tuple[Any, ...]]] = {}
    for sql, parameters in statements:
        kinds.setdefault(sql, []).append(parameters)
    for sql in sorted(kinds, key=lambda sql: not sql.startswith("INSERT")):
        rows = kinds[sql]
        if not _ROW.search(sql):
            yield from ((sql, row) for row in rows)
            continue
        if sql.startswith("UPDATE"):
            rows = list({row[0]: row for row in rows}.values())
        yield from widened(sql, rows)


class Held(NamedTuple):
    """A statement that has to change so many rows; where it changes fewer nothing is written."""

    sql: str
    parameters: tuple[Any, ...]
    rows: int


def held(sql: str, rows: Sequence[tuple[Any, ...]]) -> list[Held]:
    """The statement for the rows, each of which has to be as it says."""
    width = len(rows[0]) if rows else 1
    return [Held(wide_, row, len(row) // width) for wide_, row in widened(sql, rows)]


def widened(sql: str, rows: Sequence[tuple[Any, ...]]) -> Iterator[Statement]:
    """The statement once for as many of the rows as one of the widths, the largest first."""
    done = 0
    for width in WIDTHS:
        while len(rows) - done >= width:
            some = rows[done : done + width]
            yield wide(sql, width), tuple(chain.from_iterable(some))
            done += width
