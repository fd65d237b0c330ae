"""Exact odds of an attack that is declared and measured, before its dice fall.

Nobody may measure before declaring (CT-GEN-06), so there are no odds of a command. Sixes are rolled
again, so that hits have no end; what is above every rating is counted together. Whole numbers and
fractions only.
"""

from __future__ import annotations

from fractions import Fraction
from math import comb
from typing import Any

from ....kernel.chance import Faces
from ....kernel.chances import Chances, threshold
from ....kernel.values import CHANCE
from .attacks import marker
from .criticals import EXPLOSION
from .decide import decide
from .dice import TORPEDO_DAMAGE, beats, hits
from .evolve import evolve
from .facts import hull_left, sinking
from .state import Shot, State, Unit

SIDES = 6
CHECKS = ("concealment", "detection")
PARTS = ("attack", "torpedo", *CHECKS)
_AIR = {"miss": "miss", "hit": "aborted", "critical": "destroyed"}


def prospects(state: State) -> dict[str, Any] | None:
    """The odds of the attack whose dice are awaited as plain JSON; None where there is none.

    dice, least        dice of the next throw, and the least face of them that hits
    armor, critical    ratings that hits have to overcome; left out for torpedoes
    thrown             hits of the rounds that are thrown already
    hits               chance of each number of hits; the last one: so many or more
    outcomes           chance of each result, all rounds of sixes and open checks included
    expectedHullPoints hull points that it costs on average, the critical table left out
    destroyed          chance that it brings the target its DESTROYED counter, the critical table
                       with it; 0 for a target that has one
    """
    purpose, shot = state.purpose, state.shot
    if state.awaiting is None or purpose is None or shot is None or purpose.kind not in PARTS:
        return None
    through = _through(state)
    thrown = hits(purpose.rounds, shot.least.total)
    number = shot.dice.total if purpose.kind in CHECKS else state.awaiting.pools[0].count
    answer: dict[str, Any] = {"dice": number, "least": shot.least.total, "thrown": thrown}
    if shot.weapon == "torpedo":
        spread = _torpedoes(number)
        hull = through * Fraction(number * TORPEDO_DAMAGE, SIDES)
        answer["least"] = SIDES
        outcomes = {"hit": ONE - spread[0], "miss": spread[0]}
    else:
        answer |= {"armor": shot.armor.total, "critical": shot.critical.total}
        spread = _salvo(state, shot, number, thrown)
        outcomes = _outcomes(state, shot, spread)
        hull = Fraction(0) if shot.weapon == "aaw" else through * (ONE - outcomes.get("miss", 0))
    lost = through * _destroyed(state, shot, spread, outcomes)
    outcomes = {name: through * share for name, share in outcomes.items()}
    if through < ONE:
        outcomes["wasted"] = ONE - through
    return answer | {
        "hits": [{"count": n, **plain(share)} for n, share in spread.items() if share],
        "outcomes": [{"outcome": n, **plain(s)} for n, s in sorted(outcomes.items()) if s],
        "expectedHullPoints": plain(hull),
        "destroyed": plain(lost),
    }


ONE = Fraction(1)
SIXTH = Fraction(1, SIDES)


def plain(value: Fraction) -> dict[str, Any]:
    """A fraction without floats: exact, and rounded to thousandths."""
    thousandths = (value.numerator * 2000 + value.denominator) // (2 * value.denominator)
    return {"exact": f"{value.numerator}/{value.denominator}", "perMille": thousandths}


def _through(state: State) -> Fraction:
    """Chance that the checks that are still to come are passed: the rules read each face."""
    awaited, purpose = state.awaiting, state.purpose
    if awaited is None or purpose is None or purpose.kind not in CHECKS:
        return ONE
    chance = Fraction(0)
    for face in range(1, SIDES + 1):
        after = _after(state, face)
        if after.shot is not None:
            chance += _through(after) * SIXTH
    return chance


def _after(state: State, face: int) -> State:
    """The state when a check's die shows that face."""
    assert state.awaiting is not None
    for event in decide(state, CHANCE, Faces(state.awaiting.label, ((face,),))):
        state = evolve(state, event)
        if state.shot is None:
            return state
    return state


def _most(shot: Shot) -> int:
    """The least number of hits that overcomes every rating, whatever the option."""
    return max(shot.armor.total, shot.critical.total) + 1


