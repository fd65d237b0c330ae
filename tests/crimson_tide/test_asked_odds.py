"""Asking for odds measures nothing: every undeclared shot gets the same answer."""

from __future__ import annotations

import pytest

from domain.games.crimson_tide.game import GAME
from domain.games.crimson_tide.rules.commands import Attack, Move
from domain.kernel.rules import Refused
from domain.kernel.values import StepKey
from projections.odds import of_command
from tests.crimson_tide.seas import position

UNITS = [
    {"id": "p1-1", "card": "kms-bismarck", "pose": [250_000, 500_000, 0]},
    {"id": "p2-1", "card": "uss-boise", "pose": [400_000, 500_000, 0]},
    {"id": "p2-2", "card": "hms-exeter", "pose": [950_000, 1_450_000, 0]},
]


@pytest.mark.rule("CT-GEN-06")
@pytest.mark.parametrize("target", ["p2-1", "p2-2"])
@pytest.mark.parametrize("arc", ["starboard", "port"])
def test_odds_tell_not_even_whether_a_shot_would_roll(target: str, arc: str) -> None:
    """One of these four is possible; the others are out of range, arc or both."""
    state = position({"step": StepKey("surface-attack", "first"), "units": UNITS})
    with pytest.raises(Refused) as refused:
        of_command(GAME, state, "p1", Attack("p1-1", "primary", target, arc), measured=False)  # type: ignore[arg-type]
    assert (refused.value.code, refused.value.rule) == ("odds.unmeasured", "CT-GEN-06")


@pytest.mark.rule("CT-GEN-06")
def test_nor_whether_a_move_would_be_tested() -> None:
    state = position({"step": StepKey("movement", "first"), "units": UNITS})
    with pytest.raises(Refused) as refused:
        of_command(GAME, state, "p1", Move("p1-1", (0, 0)), measured=False)
    assert refused.value.code == "odds.unmeasured"
