"""Whose unit it is, is judged first: an order for the enemy's is refused for that, and for nothing
that the rules would say of it, which may be more than its enemy knows.

Asked in the positions of the numbered cases: of each type of order that is offered and names a
unit, the same with one of the enemy's in its place, and with one that nobody has.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import msgspec
import pytest

from domain.kernel.rules import No, Refused
from tests.support.cases import FOLDER, load
from tests.support.suites import Suite, suites
from tests.support.templated import AnyGame, positions

NOT_YOURS, UNKNOWN = "unit.not-yours", "unit.unknown"
INSTEAD = {
    ("war_at_sea", "Risk"): "of those at risk with a Carrier, which are listed",
}
"""Orders that judge the unit by a list instead, with which."""

PLAYED = [suite for suite in suites().values() if (FOLDER / suite.folder).is_dir()]
every_suite = pytest.mark.parametrize("suite", PLAYED, ids=[suite.folder for suite in PLAYED])

Found = tuple[Any, str, Any, dict[str, Any]]


def ordered(suite: Suite) -> Iterator[Found]:
    """State, seat, an order of each type that is offered there, and the units in play."""
    game = suite.game
    for case in load(suite.folder):
        for state in positions(suite, case):
            if game.result(state) is not None or game.awaiting(state) is not None:
                continue
            for seat in dict.fromkeys(asked.seat for asked in game.pending(state)):
                offers = {type(each): each for each in game.legal(state, seat).commands}
                units = getattr(state, "units", {})
                for command in offers.values():
                    if getattr(command, "unit", "") in units:
                        yield state, seat, command, units


def wrong(
    game: AnyGame, found: Found, but: Callable[[str], bool] = lambda name: False
) -> list[str]:
    """How an order is answered that names another's unit, or none, where that is otherwise."""
    state, seat, command, units = found
    name, said = type(command).__name__, []
    if but(name):
        return []
    others = [(unit, NOT_YOURS) for unit, each in units.items() if each.seat != seat]
    for unit, wanted in (*others, ("nobody", UNKNOWN)):
        code = answered(game, state, seat, msgspec.structs.replace(command, unit=unit))
        said += [f"{name} of {unit}: {code}, not {wanted}"] * (code != wanted)
    return said


def answered(game: AnyGame, state: Any, seat: str, command: Any) -> str:
    try:
        game.decide(state, seat, command)
    except Refused as refused:
        return refused.code
    return "accepted"


@every_suite
def test_an_order_for_the_enemys_unit_is_refused_for_that(suite: Suite) -> None:
    listed = {name for folder, name in INSTEAD if folder == suite.folder}
    found = [each for at in ordered(suite) for each in wrong(suite.game, at, listed.__contains__)]
    assert sorted(set(found))[:5] == []


@pytest.mark.parametrize(("folder", "name"), INSTEAD)
def test_what_is_judged_otherwise_is_still_so(folder: str, name: str) -> None:
    suite = suites()[folder]
    assert any(wrong(suite.game, at, lambda each: each != name) for at in ordered(suite))


def test_another_order_of_refusals_is_found() -> None:
    suite = suites()["war_at_sea"]
    at = next(each for each in ordered(suite) if type(each[2]).__name__ == "Move")

    def decide(state: Any, seat: str, command: Any) -> Any:
        if command.unit in state.units and state.units[command.unit].seat != seat:
            raise No("move.already-moved", "WAS-SEA-01", "It has moved.", "/unit").refused()
        return suite.game.decide(state, seat, command)

    assert wrong(suite.game, at) == []
    late = replace(suite.game, decide=decide)
    assert {each.partition(": ")[2] for each in wrong(late, at)} == {
        "move.already-moved, not unit.not-yours"
    }
