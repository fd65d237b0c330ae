"""Every rule in code is proved: one of its tests notices when its home is broken.

What has a verdict that holds (``tests/rules/broken``) is believed; what changed since, or is new,
is broken here and now. ``python -m tests.rules.breaking --write`` keeps what is found.
"""

from __future__ import annotations

from functools import cache

import pytest

from domain.kernel.rules import HOMES
from tests.rules.audit import audit_game, games
from tests.rules.breaker import game_of
from tests.rules.breaking import Found, asked, run
from tests.rules.verdicts import load

SECONDS = 150.0
"""Of the processor, that each of two processes may take: CI waits three minutes at most."""
AGAIN = "python -m tests.rules.breaking --write"


@cache
def found() -> Found:
    return run(asked(games(), seconds=SECONDS))


def in_code(game: str) -> set[str]:
    audit_game(game, {})
    return {identifier for identifier, code in HOMES.items() if game_of(code) == game}


@pytest.mark.timeout(900)
@pytest.mark.parametrize("game", games())
def test_every_rule_dies_when_its_home_is_broken(game: str) -> None:
    verdicts = found().verdicts[game]
    late = sorted(in_code(game) - verdicts.keys())
    assert late == [], f"so many changed that there was no time for these: {AGAIN}"
    assert sorted(rule for rule, each in verdicts.items() if not each.killed) == []


@pytest.mark.parametrize("game", games())
def test_verdicts_are_kept_of_rules_in_code_only(game: str) -> None:
    assert load(game).keys() <= in_code(game)
