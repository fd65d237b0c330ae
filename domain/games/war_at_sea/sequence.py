"""The order of a battle: set-up, then turns of phases, each a list of steps (INIT, section 6)."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from ...kernel.chance import Dice
from ...kernel.flow import Flow
from ...kernel.memo import latest
from ...kernel.rules import rule
from ...kernel.steps import Step, settle
from ...kernel.values import Seat
from . import events as ev
from .rules import (
    abilities,
    aftermath,
    air_missions,
    air_return,
    convoy,
    damage,
    darkness,
    deployment,
    followups,
    sea_movement,
    tasks,
    terms,
    victory,
    weather,
)
from .rules.deployment import undeployed
from .rules.mechanisms import airfield, squadrons
from .state import Edition, Purpose, State

BattleFlow = Flow[State, ev.AnyEvent]
BattleStep = Step[State, ev.AnyEvent]

SETUP = (
    "sides", "fleets", "battle-zone", "first-deployer", "edges",
    "deployment.first", "deployment.second", "deployment.after",
)  # fmt: skip


@cache
@rule("WAS-INIT-02", "WAS-INIT-03", "WAS-INIT-01", "WAS-INIT-04", "WAS-INIT-06", "RUL-17",
      "WAS-GLOSS-24", "WAS-GLOSS-25", "WAS-SETUP-02")  # fmt: skip
def keys(edition: Edition) -> tuple[str, ...]:
    """The steps in order: set-up once, then a turn from ``initiative`` to ``end-of-turn``."""
    last = "torpedo-attack" if edition == "2007" else "submarine-attack"
    attacks_ = (
        f"{phase}.{part}"
        for phase in ("air-defense", "air-attack", "surface-attack", last)
        for part in _parts(phase)
    )
    return (
        *SETUP,
        "initiative",
        "sea-movement.first", "sea-movement.second", "sea-movement.hunt", "sea-movement.end",
        "air-mission", "air-mission.patrol",
        *attacks_,
        *(f"air-return.{part}" for part in _parts("air-return")),
        "end-of-turn",
    )  # fmt: skip


def _parts(phase: str) -> tuple[str, ...]:
    if phase == "surface-attack":
        return ("before", "first", "second", "after", "end")
    if phase in ("air-defense", "air-return"):
        return ("first", "second", "after", "end")
    return ("first", "second", "end")


def skipped(state: State, step: str) -> bool:
    """Steps that only some abilities need: without them a game does not even enter them."""
    if step == "sea-movement.end":
        return not any(u.pending or u.doomed or u.done for u in state.all_units)
    part = step.partition(".")[2]
    return part in ("before", "after") and not abilities.needed(state, step)


@rule("WAS-SEA-01", "RUL-05", "WAS-SETUP-26")
def owner(state: State) -> Seat:
    """The seat whose step it is; empty where both act, or nobody does."""
    phase, _, part = state.step.partition(".")
    if phase == "deployment" or phase == "edges":
        first = state.first_deployer
    else:
        first = state.first
    if part == "first" or phase == "edges":
        return first
    return state.other(first) if part == "second" else ""


@latest
def asked(state: State) -> tuple[Seat, ...]:
    """The seats that have a choice to make now, in the order in which they are asked."""
    if state.result is not None or state.awaiting is not None:
        return ()
    question = followups.question(state)
    if question is not None:
        return (question[0],)
    return _ASKED[_kind(state.step)](state)


@cache
def _kind(step: str) -> str:
    phase, _, part = step.partition(".")
    if part in ("hunt", "patrol", "before", "after", "end"):
        return part
    if phase.endswith("-attack") or phase == "air-defense":
        return "attack"
    return phase


def _nobody(state: State) -> tuple[Seat, ...]:
    return ()


def _choosing_side(state: State) -> tuple[Seat, ...]:
    return (state.side_chooser,) if state.side_chooser and not state.alliances else ()


def _owner(state: State) -> tuple[Seat, ...]:
    return (owner(state),)


def _fleets(state: State) -> tuple[Seat, ...]:
    return tuple(seat for seat in state.seats if seat not in state.fleets)


def _deploying(state: State) -> tuple[Seat, ...]:
    return () if "deployed" in state.tended else (owner(state),)


def _if_able(state: State) -> tuple[Seat, ...]:
    seat = owner(state)
    return (seat,) if seat not in state.passed and tasks.has_action(state, seat) else ()


def _alternating(state: State) -> tuple[Seat, ...]:
    def able(seat: Seat) -> bool:
        return seat not in state.passed and tasks.has_action(state, seat)

    seat = air_missions.mover(state, able, state.first or state.first_deployer)
    return (seat,) if seat else ()


def _returning(state: State) -> tuple[Seat, ...]:
    seat = owner(state)
    if air_return.flying(state, seat):
        return (seat,)
    return (seat,) if seat not in state.passed and tasks.has_action(state, seat) else ()


def _ending(state: State) -> tuple[Seat, ...]:
    carrier = damage.open_risk(state)
    return (carrier.seat,) if carrier is not None else ()


def _claiming(state: State) -> tuple[Seat, ...]:
    if "claims" in state.tended:
        return ()
    return tuple(
        seat
        for seat in (state.first, state.second)
        if seat not in state.passed and tasks.has_action(state, seat)
    )[:1]


_ASKED = {
    "sides": _choosing_side,
    "fleets": _fleets,
    "battle-zone": _nobody,
    "first-deployer": _nobody,
    "edges": lambda state: () if state.edges else _owner(state),
    "deployment": _deploying,
    "initiative": _nobody,
    "sea-movement": _if_able,
    "hunt": _alternating,
    "air-mission": _alternating,
    "patrol": _alternating,
    "before": _alternating,
    "after": _alternating,
    "attack": _if_able,
    "end": _ending,
    "air-return": _returning,
    "end-of-turn": _claiming,
}


def _tend_sides(flow: BattleFlow) -> bool:
    if not flow.state.alliances:
        return not flow.state.side_chooser and tasks.set_sides(flow)
    return convoy.set_roles(flow)


def _tend_zone(flow: BattleFlow) -> bool:
    if not flow.state.zone:
        return tasks.select_zone(flow)
    return darkness.set_light(flow) or weather.set_weather(flow) or terms.lay_out(flow)


@rule("WAS-SETUP-10")
def _tend_coin(flow: BattleFlow) -> bool:
    """The winner of the coin deploys first; it is no choice."""
    if flow.state.first_deployer:
        return False
    if flow.state.escort:
        convoy.deploys_first(flow)
        return True
    if terms.first_deployer(flow):
        return True
    damage.ask(flow, Purpose("deployer"), "", Dice(1, 2))
    return True


def _tend_deployment(flow: BattleFlow) -> bool:
    seat = owner(flow.state)
    if "deployed" in flow.state.tended or undeployed(flow.state, seat):
        return False
    flow.emit(ev.FleetDeployed(seat=seat, rules=("WAS-SETUP-25",)))
    flow.emit(ev.TaskDone(task="deployed"))
    return True


def _tend_initiative(flow: BattleFlow) -> bool:
    if flow.state.first:
        return False
    damage.ask(flow, Purpose("initiative"), "", Dice(2), Dice(2))
    return True


def _tend_sea(flow: BattleFlow) -> bool:
    if flow.state.attack is not None:
        return aftermath.proceed(flow)
    if tasks.roll_for_speed(flow):
        return True
    return not asked(flow.state) and sea_movement.remove_excess(flow, owner(flow.state))


def _tend_hunt(flow: BattleFlow) -> bool:
    """The end of Sea Movement; in 2007 a convoy that is through ends the battle here."""
    if tasks.pursue(flow) or tasks.unmask(flow):
        return True
    return not asked(flow.state) and tasks.end_if(flow, victory.eliminated(flow.state))


def _tend_attack(flow: BattleFlow) -> bool:
    return aftermath.proceed(flow) or tasks.draw_the_cap(flow)


def _tend_end(flow: BattleFlow) -> bool:
    if squadrons.sacrifice(flow) or damage.spare(flow) or damage.settle_carriers(flow):
        return True
    if damage.open_risk(flow.state) is not None or "ended" in flow.state.tended:
        return False
    if flow.state.step == "air-defense.end":
        airfield.score(flow)
    squadrons.break_off(flow)
    damage.end_phase(flow, flow.state.step.partition(".")[0])
    flow.emit(ev.TaskDone(task="ended"))
    tasks.end_if(flow, victory.eliminated(flow.state))
    return True


def _tend_return(flow: BattleFlow) -> bool:
    state, seat = flow.state, owner(flow.state)
    if "return" not in state.tended:
        air_return.begin(flow, seat)
        return True
    if squadrons.arrivals(flow, seat) or darkness.recover(flow, seat):
        return True
    if "returned" in state.tended or asked(state):
        return False
    air_return.finish(flow, seat)
    return True


def _nothing(flow: BattleFlow) -> bool:
    return False


_TEND: dict[str, Callable[[BattleFlow], bool]] = {
    "sides": _tend_sides,
    "fleets": terms.lock_fleets,
    "battle-zone": _tend_zone,
    "first-deployer": _tend_coin,
    "edges": terms.take_edges,
    "deployment": _tend_deployment,
    "initiative": _tend_initiative,
    "sea-movement": _tend_sea,
    "hunt": _tend_hunt,
    "air-mission": _nothing,
    "patrol": _nothing,
    "before": _nothing,
    "attack": _tend_attack,
    "after": aftermath.proceed,
    "end": _tend_end,
    "air-return": _tend_return,
    "end-of-turn": tasks.end_turn,
}


@cache
def steps(edition: Edition) -> tuple[BattleStep, ...]:
    """The battle as a list of steps."""
    return tuple(
        Step(key, _TEND[_kind(key)], lambda state: bool(asked(state))) for key in keys(edition)
    )


@cache
def _index(edition: Edition) -> dict[str, int]:
    return {key: number for number, key in enumerate(keys(edition))}


@rule("RUL-18", "WAS-SEA-16", "WAS-INIT-18")
def _move_on(flow: BattleFlow) -> None:
    """To the next step, or from the end of a turn to the next turn: there is no turn limit."""
    state = flow.state
    number = _index(state.edition)[state.step] + 1
    order = keys(state.edition)
    while number < len(order) and skipped(state, order[number]):
        number += 1
    key = order[number] if number < len(order) else "initiative"
    if key == "initiative":
        flow.emit(ev.TurnBegan(turn=state.turn + 1, rules=("WAS-INIT-18",)))
        darkness.turns(flow)
    flow.emit(ev.StepBegan(step=key))


def carry_on(flow: BattleFlow) -> None:
    """Play on until somebody has to choose, dice are awaited, or the battle is over."""
    settle(
        flow,
        steps(flow.state.edition),
        lambda state: _index(state.edition)[state.step],
        lambda state: state.awaiting is not None or state.result is not None,
        _move_on,
    )


@rule("WAS-SETUP-09")
def zone_rolled(flow: BattleFlow, face: int) -> None:
    """The die's zone is laid out with its objective markers."""
    zone, objectives = deployment.zone_of(flow.state, face)
    flow.emit(ev.ZoneSelected(zone=zone, objectives=objectives, rules=("WAS-SETUP-07",)))
