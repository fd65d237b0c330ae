"""Fold one event into the state. No rules here: what an event says is so."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from ...kernel.game import Result
from ...kernel.values import Hidden, Known, Seat
from . import events as ev
from .state import Attack, CarrierLoss, Lost, State, Unit


def evolve(state: State | None, event: ev.AnyEvent) -> State:
    """The state after ``event``. Total: every event of :data:`events.AnyEvent` has an entry."""
    if isinstance(event, ev.GameOpened):
        return _opened(event)
    if state is None:
        raise ValueError("the first event of a battle is game-opened")
    return _HOW[type(event)](state, event)


def _opened(event: ev.GameOpened) -> State:
    return State(
        edition=event.edition,
        scenario=event.scenario,
        options=event.options,
        seats=event.seats,
        alliances={},
        step="sides",
        scores=dict.fromkeys(event.seats, 0),
    )


def _with(state: State, name: str, **changes: Any) -> dict[str, Unit]:
    units = state.units.copy()
    units[name] = replace(units[name], **changes)
    return units


def _each(state: State, names: tuple[str, ...], **changes: Any) -> dict[str, Unit]:
    units = state.units.copy()
    for name in names:
        units[name] = replace(units[name], **changes)
    return units


def _sides(state: State, e: ev.SidesSet) -> State:
    return replace(state, alliances=e.alliances)


def _locked(state: State, e: ev.FleetLocked) -> State:
    return replace(state, fleets={**state.fleets, e.seat: e.cards})


def _awaited(state: State, e: ev.DiceAwaited) -> State:
    return replace(state, awaiting=e.awaited, purpose=e.purpose, rolls=state.rolls + 1)


def _thrown(state: State, e: ev.DiceThrown) -> State:
    return replace(state, awaiting=None, purpose=None)


def _zone(state: State, e: ev.ZoneSelected) -> State:
    return replace(state, zone=e.zone, objectives=e.objectives)


def _deployer(state: State, e: ev.DeployerChosen) -> State:
    return replace(state, first_deployer=e.seat)


def _edges(state: State, e: ev.EdgesChosen) -> State:
    return replace(state, edges=e.edges)


def _deployed(state: State, e: ev.UnitDeployed) -> State:
    unit = Unit(e.unit, e.card, e.seat, sector=e.sector, base=e.base)
    return replace(
        state,
        units={**state.units, e.unit: unit},
        fleets={**state.fleets, e.seat: _without(state.fleets[e.seat], e.card)},
        stacks=_stacked(state, e.base, e.card),
    )


def _without(fleet: Known[str] | Hidden, card: str) -> Known[str] | Hidden:
    """A sealed fleet stays one envelope: even how many units are left is its owner's secret."""
    if isinstance(fleet, Hidden):
        return fleet
    cards = list(fleet.items)
    cards.remove(card)
    return Known(tuple(cards))


def _stacked(state: State, base: str, card: str) -> dict[str, tuple[str, ...]]:
    if base not in state.units:
        return state.stacks
    return {**state.stacks, base: (*state.stacks.get(base, ()), card)}


def _fleet_deployed(state: State, e: ev.FleetDeployed) -> State:
    return replace(state, fleets={**state.fleets, e.seat: Known(())})


def _turn(state: State, e: ev.TurnBegan) -> State:
    return replace(state, turn=e.turn, first="", last="")


def _initiative(state: State, e: ev.InitiativeRolled) -> State:
    return replace(state, first=e.first, thrown=e.thrown)


def _step(state: State, e: ev.StepBegan) -> State:
    return replace(state, step=e.step, last=e.last, tended=(), passed=(), active="")


def _task(state: State, e: ev.TaskDone) -> State:
    return replace(state, tended=(*state.tended, e.task))


def _passed(state: State, e: ev.Passed) -> State:
    return replace(state, passed=(*state.passed, e.seat), last=e.seat)


def _moved(state: State, e: ev.UnitMoved) -> State:
    return replace(state, units=_with(state, e.unit, sector=e.path[-1], moved=True))


def _shifted(state: State, e: ev.UnitShifted) -> State:
    return replace(
        state,
        units=_with(state, e.unit, sector=e.sector),
        used=(*state.used, f"{e.unit}/{e.ability}"),
        last=e.seat,
    )


def _placed(state: State, e: ev.AircraftPlaced) -> State:
    units = _with(state, e.unit, sector=e.sector, placed=True, strafing=e.strafing, role=e.role)
    return replace(state, units=units, last=e.seat)


def _sent_home(state: State, e: ev.AircraftSentHome) -> State:
    return replace(state, units=_each(state, e.units, base="airbase", placed=True), last=e.seat)


