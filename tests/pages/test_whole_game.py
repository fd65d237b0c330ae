"""Two browsers bring a real game to its end: bots play most of it, people the last moves.

``python -m tests.campaigns.pages`` does it with every ruleset.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.support.server import Running

from .conftest import Person
from .whole import Wish, played_to_the_end

People = Callable[..., Person]


@pytest.mark.slow("clients")
def test_a_naval_battle_is_played_to_its_end_by_its_rules(person: People, server: Running) -> None:
    narrow = person(viewport={"width": 420, "height": 850})
    played_to_the_end(Wish("naval-battles"), server.url, person(), narrow)
