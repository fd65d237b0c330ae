"""What an attack leaves behind, once its counters are placed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from .....kernel.flow import Flow
from ... import events as ev
from ...abilities.effects import has, once, rule_of
from ...effects import (
    Aimed,
    Bounty,
    Covered,
    Crippling,
    DiceAt,
    DiceLater,
    Downed,
    Effect,
    Lasting,
    Missed,
    MoreDice,
)
from ...state import Attack, State, Unit
from ..facts import card_of, is_ship, own, sinking
from . import luck
from .declared import ALWAYS

BattleFlow = Flow[State, ev.AnyEvent]


class Fought(NamedTuple):
    """An attack that is over: its units as they now are, and what it came to."""

    state: State
    attack: Attack
    unit: Unit
    target: Unit
    outcome: str

    @property
    def harmed(self) -> bool:
        """Whether it did damage or destroyed the target."""
        return self.outcome in ("hit", "destroyed")


Sequel = Callable[[Fought], Iterator[Effect]]


def after(flow: BattleFlow, attack: Attack, outcome: str) -> None:
    """Set going whatever the attacker's or the target's abilities make of the result."""
    state = flow.state
    unit, target = state.units[attack.attacker], state.units[attack.target]
    fought = Fought(state, attack, unit, target, outcome)
    _spend_aim(flow, fought)
    _hunt(flow, fought)
    _down(flow, fought)
    _misfortune(flow, fought)
    for holder, families in ((unit, _ATTACKERS), (target, _TARGETS)):
        for ref in card_of(state, holder).abilities:
            sequel = families.get(ref.family)
            if sequel is not None and ref.family not in holder.spent:
                _begin(flow, holder, ref.family, tuple(sequel(fought)))


def _begin(flow: BattleFlow, holder: Unit, family: str, effects: tuple[Effect, ...]) -> None:
    rules = (rule_of(family),)
    if once(family) == "game" and effects:
        flow.emit(
            ev.AbilityUsed(
                unit=holder.id, ability=family, effects=effects, once="game", rules=rules
            )
        )
        return
    for effect in effects:
        flow.emit(ev.EffectBegan(effect=effect, rules=rules))


def _has(state: State, sort: type[Lasting], unit: str, rule_: str, source: str = "") -> bool:
    """Whether such an effect is at work already: the same ability does not add up."""
    there = state.lasting_on(sort, unit)
    return any(e.rule == rule_ and source in ("", e.source) for e in there)


def _pinpoint(f: Fought) -> Iterator[Effect]:
    """ASW Pinpointer: friendly Ships roll one die more at the Submarine, this turn."""
    rule_ = rule_of("asw-pinpointer")
    marked = any(
        e.rule == rule_ and e.source.startswith(f"{f.unit.seat}-")
        for e in f.state.lasting_on(DiceAt, f.target.id)
    )
    if card_of(f.state, f.target).type == "Submarine" and not marked:
        yield DiceAt(f.target.id, 1, f.unit.id, rule_, f.state.turn, "Ship/asw")


def _straddle(f: Fought) -> Iterator[Effect]:
    """Straddle: main guns that do no damage are aimed better next time."""
    if f.attack.weapon == "main" and not f.harmed:
        yield Aimed(f.target.id, 1, f.unit.id, rule_of("straddle"), ALWAYS, "main")


def _spend_aim(flow: BattleFlow, f: Fought) -> None:
    """The better aim has been used."""
    for effect in f.state.lasting_on(Aimed, f.target.id):
        if effect.source == f.unit.id and effect.attack == f.attack.weapon:
            flow.emit(ev.ended(effect))


def _instinct(family: str, weapon: str, prey: str) -> Sequel:
    """The first success with a weapon gives one die with it for the rest of the game."""

    def sequel(f: Fought) -> Iterator[Effect]:
        rule_ = rule_of(family)
        first = not _has(f.state, MoreDice, f.unit.id, rule_)
        right = f.attack.weapon == weapon and card_of(f.state, f.target).type == prey
        if right and f.harmed and first:
            yield MoreDice(f.unit.id, 1, f.unit.id, rule_, ALWAYS, weapon)

    return sequel


def _inspire(f: Fought) -> Iterator[Effect]:
    """Inspire to Victory: a Battleship is hit; next turn every own Ship shoots better."""
    if f.harmed and card_of(f.state, f.target).subtype == "Battleship":
        rule_, turn = rule_of("inspire-to-victory"), f.state.turn + 1
        for ship in own(f.state, f.unit.seat):
            if is_ship(f.state, ship):
                yield DiceLater(ship.id, 1, f.unit.id, rule_, turn, "gunnery")


def _example(f: Fought) -> Iterator[Effect]:
    """Inspiring Example: a Ship is hit; next turn the other Greek Ships attack better."""
    if f.harmed and is_ship(f.state, f.target):
        rule_, turn = rule_of("inspiring-example"), f.state.turn + 1
        for ship in own(f.state, f.unit.seat):
            greek = card_of(f.state, ship).nation == "Greece" and is_ship(f.state, ship)
            if greek and ship.id != f.unit.id:
                yield DiceLater(ship.id, 1, f.unit.id, rule_, turn)


def _cover(f: Fought) -> Iterator[Effect]:
    """Covering Fire: until the Ship's next Surface Attack step is over."""
    if not f.state.step.startswith("surface-attack") or not is_ship(f.state, f.target):
        return
    rule_ = rule_of("covering-fire")
    until = f.state.turn + (f.unit.seat == f.state.second)
    if not _has(f.state, Covered, f.target.id, rule_, f.unit.id):
        yield Covered(f.target.id, -1, f.unit.id, rule_, until)


