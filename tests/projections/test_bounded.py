"""No row of a projection grows with the length of a game: a long game is more events, not more row.

Every event of the log that never changes that is an order, or means something, is told many times
more, of other units and at other times. A row that has something of each grows as the log does.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from projections.finder import found
from projections.follow import Document, DocumentStore, Entry, Projection
from projections.records import CREATED, ENDED
from tests.support.followed import Memory, entries

EVERY = found()
TIMES = 20
GROWN = 2
"""So many times as large a row may be in the longer log: figures have more digits there."""


def longer(times: int) -> Iterator[Entry]:
    """The log with its orders and meanings so many times; each game begins and ends once."""
    for entry in entries():
        yield replace(entry, place=entry.place * (TIMES + 1))
        if (entry.ordered or entry.roles) and entry.type not in (CREATED, *ENDED):
            yield from (_again(entry, number) for number in range(1, times))


def _again(entry: Entry, number: int) -> Entry:
    units = tuple(replace(role, unit=f"{role.unit}-{number}") for role in entry.roles)
    place = entry.place * (TIMES + 1) + number
    return replace(entry, place=place, at=f"{entry.at[:-4]}{number:03}Z", roles=units, opened=())


def longest(projection: Projection, times: int) -> int:
    """Bytes of the largest row that is ever written."""
    shelf = Memory()
    most = 0
    for entry in longer(times):
        projection.take(shelf, entry)
        written = {key for key, _ in shelf.written}
        most = max((most, *(len(shelf.rows[key][2]) for key in written)))
        shelf.written.clear()
    return most


def grows(projection: Projection) -> bool:
    return longest(projection, TIMES) > GROWN * longest(projection, 1)


@pytest.mark.parametrize("name", EVERY)
def test_no_row_grows_with_its_game(name: str) -> None:
    module = EVERY[name].take.__module__.rpartition(".")[2]
    assert not grows(EVERY[name]), (
        f"projections/{module}.py keeps something of each event in one row: it is read and written "
        "again with each, and answered whole; give each a row of its own"
    )


class Times(Document, frozen=True):
    """When orders were given, and what was lost."""

    orders: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()


@pytest.mark.parametrize("what", ["orders", "lost"])
def test_a_row_that_grows_is_found(what: str) -> None:
    def take(shelf: DocumentStore, entry: Entry) -> None:
        known = shelf.read(entry.game, Times) or Times()
        orders = (entry.at,) if entry.ordered and what == "orders" else ()
        lost = tuple(role.unit for role in entry.roles if role.role == "lost" and what == "lost")
        row = Times(orders=(*known.orders, *orders), lost=(*known.lost, *lost))
        shelf.write(entry.game, row, rank=1)

    assert grows(Projection("times", 1, take))
