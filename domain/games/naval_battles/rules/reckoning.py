"""What a die must reach, and what is added to it: every number with its reasons."""

from __future__ import annotations

from msgspec.structs import replace

from ....kernel.rules import rule
from ....kernel.tally import Reason, Tally
from . import facts
from .cards import RAIDS, land_air_raid, planning, torpedo_spread
from .ships import SHIPS
from .state import Attack, Roll, Ship, State


@rule("NB-AIR-03", "NB-AIR-04", "NB-AIR-06", "NB-AMB-22", "NB-EX-09")
def carrier_needed(carrier: str, target: Ship) -> Tally:
    """The number on the carrier's card for the target's row; 7 and more needs Planning."""
    row = target.row or 3
    number = SHIPS[carrier].air_raid[row - 1]
    return Tally.of(Reason(number, "NB-AIR-03", f"row {row}", carrier))


@rule("NB-DEF-02", "NB-AMB-27")
def flak(target: Ship) -> tuple[Reason, ...]:
    """Anti-aircraft guns raise the number; they protect only the ship that has them."""
    rating = SHIPS[target.id].anti_aircraft
    return (Reason(-rating, "NB-DEF-02", "anti-aircraft", target.id),) if rating else ()


@rule("NB-ESC-05")
def raid_needed(state: State, attack: Attack) -> Tally:
    """What an air raid needs at its target of now."""
    target = state.ships[attack.target]
    if attack.kind == "air-raid":
        base = carrier_needed(attack.ships[0], target)
    else:
        base = land_air_raid.needed(facts.card(state, attack.card), target)
    return base.plus(*flak(target))


def numbered(state: State, attack: Attack) -> Attack:
    """The attack with the number that its die must reach, as the marker beside the target shows."""
    if attack.kind not in RAIDS:
        return attack
    return replace(attack, needed=raid_needed(state, attack).total)


@rule("NB-COVER-03")
def cover_needed(carrier: str) -> Tally:
    """The carrier's air cover rating."""
    return Tally.of(Reason(SHIPS[carrier].air_cover, "NB-COVER-03", "air cover", carrier))


@rule("NB-SUB-04")
def silence_needed(submarine: str) -> Tally:
    """The submarine's run silent rating."""
    return Tally.of(Reason(SHIPS[submarine].run_silent, "NB-SUB-04", "run silent", submarine))


def needed(state: State, roll: Roll) -> Tally:
    """What a roll must reach."""
    if roll.kind == "cover":
        return cover_needed(roll.ship)
    if roll.kind == "silent":
        return silence_needed(roll.ship)
    if roll.kind == "torpedo":
        return torpedo_spread.needed()
    attack = facts.attack(state, roll.attack)
    assert attack is not None
    return raid_needed(state, attack)


def added(roll: Roll) -> tuple[Reason, ...]:
    """What is added to the die: guidance of torpedoes, Planning."""
    helped = planning.bonus(roll.planned)
    return (*torpedo_spread.guidance(roll.ship), *helped) if roll.kind == "torpedo" else helped
