"""The order of play: set-up, then turns of phases, each a list of steps (CT-SEQ, CT-FSM)."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from ....kernel.chance import Faces
from ....kernel.flow import Flow
from ....kernel.play import Course, Hooks, Step, Way
from ....kernel.question import a_seat, act, dice_first
from ....kernel.rules import No, rule
from ....kernel.values import Seat
from . import (
    air_missions,
    attacks,
    damage,
    diving,
    fleets,
    futile,
    initiative,
    objectives,
    placing,
    torpedoes,
    transit,
    victory,
    voyage,
    weather,
)
from . import commands as c
from . import events as ev
from . import questions as q
from .evolve import evolve
from .rolls import rolled
from .state import Options, State

BattleFlow = Flow[State, ev.AnyEvent]
BattleStep = Step[State, ev.AnyEvent, c.AnyCommand]
BattleWay = Way[State, ev.AnyEvent, c.AnyCommand]
BattleCourse = Course[State, ev.AnyEvent, c.AnyCommand]
Steps = tuple[BattleStep, ...]
Tend = Callable[[BattleFlow], bool]
Leave = Callable[[BattleFlow], object]


def battle(options: Options) -> BattleCourse:
    """The order of play that the players have agreed on."""
    at_once = options.damage_effects == "end-of-phase"
    return course(at_once, options.dive_declaration == "first-player-first")


@cache
@rule("CT-SEQ-01", "CT-SEQ-02", "CT-FSM-01", "CT-FSM-02", "CT-GEN-08", "CT-SATK-02")
def course(damage_at_once: bool, dives_in_turn: bool) -> BattleCourse:
    """Set-up once, then a turn from dives to the end of the turn.

    damage_at_once  damage takes effect after each phase, in a step of its own (CT-AMB-02)
    dives_in_turn   the first player declares his dives, then the second: after initiative
    """
    roll = _alone("initiative", tend=initiative.roll)
    together = (*_alone("dive", q.DIVE, finish=diving.reveal, sealed=True), *roll)
    in_turn = (*roll, *_both("dive", q.DIVE, finish=diving.reveal, sealed=True))
    return Course(
        HOOKS,
        once=(
            BattleStep("fleets", q.FLEET, tend=fleets.reveal, sealed=True),
            BattleStep("placing-order", tend=_order),
            BattleStep("placing", q.PLACE, tend=placing.base_on_land, skip=placing.scenario_places),
        ),
        turn=(
            *(in_turn if dives_in_turn else together),
            *_both("movement", q.MOVE, damage_at_once, tend=voyage.tend, finish=voyage.finish),
            *_alone("air-deployment", q.DEPLOY, finish=air_missions.rearm),
            *_both("air-defense", q.AIR_DEFENSE, closes=True),
            *_both("air-attack", q.AIR_ATTACK, damage_at_once),
            *_both("surface-attack", q.SURFACE_ATTACK, damage_at_once),
            *_alone("torpedo-check", tend=torpedoes.check),
            *_both("submarine-attack", q.SUBMARINE_ATTACK, damage_at_once),
            *_both("air-transit", q.LAND, leave=transit.end),
            BattleStep("end-of-turn", tend=_end_turn),
        ),
        ways=(
            BattleWay(c.OfferDraw(), act(c.OfferDraw, victory.offer_draw, victory.why_not_offer)),
            BattleWay(c.Resign(), act(c.Resign, victory.resign)),
        ),
    )


def _nothing(flow: BattleFlow) -> None:
    """Nothing is left to do."""


def _alone(phase: str, asks: q.Asks | None = None, leave: Leave = _nothing, **doing: Any) -> Steps:
    """A phase's only or last step; on leaving it its own comes first, then CRIPPLED is settled."""

    def settle(flow: BattleFlow) -> None:
        leave(flow)
        damage.settle_crippled(flow)

    return (BattleStep(phase, asks, leave=settle, **doing),)


