"""Commands and events in words, for people at a terminal, in a log or in a report.

An attack is described without range, arc or line of sight: nothing is measured before it is
declared (CT-FSM-10).
"""

from __future__ import annotations

from typing import assert_never

from msgspec.structs import replace

from ....kernel.options import NOT_ASKED, Described
from ....kernel.shown.parts import parts_of
from ..rules import commands as c
from ..rules import futile
from ..rules.geometry.pose import Pose
from ..rules.state import State
from . import names
from .move_sentences import way
from .parts import PARTS
from .sentences import says

_PASS = {
    "placing": "Leave out what has no room on the table",
    "movement": "End naval movement: units that still have to move go one klick ahead",
    "air-deployment": "Deploy no more aircraft",
    "air-defense": "Make no more attacks on aircraft",
    "air-attack": "Make no more air attacks",
    "surface-attack": "Make no more surface attacks",
    "submarine-attack": "Make no more submarine attacks",
}

_ATTACK_RULES = {
    **dict.fromkeys(("primary", "secondary", "tertiary"), "CT-SURF-02"),
    "aaw": "CT-AAW-01",
    "bombs": "CT-AATK-05",
    "strafe": "CT-STRAFE-01",
    "asw": "CT-WPN-04",
    "torpedo": "CT-WPN-05",
}


def describe(state: State, command: c.AnyCommand) -> Described:
    """One command in words, with its parts."""
    words, parts = _words(state, command), parts_of(PARTS, state, command)
    return replace(words, parts=parts) if parts else words


def _words(state: State, command: c.AnyCommand) -> Described:
    """One command in words: short text, the unit and target it concerns, the rule behind it."""
    match command:
        case c.SubmitFleet():
            held = tuple(pick.card for pick in command.units)
            text = f"Lock the fleet of {names.fleet(held)} ({names.fleet_cost(held)} points)"
            return Described(text, rule="CT-FLEET-01")
        case c.PlaceUnit():
            where = names.lies(state, Pose(command.x, command.y, command.heading))
            text = f"Set up {names.card_name(command.card)} {where}"
            return Described(text, command.card, rule="CT-SETUP-03")
        case c.Dive():
            below = names.unit_names(state, command.submerged)
            return Described(f"Submerged this turn: {below or 'nothing'}", rule="CT-SUB-02")
        case c.Move():
            return _move(state, command)
        case c.Deploy():
            return _deploy(state, command)
        case c.Attack():
            return _attack(state, command)
        case c.LandAircraft():
            base = names.base_name(state, command.base)
            text = f"{names.unit_name(state, command.unit)} lands on {base}"
            return Described(text, command.unit, command.base, "CT-TRANS-01")
        case c.Pass():
            if state.step.phase not in _PASS:
                return NOT_ASKED
            return Described(_PASS[state.step.phase], rule="CT-SEQ-06")
        case c.OfferDraw():
            return Described("Offer a draw for this turn", rule="CT-FSM-03")
        case c.Resign():
            return Described("Resign", rule="CT-WIN-08")
        case _:
            assert_never(command)


def _move(state: State, command: c.Move) -> Described:
    unit = names.unit_name(state, command.unit)
    done = way(command.path, command.astern, command.evade, command.stop, command.ram)
    return Described(f"Order {unit} {done}", command.unit, rule="CT-MOVE-21")


def _deploy(state: State, command: c.Deploy) -> Described:
    unit = names.unit_name(state, command.unit)
    if command.mission == "free":
        where = names.spot(state, command.at) if command.at is not None else "?"
        return Described(f"{unit} flies to {where}", command.unit, rule="CT-AIRD-04")
    what = "to strafe" if command.mission == "strafe" else "to attack"
    target = names.unit_name(state, command.target)
    text = f"{unit} flies {what} {target} {names.quarter(command.side)}"
    return Described(text, command.unit, command.target, "CT-AIRD-03")


def _attack(state: State, command: c.Attack) -> Described:
    """No measure of any kind: only who, with what, at whom."""
    unit, target = (names.unit_name(state, n) for n in (command.unit, command.target))
    text = f"{unit} {names.attack_words(command.weapon, target, command.arc)}"
    rule_ = _ATTACK_RULES[command.weapon]
    vain = futile.pointless(state, command)
    return Described(text, command.unit, command.target, rule_, vain)


__all__ = ["describe", "says"]
