"""Every event that decides something names its rule; what came to nothing says why.

Nor does an event or a refusal of one edition rest on a rule that holds in another only. Numbered
cases are held to all of it too (tests/support/cases.py): they come where random games seldom do.
"""

from __future__ import annotations

import msgspec
import pytest

from domain.games.war_at_sea.rules import events as was
from domain.kernel.values import StepKey
from tests.support import reasons
from tests.support.battle import given
from tests.support.recorded import files, read, replay
from tests.support.suites import Suite, suites

pytestmark = pytest.mark.slow("conformance")

SUITES = pytest.mark.parametrize("suite", suites().values(), ids=lambda suite: suite.folder)
SEEDS = 8
"""Random games of each ruleset that are looked at here; the recorded ones come besides."""


@SUITES
@pytest.mark.parametrize("seed", range(SEEDS))
def test_in_random_games_what_decides_names_its_rule(suite: Suite, seed: int) -> None:
    found = set(reasons.faults(suite.game, None, suite.sample(seed)))
    assert not found, "\n".join(sorted(found))


@SUITES
def test_in_recorded_games_what_decides_names_its_rule(suite: Suite) -> None:
    for path in files(suite):
        found = set(reasons.faults(suite.game, None, replay(suite, read(path)).events))
        assert not found, "\n".join([path.name, *sorted(found)])


@SUITES
def test_what_may_come_to_nothing_did_and_did_not(suite: Suite) -> None:
    """The lists of what came to nothing are no dead letters: each entry has seen both."""
    tables = suite.game.tables
    assert tables is not None
    seen: dict[type, set[bool]] = {kind: set() for kind in tables.vain}
    for path in files(suite):
        state = None
        for event in replay(suite, read(path)).events:
            if type(event) in tables.vain:
                seen[type(event)].add(tables.vain[type(event)](state, event) is not None)
            state = suite.game.evolve(state, event)
    assert {kind.__name__ for kind, both in seen.items() if True not in both} <= RARELY_VAIN


RARELY_VAIN = {"CarrierLossRolled", "AttackIgnored", "ConcealmentRolled", "EvasionRolled"}
"""What comes to nothing in numbered cases only."""


# --- a reason that lacks is named ---------------------------------------------------------------


def test_a_rule_that_lacks_is_named() -> None:
    state, events = None, suites()["war_at_sea"].sample(0)
    game = suites()["war_at_sea"].game
    bare = [msgspec.structs.replace(each, rules=()) for each in events[:40]]
    told = list(reasons.faults(game, state, bare))
    assert any(each.startswith("game-opened names no rule") for each in told)
    assert not any(each.startswith("step-began") for each in told)


def test_a_rule_that_nobody_knows_is_named() -> None:
    game, (opened, *_) = suites()["war_at_sea"].game, suites()["war_at_sea"].sample(0)
    other = msgspec.structs.replace(opened, rules=("WAS-0",))
    (told,) = reasons.faults(game, None, [other])
    assert told == "game-opened names WAS-0, which is no rule of War at Sea"


@pytest.mark.parametrize(("rule", "edition"), [("WAS-SUBA-04", "2007"), ("WAS-TORP-02", "2009")])
def test_a_rule_of_another_edition_is_named(rule: str, edition: str) -> None:
    game, state = suites()["war_at_sea"].game, given(edition).state
    event = was.StepBegan(step=StepKey("sea-movement", "first"), rules=(rule,))
    assert reasons.foreign(game, state, event.rules) == [rule]
    (told,) = reasons.faults(game, state, [event])
    assert told == f"step-began names {rule}, which does not hold in {edition}"
    other = given("2009" if edition == "2007" else "2007").state
    assert not reasons.foreign(game, other, event.rules)


def test_an_attack_that_does_not_say_what_undid_it_is_named() -> None:
    state = None
    game = suites()["war_at_sea"].game
    vain = was.AttackResolved(
        attacker="p1-1", weapon="main", target="p2-1", outcome="no-effect", rules=("RUL-36",)
    )
    assert game.tables is not None
    vain_of = game.tables.vain[was.AttackResolved]
    assert vain_of(state, vain) == ""
    assert vain_of(state, msgspec.structs.replace(vain, because="aborted"))
    assert vain_of(state, msgspec.structs.replace(vain, outcome="hit")) is None
