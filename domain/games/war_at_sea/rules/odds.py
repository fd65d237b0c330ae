"""Exact odds of an attack, before a die is thrown.

The attack is declared by the engine itself, so every number comes from the same tallies that a real
attack would have; then the dice are added up (convolution) instead of thrown. Whole numbers and
fractions only. Optional abilities that a seat is asked about after the roll are not used.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from math import comb
from typing import Any

from msgspec.structs import replace

from ....kernel.chances import Chances as Counted
from ....kernel.chances import Outcome
from ....kernel.flow import Flow
from ....kernel.rules import Refused
from . import attacks, concealment, dice, purposes
from . import commands as c
from . import events as ev
from .aftermath import outcome_of
from .concealment import result_of
from .decide import decide
from .evolve import evolve
from .facts import card_of, sinking
from .families import hooks
from .families.effects import Shot, bears, dooming_roll, negations, of_family, saves
from .futile import is_attack
from .mechanisms import before, luck, relief
from .state import Attack, State, Unit

SIDES = 6
SIXES = 1000
"""Marks a natural 6 in a count, so that one convolution counts successes and sixes together."""

ONE = Fraction(1)
Chances = dict[str, Fraction]


def odds(state: State, command: c.AnyCommand) -> dict[str, Any] | None:
    """The odds of an attack as plain JSON; None for any other command, or one that is refused.

    An ability that is an attack when it is used (Ram, Swarm Tactics) is one here too.

    dice, eachDie          what is rolled
    armor, vitalArmor      what must be reached; left out for torpedoes, of which each 6 hits
    rolls                  ways to get each number of successes (torpedoes: hits), out of ``of``
    outcomes               chance of each result, all automatic abilities and concealment included
    lost                   chance that the target leaves play at the end of the phase; what may keep
                           it then (Determination) is counted in, and what has doomed it already
    expectedHullPoints     hull points that it costs on average; destruction costs all that are
                           left: none of what is lost already
    badLuck                where the attacker has it: the chance that its own roll brings Bad Luck
    """
    opened = _declared(state, command) if _opens_attack(command) else None
    return None if opened is None else _reckoned(opened)


def prospects(state: State) -> dict[str, Any] | None:
    """The same for an attack that is declared, whose dice or whose first die are awaited."""
    purpose, attack = state.purpose, state.attack
    if purpose is None or attack is None or state.awaiting is None or attack.faces:
        return None
    return _reckoned(state) if type(purpose) is purposes.AttackDice else None


def _reckoned(opened: State) -> dict[str, Any]:
    """The odds of the attack that is open."""
    attack, _, target, shot = attacks.open_shot(opened)
    rolls = _rolls(opened, attack, shot)
    outcomes, lost, hull = _chances(opened, attack, target, shot, rolls)
    answer: dict[str, Any] = {"dice": attack.dice.total, "eachDie": attack.die.total}
    if attack.weapon != "torpedo":
        answer |= {"armor": attack.armor.total, "vitalArmor": attack.vital.total}
    ones = luck.needed(opened, attack)
    if ones:
        answer["badLuck"] = _plain(_unlucky(attack.dice.total, ones))
    return answer | {
        "of": str(sum(rolls.values())),
        "rolls": [{"count": n, "ways": str(ways)} for n, ways in _by_count(rolls).items()],
        "outcomes": [{"outcome": name, **_plain(chance)} for name, chance in outcomes.items()],
        "lost": _plain(lost),
        "expectedHullPoints": _plain(hull),
    }


def _plain(value: Fraction) -> dict[str, Any]:
    """A fraction without floats: exact, and rounded to thousandths."""
    thousandths = (value.numerator * 2000 + value.denominator) // (2 * value.denominator)
    return {"exact": f"{value.numerator}/{value.denominator}", "perMille": thousandths}


def _opens_attack(command: c.AnyCommand) -> bool:
    return isinstance(command, c.Fire) or (
        isinstance(command, c.Use) and is_attack(command.ability)
    )


def _declared(state: State, command: c.AnyCommand) -> State | None:
    """The state with the attack declared and its dice awaited."""
    assert isinstance(command, c.Fire | c.Use)
    unit = state.units.get(command.unit)
    if unit is None:
        return None
    try:
        events = decide(state, unit.seat, command)
    except Refused:
        return None
    for event in events:
        state = evolve(state, event)
    return state if state.attack is not None and not state.attack.faces else None


# --- the dice ------------------------------------------------------------------------------------


def _rolls(state: State, attack: Attack, shot: Shot) -> dict[int, int]:
    """Ways to roll each count; natural 6s are counted too where they may doom a unit.

    Where a mount may jam, the die for it is one more die of the roll.
    """
    number = attack.dice.total
    gains = tuple(_gain(attack, shot, face) for face in range(1, SIDES + 1))
    if dooming_roll(shot, (SIDES,) * number):
        gains = (*gains[:-1], gains[-1] + SIXES)
    whole = distribution(number, gains)
    jams = [f for f in before.flaws(state, attack) if of_family(f, hooks.Jam)]
    if not jams:
        return whole
    left = before.jammed(attack, jams[0]).dice.total
    mixed = {count: (SIDES - 1) * ways for count, ways in whole.items()}
    for count, ways in distribution(left, gains).items():
        mixed[count] = mixed.get(count, 0) + ways * SIDES ** (number - left)
    return dict(sorted(mixed.items()))


def _unlucky(number: int, ones: int) -> Fraction:
    """Chance of so many 1s or more with ``number`` dice."""
    ways = distribution(number, (1,) + (0,) * (SIDES - 1))
    return Fraction(sum(n for count, n in ways.items() if count >= ones), SIDES**number)


def _gain(attack: Attack, shot: Shot, face: int) -> int:
    if attack.weapon == "torpedo":
        return dice.torpedo_hits((face,), attack.die.total)
    return dice.successes(shot, attack.die.total, (face,))


@lru_cache(maxsize=4096)
def distribution(number: int, gains: tuple[int, ...]) -> dict[int, int]:
    """In how many ways ``number`` dice, each worth ``gains[face - 1]``, come to each total.

    The ways add up to ``len(gains) ** number``. Do not change the answer: it is kept.
    """
    if not number:
        return {0: 1}
    found: dict[int, int] = {}
    for total, ways in distribution(number - 1, gains).items():
        for gain in gains:
            found[total + gain] = found.get(total + gain, 0) + ways
    return dict(sorted(found.items()))


def _by_count(rolls: dict[int, int]) -> dict[int, int]:
    found: dict[int, int] = {}
    for mark, ways in rolls.items():
        found[mark % SIXES] = found.get(mark % SIXES, 0) + ways
    return dict(sorted(found.items()))


# --- what follows --------------------------------------------------------------------------------


def _chances(
    state: State, attack: Attack, target: Unit, shot: Shot, rolls: dict[int, int]
) -> tuple[Chances, Fraction, Fraction]:
    """Chance of each outcome, chance that the target is lost, and mean hull points."""
    outcomes: Chances = {}
    lost, hull = Fraction(0), Fraction(0)
    doomed = sinking(state, target)
    left = card_of(state, target).hull_points - target.damage - target.pending
    spared = bears(card_of(state, target), hooks.Spared)
    kept = Fraction(SIDES + 1 - spared[1].needed, SIDES) if spared else 0
    whole = sum(rolls.values())
    hiding = _hiding(state, attack)
    for mark, ways in rolls.items():
        landed = replace(attack, faces=(SIDES,) * (mark // SIXES), successes=mark % SIXES)
        for chance, outcome, points in _results(state, landed, target, shot, hiding):
            share = chance * Fraction(ways, whole)
            outcomes[outcome] = outcomes.get(outcome, Fraction(0)) + share
            if doomed:
                lost += share * (1 - kept)
            elif outcome == "destroyed" or points >= left > 0:
                lost += share * (1 - kept)
                hull += share * (left - kept if left > 0 else left)
            else:
                hull += share * min(points, left)
    return dict(sorted(outcomes.items())), lost, hull


def _hiding(state: State, attack: Attack) -> Fraction:
    """Chance that concealment makes a hit miss: the engine reads each face."""
    if not concealment.hidden(state, attack):
        return Fraction(0)
    hidden = 0
    for face in range(1, SIDES + 1):
        flow: Flow[State, ev.AnyEvent] = Flow(state, evolve)
        concealment.rolled(flow, face)
        hidden += sum(isinstance(e, ev.ConcealmentRolled) and e.concealed for e in flow.events)
    return Fraction(hidden, SIDES)


def _results(
    state: State, attack: Attack, target: Unit, shot: Shot, hiding: Fraction
) -> Iterator[tuple[Fraction, str, int]]:
    """(chance, outcome, damage) of an attack whose dice are down."""
    duds = before.dud_faces(state.units[attack.attacker], state, attack.weapon)
    through = ONE - Fraction(duds, SIDES)
    if result_of(attack) != "miss":
        through *= ONE - hiding
        for each in negations(shot):
            through *= Fraction(each.needed - 1, SIDES)
    if through < ONE:
        yield ONE - through, *_concluded(state, replace(attack, cancelled="chance"), target, shot)
    for share, softened in _softened(state, attack, target):
        for chance, saved in _saved(softened, target, shot, through):
            yield chance * share, *_concluded(state, replace(softened, saved=saved), target, shot)


def _softened(state: State, attack: Attack, target: Unit) -> Iterator[tuple[Fraction, Attack]]:
    """Chances of how much Torpedo Protection takes off, as the attack that is left."""
    protection = relief.protected(state, attack, target)
    if protection is None:
        yield ONE, attack
        return
    hits, works = attack.successes, SIDES + 1 - protection[1].needed
    for less in range(hits + 1):
        ways = comb(hits, less) * works**less * (SIDES - works) ** (hits - less)
        marks = (f"{protection[0].family}/less",) * less
        yield Fraction(ways, SIDES**hits), replace(attack, tried=attack.tried + marks)


def _saved(
    attack: Attack, target: Unit, shot: Shot, through: Fraction
) -> Iterator[tuple[Fraction, str]]:
    """Chances of what replaces destruction (empty: nothing does), each ability in its turn."""
    if attack.weapon != "torpedo" and result_of(attack) == "destroyed":
        for each in saves(shot, attack.successes, attack.vital.total):
            if each.family not in target.spent:
                works = Fraction(SIDES + 1 - each.needed, SIDES) if each.needed else ONE
                yield through * works, each.result
                through *= ONE - works
    if through:
        yield through, ""


def _concluded(state: State, attack: Attack, target: Unit, shot: Shot) -> tuple[str, int]:
    """Outcome and damage, a roll that dooms the target included."""
    if dooming_roll(shot, attack.faces) and not attack.cancelled and not target.doomed:
        return "destroyed", 0
    return outcome_of(state, attack, target, shot)


# --- the dice of one roll ------------------------------------------------------------------------


def chances(state: State) -> Counted | None:
    """What the faces of the awaited roll are worth; None where no score is kept of it."""
    awaited, purpose = state.awaiting, state.purpose
    if awaited is None or purpose is None:
        return None
    if type(purpose) is purposes.Initiative:
        up = tuple(range(1, SIDES + 1))
        return Counted("initiative", state.seats[0], (up, tuple(-face for face in up)))
    throws = type(purpose) in (purposes.AttackDice, purposes.Reroll)
    if not throws or state.attack is None:
        return None
    attack, unit, target, shot = attacks.open_shot(state)
    worth = tuple(_gain(attack, shot, face) for face in range(1, SIDES + 1))
    torpedo = attack.weapon == "torpedo"
    levels = [(1, "hit")] if torpedo else _levels(attack)
    outcomes = (Outcome("miss", 0), *(Outcome(name, least) for least, name in levels))
    kind = "torpedo" if torpedo else "attack"
    return Counted(kind, awaited.owner, (worth,), outcomes, attack.weapon, unit.id, target.id)


def _levels(attack: Attack) -> list[tuple[int, str]]:
    """From how many successes on an attack hits, and destroys."""
    armor, vital = attack.armor.total, attack.vital.total
    return [(vital, "destroyed")] if vital <= armor else [(armor, "hit"), (vital, "destroyed")]