def _ability_used(state: State, e: ev.AbilityUsed) -> State:
    units = state.units
    if e.once == "game":
        units = _with(state, e.unit, spent=(*units[e.unit].spent, e.ability))
    barred = (*state.barred, e.bars) if e.bars else state.barred
    return replace(
        state,
        units=units,
        used=(*state.used, f"{e.unit}/{e.ability}"),
        effects=state.effects + e.effects,
        barred=barred,
        attack=_tried(state.attack, e.ability),
    )


def _tried(attack: Attack | None, what: str, **changes: Any) -> Attack | None:
    if attack is None:
        return None
    return replace(attack, tried=(*attack.tried, what), **changes)


def _declined(state: State, e: ev.AbilityDeclined) -> State:
    return replace(state, attack=_tried(state.attack, e.ability))


def _ability_rolled(state: State, e: ev.AbilityRolled) -> State:
    changes: dict[str, Any] = {}
    if e.result == "no-effect":
        changes["cancelled"] = e.ability
    elif e.result.startswith("saved-"):
        changes["saved"] = e.result.removeprefix("saved-")
    return replace(
        state,
        attack=_tried(state.attack, e.ability, **changes),
        effects=state.effects + e.effects,
        tended=(*state.tended, f"{e.unit}/{e.ability}"),
    )


def _declared(state: State, e: ev.AttackDeclared) -> State:
    a = e.attack
    unit = state.units[a.attacker]
    units = _with(
        state,
        a.attacker,
        done=(*unit.done, a.weapon),
        struck=(*unit.struck, a.target),
        attacked=True,
    )
    return replace(state, attack=a, active=a.attacker, units=units)


def _rolled(state: State, e: ev.AttackRolled) -> State:
    assert state.attack is not None
    return replace(state, attack=replace(state.attack, faces=e.faces, successes=e.successes))


def _concealment(state: State, e: ev.ConcealmentRolled) -> State:
    cancelled = "concealment" if e.concealed else ""
    return replace(state, attack=_tried(state.attack, "concealment", cancelled=cancelled))


def _resolved(state: State, e: ev.AttackResolved) -> State:
    units, target = state.units, state.units[e.target]
    if e.outcome == "destroyed":
        units = _with(state, e.target, doomed=True)
    elif e.outcome == "aborted":
        units = _with(state, e.target, aborted=True)
    elif e.damage:
        units = _with(state, e.target, pending=target.pending + e.damage)
    attack = None
    if e.followups and state.attack is not None:
        attack = replace(state.attack, outcome=e.outcome, tried=())
    progress = state.progress or e.outcome in ("hit", "aborted", "destroyed")
    return replace(state, units=units, attack=attack, progress=progress)


def _attack_ended(state: State, e: ev.AttackEnded) -> State:
    return replace(state, attack=None)


def _effect(state: State, e: ev.EffectBegan) -> State:
    return replace(state, effects=(*state.effects, e.effect))


def _doomed(state: State, e: ev.UnitDoomed) -> State:
    return replace(state, units=_with(state, e.unit, doomed=True))


def _spared(state: State, e: ev.UnitSpared) -> State:
    return replace(state, units=_with(state, e.unit, doomed=False, pending=e.pending))


def _smoke(state: State, e: ev.SmokeLaid) -> State:
    units = _with(state, e.unit, done=(*state.units[e.unit].done, "smoke"))
    until = max(e.until, state.smoke.get(e.sector, 0))
    return replace(state, smoke={**state.smoke, e.sector: until}, units=units, active=e.unit)


def _smoke_cleared(state: State, e: ev.SmokeCleared) -> State:
    smoke = {sector: until for sector, until in state.smoke.items() if sector not in e.sectors}
    return replace(state, smoke=smoke)


def _carrier(state: State, e: ev.CarrierDoomed) -> State:
    return replace(state, carriers={**state.carriers, e.carrier: CarrierLoss(e.chosen)})


def _carrier_rolled(state: State, e: ev.CarrierLossRolled) -> State:
    loss = CarrierLoss(e.units, rolled=True)
    return replace(
        state,
        carriers={**state.carriers, e.carrier: loss},
        units=_each(state, e.lost, doomed=True),
    )


def _damage(state: State, e: ev.DamageApplied) -> State:
    unit = state.units[e.unit]
    return replace(state, units=_with(state, e.unit, damage=unit.damage + e.damage, pending=0))


def _removed(state: State, e: ev.UnitRemoved) -> State:
    units = state.units.copy()
    unit = units.pop(e.unit)
    scores = state.scores
    if e.points:
        scores = {**scores, e.scorer: scores[e.scorer] + e.points}
    lost = Lost(e.unit, unit.card, unit.seat, state.turn, e.cause, e.points)
    return replace(state, units=units, scores=scores, lost=(*state.lost, lost), progress=True)


def _phase_ended(state: State, e: ev.PhaseEnded) -> State:
    units = {
        name: replace(unit, done=(), struck=(), pending=0)
        if unit.done or unit.struck or unit.pending
        else unit
        for name, unit in state.units.items()
    }
    return replace(state, units=units, carriers={}, active="", attack=None)


