"""Whether a critical acts in a numbered case: it is played twice, once as if the row did nothing.

A row *acts* where something comes out otherwise without it: an event, a command that is accepted or
refused, the table at the end, or what may be done there. It *rests* where somebody has its marker
and nothing comes out otherwise. Which of the two is so is never taken from what a case says.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from typing import Any

import msgspec
from msgspec.structs import replace

from domain.games.crimson_tide.criticals import Critical
from domain.kernel.codec import full
from domain.kernel.rules import Refused
from tests.support import cases
from tests.support.suites import Table

from .suite import SUITE

GAME = "domain.games.crimson_tide"


@cache
def loaded() -> tuple[dict[str, Any], ...]:
    """Every numbered case of the game."""
    return tuple(cases.load(SUITE.folder))


@contextmanager
def without(row: Critical) -> Iterator[None]:
    """Until this is left, no rule that names the row knows a marker of it. Markers stay."""
    nobody = replace(row, number=-row.number)
    homes = [
        (module, name)
        for place, module in list(sys.modules.items())
        if place.startswith(GAME)
        for name, value in list(vars(module).items())
        if value is row
    ]
    for module, name in homes:
        setattr(module, name, nobody)
    try:
        yield
    finally:
        for module, name in homes:
            setattr(module, name, row)


def acts_in(row: Critical, case: Mapping[str, Any]) -> bool:
    """Whether the row makes a difference to a numbered case."""
    usual = record(case)
    with without(row):
        return bool(record(case) != usual)


def holds(row: Critical, case: Mapping[str, Any]) -> bool:
    """Whether somebody has a marker of the row who is in what happens, or the row is rolled."""
    placed = case.get("setup", {}).get("units", ())
    units = placed if isinstance(placed, list) else ()
    marked = {
        unit["id"]
        for unit in units
        for kind in ("criticals", "pendingCriticals")
        if row.number in unit.get(kind, ())
    }
    if rule_of(row) in case["rules"] or not marked:
        return rule_of(row) in case["rules"]
    told = json.dumps(record(case)[1:2])
    return any(f'"{unit}"' in told for unit in marked)


def about(row: Critical, case: Mapping[str, Any]) -> bool:
    """Whether a case says that it is about the row: by its name or its rule."""
    return row.name in case["title"].lower() or rule_of(row) in case["rules"]


def rule_of(row: Critical) -> str:
    """The rule that says what the row does: the rows are numbered as their rules are."""
    return f"CT-CRIT-{row.number:02}"


def record(case: Mapping[str, Any]) -> list[Any]:
    """All that comes out of a case: which entries are accepted, the events, how it ends.

    Why a command is refused does not count, only that it is. A script that waits for dice which
    nobody asks for is not played on.
    """
    with SUITE.around():
        try:
            table = SUITE.begin(case)
        except Refused:
            return ["no such set-up"]
        taken: list[Any] = []
        for entry in case.get("script", ()):
            if "faces" in entry and SUITE.game.awaiting(table.state) is None:
                return [taken, "no dice are awaited"]
            taken.append(_accepted(table, entry))
        return [taken, [cases.event(each) for each in table.events], *_end(table)]


def _accepted(table: Table, entry: Mapping[str, Any]) -> bool:
    try:
        cases.do(SUITE.game, table, entry)
    except (Refused, AssertionError):
        return False
    return True


def _end(table: Table) -> list[Any]:
    seats = table.state.seats
    offers = [[msgspec.to_builtins(each) for each in table.offers(seat)] for seat in seats]
    return [full(table.state), list(table.asked()), offers]
