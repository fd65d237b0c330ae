"""A new ability of a known kind is one file: nothing else of the game knows its name."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
import pytest

from domain.games.war_at_sea.rules import commands as c
from domain.games.war_at_sea.rules.cards import AbilityRef
from domain.games.war_at_sea.rules.families.vocabulary import Family, families
from domain.kernel.values import StepKey
from tests.support.battle import catalogues, given, unit

from .test_circumstances import _forget

FILE = """
id = "WAS-CARD-sharp-lookout"
name = "Sharp Lookout"
text = "Once a game, targeted by a bomb attack: May roll a die; on 3+ the attack misses."
timing = "optional"
limit = "game"

[[effects]]
word = "dodge"
attack = "bomb"
needed = 3
"""
SLUG, CARD = "sharp-lookout", "naka-with-a-lookout"


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The file is there, and a card has the ability."""
    monkeypatch.setitem(families(), SLUG, msgspec.toml.decode(FILE, type=Family))
    for cards in catalogues():
        card = msgspec.structs.replace(cards["naka"], id=CARD, abilities=(AbilityRef(SLUG),))
        monkeypatch.setitem(cards, CARD, card)
    _forget()
    yield
    _forget()


@pytest.mark.usefixtures("written")
@pytest.mark.parametrize(("face", "result"), [(3, "no-effect"), (2, "")])
def test_a_new_ability_of_a_known_kind_is_one_file(face: int, result: str) -> None:
    battle = given(
        "2009",
        unit("p1-1", "ju-87b-stuka", "5.4", base="airbase"),
        unit("p2-1", CARD, "5.4"),
        step=StepKey("air-attack", "first"),
        turn=2,
    )
    battle.act("p1", c.Fire("p1-1", "bomb", "p2-1"))
    battle.act("p2", c.Use("p2-1", SLUG)).roll([face])
    assert battle.saw("ability-rolled").result == result
    assert battle.unit("p2-1").spent == (SLUG,)
