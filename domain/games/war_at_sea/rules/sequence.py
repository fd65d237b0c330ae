"""The order of a battle: set-up, then turns of phases, each a list of steps (INIT, section 6)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

from ....kernel.chance import Faces
from ....kernel.flow import Flow
from ....kernel.play import Course, Hooks, Step, Way
from ....kernel.question import a_seat, act, dice_first
from ....kernel.rules import No, rule
from ....kernel.values import Seat
from . import (
    abilities,
    aftermath,
    air_return,
    convoy,
    damage,
    darkness,
    deployment,
    futile,
    initiative,
    sea_movement,
    tasks,
    terms,
    victory,
    weather,
)
from . import commands as c
from . import events as ev
from . import questions as q
from .editions import EDITIONS, RULEBOOKS, Edition
from .evolve import evolve
from .mechanisms import airfield, breakout, squadrons
from .rolls import rolled
from .state import State

Asks = q.Asks
Battle = Course[State, ev.AnyEvent, c.AnyCommand]
BattleFlow = Flow[State, ev.AnyEvent]
BattleStep = Step[State, ev.AnyEvent, c.AnyCommand]
BattleWay = Way[State, ev.AnyEvent, c.AnyCommand]


@cache
@rule("WAS-INIT-02", "WAS-INIT-03", "WAS-INIT-01", "WAS-INIT-04", "WAS-INIT-06", "RUL-17",
      "RUL-18", "WAS-GLOSS-24", "WAS-GLOSS-25", "WAS-SETUP-02")  # fmt: skip
def battle(edition: Edition) -> Battle:
    """Set-up once, then turns of nine phases; of most, each player has a step of his own.

    A step in which nobody can do anything ends by itself; it is on record if something happened.
    Looked at first, wherever a turn stands: the attack that is under way.
    """
    book = RULEBOOKS[edition]
    return Course(
        HOOKS,
        once=(
            BattleStep("sides", q.SIDE, tend=_set_sides, sealed=True),
            BattleStep("fleets", q.FLEET, tend=terms.lock_fleets, sealed=True),
            BattleStep("battle-zone", tend=_lay_out, sealed=True),
            BattleStep("first-deployer", tend=deployment.flip_coin, sealed=True),
            BattleStep("edges", q.EDGE, tend=terms.take_edges, sealed=True),
            *_both("deployment", q.DEPLOY, tend=deployment.end_if_deployed, sealed=True),
            _if_needed("deployment", "after", abilities.AFTER_DEPLOYMENT),
        ),
        turn=(
            BattleStep("initiative", tend=initiative.roll),
            *_sea_movement(),
            BattleStep("air-mission", q.MISSION),
            BattleStep("air-mission", q.PATROL, part="patrol"),
            *_air_defense(),
            *_both("air-attack", q.AIR_ATTACK),
            _end("air-attack", tend=_sacrifice),
            _if_needed("surface-attack", "before", abilities.BEFORE_SURFACE_ATTACK),
            *_both("surface-attack", q.SURFACE_ATTACK),
            _if_needed("surface-attack", "after", abilities.AFTER_SURFACE_ATTACK),
            _end("surface-attack"),
            *(_submarine_attack() if book.guns_and_torpedoes else _torpedo_attack()),
            *_both("air-return", q.RETURN, tend=air_return.proceed, leave=air_return.end),
            BattleStep("air-return", q.ARRIVAL, part="after", skip=_nobody_arrives),
            _end("air-return"),
            BattleStep("end-of-turn", q.CLAIM, finish=tasks.end_turn),
        ),
        above=(BattleStep("attack", q.FOLLOW_UP, tend=aftermath.proceed),),
        ways=(
            BattleWay(c.CallStalemate(), act(c.CallStalemate, victory.call, victory.why_not_call)),
            BattleWay(c.Resign(), act(c.Resign, victory.resign)),
        ),
    )


def _sea_movement() -> Iterator[BattleStep]:
    """Both move; then what ends the phase. In 2007 a convoy that is through ends the battle."""
    doing: Any = {"tend": tasks.roll_for_speed, "finish": sea_movement.remove_excess}
    yield BattleStep("sea-movement", q.MOVE_FIRST, part="first", **doing)
    yield BattleStep("sea-movement", q.MOVE, part="second", **doing)
    yield BattleStep("sea-movement", q.HUNT, part="hunt", tend=_close_in, finish=_end_if_eliminated)
    yield _end("sea-movement", skip=_untouched)


def _air_defense() -> Iterator[BattleStep]:
    """Before the First Player's step the dice say who is drawn away; points count at the end."""
    yield BattleStep("air-defense", q.AIR_DEFENSE, part="first", tend=tasks.draw_the_cap)
    yield BattleStep("air-defense", q.AIR_DEFENSE, part="second")
    yield _if_needed("air-defense", "after", abilities.AFTER_AIR_DEFENSE)
    yield _end("air-defense", leave=_end_air_defense)


