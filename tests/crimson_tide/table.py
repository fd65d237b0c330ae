"""Positions laid out by hand, and orders carried out on them with dice that the test names."""

from __future__ import annotations

from typing import Any

from domain.games.crimson_tide.rules import asking, collisions, steering, voyage, weather
from domain.games.crimson_tide.rules import events as ev
from domain.games.crimson_tide.rules.commands import Move
from domain.games.crimson_tide.rules.evolve import evolve
from domain.games.crimson_tide.rules.geometry.pose import Point, Pose
from domain.games.crimson_tide.rules.state import Land, Options, State, Storm, Terms, Unit
from domain.kernel.chance import Faces, check_faces
from domain.kernel.flow import Flow
from domain.kernel.values import Known, StepKey

K = 25_000
"""The usual klick, in wu."""

BattleFlow = Flow[State, ev.AnyEvent]

CAPITAL, LARGE, MEDIUM, SMALL = (
    "kms-bismarck", "kms-scharnhorst", "hms-exeter", "uss-fletcher",
)  # fmt: skip
"""A ship of each size, with 7, 7, 8 and 9 klicks, 6, 5, 3 and 2 hull points."""

SUBMARINE = "u-47"
"""A small submarine with 4 klicks on the surface and 2 below."""

ISLAND = Land(
    "island",
    ((500_000, 700_000), (600_000, 700_000), (600_000, 800_000), (500_000, 800_000)),
    "impassable",
)

ANSWERS = {**voyage.ANSWERS, **collisions.ANSWERS, **weather.ANSWERS}


def unit(name: str, card: str, x: int, y: int, heading: int = 0, **fields: Any) -> Unit:
    """A unit on the table; the first seat's if its name begins with ``p1``."""
    return Unit(name, card, name[:2], pose=Pose(x, y, heading), **fields)


def aircraft(name: str, card: str, at: Point, **fields: Any) -> Unit:
    """An aircraft in the air."""
    return Unit(name, card, name[:2], mission="free", at=at, **fields)


MOVEMENT = StepKey("movement", "first")


def table(
    *units: Unit,
    land: tuple[Land, ...] = (),
    storms: tuple[Storm, ...] = (),
    turn: int = 2,
    step: StepKey = MOVEMENT,
    escort: str = "",
    **options: Any,
) -> State:
    """A battle in the middle of a turn."""
    return State(
        scenario="standard",
        options=Options(**options),
        terms=Terms(points={"p1": 100, "p2": 100}, units=15, airbase=5, escort=escort),
        seats=("p1", "p2"),
        step=step,
        turn=turn,
        first="p1",
        units={each.id: each for each in units},
        land=land,
        storms=storms,
        scores={"p1": 0, "p2": 0},
    )


def refusal(state: State, move: Move) -> tuple[str, str] | None:
    """Code and rule by which an order is refused; nothing if it is legal."""
    no = steering.why_not_move(state, state.units[move.unit], move)
    return None if no is None else (no.code, no.rule)


def carried_out(state: State, move: Move, *throws: tuple[int, ...]) -> BattleFlow:
    """A legal order from its declaration to its end, with exactly these dice."""
    assert refusal(state, move) is None
    flow: BattleFlow = Flow(state, evolve)
    voyage.order(flow, state.units[move.unit], move)
    return carry_on(flow, *throws)


def carry_on(flow: BattleFlow, *throws: tuple[int, ...]) -> BattleFlow:
    """What is under way goes on until it is done; every die that is asked for is given."""
    left = list(throws)
    while flow.state.awaiting is not None or flow.state.order is not None:
        if flow.state.awaiting is None:
            voyage.tend(flow)
            continue
        throw(flow, left.pop(0))
    assert not left, f"dice that nobody asked for: {left}"
    return flow


def throw(flow: BattleFlow, *pools: tuple[int, ...]) -> None:
    """Chance's answer to the open request."""
    awaited, purpose = flow.state.awaiting, flow.state.purpose
    assert awaited is not None
    assert purpose is not None
    check_faces(awaited, Faces(awaited.label, pools))
    flow.emit(ev.DiceThrown(label=awaited.label, faces=Known(pools), owner=awaited.owner))
    rounds = pools
    if purpose.number:
        rounds = asking.again(flow, purpose, awaited.owner, pools[0])
    if rounds:
        ANSWERS[purpose.kind](flow, purpose, rounds)


def happened(flow: BattleFlow) -> list[str]:
    """The names of the events, dice left out."""
    return [e.NAME for e in flow.events if not e.NAME.startswith("dice-")]


def last(flow: BattleFlow, kind: type[ev.AnyEvent]) -> Any:
    """The last event of a type."""
    return next(e for e in reversed(flow.events) if isinstance(e, kind))
