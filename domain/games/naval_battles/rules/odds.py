"""Exact odds of a die before it is thrown, from what lies open on the table.

An attack is reckoned as if nobody defended it: what others hold is not asked, so the answer is the
same whatever it is.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from msgspec.structs import replace

from ....kernel.chances import Chances, Outcome, threshold
from ....kernel.rules import Refused
from ....kernel.tally import Tally
from . import commands as c
from . import events as ev
from . import facts, reckoning, rolling
from .cards import planning, torpedo_spread
from .decide import decide
from .sequence import battle
from .state import Attack, State

SIDES = 6


def odds(state: State, command: c.AnyCommand) -> dict[str, Any] | None:
    """The odds of the die that a command leads to; None where there is none, or it is refused.

    needed     what die and additions must reach, with reasons
    added      what is added to the die
    success    chance as numerator and denominator
    planning   the same with one Planning card more, up to those that lie unused
    """
    roll = _roll(state, command)
    return _answer(*roll) if roll is not None else None


def _roll(state: State, command: c.AnyCommand) -> tuple[Tally, int, int] | None:
    """What is needed, what is added, and how many Planning cards could help besides."""
    seats = battle().asked(state)
    if not seats:
        return None
    seat = seats[0]
    found: tuple[Tally, int] | None = None
    match command:
        case c.Plan():
            return _planned(state, command)
        case c.AirRaid() | c.LandRaid() | c.AimRaid() | c.DeclareAttack():
            found = _declared(state, seat, command)
        case c.AirCover() | c.RunSilent():
            found = _defended(state, seat, command)
        case _:
            return None
    if found is None:
        return None
    return (*found, len(planning.unused(state, seat)))


def _planned(state: State, command: c.Plan) -> tuple[Tally, int, int] | None:
    roll = rolling.window(state)
    if roll is None or rolling.why_not_plan(state, roll.seat, command) is not None:
        return None
    planned = replace(roll, planned=command.cards)
    added = sum(reason.value for reason in reckoning.added(planned))
    left = len(planning.unused(state, roll.seat)) - command.cards
    return reckoning.needed(state, roll), added, left


def _taken(state: State, seat: str, command: c.AnyCommand) -> tuple[ev.AnyEvent, ...]:
    try:
        return decide(state, seat, command)
    except Refused:
        return ()


def _declared(state: State, seat: str, command: c.AnyCommand) -> tuple[Tally, int] | None:
    events = _taken(state, seat, command)
    declared = next((e for e in events if isinstance(e, ev.AttackDeclared)), None)
    if declared is None:
        return None
    attack = declared.attack
    if attack.kind == "torpedo-spread":
        guidance = sum(reason.value for reason in torpedo_spread.guidance(attack.ships[0]))
        return torpedo_spread.needed(), guidance
    return (reckoning.raid_needed(state, attack), 0) if attack.needed else None


def _defended(
    state: State, seat: str, command: c.AirCover | c.RunSilent
) -> tuple[Tally, int] | None:
    if not _taken(state, seat, command):
        return None
    if isinstance(command, c.AirCover):
        return reckoning.cover_needed(command.carrier), 0
    attack = facts.attack(state, command.attack)
    assert isinstance(attack, Attack)
    return reckoning.silence_needed(attack.target), 0


def chance(needed: int, added: int) -> Fraction:
    """How likely one die and what is added reach the number."""
    ways = min(SIDES, max(0, SIDES + added - needed + 1))
    return Fraction(ways, SIDES)


def _answer(needed: Tally, added: int, planning_: int) -> dict[str, Any]:
    return {
        "needed": needed.total,
        "reasons": [
            {"value": r.value, "label": r.label, "rule": r.rule, "source": r.source}
            for r in needed.reasons
        ],
        "added": added,
        "success": _plain(chance(needed.total, added)),
        "planning": [
            _plain(chance(needed.total, added + planning.BONUS * n))
            for n in range(1, planning_ + 1)
        ],
    }


def _plain(share: Fraction) -> dict[str, int]:
    return {"numerator": share.numerator, "denominator": share.denominator}


def prospects(state: State) -> dict[str, Any] | None:
    """The odds of the open die that is awaited; None where there is none."""
    roll = state.roll
    if state.awaiting is None or roll is None:
        return None
    added = sum(reason.value for reason in reckoning.added(roll))
    return _answer(reckoning.needed(state, roll), added, 0)


def chances(state: State) -> Chances | None:
    """Success is worth 1; None for draws and the roll for the first turn."""
    roll = state.roll
    if state.awaiting is None or roll is None:
        return None
    added = sum(reason.value for reason in reckoning.added(roll))
    least = min(max(reckoning.needed(state, roll).total - added, 1), SIDES + 1)
    attack = facts.attack(state, roll.attack)
    return Chances(
        kind=roll.kind,
        seat=roll.seat,
        worth=(threshold(SIDES, least),),
        outcomes=(Outcome("failure", 0), Outcome("success", 1)),
        weapon="" if attack is None else attack.kind,
        unit=roll.ship,
        target="" if attack is None else attack.target,
    )


__all__ = ["chance", "chances", "odds", "prospects"]
