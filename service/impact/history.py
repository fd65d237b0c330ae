"""What was ordered and thrown in a game, from an evidence file or from a recorded game.

Evidence opens all of it once its game is over; a recorded game is lines of JSON: the set-up, then
orders (``seat``, ``command``) and dice (``faces``).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec

from domain.kernel.setup import Setup

from ..evidence import casefile
from ..evidence.casefile import Case, Unreadable, open_case
from ..evidence.chain import STATE
from ..evidence.papers import Batch
from ..evidence.records import BatchRolled, GameAbandoned, RulesChanged, taken_back
from ..evidence.verdict import Refuted, Undecidable


class NoHistory(Exception):
    """The file cannot be decided again; the message says why, in a sentence."""


class Roll(NamedTuple):
    """Faces that fell.

    at      line of the recorded game, or number of the event
    domain  whose dice they are; "" and no label where only their order is recorded
    """

    at: int
    faces: tuple[tuple[int, ...], ...]
    domain: str = ""
    label: str = ""


class Order(NamedTuple):
    """An order with the dice that it led to, the opening too.

    at     line of the recorded game, or number of the first event
    seat   who gave it; "" for the opening, which has no command
    state  what evidence sealed of the state that it led to; b"" for nothing
    """

    at: int
    seat: str
    command: bytes
    rolls: tuple[Roll, ...]
    state: bytes = b""


class Change(NamedTuple):
    """The game went over to other rules.

    at      number of the event; what comes after it is decided by these rules
    digest  by which they are named
    state   what evidence sealed of the position that they came to
    """

    at: int
    digest: str
    state: bytes


class History(NamedTuple):
    """A game as it was ordered, the opening first.

    file   its name for people
    rules  the digest that evidence names; "" where nothing is named
    """

    file: str
    setup: Setup
    orders: tuple[Order, ...]
    rules: str = ""
    changes: tuple[Change, ...] = ()


def read(file: str, data: bytes) -> History:
    """The history in a file of either form. Raises NoHistory."""
    return _recorded(file, data) if data[:1] == b"{" else _evidence(file, data)


# Evidence


def _evidence(file: str, data: bytes) -> History:
    try:
        case = open_case(*casefile.unpack(data))
    except (Unreadable, Refuted, Undecidable) as error:
        raise NoHistory(f"it is no evidence that can be read: {error}") from None
    if not case.sees_all:
        raise NoHistory(
            f"it shows the game as {case.manifest.viewer} sees it; only a file that opens all "
            "that happened can be decided again"
        )
    used = case.created
    changes = tuple(_changes(case))
    return History(file, used.setup, tuple(_orders(case)), used.rules.digest, changes)


def _changes(case: Case) -> Iterator[Change]:
    for seq, record in sorted(case.records.items()):
        if isinstance(record, RulesChanged):
            yield Change(seq, record.new.digest, case.opened.get((seq, STATE), b""))


def _orders(case: Case) -> Iterator[Order]:
    undone = taken_back(case.records.values())
    for batch in case.batches:
        if batch.cause in undone:
            continue  # the game went on from the position before it
        opening = batch.first == 1
        if not opening and batch.order is None:
            continue  # an event of the service that no order led to
        if isinstance(case.records.get(batch.last), GameAbandoned):
            continue  # an order that was given up: the game had ended, and to nobody
        seat, command = ("", b"") if batch.order is None else _given(batch)
        sealed = case.opened.get((batch.last, STATE), b"")
        yield Order(batch.first, seat, command, tuple(_rolls(case, batch)), sealed)


def _given(batch: Batch) -> tuple[str, bytes]:
    assert batch.order is not None
    return batch.order.seat, bytes(batch.order.command)


def _rolls(case: Case, batch: Batch) -> Iterator[Roll]:
    for envelope in batch.envelopes:
        record = case.records.get(envelope.seq)
        if isinstance(record, BatchRolled):
            for roll in record.rolls:
                yield Roll(envelope.seq, roll.faces, record.domain, roll.label)


# Recorded games


def _recorded(file: str, data: bytes) -> History:
    try:
        lines = [msgspec.json.decode(line) for line in data.splitlines()]
        setup = msgspec.convert(lines[0]["setup"], Setup)
        return History(file, setup, tuple(_lines(lines)))
    except (msgspec.MsgspecError, KeyError, TypeError, IndexError, ValueError) as error:
        raise NoHistory(f"it is no recorded game: {type(error).__name__}: {error}") from None


def _lines(lines: list[dict[str, Any]]) -> Iterator[Order]:
    given, rolls = Order(1, "", b"", ()), list[Roll]()
    for number, line in enumerate(lines[1:], 2):
        if "faces" in line:
            rolls.append(Roll(number, tuple(map(tuple, line["faces"]))))
        elif "command" in line:
            yield given._replace(rolls=tuple(rolls))
            command = msgspec.json.encode(line["command"])
            given, rolls = Order(number, line["seat"], command, ()), []
    yield given._replace(rolls=tuple(rolls))