def _bounty(f: Fought) -> Iterator[Effect]:
    """Heavy Raider: two points more for an Auxiliary that it sinks, when it leaves play."""
    rule_ = rule_of("heavy-raider")
    prey = card_of(f.state, f.target).subtype == "Auxiliary" and sinking(f.state, f.target)
    if f.harmed and prey and not _has(f.state, Bounty, f.target.id, rule_):
        yield Bounty(f.target.id, 2, f.unit.id, rule_, f.state.turn)


def _slip(f: Fought) -> Iterator[Effect]:
    """Dangerous Quarry: an enemy Ship has missed it with ASW."""
    missed = f.outcome in ("miss", "no-effect") and f.attack.weapon == "asw"
    if missed and is_ship(f.state, f.unit):
        rule_ = rule_of("dangerous-quarry")
        yield Missed(f.target.id, 0, f.unit.id, rule_, f.state.turn)


_ATTACKERS: dict[str, Sequel] = {
    "asw-pinpointer": _pinpoint,
    "straddle": _straddle,
    "killer-instinct": _instinct("killer-instinct", "asw", "Submarine"),
    "fighting-instinct": _instinct("fighting-instinct", "torpedo", "Ship"),
    "inspire-to-victory": _inspire,
    "inspiring-example": _example,
    "covering-fire": _cover,
    "heavy-raider": _bounty,
}
_TARGETS: dict[str, Sequel] = {"dangerous-quarry": _slip}


def _hunt(flow: BattleFlow, f: Fought) -> None:
    """Hunter-Killer Group: what its Aircraft have attacked is easier for friendly Destroyers."""
    carrier = f.state.units.get(f.unit.base)
    if carrier is None or card_of(f.state, f.target).type != "Submarine":
        return
    rule_ = rule_of("hunter-killer-group")
    told = has(card_of(f.state, carrier), "hunter-killer-group")
    if told and not _has(f.state, DiceAt, f.target.id, rule_):
        mark = DiceAt(f.target.id, 1, carrier.id, rule_, f.state.turn, "Destroyer/asw")
        flow.emit(ev.EffectBegan(effect=mark, rules=(rule_,)))


DIRECTORS = ("fighter-director", "fighter-umbrella")
"""Abilities that send a Fighter on which has brought an Aircraft down."""


def _down(flow: BattleFlow, f: Fought) -> None:
    """A Fighter has aborted or destroyed an Aircraft, and somebody may direct it."""
    down = f.attack.weapon == "antiair" and f.outcome in ("aborted", "destroyed")
    if not down or card_of(f.state, f.unit).subtype != "Fighter":
        return
    cards = [card_of(f.state, u) for u in own(f.state, f.unit.seat)]
    family = next((d for d in DIRECTORS if any(has(card, d) for card in cards)), "")
    if family:
        rule_ = rule_of(family)
        effect = Downed(f.unit.id, 0, f.target.id, rule_, f.state.turn)
        flow.emit(ev.EffectBegan(effect=effect, rules=(rule_,)))


def _misfortune(flow: BattleFlow, f: Fought) -> None:
    """Bad Luck where its owner has no choice: with one other Ship, or with none."""
    beside = luck.mates(f.state, f.unit) if luck.struck(f.state, f.attack) else ()
    if luck.struck(f.state, f.attack) and len(beside) < 2:
        luck.befall(flow, f.unit, *(beside or ("",)))


def salvo(state: State, attack: Attack, unit: Unit, target: Unit, outcome: str) -> bool:
    """Crippling Salvo: main guns damage a Cruiser or Battleship."""
    return (
        attack.weapon == "main"
        and outcome == "hit"
        and card_of(state, target).subtype in ("Cruiser", "Battleship")
        and has(card_of(state, unit), "crippling-salvo") is not None
    )


def salvo_effect(state: State, unit: str, target: str) -> Crippling:
    """The target counts as crippled from the end of the phase to the end of the next turn."""
    placed = f"{state.turn}/{state.step.partition('.')[0]}"
    rule_ = rule_of("crippling-salvo")
    return Crippling(target, 0, unit, rule_, state.turn + 1, placed)
