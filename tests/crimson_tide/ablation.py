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

from msgspec.structs import replace

from domain.games.crimson_tide.rules.criticals import Critical
from domain.kernel.rules import Refused
from tests.support import cases
from tests.support.outcomes import outcome

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
    forget()
    try:
        yield
    finally:
        for module, name in homes:
            setattr(module, name, row)
        forget()


def forget() -> None:
    """What rules have worked out before is worked out anew: they are others now.

    What is read from files (``@cache``, without a bound) stays.
    """
    for place, module in list(sys.modules.items()):
        if place.startswith(GAME):
            for value in list(vars(module).values()):
                bound = getattr(value, "cache_parameters", None)
                if bound is not None and bound()["maxsize"] is not None:
                    value.cache_clear()


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
    """All that comes out of a case; dice that no longer fit a roll are not accepted either."""
    return outcome(SUITE, case, refusing=(Refused, AssertionError))
