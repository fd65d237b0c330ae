"""DMG and AIR: the end of a phase, when damage takes effect and the lost leave play."""

from __future__ import annotations

from collections import Counter

from ....kernel.chance import Awaited, Dice
from ....kernel.flow import Flow
from ....kernel.rules import No, rule
from ....kernel.values import Seat
from . import commands as c
from . import events as ev
from . import purposes
from .effects import ALWAYS, Bounty, Wreck
from .facts import card_of, convoy, is_aircraft, is_carrier, own, sinking
from .families import deeds, hooks
from .families.effects import bears, of_family, rule_of
from .families.shots import effects_of
from .mechanisms import homes
from .purposes import Purpose
from .state import AIRBASE, CarrierLoss, State, Unit

BattleFlow = Flow[State, ev.AnyEvent]


def label(state: State, what: str) -> str:
    """A name for a roll, unique in the game: turn, step, what, and a running number."""
    return f"{state.turn}/{state.step}/{what}/{state.rolls + 1}"


def ask(flow: BattleFlow, purpose: Purpose, owner: Seat, *pools: Dice) -> None:
    """Ask the chance seat for dice."""
    kind = purposes.KINDS[type(purpose)]
    what = f"{kind}/{purpose.unit}" if isinstance(purpose, purposes.OfUnit) else kind
    awaited = Awaited(label(flow.state, what), pools, owner)
    flow.emit(ev.DiceAwaited(awaited=awaited, purpose=purpose))


@rule("WAS-DMG-15", "WAS-DMG-14", "WAS-AIRD-16", "WAS-TORP-07")
def doomed(state: State) -> list[Unit]:
    """The units that leave play at the end of this phase, the First Player's first."""
    struck = [u for u in state.all_units if u.doomed or u.pending]
    if not struck:
        return []
    order = (state.first, state.second)
    return [u for seat in order for u in struck if u.seat == seat and sinking(state, u)]


@rule("WAS-AIR-10", "WAS-AIR-14", "RUL-71", "RUL-72")
def at_risk(state: State, carrier: Unit) -> tuple[int, list[Unit]]:
    """How many Aircraft are at risk with a lost Carrier, and which ones may still be chosen.

    2007: as many as its capacity, any Fighter, Dive or Torpedo Bomber. 2009: one for each card
    stacked with it, of that card, and none that is at the land airbase.
    """
    taken = {name for loss in state.carriers.values() for name in loss.chosen}
    loss = state.carriers.get(carrier.id, CarrierLoss())
    able = [unit for unit in _flyers(state, carrier.seat) if unit.id not in taken]
    if not state.rulebook.cards_stacked:
        able = [u for u in able if card_of(state, u).subtype != "Patrol Bomber"]
        if state.options.carrier_loss2007_pool == "based":
            able = [u for u in able if u.base == carrier.id]
        left = card_of(state, carrier).basing - len(loss.chosen)
        return min(left, len(able)), able
    open_cards = Counter(state.stacks.get(carrier.id, ()))
    open_cards.subtract(state.units[name].card for name in loss.chosen)
    able = [u for u in able if open_cards[u.card] > 0 and (u.sector or u.base != AIRBASE)]
    there = Counter(u.card for u in able)
    return sum(min(open_cards[name], there[name]) for name in there), able


def _flyers(state: State, seat: Seat) -> list[Unit]:
    """Aircraft that may go down with a Carrier; not those with a home of their own."""
    every = [u for u in own(state, seat) if is_aircraft(state, u) and not u.doomed]
    return [unit for unit in every if not homes.tied(card_of(state, unit))]


def unsettled_carrier(state: State) -> Unit | None:
    """A Carrier that goes down and whose Aircraft have not been rolled for."""
    for unit in doomed(state):
        if is_carrier(state, unit) and not state.carriers.get(unit.id, CarrierLoss()).rolled:
            return unit
    return None


def open_risk(state: State) -> Unit | None:
    """The lost Carrier for which its owner still has a real choice of Aircraft."""
    carrier = unsettled_carrier(state)
    if carrier is None or carrier.id not in state.carriers:
        return None
    number, able = at_risk(state, carrier)
    return carrier if 0 < number < len(able) else None


