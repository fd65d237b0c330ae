"""Whatever an event or a refusal cites can be looked up."""

from __future__ import annotations

from domain.games.war_at_sea import GAME
from domain.games.war_at_sea.rules.families.played import implemented
from domain.games.war_at_sea.rules.families.vocabulary import families


def test_every_ability_has_a_rule_that_is_served() -> None:
    served = {rule.id: rule for rule in GAME.catalogue.rules()}
    assert len(served) == len(GAME.catalogue.rules())
    for slug, family in families().items():
        rule = served[family.id]
        if rule.area == "CARD":
            assert rule.text == family.text
            assert (rule.status == "done") is (slug in implemented())
