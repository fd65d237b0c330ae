"""Every family of abilities is shown at least twice: it acts, and it rests when it should.

What shows it is an example of its own file or a numbered case, played with and without the ability
(../ablation.py). A case shows that an ability rests only if its title names the ability: a Ship
that merely lies in the same battle proves nothing about its mines.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from typing import Any

import msgspec
import pytest

from domain.games.war_at_sea.rules.cards import CARDS
from domain.games.war_at_sea.rules.families import effects
from domain.games.war_at_sea.rules.families.played import implemented
from domain.games.war_at_sea.rules.families.vocabulary import Example, Expected, families
from tests.war_at_sea.ablation import acts_in, holders, loaded, matters

from .test_examples import outcome

NOTHING_TO_ACT_ON = {"battery-silencer": ("Shore Battery", "Installation")}
"""A family that acts on units of which there is none yet, and of which types they would be."""


def shown(family: str) -> Iterator[tuple[str, bool]]:
    """What shows the family, and whether it acts there; what is about it comes first."""
    for example in families()[family].examples:
        if on_stage(example, family):
            yield example.text, matters(family, partial(result, example))
    held = [case for case in loaded() if case["id"] in holders().get(family, ())]
    for case in sorted(held, key=lambda case: not about(case, family)):
        acts = acts_in(family, case)
        if acts or about(case, family):
            yield case["id"], acts


def on_stage(example: Example, family: str) -> bool:
    scene = example.scene
    named = (scene.attacker, scene.target, *scene.friends, *scene.guards, *scene.adjacent)
    return any(effects.has(CARDS[name], family) for name in (*named, *scene.fleet))


def result(example: Example) -> Expected:
    """What an example comes to. That an ability may be declared is not yet that it acts."""
    found = outcome(example.scene, example.expect.successes)
    return msgspec.structs.replace(found, declarable=None)


def about(case: dict[str, Any], family: str) -> bool:
    name = families()[family].name.replace("{n}", "").partition("(")[0].strip()
    return re.search(rf"\b{re.escape(name)}\b", case["title"], re.IGNORECASE) is not None


@pytest.mark.parametrize("family", sorted(implemented() - NOTHING_TO_ACT_ON.keys()))
def test_a_family_is_shown_to_act_and_to_rest(family: str) -> None:
    found: dict[bool, str] = {}
    for name, acts in shown(family):
        found.setdefault(acts, name)
        if len(found) == 2:
            return
    pytest.fail(f"{family} is never shown to {'rest' if True in found else 'act'}: {found}")


@pytest.mark.parametrize(("family", "types"), NOTHING_TO_ACT_ON.items())
def test_a_family_that_cannot_act_yet_really_cannot(family: str, types: tuple[str, ...]) -> None:
    assert not any(effects.is_a(card, whom) for card in CARDS.values() for whom in types)
    assert not any(acts for _, acts in shown(family))
