"""What an attack leaves behind, once its counters are placed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from .....kernel.flow import Flow
from .. import events as ev
from ..cards import AbilityRef
from ..effects import (
    ALWAYS,
    Aimed,
    Bounty,
    Covered,
    Crippling,
    DiceAt,
    DiceLater,
    Downed,
    Effect,
    Missed,
    MoreDice,
    OnUnit,
)
from ..facts import card_of, is_ship, own, sinking
from ..families import deeds, hooks, words
from ..families.effects import bears, is_a, once, rule_of
from ..families.vocabulary import families
from ..state import Attack, State, Unit
from . import luck

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


Sequel = Callable[[Fought, AbilityRef, Any], Iterator[Effect]]
"""What an ability with a word makes of an attack that is over."""


def after(flow: BattleFlow, attack: Attack, outcome: str) -> None:
    """Set going whatever the attacker's or the target's abilities make of the result."""
    state = flow.state
    unit, target = state.units[attack.attacker], state.units[attack.target]
    fought = Fought(state, attack, unit, target, outcome)
    _spend_aim(flow, fought)
    _hunt(flow, fought)
    _down(flow, fought)
    _misfortune(flow, fought)
    for holder, sequels in ((unit, _ATTACKERS), (target, _TARGETS)):
        for ref in card_of(state, holder).abilities:
            for word in families()[ref.family].effects:
                sequel = sequels.get(type(word))
                if sequel is not None and ref.family not in holder.spent:
                    _begin(flow, holder, ref.family, tuple(sequel(fought, ref, word)))


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


def _has(state: State, sort: type[OnUnit], unit: str, rule_: str, source: str = "") -> bool:
    """Whether such an effect is at work already: the same ability does not add up."""
    there = state.lasting_on(sort, unit)
    return any(e.rule == rule_ and source in ("", e.source) for e in there)


def _pinpoint(f: Fought, ref: AbilityRef, word: hooks.Pinpoint) -> Iterator[Effect]:
    """ASW Pinpointer: friendly Ships roll more dice at the Submarine, this turn."""
    marked = any(
        (e.rule, e.seat) == (ref.rule, f.unit.seat) for e in f.state.lasting_on(DiceAt, f.target.id)
    )
    if card_of(f.state, f.target).type == "Submarine" and not marked:
        yield DiceAt(
            unit=f.target.id, seat=f.unit.seat, to="Ship", attack="asw", dice=word.dice,
            source=f.unit.id, rule=ref.rule, until=f.state.turn,
        )  # fmt: skip


def _straddle(f: Fought, ref: AbilityRef, word: hooks.Straddle) -> Iterator[Effect]:
    """Straddle: main guns that do no damage are aimed better next time."""
    if f.attack.weapon == "main" and not f.harmed:
        yield Aimed(
            unit=f.target.id,
            attack="main",
            dice=word.dice,
            source=f.unit.id,
            rule=ref.rule,
            until=ALWAYS,
        )


def _spend_aim(flow: BattleFlow, f: Fought) -> None:
    """The better aim has been used."""
    for effect in f.state.lasting_on(Aimed, f.target.id):
        if effect.source == f.unit.id and effect.attack == f.attack.weapon:
            flow.emit(ev.ended(effect))


def _instinct(f: Fought, ref: AbilityRef, word: hooks.Instinct) -> Iterator[Effect]:
    """The first success with a weapon gives dice with it for the rest of the game."""
    first = not _has(f.state, MoreDice, f.unit.id, ref.rule)
    right = f.attack.weapon == word.attack and is_a(card_of(f.state, f.target), word.prey)
    if right and f.harmed and first:
        yield MoreDice(
            unit=f.unit.id, attack=word.attack, dice=word.dice,
            source=f.unit.id, rule=ref.rule, until=ALWAYS,
        )  # fmt: skip


def _inspire(f: Fought, ref: AbilityRef, word: hooks.Inspire) -> Iterator[Effect]:
    """A hit on such prey: next turn own Ships shoot better, all or the others of a nation."""
    if not f.harmed or not is_a(card_of(f.state, f.target), word.prey):
        return
    for ship in own(f.state, f.unit.seat):
        chosen = not word.nation or (
            card_of(f.state, ship).nation == word.nation and ship.id != f.unit.id
        )
        if chosen and is_ship(f.state, ship):
            turn = f.state.turn + 1
            yield DiceLater(
                unit=ship.id, attack=word.attack, dice=word.dice,
                source=f.unit.id, rule=ref.rule, until=turn,
            )  # fmt: skip


def _cover(f: Fought, ref: AbilityRef, word: hooks.CoveringFire) -> Iterator[Effect]:
    """Covering Fire: until the Ship's next Surface Attack step is over."""
    if f.state.step.phase != "surface-attack" or not is_ship(f.state, f.target):
        return
    until = f.state.turn + (f.unit.seat == f.state.second)
    if not _has(f.state, Covered, f.target.id, ref.rule, f.unit.id):
        yield Covered(unit=f.target.id, die=word.die, source=f.unit.id, rule=ref.rule, until=until)


