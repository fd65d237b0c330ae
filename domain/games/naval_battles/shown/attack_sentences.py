"""The events of the attack step as sentences."""

from __future__ import annotations

from typing import assert_never

from ....kernel.shown.wording import count, join
from ..rules import events as ev
from ..rules.state import State
from . import names

DeclaredEvent = (
    ev.AttackDeclared | ev.SurpriseDeclared | ev.SurpriseSprung | ev.RollIntended | ev.PlanningUsed
)
DefenseEvent = (
    ev.DefensePlayed | ev.CoverTried | ev.SilenceTried | ev.AttackStopped | ev.AttackMoved
)
ResolvedEvent = (
    ev.RollScored
    | ev.AttackMissed
    | ev.AttackIgnored
    | ev.DamageScored
    | ev.ShipSunk
    | ev.RowsClosed
)
AttackEvent = DeclaredEvent | DefenseEvent | ResolvedEvent

_ROLLS = {
    "torpedo": "for the torpedoes",
    "raid": "for the air raid",
    "cover": "for air cover",
    "silent": "to run silent",
}


def attack(state: State | None, event: AttackEvent) -> str:
    """One sentence."""
    if isinstance(event, DeclaredEvent):
        return _declared(state, event)
    if isinstance(event, DefenseEvent):
        return _defense(state, event)
    return _resolved(state, event)


def _declared(state: State | None, event: DeclaredEvent) -> str:
    match event:
        case ev.AttackDeclared():
            return _attack(state, event)
        case ev.SurpriseDeclared():
            card = names.card_name(state, event.card)
            return f"{event.seat} plays {card} against {event.target}."
        case ev.SurpriseSprung():
            lost = names.card_names(state, event.cards) or "nothing"
            return f"{event.target} loses what was in play: {lost}."
        case ev.RollIntended():
            return ""
        case ev.PlanningUsed():
            if not event.cards:
                return ""
            return f"{event.seat} adds {names.card_names(state, event.cards)} to the roll."
        case _:
            assert_never(event)


def _attack(state: State | None, event: ev.AttackDeclared) -> str:
    what = event.attack
    target = names.ship_name(what.target)
    if what.kind == "air-raid":
        text = f"{names.ship_names(what.ships)} launches an air raid on {target}"
    elif not what.ships:
        text = f"{names.card_name(state, what.card)} on {target}"
    else:
        guns = join(
            f"{names.ship_name(ship)} ({names.mount_name(mount)})"
            for ship, mount in zip(what.ships, what.mounts, strict=False)
        )
        text = f"{guns}: {names.card_name(state, what.card)} at {target}"
    need = f", {what.needed} or more is needed" if what.needed else ""
    return f"Attack {what.number} of {event.seat}: {text}{need}."


def _defense(state: State | None, event: DefenseEvent) -> str:
    match event:
        case ev.DefensePlayed():
            how = "uses the prepared" if event.prepared else "plays"
            card, what = names.card_name(state, event.card), names.attack_name(state, event.attack)
            return f"{event.seat} {how} {card} against {what}."
        case ev.CoverTried():
            carrier, what = names.ship_name(event.carrier), names.attack_name(state, event.attack)
            return f"{carrier} gives air cover against {what}."
        case ev.SilenceTried():
            submarine = names.ship_name(event.submarine)
            return f"{submarine} runs silent from {names.attack_name(state, event.attack)}."
        case ev.AttackStopped():
            what = _cap(names.attack_name(state, event.attack))
            return f"{what} is {stopped_by(state, event)}."
        case ev.AttackMoved():
            need = f", {event.needed} or more is needed" if event.needed else ""
            return f"Attack {event.attack} is moved to {names.ship_name(event.target)}{need}."
        case _:
            assert_never(event)


def _resolved(state: State | None, event: ResolvedEvent) -> str:
    match event:
        case ev.RollScored():
            outcome = "success" if event.success else "failure"
            total, needed = names.tally(event.total), names.tally(event.needed)
            return f"{event.seat} rolls {_ROLLS[event.kind]}: {total} against {needed}, {outcome}."
        case ev.AttackMissed():
            what = _cap(names.attack_name(state, event.attack))
            return f"{what} misses: the roll was too low."
        case ev.AttackIgnored():
            return f"Attack {event.attack} is wasted: its target is sunk."
        case ev.DamageScored():
            ship, points = names.ship_name(event.ship), count(event.damage, "damage point")
            return f"{ship} takes {points} ({event.total} of hull {event.hull})."
        case ev.ShipSunk():
            points = count(event.points, "point")
            return f"{names.ship_name(event.ship)} of {event.seat} sinks: {points} for {event.by}."
        case ev.RowsClosed():
            return f"The rows of {event.seat} close up."
        case _:
            assert_never(event)


def stopped_by(state: State | None, event: ev.AttackStopped) -> str:
    """What has stopped an attack: a card, air cover, running silent."""
    known = event.by in _STOPPED
    return f"stopped by {_STOPPED[event.by] if known else names.card_name(state, event.by)}"


_STOPPED = {"air-cover": "air cover", "run-silent": "running silent"}
"""What stops an attack besides cards."""


def _cap(text: str) -> str:
    return text[:1].upper() + text[1:]
