"""Which placements of Aircraft are worth a look: those from which something may follow this turn.

Aircraft may fly to every sector of the map, and from most of them none can do anything. So the
Aircraft is supposed there, and the rules of the steps that follow are asked what it might do.
Whatever it might do from every sector alike (laying mines, being sent on by a Radar Picket, the
points of a mission) makes no sector better than another, and does not count.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Literal, NamedTuple

import msgspec
from msgspec.structs import replace

from ....kernel.memo import noted
from ....kernel.values import Seat, StepKey, Value
from ..rules import abilities, board, dice, offers
from ..rules import commands as c
from ..rules.facts import card_of, is_aircraft, own
from ..rules.families import deeds, hooks
from ..rules.families.effects import bears, marks, of_family
from ..rules.rows import farthest
from ..rules.state import State, Unit
from ..rules.targets import phase_weapons
from . import names

AIR_DEFENSE, AIR_ATTACK = "air-defense", "air-attack"
PATROL = StepKey("air-mission", "patrol")
ESCORT = "WAS-AIRD-06"

Does = Literal["attack", "intercept", "guard", "escort", "patrol", "ability"]


class PlacementPurpose(Value, frozen=True):
    """Something that an Aircraft might do from a sector this turn.

    does  attack: an enemy Ship or Submarine that is in its reach there; intercept: an enemy
          Aircraft that is; guard: a unit of its own side that an enemy Aircraft without a mission
          might still come there to attack, which it might attack then; escort: a Bomber beside it,
          at which enemy Fighters would shoot worse; patrol: fly on to enemy Aircraft by Combat Air
          Patrol; ability: use another ability of its card
    on    the unit or the sector that it is about; "" for an ability that names none
    text  the same in words
    rule  ID of the rule by which it might
    """

    does: Does
    on: str
    text: str
    rule: str


class Worthwhile(Value, frozen=True):
    """The reasons why a placement of an Aircraft is worth a look, as things lie when it is offered.

    purposes  all that it might do there, at least one
    """

    purposes: tuple[PlacementPurpose, ...]


class Threat(NamedTuple):
    """An enemy Aircraft that might still come to a sector, and what it might attack there."""

    placing: c.Place
    target: str


def worthwhile(state: State, command: c.AnyCommand) -> dict[str, Any] | None:
    """Why a placement is worth a look; None where it is not, and for all other commands."""
    if not isinstance(command, c.Place) or command.unit not in state.units:
        return None
    found = dict.fromkeys(_purposes(state, command))
    return {"purposes": [msgspec.to_builtins(each) for each in found]} if found else None


def _purposes(state: State, command: c.Place) -> Iterator[PlacementPurpose]:
    seat = state.units[command.unit].seat
    there = placed(state, command)
    unit = there.units[command.unit]
    yield from _attacks(there, unit, AIR_DEFENSE, "intercept")
    yield from _attacks(there, unit, AIR_ATTACK, "attack")
    threats = [each for each in _threats(state, seat) if each.placing.sector == command.sector]
    met = placed(there, *_first(threats))
    yield from _guards(met, unit, threats)
    yield from _escorts(met, unit)
    yield from _draws(met, unit)
    yield from _uses(there, unit)


def placed(state: State, *commands: c.Place) -> State:
    """The table with these Aircraft where they are sent; in the dark all of them find it."""
    units = dict(state.units)
    for each in commands:
        how = {"strafing": each.strafing, "role": each.role}
        units[each.unit] = replace(units[each.unit], sector=each.sector, placed=True, **how)
    return replace(state, units=units)


def _at(state: State, phase: str, seat: Seat) -> State:
    """The table as it is, in the seat's own step of a later phase."""
    part = "first" if seat == state.first else "second"
    return replace(state, step=StepKey(phase, part), passed=())


def _fire(state: State, phase: str, unit: Unit) -> Iterator[c.Fire]:
    """The attacks that the unit might make in a phase.

    None is pointless: while missions are given no counter of another phase lies on the table.
    """
    then, card = _at(state, phase, unit.seat), card_of(state, unit)
    if all(farthest(card, each) < 0 for each in phase_weapons(then, card)):
        return
    for each in offers.fire(then, unit.seat):
        if isinstance(each, c.Fire) and each.unit == unit.id:
            yield each


def _attacks(there: State, unit: Unit, phase: str, does: Does) -> Iterator[PlacementPurpose]:
    for each in _fire(there, phase, unit):
        words = names.attack_words(each.weapon, names.unit_name(there, each.target))
        yield PlacementPurpose(does, each.target, words, names.FIRE_RULES[each.weapon])


