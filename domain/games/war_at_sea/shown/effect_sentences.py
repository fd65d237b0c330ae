"""What lasts for a while, in sentences: of a unit, a side, a base or a sector."""

from __future__ import annotations

from typing import assert_never

from ....kernel.shown.wording import count
from ..rules import effects as fx
from ..rules.effects import ALWAYS, Effect, OnUnit
from ..rules.state import State
from . import names
from .names import unit_name


def sentence(state: State | None, effect: Effect) -> str:
    """Of what it is, and for how long."""
    return f"{_subject(state, effect)} {predicate(state, effect)}."


def _subject(state: State | None, effect: Effect) -> str:
    match effect:
        case OnUnit():
            return unit_name(state, effect.unit)
        case fx.MovesOver() | fx.Yields() | fx.Wreck():
            return effect.seat
        case fx.Landed():
            return unit_name(state, effect.base)
        case fx.Replenishing() | fx.Replaced():
            return effect.lost
        case _:
            assert_never(effect)


def _while(effect: Effect) -> str:
    if effect.until == ALWAYS:
        return "for the rest of the game"
    return f"until the end of turn {effect.until}"


def _with(weapon: str) -> str:
    return f" with {names.GUNS[weapon]}" if weapon in names.GUNS else ""


Dice = fx.MoreDice | fx.DiceLater | fx.DiceAt | fx.EachDie | fx.Aimed | fx.Covered | fx.ArmorChange
Bar = fx.NoAttack | fx.NoMove | fx.NoClaim | fx.MayAttack | fx.MayRam | fx.Shuns | fx.SpeedChange


def predicate(state: State | None, effect: Effect) -> str:
    """What is so of the unit, side, base or sector."""
    match effect:
        case fx.MoreDice() | fx.DiceLater() | fx.DiceAt() | fx.EachDie() | fx.Aimed():
            return f"{_dice(state, effect)} {_while(effect)}"
        case fx.Covered() | fx.ArmorChange():
            return f"{_dice(state, effect)} {_while(effect)}"
        case fx.NoAttack() | fx.NoMove() | fx.NoClaim() | fx.MayAttack() | fx.SpeedChange():
            return f"{_bar(state, effect)} {_while(effect)}"
        case fx.MayRam() | fx.Shuns():
            return _bar(state, effect)
        case _:
            return _rest(state, effect)


def _dice(state: State | None, effect: Dice) -> str:
    match effect:
        case fx.MoreDice():
            return f"rolls {effect.dice:+d} dice{_with(effect.attack)}"
        case fx.DiceLater():
            return f"rolls {effect.dice:+d} dice{_with(effect.attack)} next turn,"
        case fx.DiceAt():
            whom = f"{effect.to} of {effect.seat}" if effect.to else effect.seat
            return f"is attacked by {whom} with {effect.dice:+d} dice{_with(effect.attack)}"
        case fx.EachDie():
            return f"rolls each die{_with(effect.attack)} at {effect.die:+d}"
        case fx.Aimed():
            return f"is aimed at by {unit_name(state, effect.source)}: {effect.dice:+d} dice"
        case fx.Covered():
            return f"fires each gunnery die at {effect.die:+d}"
        case fx.ArmorChange():
            return f"has armor {effect.armor:+d}"
        case _:
            assert_never(effect)


def _bar(state: State | None, effect: Bar) -> str:
    match effect:
        case fx.NoAttack():
            return f"makes no attack{_with(effect.attack)}"
        case fx.NoMove():
            return "does not move"
        case fx.NoClaim():
            return "claims no objective"
        case fx.MayAttack():
            return f"may attack{_with(effect.attack)} although it is aborted"
        case fx.MayRam():
            return "may ram at once"
        case fx.Shuns():
            return f"may not attack {unit_name(state, effect.source)}"
        case fx.SpeedChange():
            return f"has speed {effect.change:+d}"
        case _:
            assert_never(effect)


Rest = (
    fx.Threat | fx.Astray | fx.Crippling | fx.Exposed | fx.Missed | fx.Drawing | fx.Downed | fx.Led
    | fx.Pursued | fx.MovesOver | fx.Yields | fx.InRepair | fx.Landed | fx.Replenishing
    | fx.Replaced | fx.Raiding | fx.Shelled | fx.Promised | fx.Bombarded | fx.Bounty | fx.Wreck
)  # fmt: skip


def _rest(state: State | None, effect: Rest) -> str:
    match effect:
        case fx.Threat():
            return f"is under ASW threat from {unit_name(state, effect.source)} this turn"
        case fx.Astray():
            return "has not found its sector"
        case fx.Crippling():
            return f"counts as crippled {_while(effect)}"
        case fx.Exposed():
            return "is known for an enemy"
        case fx.Missed():
            return "may slip away at the end of the phase"
        case fx.Drawing():
            return "draws enemy Fighters upon itself"
        case fx.Downed():
            return "has brought an Aircraft down and may be sent on"
        case fx.Led():
            return f"has been moved by {unit_name(state, effect.source)}"
        case fx.Pursued():
            return f"is pursued by {unit_name(state, effect.source)}"
        case fx.Landed():
            return "has taken an Aircraft aboard"
        case fx.Replenishing():
            return f"may come back on {unit_name(state, effect.source)}"
        case fx.Replaced():
            return "has come back as another unit"
        case _:
            return _turn(state, effect)


AtEnd = (
    fx.MovesOver | fx.Yields | fx.InRepair | fx.Raiding | fx.Shelled | fx.Promised | fx.Bombarded
    | fx.Bounty | fx.Wreck
)  # fmt: skip


def _turn(state: State | None, effect: AtEnd) -> str:
    match effect:
        case fx.MovesOver():
            return "makes no normal moves any more"
        case fx.Yields():
            return f"loses the initiative of turn {effect.until}"
        case fx.InRepair():
            return f"is tied up with {unit_name(state, effect.source)} for repairs"
        case fx.Raiding():
            return f"flies to the enemy airbase: {names.ability_name(effect.ability)}"
        case fx.Shelled():
            return "has Rearming counters left"
        case fx.Promised():
            points = count(effect.points, "point")
            return f"has earned {points} for the end of the turn"
        case fx.Bombarded():
            return f"has shelled {effect.seat}'s land airbase"
        case fx.Bounty():
            return f"is worth {count(effect.points, 'point')} more"
        case fx.Wreck():
            return f"has a wreck in {names.sector_name(effect.sector)}"
        case _:
            assert_never(effect)
