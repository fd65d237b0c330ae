"""What comes out of a numbered case, so that it can be played twice and compared.

The ablations of abilities and criticals stand on it: once as it is, once with something left out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from domain.kernel.codec import full
from domain.kernel.rules import Refused
from domain.kernel.testing.table import Table
from tests.support import cases
from tests.support.suites import Suite


def outcome(
    suite: Suite,
    case: Mapping[str, Any],
    *,
    counts: Callable[[Mapping[str, Any]], bool] = lambda event: True,
    refusing: tuple[type[Exception], ...] = (Refused,),
) -> list[Any]:
    """All that comes out of a case: which entries are accepted, the events, how it ends.

    Why a command is refused does not count, only that it is. A script that waits for dice which
    nobody asks for is not played on.

    counts    whether an event is among what is compared
    refusing  what says that an entry was not accepted
    """
    with suite.around():
        try:
            table = suite.begin(case)
        except Refused:
            return ["no such set-up"]
        taken: list[Any] = []
        for entry in case.get("script", ()):
            if "faces" in entry and suite.game.awaiting(table.state) is None:
                return [taken, "no dice are awaited"]
            taken.append(_accepted(suite, table, entry, refusing))
        events = [cases.event(each) for each in table.events]
        return [taken, [each for each in events if counts(each)], *_end(table)]


def _accepted(
    suite: Suite, table: Table, entry: Mapping[str, Any], refusing: tuple[type[Exception], ...]
) -> bool:
    try:
        cases.do(suite.game, table, entry)
    except refusing:
        return False
    return True


def _end(table: Table) -> list[Any]:
    seats = table.state.seats
    offers = [[msgspec.to_builtins(each) for each in table.offers(seat)] for seat in seats]
    return [full(table.state), list(table.asked()), offers]
