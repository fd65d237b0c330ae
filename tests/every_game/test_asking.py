"""Who is asked what, when and about whom: a step for one player only, one after the end of the turn
and an offer of what has no business there passed every test, for each is a legal game.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from domain.games.war_at_sea.rules import commands as c
from domain.games.war_at_sea.rules import events as ev
from domain.kernel.options import Options
from domain.kernel.testing.asking import Asking
from tests.support import stretches
from tests.support.cases import FOLDER
from tests.support.suites import AnyGame, Suite, suites

pytestmark = pytest.mark.slow("conformance")

GAMES = 6
LONG = 800

PLAYED = [suite for suite in suites().values() if (FOLDER / suite.folder).is_dir()]
every_suite = pytest.mark.parametrize("suite", PLAYED, ids=[suite.folder for suite in PLAYED])


def along(follow: Asking, walk: Iterator[stretches.Stretch]) -> Iterator[str]:
    """What is wrong in games, one after another."""
    name = ""
    for each in walk:
        if each.name != name:
            name = each.name
            follow.begin()
        yield from (f"{name}: {fault}" for fault in follow.happened(each.before, each.events))
        follow.settled(each.after)


@cache
def followed(folder: str) -> tuple[list[str], list[str]]:
    suite = suites()[folder]
    follow = Asking(suite.game)
    return list(along(follow, stretches.of_all(suite, GAMES, LONG))), follow.lacking()


@every_suite
def test_phases_come_in_the_order_of_the_book(suite: Suite) -> None:
    found, _ = followed(suite.folder)
    assert found[:5] == [], "rules/sequence.py, or the phases of shown/names.py"


@every_suite
def test_both_are_asked_and_what_is_offered_may_be(suite: Suite) -> None:
    _, lacking = followed(suite.folder)
    assert lacking == []


# --- each fault, made on purpose -----------------------------------------------------------------

GAME = suites()["war_at_sea"].game
CLAIMS = "WAS-C-2402"


def listed(**changes: Any) -> AnyGame:
    assert GAME.tables is not None
    return replace(GAME, tables=replace(GAME.tables, **changes))


def lacks(game: AnyGame, only: str = CLAIMS) -> str:
    follow = Asking(game)
    list(along(follow, stretches.of_cases(suites()["war_at_sea"], game, only)))
    return "\n".join(follow.lacking())


def test_a_question_to_one_player_alone_is_named() -> None:
    def pending(state: Any) -> tuple[Any, ...]:
        return tuple(each for each in GAME.pending(state) if each.seat == state.first)

    first = replace(GAME, pending=pending)
    assert "question claim: a turn in which two are asked" in lacks(first)
    assert "question claim: a turn" not in lacks(GAME)
    assert "question claim: listed as of one alone, and two" in lacks(listed(alone={"claim": "x"}))
    assert "question spy: listed as of one alone, and never" in lacks(listed(alone={"spy": "x"}))


def test_a_phase_at_another_place_is_named() -> None:
    assert GAME.tables is not None
    *most, last = GAME.tables.phases
    late = listed(phases=(last, *most))
    assert "phases: the course has them as initiative" in lacks(late)
    assert "phase end-of-turn: its place" in lacks(listed(phases=tuple(most)))
    suite = suites()["war_at_sea"]
    found = list(along(Asking(late), stretches.at_random(suite, 0, LONG)))
    assert any("end-of-turn comes after" in each for each in found)


def test_a_phase_after_the_end_of_the_turn_is_named() -> None:
    early = listed(closes=ev.InitiativeRolled)
    found = list(along(Asking(early), stretches.at_random(suites()["war_at_sea"], 0, LONG)))
    assert any(each.endswith("comes when the turn is over") for each in found)


def test_an_offer_of_what_has_no_business_there_is_named() -> None:
    def legal(state: Any, seat: str) -> Options[Any]:
        options = GAME.legal(state, seat)
        more = (c.Move(unit, "1.1") for unit in (*state.units, "gone"))
        return Options((*options.commands, *more), options.templates, options.concessions)

    found = lacks(replace(GAME, legal=legal), "WAS-C-140")
    assert "move.unit: own Aircraft at its base is offered, and is no kind" in found
    assert "move.unit: other " in found
    assert "move.unit: one that is not in play is offered" in found
    assert "risk.unit: own Aircraft on the map is offered" in lacks(listed(offered={}), "WAS-C-140")
    never = listed(offered={"claim.unit": frozenset({"own Ship"})})
    assert "claim.unit: own Ship is listed, and never offered" in lacks(never)
