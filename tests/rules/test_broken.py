"""Every rule in code is proved: one of its tests notices when its home is broken.

What has a verdict that holds (``tests/rules/broken``) is believed; what changed since, or is new,
is broken here and now. ``make remake`` (``python -m tests.rules.breaking --write``) keeps what is
found. What survives is named in ``unproved.toml``.
"""

from __future__ import annotations

import pytest

from domain.kernel.rules import HOMES
from tests.rules.audit import audit_game, games
from tests.rules.breaker import game_of
from tests.rules.breaking import asked, run
from tests.rules.verdicts import load, unproved

SECONDS = 150.0
"""Of the processor, that each of two processes may take: CI waits three minutes at most."""
AGAIN = "python -m tests.rules.breaking --write"


def in_code(game: str) -> set[str]:
    audit_game(game, {})
    return {identifier for identifier, code in HOMES.items() if game_of(code) == game}


@pytest.mark.timeout(900)
def test_every_rule_dies_when_its_home_is_broken() -> None:
    verdicts = run(asked(games(), seconds=SECONDS)).verdicts
    found = {rule: each for by_rule in verdicts.values() for rule, each in by_rule.items()}
    late = {rule for game in games() for rule in in_code(game)} - found.keys()
    assert sorted(late) == [], f"so many changed that there was no time for these: {AGAIN}"
    alive = {rule for rule, each in found.items() if not each.killed}
    assert sorted(alive - unproved().keys()) == [], "no test notices when these are broken"
    assert sorted(unproved().keys() - alive) == [], "proved by now: take them off unproved.toml"


def test_what_is_owed_is_a_rule_in_code() -> None:
    assert unproved().keys() <= {rule for game in games() for rule in in_code(game)}


@pytest.mark.parametrize("game", games())
def test_verdicts_are_kept_of_rules_in_code_only(game: str) -> None:
    assert load(game).keys() <= in_code(game)
