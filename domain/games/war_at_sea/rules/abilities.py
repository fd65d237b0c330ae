"""ABIL: optional abilities that a seat uses by a command; each a mechanism in one place."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache, partial
from typing import NamedTuple

from msgspec import structs

from ....kernel.flow import Flow
from ....kernel.rules import No, rule
from ....kernel.values import Seat
from . import board
from . import commands as c
from . import events as ev
from .air_missions import patrol_targets
from .cards import GUNNERY, Kind, Source
from .cards import card as card_called
from .darkness import astray
from .dice import dice, shot_of
from .editions import Edition
from .effects import DiceAt, Effect, MoreDice, NoMove, OnUnit, Pursued
from .errands import errands, run
from .facts import card_of, is_ship, off_map, own, why_not_own
from .families import deeds, words
from .families.effects import bears, grants, has, is_a, marks, of_family, once, rule_of
from .families.shots import not_granted
from .families.vocabulary import families
from .mechanisms import (
    airfield,
    breakout,
    fighters,
    mines,
    ramming,
    replenish,
    shifts,
    shore,
    smoke,
    squadrons,
    upkeep,
)
from .sea_movement import closed
from .stacking import has_room
from .state import State, Unit
from .targets import why_not_at, why_not_begin, why_not_small

BattleFlow = Flow[State, ev.AnyEvent]
Uses = Iterator[tuple[str, str]]


def used(state: State, unit: Unit, family: str) -> bool:
    """Whether the unit has used the ability up, for this turn or for the game."""
    return state.has_used(unit.id, family) or family in unit.spent


@rule("WAS-ABIL-12", "WAS-ABIL-13", "WAS-ABIL-14")
def _grants(state: State, unit: Unit) -> Uses:
    """Expert abilities: once a turn, one friendly Aircraft of a subtype rolls extra dice."""
    for family, grant, _ in grants(card_of(state, unit)):
        if used(state, unit, family) or not _time_for(state, grant.attack):
            continue
        for plane in own(state, unit.seat):
            card = card_of(state, plane)
            if not is_a(card, grant.to) or not plane.sector or plane.id == unit.id:
                continue
            if family in not_granted(card, afar=False):
                continue
            if not _has_effect(state, plane.id, rule_of(family)) and _can_use(
                state, plane, grant.attack, _effects(state, unit, family, plane.id)
            ):
                yield family, plane.id


def _can_use(state: State, plane: Unit, kind: Kind, gift: tuple[Effect, ...]) -> bool:
    """Whether the Aircraft could make an attack now that is rolled with more dice for the gift."""
    card = card_of(state, plane)
    if why_not_begin(state, plane, card, kind):
        return False
    gifted = structs.replace(state, effects=(*state.effects, *gift))
    return any(
        why_not_at(state, plane, card, kind, enemy) is None
        and _number(gifted, plane, kind, enemy) > _number(state, plane, kind, enemy)
        for enemy in own(state, state.other(plane.seat))
    )


def _number(state: State, unit: Unit, kind: Kind, enemy: Unit) -> int:
    return dice(state, unit, enemy, shot_of(state, unit, kind, enemy)).total


def _time_for(state: State, kind: str) -> bool:
    phase = "air-defense" if kind == "antiair" else "air-attack"
    return state.step.phase == phase


def _has_effect(state: State, unit: str, rule_: str) -> bool:
    return any(isinstance(e, OnUnit) and e.unit == unit and e.rule == rule_ for e in state.effects)


def _patrol(state: State, unit: Unit) -> Uses:
    """Combat Air Patrol, at the end of the Air Mission phase."""
    patrols = bears(card_of(state, unit), deeds.Patrols)
    if patrols:
        for sector in patrol_targets(state, unit):
            yield patrols[0].family, sector


@rule("WAS-ABIL-37")
def _hunt(state: State, unit: Unit) -> Uses:
    """Sub Hunter: after Sea Movement, to an adjacent sector that has an enemy Submarine."""
    card = card_of(state, unit)
    hunts = bears(card, deeds.Hunts)
    if hunts is None:
        return
    if used(state, unit, hunts[0].family) or _pinned(state, unit):
        return
    prey = {
        u.sector
        for u in own(state, state.other(unit.seat))
        if u.sector and card_of(state, u).type == "Submarine" and not _elusive(state, u)
    }
    for sector in board.NEIGHBOURS[unit.sector]:
        open_ = sector in prey and not closed(state, card, sector)
        if open_ and has_room(state, unit.seat, sector, card, unit.id):
            yield hunts[0].family, sector


@rule("WAS-ABIL-07")
def _elusive(state: State, unit: Unit) -> bool:
    """Elusive Quarry forbids what Sub Hunter permits."""
    return bears(card_of(state, unit), deeds.Elusive) is not None


def _pinned(state: State, unit: Unit) -> bool:
    return bool(state.lasting_on(NoMove, unit.id))


@rule("WAS-ABIL-33", "WAS-ABIL-34")
def _marks(state: State, unit: Unit) -> Uses:
    """At the start of the own Air Attack step, not while aborted: pick an enemy Ship."""
    if unit.aborted or not unit.sector:
        return
    if any(friend.done for friend in own(state, unit.seat)):
        return
    for family, mark, _ in marks(card_of(state, unit)):
        if used(state, unit, family):
            continue
        for enemy in own(state, state.other(unit.seat)):
            if not enemy.sector or not is_a(card_of(state, enemy), mark.target):
                continue
            near = board.distance(unit.sector, enemy.sector) <= mark.within
            if not near or _has_effect(state, enemy.id, rule_of(family)):
                continue
            if _has_friends(state, unit.seat, mark, enemy):
                yield family, enemy.id


def _has_friends(state: State, seat: Seat, mark: words.Mark, enemy: Unit) -> bool:
    """Whether the side has a unit with an attack that such a mark would help."""
    kinds, on = each_kind(mark.attacks), card_of(state, enemy)
    return any(
        kind in card.attacks and why_not_small(state, kind, 0, on) is None
        for card in (card_of(state, friend) for friend in own(state, seat) if friend.sector)
        if not mark.to or any(is_a(card, whom) for whom in mark.to)
        for kind in kinds
    )


def _pursuit(state: State, unit: Unit) -> Uses:
    """Pursuit Ship: as First Player, instead of moving, pick an enemy Ship in its sector."""
    pursues = bears(card_of(state, unit), deeds.Pursues)
    if pursues is None or unit.moved:
        return
    if not used(state, unit, pursues[0].family) and not _pinned(state, unit):
        for ship in own(state, state.other(unit.seat)):
            if ship.sector == unit.sector and is_ship(state, ship):
                yield pursues[0].family, ship.id


class Mechanism(NamedTuple):
    """Something that units may do by a command of its own.

    offers  the abilities that a unit may use so now, and on what
    whose   the words of those that it is for; of shifts, how they move
    """

    offers: Callable[[State, Unit], Uses]
    whose: tuple[type[words.Effect] | deeds.How, ...]


class Works:
    """The mechanisms that are at work in a step: whoever asks there names them (questions.py).

    So none of them asks in which step it is.

    off_map  they are for units that wait off the map as well
    """

    def __init__(self, *mechanisms: Mechanism, off_map: bool = False) -> None:
        self.mechanisms, self.off_map = mechanisms, off_map

    def needed(self, state: State) -> bool:
        """Whether there is anything for this battle in a step that only abilities use."""
        edition, source = state.edition, state.options.cards
        return any(_mechanisms(self, unit.card, edition, source) for unit in state.all_units)

    def uses(self, state: State, seat: Seat) -> Iterator[c.AnyCommand]:
        """Every optional ability that the seat may use now by a command of its own."""
        edition, source = state.edition, state.options.cards
        for unit in own(state, seat):
            if _mechanisms(self, unit.card, edition, source):
                for family, on in _offers(self, state, unit):
                    yield c.Use(unit.id, family, on)

    def why_not_use(self, state: State, seat: Seat, command: c.Use) -> No | None:
        """Why a seat may not use an ability of a unit so."""
        barred = why_not_own(state, seat, command.unit)
        unit = command.unit
        return barred or _why_not_now(self, state, state.units[unit], command.ability, command.on)


def _shifting(*ways: deeds.How) -> Mechanism:
    return Mechanism(partial(shifts.uses, ways), ways)


_GRANTS = Mechanism(_grants, (words.Grant,))
_UNDER_WAY = (
    Mechanism(upkeep.sprint, (deeds.Sprint,)),
    Mechanism(upkeep.repair, (deeds.RepairsOther,)),
    Mechanism(upkeep.raid, (deeds.Surprise,)),
    Mechanism(ramming.uses, (deeds.Rams,)),
    _shifting("all-nearer"),
)

NOWHERE = Works()
AFTER_DEPLOYMENT = Works(_shifting("screen", "own-speed"))
MOVING_FIRST = Works(Mechanism(_pursuit, (deeds.Pursues,)), *_UNDER_WAY)
MOVING = Works(*_UNDER_WAY)
HUNTING = Works(Mechanism(_hunt, (deeds.Hunts,)), _shifting("nearer", "torpedo-range"))
ON_MISSION = Works(
    Mechanism(upkeep.endurance, (deeds.Refits,)),
    Mechanism(airfield.uses, airfield.MISSIONS),
    Mechanism(squadrons.uses, (deeds.Launches,)),
)
ON_PATROL = Works(
    Mechanism(_patrol, (deeds.Patrols,)),
    Mechanism(upkeep.divide, (deeds.Divides,)),
    _shifting("to-hostile-aircraft"),
)
IN_AIR_DEFENSE = Works(_GRANTS)
AFTER_AIR_DEFENSE = Works(Mechanism(fighters.uses, (deeds.Directs, deeds.AttacksAgain)))
IN_AIR_ATTACK = Works(_GRANTS, Mechanism(_marks, (words.Mark,)))
BEFORE_SURFACE_ATTACK = Works(Mechanism(upkeep.shadow, (deeds.Shadows,)))
IN_SURFACE_ATTACK = Works(
    Mechanism(smoke.uses, (deeds.LaysSmoke,)),
    Mechanism(mines.uses, (deeds.LaysMines, deeds.SweepsMines)),
    Mechanism(shore.uses, (deeds.Promises,)),
)
AFTER_SURFACE_ATTACK = Works(_shifting("away", "push"))
RETURNING = Works(Mechanism(replenish.uses, (deeds.Replenishes,)))
AFTER_AIR_RETURN = Works(Mechanism(breakout.uses, (deeds.Breakout,)), off_map=True)
AT_THE_END = Works(
    Mechanism(errands, (words.Points, deeds.Legs, deeds.Delivers)),
    Mechanism(upkeep.damage_control, (deeds.Repairs,)),
)


@cache
def _mechanisms(works: Works, name: str, edition: Edition, source: Source) -> tuple[Mechanism, ...]:
    """The mechanisms of a step that are for an ability of the card called ``name``."""
    its = [ref.family for ref in card_called(name, edition, source).abilities]
    words_ = [effect for family in its for effect in families()[family].effects]
    ways = (word.how for word in words_ if isinstance(word, deeds.Shift))
    found = {*map(type, words_), *ways}
    return tuple(each for each in works.mechanisms if found & set(each.whose))


def _fly_on(flow: BattleFlow, unit: Unit, family: str, on: str) -> None:
    """To that sector, at once."""
    rules = (rule_of(family),)
    flow.emit(ev.UnitShifted(unit=unit.id, sector=on, ability=family, seat=unit.seat, rules=rules))
    mines.entered(flow, unit.id, (on,))


Doer = Callable[[BattleFlow, Unit, str, str], None]
"""How an ability is used: (flow, unit, family, on what)."""

_DOERS: dict[type[words.Effect], Doer] = {
    deeds.Shift: shifts.shift,
    deeds.AirfieldStrike: airfield.send,
    deeds.AirRaid: airfield.send,
    deeds.Directs: fighters.send,
    deeds.Promises: shore.promise,
    deeds.Launches: squadrons.launch,
    deeds.LaysMines: mines.lay,
    deeds.SweepsMines: mines.sweep,
    deeds.Rams: ramming.ram,
    deeds.AttacksAgain: fighters.swarm,
    deeds.Breakout: breakout.arrive,
    deeds.Replenishes: replenish.use,
    deeds.LaysSmoke: smoke.lay,
    deeds.Patrols: _fly_on,
    deeds.Hunts: _fly_on,
    **dict.fromkeys(upkeep.UPKEEP, upkeep.use),
}
"""Words whose abilities are used in a way of their own."""


def _doer(family: str) -> Doer | None:
    found = (_DOERS.get(type(word)) for word in families()[family].effects)
    return next((doer for doer in found if doer), None)


@rule("WAS-ABIL-11", "WAS-GLOSS-23")
def _offers(works: Works, state: State, unit: Unit) -> Uses:
    """Every optional ability that the unit may use now, and on what."""
    if not _out_of_it(works, state, unit):
        for mechanism in _mechanisms(works, unit.card, state.edition, state.options.cards):
            yield from mechanism.offers(state, unit)


def _out_of_it(works: Works, state: State, unit: Unit) -> bool:
    """Whether it can use nothing: astray in the dark, or off the map but for its arrival."""
    return astray(state, unit) or (off_map(unit) and not works.off_map)


def _why_not_now(works: Works, state: State, unit: Unit, family: str, on: str) -> No | None:
    if has(card_of(state, unit), family) is None:
        its = ", ".join(ref.family for ref in card_of(state, unit).abilities) or "none"
        return No("ability.not-its-own", "WAS-FLEET-31", f"Its abilities: {its}.", "/ability")
    offers = list(_offers(works, state, unit))
    if (family, on) in offers:
        return None
    rule_ = rule_of(family)
    if used(state, unit, family):
        again = "this game" if family in unit.spent else "until the next turn"
        return No("ability.spent", rule_, f"{family} is used up {again}.", "/ability")
    able = [target for name, target in offers if name == family]
    if able:
        return No("ability.wrong-target", rule_, f"It may be used on: {', '.join(able)}.", "/on")
    return No("ability.not-now", rule_, "Not now; its text on the card says when.", "/ability")


def use(flow: BattleFlow, seat: Seat, command: c.Use) -> None:
    """Use an ability that :meth:`Works.why_not_use` allows."""
    state, family, on = flow.state, command.ability, command.on
    unit, rule_ = state.units[command.unit], rule_of(family)
    doer = _doer(family)
    if doer is not None:
        doer(flow, unit, family, on)
        return
    flow.emit(
        ev.AbilityUsed(
            unit=unit.id,
            ability=family,
            on=on,
            effects=_effects(state, unit, family, on),
            once=once(family),
            rules=(rule_,),
        )
    )
    if state.step.phase == "end-of-turn":
        run(flow, flow.state.units[unit.id], family)


def _effects(state: State, unit: Unit, family: str, on: str) -> tuple[Effect, ...]:
    rule_, turn = rule_of(family), state.turn
    card = card_of(state, unit)
    for name, mark, add in marks(card):
        if name == family:
            whoms = mark.to or ("",)
            return tuple(
                DiceAt(
                    unit=on, seat=unit.seat, to=whom, attack=kind, dice=add,
                    source=unit.id, rule=rule_, until=turn,
                )
                for whom in whoms
                for kind in each_kind(mark.attacks)
            )  # fmt: skip
    if state.step.phase == "end-of-turn":
        return ()
    if of_family(family, deeds.Pursues):
        return (
            Pursued(unit=on, source=unit.id, rule=rule_, until=turn),
            NoMove(unit=unit.id, source=unit.id, rule=rule_, until=turn),
        )
    grant, add = next((g, n) for name, g, n in grants(card) if name == family)
    return (
        MoreDice(unit=on, attack=grant.attack, dice=add, source=unit.id, rule=rule_, until=turn),
    )


def each_kind(kinds: tuple[words.Attack, ...]) -> list[Kind]:
    """Attack kinds, with ``gunnery`` spelled out."""
    return [k for each in kinds for k in (GUNNERY if each == "gunnery" else (each,))]