def _torpedo_attack() -> Iterator[BattleStep]:
    """2007: of all units with torpedoes."""
    yield from _both("torpedo-attack", q.TORPEDO_ATTACK)
    yield _end("torpedo-attack")


def _submarine_attack() -> Iterator[BattleStep]:
    """2009: of Submarines; Ships fire their torpedoes in the Surface Attack phase."""
    yield from _both("submarine-attack", q.SUBMARINE_ATTACK)
    yield _end("submarine-attack")


def _both(phase: str, asks: Asks, **doing: Any) -> Iterator[BattleStep]:
    """A step of the First Player's, then the same of the Second Player's."""
    yield BattleStep(phase, asks, part="first", **doing)
    yield BattleStep(phase, asks, part="second", **doing)


def _if_needed(phase: str, part: str, works: abilities.Works) -> BattleStep:
    """A step that only some abilities need: without them a game does not even enter it."""
    asks = q.using(q.ABILITY, works)
    return BattleStep(phase, asks, part=part, skip=lambda state: not works.needed(state))


def _end(phase: str, **doing: Any) -> BattleStep:
    """The end of a phase: what is lost is settled, then damage takes effect and it leaves play."""
    return BattleStep(phase, q.RISK, part="end", **{"tend": _lose, "leave": _end_phase, **doing})


# --- what happens by itself ----------------------------------------------------------------------


def _set_sides(flow: BattleFlow) -> bool:
    if not flow.state.alliances:
        return not flow.state.side_chooser and tasks.set_sides(flow)
    return convoy.set_roles(flow)


def _lay_out(flow: BattleFlow) -> bool:
    if not flow.state.zone:
        return tasks.select_zone(flow)
    return darkness.set_light(flow) or weather.set_weather(flow) or terms.lay_out(flow)


def _close_in(flow: BattleFlow) -> bool:
    return tasks.pursue(flow) or tasks.unmask(flow)


def _end_if_eliminated(flow: BattleFlow) -> bool:
    return tasks.end_if(flow, victory.eliminated(flow.state))


def _untouched(state: State) -> bool:
    """Nothing was attacked in Sea Movement: its phase needs no end."""
    return not any(u.pending or u.doomed or u.done for u in state.all_units)


def _nobody_arrives(state: State) -> bool:
    return not breakout.needed(state)


def _lose(flow: BattleFlow) -> bool:
    return damage.spare(flow) or damage.settle_carriers(flow)


def _sacrifice(flow: BattleFlow) -> bool:
    return squadrons.sacrifice(flow) or _lose(flow)


def _end_air_defense(flow: BattleFlow) -> None:
    airfield.score(flow)
    _end_phase(flow)


def _end_phase(flow: BattleFlow) -> None:
    squadrons.break_off(flow)
    damage.end_phase(flow, flow.state.step.phase)
    _end_if_eliminated(flow)


@rule("WAS-INIT-18")
def _begin_turn(flow: BattleFlow) -> None:
    """After the last phase comes the next turn: there is no turn limit."""
    flow.emit(ev.TurnBegan(turn=flow.state.turn + 1, rules=("WAS-INIT-18",)))
    darkness.turns(flow)


# --- who is heard ---------------------------------------------------------------------------------


def _stranger(state: State, seat: Seat) -> No | None:
    return a_seat(state, seat, "WAS-SETUP-01")


@rule("RUL-46")
def _dice_first(state: State, seat: Seat, command: c.AnyCommand | Faces) -> No | None:
    """Whoever the dice belong to, only chance throws them, and nobody acts before they are down."""
    return dice_first(state, seat, command, "RUL-46")


def _elsewhere(state: State, seat: Seat, command: c.AnyCommand, asks: Asks, by: str) -> No:
    """A command in a step that it does not belong to, or while an attack asks something."""
    if isinstance(command, c.Fire):
        return No("turn.wrong-phase", "WAS-ATK-01", f"No attacks in {state.step}.")
    hint = f"The step is {state.step}; see the legal commands."
    return No("turn.wrong-phase", by, hint)


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

BATTLES = tuple(map(battle, EDITIONS))
"""The order of play of each edition."""
