"""The dice are added up as they would fall: against every roll of up to five dice, one by one."""

from __future__ import annotations

from collections import Counter
from itertools import product

import pytest

from domain.games.war_at_sea.rules.cards import CARDS
from domain.games.war_at_sea.rules.dice import successes, torpedo_hits
from domain.games.war_at_sea.rules.families.effects import Shot
from domain.games.war_at_sea.rules.odds import distribution

FACES = range(1, 7)
PENALTIES = range(-5, 4)
PLAIN = ("bismarck", "hms-cossack", "main")
SKIP_BOMB = ("il-2m-sturmovik", "hms-cossack", "bomb")
ONLY_SIXES = ("andrea-doria", "hms-hood", "main")


def shot(attacker: str, target: str, kind: str, reach: int = 0) -> Shot:
    return Shot(
        attacker=CARDS[attacker],
        target=CARDS[target],
        kind=kind,  # type: ignore[arg-type]
        range=reach,
        edition="2009",
        turn=1,
    )


@pytest.mark.rule("WAS-ATK-03")
@pytest.mark.parametrize("penalty", PENALTIES)
@pytest.mark.parametrize(
    ("who", "number"),
    [(PLAIN, n) for n in range(6)] + [(w, n) for w in (SKIP_BOMB, ONLY_SIXES) for n in range(4)],
)
def test_successes(who: tuple[str, str, str], number: int, penalty: int) -> None:
    each = shot(*who)
    gains = tuple(successes(each, penalty, (face,)) for face in FACES)
    thrown = Counter(successes(each, penalty, faces) for faces in product(FACES, repeat=number))
    assert distribution(number, gains) == thrown


def test_a_six_may_count_otherwise() -> None:
    """The cases above differ: two successes for a 6, or what the card says."""
    assert successes(shot(*PLAIN), 0, (6,)) == 2
    assert successes(shot(*SKIP_BOMB), 0, (6,)) != 2


@pytest.mark.rule("WAS-TORP-04")
@pytest.mark.parametrize("bonus", range(3))
@pytest.mark.parametrize("number", range(6))
def test_torpedo_hits(number: int, bonus: int) -> None:
    gains = tuple(torpedo_hits((face,), bonus) for face in FACES)
    thrown = Counter(torpedo_hits(faces, bonus) for faces in product(FACES, repeat=number))
    assert distribution(number, gains) == thrown


@pytest.mark.parametrize("number", [1, 7, 20, 40])
def test_all_ways_are_counted(number: int) -> None:
    assert sum(distribution(number, (0, 0, 0, 1, 1, 2)).values()) == 6**number
