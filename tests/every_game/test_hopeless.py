"""An offer that is called hopeless does nothing to its target, whatever its dice show."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from random import Random
from typing import Any

import pytest

from domain.kernel.chance import Faces
from tests.support.stretches import of_recorded
from tests.support.suites import AnyGame, Suite, suites

pytestmark = pytest.mark.slow("conformance")

EVERY, MOST = 9, 1800
"""Of the first positions of the recorded games one in so many is looked at."""
AT_ONE = 40
"""So many offers of a seat, spread over its list, are looked at in a position."""
CHANGES = {"damaged", "lost", "left"}
TELLING = {"war_at_sea", "naval_battles"}
"""Games whose offers have odds: in Crimson Tide nobody measures before declaring."""


def offers(suite: Suite) -> Iterator[tuple[Any, str, Any]]:
    """State, seat and offered command, spread over the recorded games; no other attack is open."""
    game = suite.game
    for stretch in islice(of_recorded(suite), 0, MOST, EVERY):
        state = stretch.after
        alone = not getattr(state, "attacks", ())
        if game.result(state) is None and game.awaiting(state) is None and alone:
            for seat in {each.seat for each in game.pending(state)}:
                listed = game.legal(state, seat).commands
                yield from ((state, seat, each) for each in listed[:: len(listed) // AT_ONE + 1])


def hopeless(game: AnyGame, state: Any, command: Any) -> str:
    odds = game.odds(state, command)
    short = None if odds is None else game.odds_in_short(odds)
    return short.hopeless if short is not None else ""


def fall(awaited: Any, throw: str) -> Faces:
    """All dice at their most, all at their least, or as a generator has it."""
    chance = Random(throw)

    def face(sides: int) -> int:
        return {"most": sides, "least": 1}.get(throw) or chance.randint(1, sides)

    pools = ((each.count, each.sides) for each in awaited.pools)
    return Faces(awaited.label, tuple(tuple(face(sides) for _ in range(n)) for n, sides in pools))


def answer(game: AnyGame, state: Any) -> tuple[str, Any]:
    """The next question's answer: every card that helps the dice, else what is usual."""
    question = game.pending(state)[0]
    cards = [each for each in game.legal(state, question.seat).commands if hasattr(each, "cards")]
    if question.question == "planning" and cards:
        return question.seat, max(cards, key=lambda each: each.cards)
    return question.seat, game.usual(state, question)


def resolved(game: AnyGame, state: Any, seat: str, command: Any, throw: str) -> Iterator[Any]:
    """What the command leads to until its attack is over: each event, with its meanings."""
    thrown = False
    actor, given = seat, command
    while True:
        for event in game.decide(state, actor, given):
            yield from game.meaning(state, event)
            state = game.evolve(state, event)
        awaited = game.awaiting(state)
        going_on = any(getattr(state, name, None) for name in ("attack", "roll"))
        if game.result(state) is not None or (thrown and awaited is None and not going_on):
            return
        if awaited is not None:
            actor, given, thrown = "chance", fall(awaited, throw), True
        else:
            actor, given = answer(game, state)


@pytest.mark.parametrize("folder", sorted(suites()))
def test_what_is_hopeless_changes_nothing(folder: str) -> None:
    suite, met = suites()[folder], 0
    for state, seat, command in offers(suite):
        if not hopeless(suite.game, state, command):
            continue
        met += 1
        target = suite.game.describe(state, command).target
        assert target
        for throw in ("most", "least", f"{met}", f"again {met}"):
            roles = [*resolved(suite.game, state, seat, command, throw)]
            changed = [each for each in roles if each.role in CHANGES and each.unit == target]
            assert not changed, (command, throw)
    assert (met > 2) == (folder in TELLING)
