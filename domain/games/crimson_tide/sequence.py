"""The order of a battle: set-up, then turns of phases, each a list of steps (CT-SEQ, CT-FSM)."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from ...kernel.flow import Flow
from ...kernel.memo import latest
from ...kernel.rules import rule
from ...kernel.steps import Step, settle
from ...kernel.values import Seat
from . import events as ev
from .rules import (
    air_missions,
    damage,
    diving,
    fleets,
    helm,
    initiative,
    objectives,
    placing,
    sides,
    targets,
    torpedoes,
    transit,
    victory,
    voyage,
    weather,
)
from .rules.facts import own
from .state import Options, State, Unit

BattleFlow = Flow[State, ev.AnyEvent]
BattleStep = Step[State, ev.AnyEvent]

SETUP = ("fleets", "placing-order", "placing")

PHASES = (
    "dive",
    "initiative",
    "movement",
    "air-deployment",
    "air-defense",
    "air-attack",
    "surface-attack",
    "torpedo-check",
    "submarine-attack",
    "air-transit",
    "end-of-turn",
)


@cache
@rule("CT-SEQ-01", "CT-SEQ-02", "CT-FSM-01", "CT-FSM-02", "CT-GEN-08", "CT-SATK-02")
def keys(options: Options) -> tuple[str, ...]:
    """The steps in order: set-up once, then a turn from dives to the end of the turn.

    Damage that takes effect after each phase, by agreement, is a step of its own (CT-AMB-02).
    """
    early = options.damage_effects == "end-of-phase"
    opening = ("dive", "initiative")
    if options.dive_declaration == "first-player-first":
        opening = ("initiative", "dive.first", "dive.second")  # type: ignore[assignment]
    turn = [*opening]
    for phase, closes in (
        ("movement", early),
        ("air-deployment", False),
        ("air-defense", True),
        ("air-attack", early),
        ("surface-attack", early),
        ("torpedo-check", False),
        ("submarine-attack", early),
        ("air-transit", False),
    ):
        alone = phase in ("air-deployment", "torpedo-check")
        turn += [phase] if alone else [f"{phase}.first", f"{phase}.second"]
        turn += [f"{phase}.end"] if closes else []
    return (*SETUP, *turn, "end-of-turn")


def owner(state: State) -> Seat:
    """The side whose step it is; empty where both act, or nobody does."""
    part = state.step.partition(".")[2]
    if part == "first":
        return state.first
    return state.second if part == "second" else ""


@latest
def asked(state: State) -> tuple[Seat, ...]:
    """The seats that have a choice to make now, in the order in which they are asked."""
    if state.result is not None or state.awaiting is not None:
        return ()
    return _ASKED[_kind(state.step)](state)


def _kind(step: str) -> str:
    phase, _, part = step.partition(".")
    if part == "end":
        return "end"
    return "attack" if phase in targets.PHASE_OF else phase


def _nobody(state: State) -> tuple[Seat, ...]:
    return ()


def divers(state: State) -> tuple[Seat, ...]:
    """The seats that settle their dives in this step."""
    side = owner(state)
    return state.members(side) if side else state.seats


@rule("CT-SEQ-06")
def movable(state: State, seat: Seat) -> list[Unit]:
    """The seat's units that may still be ordered."""
    return [unit for unit in own(state, seat) if helm.may_be_ordered(state, unit)]


def _moving(state: State) -> tuple[Seat, ...]:
    if state.order is not None:
        return ()
    return sides.able(state, owner(state), lambda seat: bool(movable(state, seat)))


def _attacking(state: State) -> tuple[Seat, ...]:
    if state.shot is not None:
        return ()
    return sides.able(state, owner(state), lambda seat: targets.any_choice(state, seat))


_ASKED: dict[str, Callable[[State], tuple[Seat, ...]]] = {
    "fleets": fleets.builders,
    "placing-order": _nobody,
    "placing": placing.placers,
    "dive": lambda state: diving.choosing(state, divers(state)),
    "initiative": _nobody,
    "movement": _moving,
    "air-deployment": air_missions.deployers,
    "attack": _attacking,
    "torpedo-check": _nobody,
    "air-transit": lambda state: sides.able(
        state, owner(state), lambda seat: transit.can_land(state, seat)
    ),
    "end": _nobody,
    "end-of-turn": _nobody,
}


