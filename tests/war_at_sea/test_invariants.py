"""The watch over random battles notices what it is there for."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from domain.games.war_at_sea import GAME
from domain.games.war_at_sea.rules import events as ev
from domain.games.war_at_sea.rules.state import Lost, State
from domain.kernel.conformance import Nonconformance
from domain.kernel.values import StepKey
from tests.support.battle import table, unit
from tests.war_at_sea.invariants import check

ENDED = ev.PhaseEnded(phase="surface-attack")
TURN = ev.TurnEnded(turn=2, calm=0)


def sea() -> State:
    """Two Cruisers and a squadron."""
    return table(
        "2009",
        unit("p1-1", "duca-d-aosta", "5.5"),
        unit("p2-1", "hmas-canberra", "9.7"),
        unit("p2-2", "f4f-wildcat"),
        step=StepKey("surface-attack", "end"),
        turn=2,
    )


def with_unit(state: State, name: str, **fields: object) -> State:
    """One unit changed."""
    return replace(state, units={**state.units, name: replace(state.units[name], **fields)})


def without(state: State, name: str) -> State:
    """One unit gone."""
    return replace(state, units={key: u for key, u in state.units.items() if key != name})


def crowd(state: State) -> State:
    """Five Cruisers of one side in one sector."""
    more = {f"p1-{n}": replace(state.units["p1-1"], id=f"p1-{n}") for n in range(2, 7)}
    return replace(state, units={**state.units, **more})


LOST = Lost("p1-1", "duca-d-aosta", "p1", 2, "damage", 11)

BROKEN: dict[str, tuple[ev.AnyEvent, Callable[[State], State]]] = {
    "in play and lost": (ENDED, lambda s: replace(s, lost=(LOST,))),
    "lost twice": (ENDED, lambda s: replace(without(s, "p1-1"), lost=(LOST, LOST))),
    "vanished": (ENDED, lambda s: without(s, "p1-1")),
    "there is no sector": (ENDED, lambda s: with_unit(s, "p1-1", sector="99.9")),
    "without a sector": (ENDED, lambda s: with_unit(s, "p1-1", sector="")),
    "without sector or base": (ENDED, lambda s: with_unit(s, "p2-2", base="")),
    "hull points": (ENDED, lambda s: with_unit(s, "p1-1", damage=3)),
    "is about to lose": (ENDED, lambda s: with_unit(s, "p1-1", pending=-1)),
    "scored": (ENDED, lambda s: replace(s, scores={"p1": 10, "p2": 0})),
    "claimed and open": (ENDED, lambda s: replace(s, claimed={s.objectives[0]: "p1"})),
    "may stay": (ENDED, crowd),
    "not in play": (TURN, lambda s: with_unit(s, "p2-2", base="p2-9")),
    "it has 0 places": (TURN, lambda s: with_unit(s, "p2-2", base="p2-1")),
}


@pytest.mark.parametrize("why", BROKEN)
def test_a_breach_is_noticed(why: str) -> None:
    event, breaking = BROKEN[why]
    with pytest.raises(Nonconformance, match=why):
        check(sea(), event, breaking(sea()))


@pytest.mark.parametrize("event", [ENDED, TURN])
def test_a_sound_table_passes(event: ev.AnyEvent) -> None:
    before = sea()
    check(before, event, GAME.evolve(before, event))