def _return_began(state: State, e: ev.ReturnBegan) -> State:
    stacks = {
        carrier: cards
        for carrier, cards in state.stacks.items()
        if carrier in state.units and state.units[carrier].seat != e.seat
    }
    return replace(
        state,
        units=_each(state, e.rearmed, rearming=False),
        stacks=stacks,
        tended=(*state.tended, "return"),
    )


def _returned(state: State, e: ev.AircraftReturned) -> State:
    unit = state.units[e.unit]
    units = _with(
        state, e.unit, sector="", base=e.base, rearming=e.rearming, strafing=False, role="",
        placed=False,
    )  # fmt: skip
    return replace(state, units=units, stacks=_stacked(state, e.base, unit.card))


def _return_ended(state: State, e: ev.ReturnEnded) -> State:
    units = {
        name: replace(unit, aborted=False, placed=False)
        if unit.seat == e.seat and (unit.aborted or unit.placed)
        else unit
        for name, unit in state.units.items()
    }
    return replace(state, units=units, tended=(*state.tended, "returned"))


def _claimed(state: State, e: ev.ObjectiveClaimed) -> State:
    return replace(
        state,
        objectives=tuple(s for s in state.objectives if s != e.sector),
        claimed={**state.claimed, e.sector: e.seat},
        scores=_score(state, e.seat, e.points),
        progress=True,
    )


def _score(state: State, seat: Seat, points: int) -> dict[Seat, int]:
    return {**state.scores, seat: state.scores[seat] + points}


def _claim_declined(state: State, e: ev.ClaimDeclined) -> State:
    return replace(state, declined=state.declined + e.sectors)


def _points(state: State, e: ev.PointsScored) -> State:
    bonus = (*state.bonus, e.seat) if e.cause == "no-ships" else state.bonus
    return replace(state, scores=_score(state, e.seat, e.points), bonus=bonus)


def _stalemate(state: State, e: ev.StalemateCalled) -> State:
    return replace(state, stalemate=(*state.stalemate, e.seat))


def _turn_ended(state: State, e: ev.TurnEnded) -> State:
    units = {
        name: replace(unit, moved=False, attacked=False) if unit.moved or unit.attacked else unit
        for name, unit in state.units.items()
    }
    return replace(
        state,
        units=units,
        effects=tuple(effect for effect in state.effects if effect.until > e.turn),
        used=(),
        barred=(),
        declined=(),
        stalemate=(),
        calm=e.calm,
        progress=False,
    )


def _ended(state: State, e: ev.GameEnded) -> State:
    return replace(state, result=Result(e.winners, e.reason, e.rule), awaiting=None, purpose=None)


_HOW: dict[type, Callable[[State, Any], State]] = {
    ev.SidesSet: _sides,
    ev.FleetLocked: _locked,
    ev.DiceAwaited: _awaited,
    ev.DiceThrown: _thrown,
    ev.ZoneSelected: _zone,
    ev.DeployerChosen: _deployer,
    ev.EdgesChosen: _edges,
    ev.UnitDeployed: _deployed,
    ev.FleetDeployed: _fleet_deployed,
    ev.TurnBegan: _turn,
    ev.InitiativeRolled: _initiative,
    ev.StepBegan: _step,
    ev.TaskDone: _task,
    ev.Passed: _passed,
    ev.UnitMoved: _moved,
    ev.UnitShifted: _shifted,
    ev.AircraftPlaced: _placed,
    ev.AircraftSentHome: _sent_home,
    ev.AbilityUsed: _ability_used,
    ev.AbilityDeclined: _declined,
    ev.AbilityRolled: _ability_rolled,
    ev.AttackDeclared: _declared,
    ev.AttackRolled: _rolled,
    ev.ConcealmentRolled: _concealment,
    ev.AttackResolved: _resolved,
    ev.AttackEnded: _attack_ended,
    ev.EffectBegan: _effect,
    ev.UnitDoomed: _doomed,
    ev.UnitSpared: _spared,
    ev.SmokeLaid: _smoke,
    ev.SmokeCleared: _smoke_cleared,
    ev.CarrierDoomed: _carrier,
    ev.CarrierLossRolled: _carrier_rolled,
    ev.DamageApplied: _damage,
    ev.UnitRemoved: _removed,
    ev.PhaseEnded: _phase_ended,
    ev.ReturnBegan: _return_began,
    ev.AircraftReturned: _returned,
    ev.ReturnEnded: _return_ended,
    ev.ObjectiveClaimed: _claimed,
    ev.ClaimDeclined: _claim_declined,
    ev.PointsScored: _points,
    ev.StalemateCalled: _stalemate,
    ev.TurnEnded: _turn_ended,
    ev.GameEnded: _ended,
}