def _salvo(state: State, shot: Shot, number: int, thrown: int) -> dict[int, Fraction]:
    """Chance of each number of hits of attack dice; the last one stands for all above, too."""
    most = max(_most(shot), thrown)
    one = exploding(shot.least.total, most)
    found = [ONE] + [Fraction(0)] * most
    for _ in range(number):
        found = _sum(found, one, most)
    shifted: dict[int, Fraction] = {}
    for count, share in enumerate(found):
        place = min(count + thrown, most)
        shifted[place] = shifted.get(place, Fraction(0)) + share
    return shifted


def exploding(least: int, most: int) -> list[Fraction]:
    """Chance of each number of hits of one die, a six twice and rolled again, up to ``most``.

    The last chance is that of ``most`` and all above.
    """
    found: list[Fraction] = []
    for count in range(most):
        share = Fraction(least - 1, SIDES) if count == 0 else Fraction(0)
        if count == 1:
            share = Fraction(SIDES - least, SIDES)
        if count >= 2:
            share += found[count - 2] * SIXTH
        found.append(share)
    return [*found, ONE - sum(found)]


def _sum(one: list[Fraction], two: list[Fraction], most: int) -> list[Fraction]:
    found = [Fraction(0)] * (most + 1)
    for a, share in enumerate(one):
        if not share:
            continue
        for b, more in enumerate(two):
            found[min(a + b, most)] += share * more
    return found


def _torpedoes(number: int) -> dict[int, Fraction]:
    """Each six is a hit, once."""
    whole = SIDES**number
    return {
        n: Fraction(comb(number, n) * (SIDES - 1) ** (number - n), whole) for n in range(number + 1)
    }


def _outcomes(state: State, shot: Shot, chances: dict[int, Fraction]) -> dict[str, Fraction]:
    found: dict[str, Fraction] = {}
    for number, share in chances.items():
        outcome = "miss"
        if beats(state, number, shot.armor.total):
            outcome = "critical" if beats(state, number, shot.critical.total) else "hit"
        name = _AIR[outcome] if shot.weapon == "aaw" else outcome
        found[name] = found.get(name, Fraction(0)) + share
    return found


def _destroyed(
    state: State, shot: Shot, spread: dict[int, Fraction], outcomes: dict[str, Fraction]
) -> Fraction:
    """Chance of the counter (CT-DMG-12): the last hull point, an aircraft shot down, an explosion.

    Losses of the turn that take effect later count already, as they do for the counter itself.
    """
    target = state.units[shot.target]
    if sinking(state, target):
        return Fraction(0)
    if shot.weapon == "aaw":
        return outcomes.get("destroyed", Fraction(0))
    left = hull_left(state, target) - target.pending
    if shot.weapon == "torpedo":
        return sum((s for n, s in spread.items() if n * TORPEDO_DAMAGE >= left), Fraction(0))
    critical = outcomes.get("critical", Fraction(0))
    if left <= 1:
        return critical + outcomes.get("hit", Fraction(0))
    return critical * _explosion(state, target)


def _explosion(state: State, target: Unit) -> Fraction:
    """Chance that the two dice of the critical table destroy the unit at once."""
    faces = range(1, SIDES + 1)
    results = [marker(state, target, one + two) for one in faces for two in faces]
    return Fraction(results.count(EXPLOSION.number), len(results))


def chances(state: State) -> Chances | None:
    """What the faces of the awaited throw are worth; None where no score is kept of it."""
    awaited, purpose, shot = state.awaiting, state.purpose, state.shot
    if awaited is None or purpose is None:
        return None
    if purpose.kind == "initiative":
        up = tuple(range(1, SIDES + 1))
        return Chances("initiative", state.seats[0], (up, tuple(-face for face in up)))
    if purpose.kind == "inbound":
        hit = (threshold(SIDES, SIDES),)
        return Chances("torpedo", awaited.owner, hit, (), "torpedo", purpose.other, purpose.unit)
    if shot is None or purpose.kind not in ("attack", "torpedo"):
        return None
    least, twice = (SIDES, 0) if purpose.kind == "torpedo" else (shot.least.total, SIDES)
    worth = (threshold(SIDES, least, twice),)
    kind = "torpedo" if purpose.kind == "torpedo" else "attack"
    return Chances(kind, awaited.owner, worth, (), shot.weapon, shot.attacker, shot.target)