def why_not_risk(state: State, seat: Seat, command: c.Risk) -> No | None:
    """Why an Aircraft may not be chosen to be at risk."""
    open_carrier = open_risk(state)
    if open_carrier is None or open_carrier.id != command.carrier:
        return No("risk.no-carrier", "WAS-AIR-10", "No such choice is open.", "/carrier")
    if command.unit not in {u.id for u in at_risk(state, open_carrier)[1]}:
        rule_ = state.rulebook.carrier_loss
        return No("risk.not-eligible", rule_, "That Aircraft cannot be chosen.", "/unit")
    return None


def risk(flow: BattleFlow, seat: Seat, command: c.Risk) -> None:
    """The owner of a lost Carrier names one more Aircraft that may go down with it."""
    chosen = (*flow.state.carriers[command.carrier].chosen, command.unit)
    rules = loss_rules(flow.state)
    flow.emit(ev.CarrierDoomed(carrier=command.carrier, chosen=chosen, rules=rules))


@rule("WAS-AIR-11", "WAS-AIR-15", "WAS-RETN-11", "RUL-76")
def settle_carriers(flow: BattleFlow) -> bool:
    """Deal with the next lost Carrier: name those at risk if there is no choice, then roll."""
    carrier = unsettled_carrier(flow.state)
    if carrier is None:
        return False
    if carrier.id not in flow.state.carriers:
        flow.emit(ev.CarrierDoomed(carrier=carrier.id, rules=loss_rules(flow.state)))
    if open_risk(flow.state) is not None:
        return False
    number, able = at_risk(flow.state, carrier)
    chosen = flow.state.carriers[carrier.id].chosen + tuple(u.id for u in able[:number])
    if not chosen:
        flow.emit(
            ev.CarrierLossRolled(
                carrier=carrier.id, units=(), faces=(), lost=(), rules=loss_rules(flow.state)
            )
        )
        return True
    flow.emit(ev.CarrierDoomed(carrier=carrier.id, chosen=chosen, rules=loss_rules(flow.state)))
    ask(flow, purposes.CarrierFire(carrier.id), carrier.seat, Dice(len(chosen)))
    return True


def loss_rules(state: State) -> tuple[str, ...]:
    """By which procedure Aircraft go down with a Carrier."""
    return (state.rulebook.carrier_loss,)


@rule("WAS-AIR-12", "WAS-VP-10")
def carrier_rolled(flow: BattleFlow, carrier: str, faces: tuple[int, ...]) -> None:
    """An Aircraft whose die is 1 goes down with the Carrier, and scores for the enemy."""
    units = flow.state.carriers[carrier].chosen
    lost = tuple(unit for unit, face in zip(units, faces, strict=True) if face == 1)
    flow.emit(
        ev.CarrierLossRolled(
            carrier=carrier, units=units, faces=faces, lost=lost, rules=loss_rules(flow.state)
        )
    )


@rule(
    "WAS-DMG-11", "WAS-DMG-17", "WAS-DMG-02", "WAS-ATK-21", "WAS-ATK-22", "WAS-INIT-17", "RUL-45",
    "WAS-TORP-06",
)  # fmt: skip
def apply_damage(flow: BattleFlow) -> None:
    """Face-down counters are turned up: pending damage takes effect on all that stay in play."""
    for unit in flow.state.all_units:
        if unit.pending and not sinking(flow.state, unit):
            left = card_of(flow.state, unit).hull_points - unit.damage - unit.pending
            flow.emit(
                ev.DamageApplied(
                    unit=unit.id, damage=unit.pending, crippled=left == 1, rules=("WAS-DMG-11",)
                )
            )


@rule(
    "WAS-DMG-16", "WAS-VP-01", "WAS-VP-12", "RUL-87", "RUL-91", "WAS-EOT-05", "WAS-GLOSS-14",
)  # fmt: skip
def remove(flow: BattleFlow, unit: Unit, cause: str) -> None:
    """Take a unit out of play; the opponent scores its cost, once."""
    state = flow.state
    flow.emit(
        ev.UnitRemoved(
            unit=unit.id,
            scorer=state.other(unit.seat),
            points=_worth(state, unit),
            cause=cause,
            rules=("WAS-VP-01",),
        )
    )
    _collect(flow, unit)
    _take_along(flow, unit)


