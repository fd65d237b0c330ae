"""What a card says about when an ability works agrees with how it is played."""

from __future__ import annotations

import pytest

from domain.games.war_at_sea.rules import abilities, errands
from domain.games.war_at_sea.rules.families.vocabulary import families
from domain.games.war_at_sea.rules.mechanisms import (
    airfield,
    sequels,
    shifts,
    shore,
    squadrons,
    upkeep,
)

BY_COMMAND = frozenset(
    {
        *airfield.MISSIONS,
        *sequels.DIRECTORS,
        *shifts.SHIFTS,
        *shore.INSTEAD_OF,
        *squadrons.LAUNCHES,
        *upkeep.FAMILIES,
        *errands.LEGS,
        *abilities._DOERS,
    }
)
"""Abilities that only their owner sets going, by a command; passing leaves them unused."""


@pytest.mark.parametrize("family", sorted(BY_COMMAND))
def test_what_its_owner_may_leave_unused_is_called_optional(family: str) -> None:
    assert families()[family].timing == "optional"