def _both(phase: str, asks: q.Asks, closes: bool = False, **doing: Any) -> Steps:
    """A phase of two steps, the first player's and the second's.

    closes  what was hit in it is settled in a third
    """
    first = BattleStep(phase, asks, part="first", **doing)
    if closes:
        end = _alone(phase, part="end", leave=_close)
        return (first, BattleStep(phase, asks, part="second", **doing), *end)
    return (first, *_alone(phase, asks, part="second", **doing))


# --- what happens by itself ----------------------------------------------------------------------


def _order(flow: BattleFlow) -> bool:
    """By agreement squalls gather; then the dice say who places first, if anybody has to place."""
    if placing.by_scenario(flow) or placing.gather_storms(flow):
        return True
    return not placing.scenario_places(flow.state) and initiative.roll(flow)


def _close(flow: BattleFlow) -> None:
    """The end of a phase: destroyed aircraft go; by agreement damage takes effect."""
    if flow.state.step.phase != "air-defense":
        damage.apply(flow)
    damage.bury(flow)


def _task(name: str, do: Callable[[BattleFlow], object]) -> Tend:
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


def _clear(flow: BattleFlow) -> bool:
    flow.emit(ev.TurnEnded(turn=flow.state.turn, rules=("CT-EOT-07",)))
    return True


END_OF_TURN: tuple[Tend, ...] = (
    _task("damage", damage.apply),
    _task("removal", damage.bury),
    _task("repair", damage.repair),
    _task("fire", damage.burn),
    _task("wind", weather.draw_wind),
    _task("drift", weather.drift),
    _task("wrecks", damage.bury),
    _task("control", objectives.control),
    _task("landings", objectives.landings),
    _clear,
)
"""E1 to E10 of the end of a turn."""


@rule("CT-EOT-07", "CT-EOT-08", "CT-EOT-01")
def _end_turn(flow: BattleFlow) -> bool:
    """The end of the turn in its fixed order; the battle ends here or a new turn begins."""
    if voyage.tend(flow):
        return True
    if "clear" not in flow.state.tended and any(task(flow) for task in END_OF_TURN):
        return True
    return victory.end_if(flow, victory.ended(flow.state))


def _begin_turn(flow: BattleFlow) -> None:
    """Turns count from 1."""
    flow.emit(ev.TurnBegan(turn=flow.state.turn + 1, rules=("CT-SEQ-01",)))
    damage.settle_crippled(flow)


# --- who may do nothing, and what is refused -----------------------------------------------------


def _stranger(state: State, seat: Seat) -> No | None:
    if seat in state.gone:
        return No("turn.left", "CT-AMB-109", "You have left; a partner commands for you.")
    return a_seat(state, seat, "CT-GEN-13")


@rule("CT-RND-06")
def _dice_first(state: State, seat: Seat, command: c.AnyCommand | Faces) -> No | None:
    """Nothing but the rules draws dice, and while they fall nobody else acts."""
    return dice_first(state, seat, command, "CT-RND-06")


def _elsewhere(state: State, seat: Seat, command: c.AnyCommand, asks: q.Asks, by: str) -> No:
    """A command belongs to its phase; of an attack its own rules say why it is none here."""
    no = attacks.why_not_declare(state, seat, command) if isinstance(command, c.Attack) else None
    hint = f"The step is {state.step}; see the legal commands."
    return no or No("turn.wrong-phase", "CT-SEQ-01", hint)


HOOKS: Hooks[State, ev.AnyEvent, c.AnyCommand] = Hooks(
    evolve=evolve,
    pass_=c.Pass,
    passed=lambda seat, by: ev.Passed(seat=seat, rules=(by,)),
    rolled=rolled,
    began=lambda key: ev.StepBegan(step=key),
    begin_turn=_begin_turn,
    stranger=_stranger,
    dice_first=_dice_first,
    elsewhere=_elsewhere,
    listed=futile.last,
    over="The battle is over.",
)

WAYS = (
    Options(),
    Options(damage_effects="end-of-phase"),
    Options(dive_declaration="first-player-first"),
)
"""Agreements that bring steps of their own."""

COURSES = tuple(battle(options) for options in WAYS)
