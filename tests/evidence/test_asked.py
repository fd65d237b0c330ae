"""Every engine that is kept for ever answers at every version of its own game of the past.

What is asked is what pages and programs may ask at any version: what is on offer to each seat, what
each viewer sees, who is asked, and what is usual where somebody is.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from domain.kernel.codec import canonical
from domain.kernel.values import PUBLIC, TRUTH
from service.cli.filed import FileDesk, file_desk
from service.cli.tools import Tools
from service.engines import carry
from service.engines.load import Loaded, load
from service.engines.wire import Wire
from service.evidence.changed import in_force
from tests.support import past

NAMES = sorted(past.recipes())


@cache
def desk(name: str) -> FileDesk:
    return file_desk(Tools(), str(past.FOLDER / f"{name}.decklog"))


def engine(name: str) -> Loaded:
    rules = past.recipes()[name]["rules"]
    (kept,) = (each for each in carry.table() if each.rules == rules)
    return load(carry.archive(kept))


def positions(name: str, viewer: str) -> Iterator[tuple[int, Any]]:
    it = desk(name)
    views = it.filed.materials.views.of(it.id)
    for version in range(1, it.latest + 1):
        state = views.at(viewer, version)
        if state is not None:
            yield version, state


@pytest.mark.parametrize("name", NAMES)
def test_what_is_on_offer_and_seen_is_answered_at_every_version(name: str) -> None:
    it = desk(name)
    seats, asked = it.case.created.setup.seats, 0
    for viewer in (TRUTH, *seats, PUBLIC):
        for version, state in positions(name, viewer):
            game = in_force(it.filed.played(it.id), version)
            for seat in seats if viewer == TRUTH else (viewer,) * (viewer != PUBLIC):
                found = game.legal(state, seat)
                asked += len(found.commands) + len(found.templates)
                for command in found.commands[:3]:
                    assert game.describe(state, command).text
    assert asked > 100


@pytest.mark.parametrize("name", NAMES)
def test_whoever_is_asked_has_a_usual_answer(name: str) -> None:
    """Where an order has ended: what comes between is nobody's to answer."""
    it, answers = desk(name), 0
    ended = {order.last for order in it.case.orders}
    wire = Wire(engine(name))
    for version, state in positions(name, TRUTH):
        game = in_force(it.filed.played(it.id), version)
        pending = game.pending(state)
        if version not in ended:
            continue
        own = engine(name).engine
        assert [each.seat for each in own.pending(state)] == [each.seat for each in pending]
        for question in pending:
            answers += 1
            command = game.usual(state, question)
            told = wire.answer(
                b'{"call":"usual","question":%b,"state":%b}'
                % (canonical(own.pending(state)[pending.index(question)]), canonical(state))
            )
            assert told == b'{"command":%b}' % canonical(command)
    assert answers > 20


@pytest.mark.parametrize("name", NAMES)
def test_no_call_of_the_interface_breaks_down(name: str) -> None:
    wire = Wire(engine(name))
    ended = {order.last for order in desk(name).case.orders}
    for version, state in positions(name, TRUTH):
        for call in ("position", "prospects") if version in ended else ("prospects",):
            told = wire.answer(b'{"call":"%b","state":%b}' % (call.encode(), canonical(state)))
            assert not told.startswith((b'{"crashed"', b'{"malformed"')), (version, told)
