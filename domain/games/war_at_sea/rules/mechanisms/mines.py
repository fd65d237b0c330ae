"""Mines: laying, entering, sweeping."""

from __future__ import annotations

from collections.abc import Iterator

from .....kernel.chance import Dice
from .....kernel.flow import Flow
from .. import events as ev
from .. import purposes
from ..damage import ask
from ..facts import card_of, damaged
from ..families import deeds, words
from ..families.effects import bears, declared_by, once, rule_of
from ..families.shots import effects_of, keeps, number
from ..families.vocabulary import families
from ..state import State, Unit

BattleFlow = Flow[State, ev.AnyEvent]

WORST = 2
"""Faces up to this do so many hull points."""


def uses(state: State, unit: Unit) -> Iterator[tuple[str, str]]:
    """In its own Surface Attack step, instead of all its attacks."""
    if unit.done or not unit.sector:
        return
    card = card_of(state, unit)
    lays, sweeps = bears(card, deeds.LaysMines), bears(card, deeds.SweepsMines)
    if lays and lays[0].family not in unit.spent:
        yield lays[0].family, ""
    if sweeps and unit.sector in state.mines:
        yield sweeps[0].family, ""


def lay(flow: BattleFlow, unit: Unit, family: str, on: str) -> None:
    """A marker in its own sector; it does nothing to who is there already."""
    rules = (rule_of(family),)
    flow.emit(ev.AbilityUsed(unit=unit.id, ability=family, once=once(family), rules=rules))
    flow.emit(ev.AttackGivenUp(unit=unit.id, weapon="all", rules=rules))
    flow.emit(ev.MinesLaid(unit=unit.id, sector=unit.sector, rules=rules))


def sweep(flow: BattleFlow, unit: Unit, family: str, on: str) -> None:
    """A die for one marker in its own sector."""
    rules = (rule_of(family),)
    flow.emit(ev.AbilityUsed(unit=unit.id, ability=family, rules=rules))
    flow.emit(ev.AttackGivenUp(unit=unit.id, weapon="all", rules=rules))
    ask(flow, purposes.Used(unit.id, family), unit.seat, Dice(1))


def swept(flow: BattleFlow, unit: Unit, family: str, word: deeds.SweepsMines, face: int) -> None:
    """The sweeper's die."""
    rules, gone = (rule_of(family),), face >= word.needed
    flow.emit(
        ev.AbilityRolled(
            unit=unit.id,
            ability=family,
            face=face,
            result="swept" if gone else "",
            rules=rules,
        )
    )
    if gone:
        flow.emit(ev.MinesSwept(unit=unit.id, sector=unit.sector, rules=rules))


def entered(flow: BattleFlow, name: str, path: tuple[str, ...]) -> None:
    """A die for each marker in the sectors entered, whoever laid it; only Ships set mines off."""
    state = flow.state
    unit = state.units[name]
    card = card_of(state, unit)
    number_ = sum(state.mines.count(sector) for sector in path)
    if number_ and card.type == "Ship" and not bears(card, deeds.AvoidsMines):
        ask(flow, purposes.Mines(unit.id), unit.seat, Dice(number_))


def struck(flow: BattleFlow, name: str, faces: tuple[int, ...]) -> None:
    """1 is one hull point, 2 is two, less Torpedo Defense; pending until the phase is over."""
    less = _defense(flow.state, flow.state.units[name])
    points = sum(max(0, face - less) for face in faces if face <= WORST)
    family = next(iter(declared_by(deeds.LaysMines)))
    flow.emit(
        ev.HullLost(unit=name, points=points, cause=family, faces=faces, rules=(rule_of(family),))
    )


def _defense(state: State, unit: Unit) -> int:
    """Hull points that Torpedo Defense takes off."""
    return -sum(
        number(effect.add, ref.n)
        for ref, effect in effects_of(card_of(state, unit), words.TorpedoHit)
        if effect.holder == "target" and keeps(families()[ref.family], not damaged(unit))
    )