# --- what may still come --------------------------------------------------------------------------


@noted
def _threats(state: State, seat: Seat) -> tuple[Threat, ...]:
    """What the enemy's Aircraft without a mission might still come to attack of the seat's."""
    mine = {unit.sector for unit in own(state, seat) if unit.sector in board.NEIGHBOURS}
    coming = offers.placements(state, state.other(seat))
    return tuple(
        Threat(each, target)
        for each in coming
        if isinstance(each, c.Place) and each.sector in _around(state, each.unit, mine)
        for target in _struck(state, each)
    )


def _around(state: State, coming: str, mine: set[str]) -> set[str]:
    """The sectors from which an Aircraft may reach any of these at all."""
    card = card_of(state, state.units[coming])
    most = max((farthest(card, each) for each in card.attacks), default=0)
    return mine if most < 1 else {near for each in mine for near in board.within(each, most)}


def _struck(state: State, coming: c.Place) -> Iterator[str]:
    """What an Aircraft might attack once it is there."""
    there = placed(state, coming)
    for phase in (AIR_DEFENSE, AIR_ATTACK):
        for each in _fire(there, phase, there.units[coming.unit]):
            yield each.target


def _first(threats: Iterable[Threat]) -> Iterable[c.Place]:
    """One placement of each Aircraft that might come."""
    return {each.placing.unit: each.placing for each in threats}.values()


def _guards(met: State, unit: Unit, threats: Sequence[Threat]) -> Iterator[PlacementPurpose]:
    held = {each.target for each in _fire(met, AIR_DEFENSE, unit)} if threats else set[str]()
    for threat in threats:
        if threat.placing.unit in held:
            words = f"guards {names.unit_name(met, threat.target)}"
            yield PlacementPurpose("guard", threat.target, words, "WAS-AIRD-01")


def _escorts(met: State, unit: Unit) -> Iterator[PlacementPurpose]:
    if bears(card_of(met, unit), hooks.Escort) is None:
        return
    for enemy in _foes(met, unit):
        for shot in _fire(met, AIR_DEFENSE, enemy):
            if _hinders(met, unit, enemy, met.units[shot.target]):
                words = f"escorts {names.unit_name(met, shot.target)}"
                yield PlacementPurpose("escort", shot.target, words, ESCORT)


def _hinders(met: State, unit: Unit, enemy: Unit, target: Unit) -> bool:
    """Whether the enemy's dice count lower at that target for this very unit beside it."""
    gone = replace(met, units={**met.units, unit.id: replace(unit, sector="")})
    there, less = (
        dice.die(state, enemy, target, dice.shot_of(state, enemy, "antiair", target)).total
        for state in (met, gone)
    )
    return there < less


def _draws(met: State, unit: Unit) -> Iterator[PlacementPurpose]:
    """Draw the CAP: enemy Fighters in its sector may have to attack it."""
    found = bears(card_of(met, unit), hooks.DrawsFighters)
    for enemy in _foes(met, unit) if found else ():
        if found and card_of(met, enemy).subtype == "Fighter":
            words = f"draws {names.unit_name(met, enemy.id)} upon itself"
            yield PlacementPurpose("ability", enemy.id, words, found[0].rule)


def _foes(met: State, unit: Unit) -> list[Unit]:
    """Enemy Aircraft in the unit's sector."""
    enemies = own(met, met.other(unit.seat))
    return [each for each in enemies if each.sector == unit.sector and is_aircraft(met, each)]


# --- what it may use ------------------------------------------------------------------------------


def _uses(there: State, unit: Unit) -> Iterator[PlacementPurpose]:
    """Abilities that ask where it is: of all others no sector is the better one."""
    card = card_of(there, unit)
    patrols, divides = bears(card, deeds.Patrols), bears(card, deeds.Divides)
    if patrols or divides:
        yield from _used(replace(there, step=PATROL, passed=()), unit, abilities.ON_PATROL)
    if marks(card):
        yield from _used(_at(there, AIR_ATTACK, unit.seat), unit, abilities.IN_AIR_ATTACK)


def _used(then: State, unit: Unit, works: abilities.Works) -> Iterator[PlacementPurpose]:
    for each in works.uses(then, unit.seat):
        if isinstance(each, c.Use) and each.unit == unit.id:
            patrols = of_family(each.ability, deeds.Patrols) is not None
            words = f"uses {names.ability_name(each.ability)}"
            words += f" {names.spot(then, each.on)}" if each.on else ""
            yield PlacementPurpose(
                "patrol" if patrols else "ability", each.on, words, names.ability_rule(each.ability)
            )
