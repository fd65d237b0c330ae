"""The dice are down: the faces go to whoever asked for them, by purpose."""

from __future__ import annotations

from typing import assert_never

from ....kernel import chance
from ....kernel.flow import Flow
from ....kernel.values import Known
from . import (
    aftermath,
    attacks,
    concealment,
    convoy,
    damage,
    darkness,
    deployment,
    followups,
    initiative,
    purposes,
    tasks,
    weather,
)
from . import events as ev
from .mechanisms import before, mines, relief, upkeep
from .purposes import Purpose
from .state import State
from .turns import owner

BattleFlow = Flow[State, ev.AnyEvent]
Faces = tuple[tuple[int, ...], ...]

AbilityDice = (
    purposes.Reroll
    | purposes.Speed
    | purposes.DrawTheCap
    | purposes.Before
    | purposes.Negate
    | purposes.Protect
    | purposes.Save
    | purposes.SetOff
    | purposes.Used
    | purposes.Spare
)
UnitDice = (
    purposes.AttackDice
    | purposes.Concealment
    | purposes.Mines
    | purposes.Search
    | purposes.CarrierFire
    | AbilityDice
)


def rolled(flow: BattleFlow, answer: chance.Faces) -> None:
    """Chance has answered what was awaited."""
    awaited, purpose = flow.state.awaiting, flow.state.purpose
    assert awaited is not None
    assert purpose is not None
    flow.emit(ev.DiceThrown(label=answer.label, faces=Known(answer.faces), owner=awaited.owner))
    _scored(flow, purpose, answer.faces)


def _scored(flow: BattleFlow, p: Purpose, faces: Faces) -> None:
    """What is done with the faces, by what they were asked for."""
    match p:
        case purposes.Sides():
            tasks.side_chooser_rolled(flow, faces[0][0])
        case purposes.Zone():
            deployment.zone_rolled(flow, faces[0][0])
        case purposes.Deployer():
            deployment.deployer_rolled(flow, faces[0][0])
        case purposes.Escort():
            convoy.escorts(flow, flow.state.seats[faces[0][0] - 1])
        case purposes.RandomLight():
            darkness.light_rolled(flow, faces[0][0])
        case purposes.Twilight():
            darkness.twilight_rolled(flow, faces[0][0])
        case purposes.Weather():
            weather.weather_rolled(flow, faces[0][0])
        case purposes.Squalls():
            weather.squalls_rolled(flow, faces)
        case purposes.Drift():
            weather.drift_rolled(flow, faces[0])
        case purposes.Initiative():
            initiative.rolled(flow, faces)
        case purposes.Recovery():
            darkness.recovery_rolled(flow, owner(flow.state), faces[0])
        case _:
            _of_unit(flow, p, faces)


def _of_unit(flow: BattleFlow, p: UnitDice, faces: Faces) -> None:
    match p:
        case purposes.Mines():
            mines.struck(flow, p.unit, faces[0])
        case purposes.Search():
            darkness.search_rolled(flow, p.unit, faces[0][0])
        case purposes.AttackDice():
            attacks.rolled(flow, faces[0])
        case purposes.Concealment():
            concealment.rolled(flow, faces[0][0])
        case purposes.CarrierFire():
            damage.carrier_rolled(flow, p.unit, faces[0])
        case _:
            _of_ability(flow, p, faces)


def _of_ability(flow: BattleFlow, p: AbilityDice, faces: Faces) -> None:
    match p:
        case purposes.Speed():
            tasks.speed_rolled(flow, p.unit, p.ability, faces[0][0])
        case purposes.DrawTheCap():
            tasks.draw_rolled(flow, p.unit, p.ability, faces[0][0])
        case purposes.Reroll():
            attacks.rolled(flow, faces[0])
        case purposes.Before():
            before.rolled(flow, p.unit, p.ability, faces[0][0])
        case purposes.Negate():
            aftermath.negate_rolled(flow, p.ability, faces[0][0])
        case purposes.Protect():
            relief.protection_rolled(flow, p.unit, p.ability, faces[0])
        case purposes.Save():
            aftermath.saved(flow, p.ability, faces[0][0])
        case purposes.SetOff():
            followups.ability_rolled(flow, p.unit, p.ability, faces[0][0])
        case purposes.Used():
            upkeep.rolled(flow, p.unit, p.ability, faces[0][0])
        case purposes.Spare():
            damage.spare_rolled(flow, p.unit, p.ability, faces[0][0])
        case _:
            assert_never(p)