def _bounty(f: Fought, ref: AbilityRef, word: hooks.Bounty) -> Iterator[Effect]:
    """Heavy Raider: more points for an Auxiliary that it sinks, when it leaves play."""
    prey = is_a(card_of(f.state, f.target), word.prey) and sinking(f.state, f.target)
    if f.harmed and prey and not _has(f.state, Bounty, f.target.id, ref.rule):
        yield Bounty(
            unit=f.target.id, seat=f.unit.seat, ability=ref.family, points=word.points,
            source=f.unit.id, rule=ref.rule, until=f.state.turn,
        )  # fmt: skip


def _slip(f: Fought, ref: AbilityRef, word: deeds.Missed) -> Iterator[Effect]:
    """Dangerous Quarry: an enemy Ship has missed it with ASW."""
    missed = f.outcome in ("miss", "no-effect") and f.attack.weapon == "asw"
    if missed and is_ship(f.state, f.unit):
        yield Missed(unit=f.target.id, source=f.unit.id, rule=ref.rule, until=f.state.turn)


_ATTACKERS: dict[type[words.Effect], Sequel] = {
    hooks.Pinpoint: _pinpoint,
    hooks.Straddle: _straddle,
    hooks.Instinct: _instinct,
    hooks.Inspire: _inspire,
    hooks.CoveringFire: _cover,
    hooks.Bounty: _bounty,
}
_TARGETS: dict[type[words.Effect], Sequel] = {deeds.Missed: _slip}


def _hunt(flow: BattleFlow, f: Fought) -> None:
    """Hunter-Killer Group: what its Aircraft have attacked is easier for friendly Destroyers."""
    carrier = f.state.units.get(f.unit.base)
    if carrier is None or card_of(f.state, f.target).type != "Submarine":
        return
    told = bears(card_of(f.state, carrier), hooks.CarrierHunt)
    if told is None or _has(f.state, DiceAt, f.target.id, told[0].rule):
        return
    rule_, word = told[0].rule, told[1]
    mark = DiceAt(
        unit=f.target.id, seat=carrier.seat, to=word.to, attack="asw", dice=word.dice,
        source=carrier.id, rule=rule_, until=f.state.turn,
    )  # fmt: skip
    flow.emit(ev.EffectBegan(effect=mark, rules=(rule_,)))


def _down(flow: BattleFlow, f: Fought) -> None:
    """A Fighter has aborted or destroyed an Aircraft, and somebody may direct it."""
    down = f.attack.weapon == "antiair" and f.outcome in ("aborted", "destroyed")
    if not down or card_of(f.state, f.unit).subtype != "Fighter":
        return
    cards = (card_of(f.state, u) for u in own(f.state, f.unit.seat))
    directed = [found[0].rule for card in cards if (found := bears(card, deeds.Directs))]
    if directed:
        rule_ = min(directed)
        effect = Downed(unit=f.unit.id, source=f.unit.id, rule=rule_, until=f.state.turn)
        flow.emit(ev.EffectBegan(effect=effect, rules=(rule_,)))


def _misfortune(flow: BattleFlow, f: Fought) -> None:
    """Bad Luck where its owner has no choice: with one other Ship, or with none."""
    beside = luck.mates(f.state, f.unit) if luck.struck(f.state, f.attack) else ()
    told = bears(card_of(f.state, f.unit), hooks.BadLuck)
    if told and luck.struck(f.state, f.attack) and len(beside) < 2:
        luck.befall(flow, f.unit, told[0].family, *(beside or ("",)))


def salvo(state: State, attack: Attack, unit: Unit, target: Unit, outcome: str) -> str:
    """Crippling Salvo, where main guns damage a Cruiser or Battleship; empty: nothing of it."""
    cripples = bears(card_of(state, unit), hooks.Cripple)
    hit = attack.weapon == "main" and outcome == "hit"
    if cripples and hit and card_of(state, target).subtype in ("Cruiser", "Battleship"):
        return cripples[0].family
    return ""


def salvo_effect(state: State, unit: str, target: str, family: str) -> Crippling:
    """The target counts as crippled from the end of the phase to the end of the next turn."""
    return Crippling(
        unit=target, placed_turn=state.turn, placed_phase=state.step.phase,
        source=unit, rule=rule_of(family), until=state.turn + 1,
    )  # fmt: skip