def _tend_order(flow: BattleFlow) -> bool:
    return placing.gather_storms(flow) or initiative.roll(flow)


def _tend_dive(flow: BattleFlow) -> bool:
    seats = divers(flow.state)
    if not any(diving.submarines(flow.state, seat) for seat in seats):
        return False
    return diving.reveal(flow, seats)


def _tend_movement(flow: BattleFlow) -> bool:
    if voyage.tend(flow):
        return True
    return not asked(flow.state) and voyage.finish(flow, owner(flow.state))


def _tend_deployment(flow: BattleFlow) -> bool:
    return not asked(flow.state) and air_missions.rearm(flow)


def _tend_end(flow: BattleFlow) -> bool:
    """The end of a phase: destroyed aircraft go; by agreement damage takes effect."""
    if "ended" in flow.state.tended:
        return False
    flow.emit(ev.TaskDone(task="ended"))
    if flow.state.phase != "air-defense":
        damage.apply(flow)
    damage.bury(flow)
    return True


def _task(name: str, do: Callable[[BattleFlow], object]) -> Callable[[BattleFlow], bool]:
    """Something that is done once at the end of a turn, if there is anything to do.

    ``do`` says true while it wants to come again; what changes nothing leaves no event behind.
    """

    def tend(flow: BattleFlow) -> bool:
        if name in flow.state.tended:
            return False
        before = len(flow.events)
        again = do(flow) is True
        if len(flow.events) == before:
            return False
        if not again:
            flow.emit(ev.TaskDone(task=name))
        return True

    return tend


def _clear(flow: BattleFlow) -> None:
    flow.emit(ev.TurnEnded(turn=flow.state.turn, rules=("CT-EOT-07",)))


END_OF_TURN: tuple[Callable[[BattleFlow], bool], ...] = (
    _task("damage", damage.apply),
    _task("removal", damage.bury),
    _task("repair", damage.repair),
    _task("fire", damage.burn),
    _task("wind", weather.draw_wind),
    _task("drift", weather.drift),
    _task("wrecks", damage.bury),
    _task("control", objectives.control),
    _task("landings", objectives.landings),
    _task("clear", _clear),
)
"""E1 to E10 of the end of a turn."""


@rule("CT-EOT-07", "CT-EOT-08", "CT-EOT-01")
def _tend_turn_end(flow: BattleFlow) -> bool:
    """The end of the turn in its fixed order; the battle ends here or a new turn begins."""
    if voyage.tend(flow):
        return True
    if "clear" not in flow.state.tended and any(task(flow) for task in END_OF_TURN):
        return True
    return victory.end_if(flow, victory.ended(flow.state))


_TEND: dict[str, Callable[[BattleFlow], bool]] = {
    "fleets": fleets.reveal,
    "placing-order": _tend_order,
    "placing": placing.base_on_land,
    "dive": _tend_dive,
    "initiative": initiative.roll,
    "movement": _tend_movement,
    "air-deployment": _tend_deployment,
    "attack": lambda flow: False,
    "torpedo-check": torpedoes.check,
    "air-transit": lambda flow: transit.finish(flow, owner(flow.state)),
    "end": _tend_end,
    "end-of-turn": _tend_turn_end,
}


@cache
def steps(options: Options) -> tuple[BattleStep, ...]:
    """The battle as a list of steps."""
    return tuple(
        Step(key, _TEND[_kind(key)], lambda state: bool(asked(state))) for key in keys(options)
    )


@cache
def _index(options: Options) -> dict[str, int]:
    return {key: number for number, key in enumerate(keys(options))}


def _move_on(flow: BattleFlow) -> None:
    """To the next step, or from the end of a turn to the next one; turns count from 1."""
    state = flow.state
    order = keys(state.options)
    number = _index(state.options)[state.step] + 1
    if number == len(order) or number == len(SETUP):
        flow.emit(ev.TurnBegan(turn=state.turn + 1, rules=("CT-SEQ-01",)))
        number = len(SETUP)
    if order[number].partition(".")[0] != state.phase:
        damage.settle_crippled(flow)
    flow.emit(ev.StepBegan(step=order[number]))


def carry_on(flow: BattleFlow) -> None:
    """Play on until somebody has to choose, dice are awaited, or the battle is over."""
    settle(
        flow,
        steps(flow.state.options),
        lambda state: _index(state.options)[state.step],
        lambda state: state.awaiting is not None or state.result is not None,
        _move_on,
    )