def _take_along(flow: BattleFlow, ship: Unit) -> None:
    """Aircraft that are based on this unit only are lost with it, wherever they fly."""
    for unit in own(flow.state, ship.seat):
        if unit.card in homes.detachments() and unit.base == ship.id:
            rules = (rule_of(homes.detachments()[unit.card]),)
            scorer = flow.state.other(unit.seat)
            flow.emit(
                ev.UnitRemoved(
                    unit=unit.id, scorer=scorer, points=0, cause="lost-with-ship", rules=rules
                )
            )


def _collect(flow: BattleFlow, unit: Unit) -> None:
    """Points that an ability (Heavy Raider) has set on the unit; a wreck for Rescue Operations."""
    state = flow.state
    rescuers = (card_of(state, u) for u in own(state, unit.seat))
    found = (ref.rule for card in rescuers for ref, e in effects_of(card, deeds.Promises)
             if e.where == "wreck")  # fmt: skip
    rescue = next(found, "")
    if rescue and unit.sector and card_of(state, unit).type == "Ship":
        wreck = Wreck(seat=unit.seat, sector=unit.sector, source=unit.id, rule=rescue, until=ALWAYS)
        flow.emit(ev.EffectBegan(effect=wreck, rules=(rescue,)))
    for effect in () if convoy(state) else state.lasting_on(Bounty, unit.id):
        seat, cause, rules = effect.seat, effect.ability, (effect.rule,)
        flow.emit(ev.PointsScored(seat=seat, points=effect.points, cause=cause, rules=rules))


def _worth(state: State, unit: Unit) -> int:
    """Its cost; nothing where points do not decide (Convoy), or by agreement for an own act."""
    free = unit.own_act and not state.options.self_loss_scores
    return 0 if free or convoy(state) else card_of(state, unit).cost


def leave(flow: BattleFlow, unit: Unit, cause: str, rule_: str = "") -> None:
    """A unit leaves play without being destroyed: nobody scores it."""
    rules = (rule_,) if rule_ else ()
    scorer = flow.state.other(unit.seat)
    flow.emit(ev.UnitRemoved(unit=unit.id, scorer=scorer, points=0, cause=cause, rules=rules))
    _take_along(flow, unit)


def may_be_spared(state: State, unit: Unit) -> str:
    """The ability by which a die is thrown before the unit is removed; empty: none is."""
    spared = bears(card_of(state, unit), hooks.Spared)
    return spared[0].family if spared else ""


def spare(flow: BattleFlow) -> bool:
    """Determination: a unit that would be destroyed, by whatever means, rolls to stay afloat."""
    for unit in doomed(flow.state):
        family = may_be_spared(flow.state, unit)
        if family and f"{unit.id}/{family}" not in flow.state.tended:
            ask(flow, purposes.Spare(unit.id, family), unit.seat, Dice(1))
            return True
    return False


def spare_rolled(flow: BattleFlow, name: str, family: str, face: int) -> None:
    """On a high face it survives with one hull point."""
    spared = of_family(family, hooks.Spared)
    rules, lives = (rule_of(family),), spared is not None and face >= spared.needed
    flow.emit(
        ev.AbilityRolled(
            unit=name,
            ability=family,
            face=face,
            result="survives" if lives else "",
            rules=rules,
        )
    )
    if lives:
        unit = flow.state.units[name]
        left = card_of(flow.state, unit).hull_points - 1 - unit.damage
        flow.emit(ev.UnitSpared(unit=name, pending=left, rules=rules))


@rule("WAS-AIRA-10", "WAS-TORP-17")
def end_phase(flow: BattleFlow, phase: str) -> None:
    """The end-of-phase procedure once all Carriers are settled: apply, remove, clear markers."""
    apply_damage(flow)
    for unit in doomed(flow.state):
        if unit.id in flow.state.units:
            remove(flow, unit, "destroyed")
    flow.note(ev.PhaseEnded(phase=phase))
