"""The odds of an attack that is declared are those that its command had."""

from __future__ import annotations

import msgspec

from domain.games.war_at_sea.game import GAME
from domain.games.war_at_sea.rules import commands as c
from domain.games.war_at_sea.rules.odds import odds, prospects
from domain.kernel.setup import Setup
from tests.support.recorded import files, order, read
from tests.support.suites import suites

SOME = 40


def test_a_declared_attack_has_the_odds_of_its_command() -> None:
    suite, compared = suites()["war_at_sea"], 0
    for path in files(suite)[::4]:
        lines = read(path)
        state = GAME.fold(GAME.opening(msgspec.convert(lines[0]["setup"], Setup)))
        for line in lines[1:-1]:
            if "turn" in line:
                continue
            seat, command = order(suite, state, line)
            after = GAME.fold(GAME.decide(state, seat, command), state)
            found = prospects(after)
            if isinstance(command, c.Fire) and found is not None:
                assert found == odds(state, command)
                compared += 1
            state = after
            if compared == SOME:
                return
    raise AssertionError(f"only {compared} attacks")
