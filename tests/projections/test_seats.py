"""Who is listed as a seat is one: an overdue order is given by the service, which sits nowhere."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
import pytest

from projections.finder import found
from projections.follow import Document, DocumentStore, Entry, Projection
from projections.records import ABANDONED, CREATED, ROLLED, read_created
from service.evidence.records import SERVICE
from tests.support.followed import Memory, entries, filled
from tests.support.values import named, texts

EVERY = found()


def seats() -> dict[str, frozenset[str]]:
    """By game and by ruleset, the seats of the log."""
    known: dict[str, frozenset[str]] = {}
    for entry in entries():
        if entry.type == CREATED:
            inside = frozenset(read_created(entry.data).setup.seats)
            for name in (entry.game, entry.ruleset):
                known[name] = known.get(name, frozenset()) | inside
    return known


def strangers(projection: Projection) -> Iterator[str]:
    """What is listed as a seat and is none, of the game or else the ruleset of the row."""
    known = seats()
    anywhere = frozenset().union(*known.values())
    for key, document in filled(projection).written:
        of = getattr(document, "game", "") or getattr(document, "ruleset", "")
        mine = known.get(of, anywhere) | {""}
        yield from (f"{where} is {seat!r}" for where, seat in named(document) if seat not in mine)
        yield from (f"{where} is {said!r}" for where, said in texts(document) if said == SERVICE)
        if SERVICE in key.split("/"):
            yield f"a key has {SERVICE!r} in it"


@pytest.mark.parametrize("name", EVERY)
def test_who_is_listed_as_a_seat_has_one(name: str) -> None:
    wrong = sorted(set(strangers(EVERY[name])))
    assert not wrong, (
        f"projections/{EVERY[name].take.__module__.rpartition('.')[2]}.py lists as a seat what is "
        f"none: {wrong}; an entry that is `ordered` has the actor {SERVICE!r} where an order was "
        "overdue or its dice fell first: whose order it is stands in `by`"
    )


def hangs_on_the_actor(projection: Projection) -> bool:
    """Whether its documents are others if somebody else is the actor of each first event."""
    shelf = Memory()
    for entry in entries():
        other = msgspec.structs.replace(entry, actor="nobody") if entry.ordered else entry
        projection.take(shelf, other)
    return shelf.rows != filled(projection).rows


@pytest.mark.parametrize("name", EVERY)
def test_whose_order_it_is_is_not_read_off_the_actor(name: str) -> None:
    assert not hangs_on_the_actor(EVERY[name]), (
        f"{EVERY[name].take.__module__} asks for `actor`, which is {SERVICE!r} where an order was "
        "overdue or its dice fell first: a seat's orders that are counted by it are too few; whose "
        "order it is stands in `by`"
    )


@pytest.mark.parametrize(("field", "found"), [("actor", True), ("by", False)])
def test_orders_that_are_counted_by_the_actor_are_found(field: str, found: bool) -> None:
    def take(shelf: DocumentStore, entry: Entry) -> None:
        if entry.ordered and getattr(entry, field) == "p1":
            shelf.write(f"{entry.game}/{entry.seq}", Plain(1), rank=1)

    assert hangs_on_the_actor(Projection("shares", 1, take)) == found


def test_every_order_is_a_seats() -> None:
    """Also where its dice fell first: the first entry is the service's then, and somebody's."""
    known = seats()
    for entry in entries():
        assert (entry.by in known[entry.game]) if entry.ordered else entry.by == "", entry
    assert any(entry.ordered and entry.type == ROLLED for entry in entries())


def test_the_log_has_an_overdue_order_and_a_player_who_left() -> None:
    log = entries()
    overdue = [entry for entry in log if entry.ordered and entry.actor == SERVICE]
    assert any(entry.type == "decklog.deadline-passed" for entry in overdue), (
        "no overdue order in the log of tests/support/followed.py"
    )
    assert any(entry.type == ABANDONED for entry in log), (
        "no game that was left in the log of tests/support/followed.py"
    )


def test_the_fields_that_name_seats_are_found() -> None:
    """Which they are is read from the documents: a list without one shows nothing here."""
    where = {
        field
        for each in EVERY.values()
        for _, document in filled(each).written
        for field, _ in named(document)
    }
    assert {"GameResult.seats", "GameResult.winners", "RulesetStatistics.wins"} <= where


class Typed(Document, frozen=True):
    """By its name a seat."""

    ruleset: str
    seat: str


class Hidden(Document, frozen=True):
    """By no name a seat."""

    ruleset: str
    busiest: tuple[str, ...]


class Plain(msgspec.Struct):
    """Without a word of who."""

    orders: int


def _typed(entry: Entry) -> msgspec.Struct:
    return Typed(ruleset=entry.ruleset, seat=entry.actor)


def _hidden(entry: Entry) -> msgspec.Struct:
    return Hidden(ruleset=entry.ruleset, busiest=(entry.actor,))


def _plain(entry: Entry) -> msgspec.Struct:
    return Plain(1)


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (_typed, "Typed.seat is 'service'"),
        (_hidden, "Hidden.busiest is 'service'"),
        (_plain, "a key has 'service' in it"),
    ],
)
def test_a_list_that_shows_the_service_is_found(make: object, said: str) -> None:
    def take(shelf: DocumentStore, entry: Entry) -> None:
        if entry.ordered:
            assert callable(make)
            shelf.write(f"{entry.ruleset}/{entry.actor}", make(entry), rank=1)

    assert said in set(strangers(Projection("captains", 1, take)))
