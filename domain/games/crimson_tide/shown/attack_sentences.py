"""Attacks in sentences: what was measured, what was rolled, and what came of it."""

from __future__ import annotations

from typing import assert_never

from ....kernel.shown.wording import count
from ..rules import events as ev
from ..rules.state import Seen, Shot, State
from . import names
from .names import unit_name

AttackEvent = (
    ev.AttackDeclared
    | ev.AttackMeasured
    | ev.AttackWasted
    | ev.ConcealmentRolled
    | ev.DetectionRolled
    | ev.AttackResolved
    | ev.CriticalRolled
    | ev.TorpedoesLaunched
    | ev.TorpedoesChecked
)


def attack(state: State | None, event: AttackEvent) -> str:
    """The sentence of one event of an attack."""
    match event:
        case ev.AttackDeclared():
            unit, target = unit_name(state, event.attacker), unit_name(state, event.target)
            return f"{unit} {names.attack_words(event.weapon, target, event.arc)}."
        case ev.AttackMeasured():
            return _measured(state, event.shot)
        case ev.AttackWasted():
            return _wasted(state, event)
        case ev.ConcealmentRolled():
            result = "seen" if event.passed else "not seen"
            target = unit_name(state, event.target)
            return f"Concealment: {event.face}, {event.needed} needed: {target} is {result}."
        case ev.DetectionRolled():
            result = "detected" if event.detected else "not detected"
            target = unit_name(state, event.target)
            return f"Detection: {event.face}, {event.needed} needed: {target} is {result}."
        case ev.AttackResolved():
            return _resolved(state, event)
        case ev.CriticalRolled():
            return _critical(state, event)
        case ev.TorpedoesLaunched():
            many = count(event.inbound.number, "torpedo marker")
            return f"{many} on {unit_name(state, event.target)}, to be checked next turn."
        case ev.TorpedoesChecked():
            return _checked(state, event)
        case _:
            assert_never(event)


def _measured(state: State | None, shot: Shot) -> str:
    """Everything that the declaration has revealed."""
    parts = [f"range {shot.band}"]
    if shot.arc:
        parts.append(f"in the {shot.arc} {'channel' if shot.weapon == 'torpedo' else 'arc'}")
    if shot.seen is not None:
        parts.append(_sight(state, shot.seen))
    if shot.spotter:
        parts.append(f"spotted by {unit_name(state, shot.spotter)}")
    dice = f"{names.number(state, shot.dice)} dice"
    if shot.weapon == "torpedo":
        return f"Measured: {', '.join(parts)}; {dice}, hitting on {shot.least.total}."
    least = f"hitting on {names.number(state, shot.least)} and up"
    ratings = (
        f"armor {names.number(state, shot.armor)}, critical {names.number(state, shot.critical)}"
    )
    return f"Measured: {', '.join(parts)}; {dice}, {least}; {ratings}."


def _sight(state: State | None, seen: Seen) -> str:
    """The class of the line of sight, and what hides which point."""
    kind = f"line of sight {seen.sight.replace('-', ' ')}"
    points = zip(("center", "bow", "stern"), seen.blockers, strict=True)
    hidden = [f"{point} behind {unit_name(state, by)}" for point, by in points if by]
    return f"{kind} ({', '.join(hidden)})" if hidden else kind


WASTED = {
    "out-of-range": "out of range",
    "outside-arc": "outside the arc",
    "outside-channel": "outside the channel",
    "no-line-of-sight": "no line of sight",
    "no-dice": "no dice are left",
    "concealed": "the target is not seen",
    "not-detected": "the target is not found",
    "too-small": "too small a target at that range",
}


def why_wasted(state: State | None, event: ev.AttackWasted) -> str:
    """Why an attack proves impossible, in words."""
    why = WASTED[event.reason]
    if event.band:
        why += f", range {event.band}"
    if event.seen is not None and event.reason == "no-line-of-sight":
        why += f", {_sight(state, event.seen)}"
    return why


def _wasted(state: State | None, event: ev.AttackWasted) -> str:
    why = why_wasted(state, event)
    end = "and is taken back" if event.taken_back else "and is spent"
    return f"The attack of {unit_name(state, event.attacker)} fails {end}: {why}."


def _resolved(state: State | None, event: ev.AttackResolved) -> str:
    target = unit_name(state, event.target)
    rolled = f"{names.faces(event.rounds) or 'No dice'}: {count(event.hits, 'hit')}"
    match event.outcome:
        case "miss":
            return f"{rolled}; {target} is unharmed{_withstood(state, event)}."
        case "aborted":
            return f"{rolled}; {target} is aborted."
        case "destroyed":
            return f"{rolled}; {target} is destroyed."
        case "critical":
            return f"{rolled}; {_hull(event.hull)} lost by {target}, and critical damage."
        case _:
            return f"{rolled}; {_hull(event.hull)} lost by {target}."


def why_in_vain(state: State | None, event: ev.AttackResolved) -> str | None:
    """Why an attack came to nothing: no die hit, or armor withstood what did; else None."""
    if event.outcome != "miss":
        return None
    return _withstood(state, event) if event.hits else count(event.hits, "hit")


def _withstood(state: State | None, event: ev.AttackResolved) -> str:
    """The armor that hits did not overcome; dice without a hit need no more words."""
    shot = state.shot if state is not None else None
    return f": armor {shot.armor.total} withstands" if shot is not None and event.hits else ""


def _hull(points: int) -> str:
    return count(points, "hull point")


def _critical(state: State | None, event: ev.CriticalRolled) -> str:
    target, total = unit_name(state, event.target), sum(event.faces)
    result = names.critical_result(event.faces, event.result)
    return f"Critical damage of {target}: {total}, {result}."


def _checked(state: State | None, event: ev.TorpedoesChecked) -> str:
    target, firer = unit_name(state, event.target), unit_name(state, event.firer)
    thrown = f"{names.faces((event.faces,))}, hitting on {event.least}"
    rolled = f"Torpedoes of {firer} at {target}: {thrown}"
    if not event.hits:
        return f"{rolled}; all miss."
    return f"{rolled}; {count(event.hits, 'hit')}, {_hull(event.hull)} lost."
