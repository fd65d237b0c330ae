"""Nobody reckons the odds of an attack before it is declared, while the battle goes on."""

from __future__ import annotations

import msgspec
import pytest

from domain.games.crimson_tide.game import GAME
from domain.kernel.game import Setup
from domain.kernel.rules import Refused
from service.odds import of_command
from tests.support.recorded import files, order, read
from tests.support.suites import suites


@pytest.mark.rule("CT-GEN-06")
def test_an_attack_is_not_reckoned_before_its_declaration() -> None:
    suite = suites()["crimson_tide"]
    lines = read(files(suite)[-1])
    state = GAME.fold(GAME.opening(msgspec.convert(lines[0]["setup"], Setup)))
    asked = 0
    for line in (each for each in lines[1:-1] if "turn" not in each):
        seat, command = order(suite, state, line)
        events = GAME.decide(state, seat, command)
        attacks = line.get("command", {}).get("type") == "attack"
        if attacks and GAME.awaiting(GAME.fold(events, state)) is not None:
            with pytest.raises(Refused) as refused:
                of_command(GAME, state, seat, command, measured=False)
            assert refused.value.code == "odds.unmeasured"
            assert of_command(GAME, state, seat, command, measured=True)
            asked += 1
        state = GAME.fold(events, state)
    assert asked
