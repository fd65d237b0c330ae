"""Dice are asked of the chance seat; no rule throws any (CT-DICE, CT-RND-06)."""

from __future__ import annotations

from msgspec.structs import replace

from ....kernel.chance import Awaited, Dice
from ....kernel.flow import Flow
from ....kernel.rules import rule
from ....kernel.values import Seat
from . import events as ev
from .state import Purpose, State

BattleFlow = Flow[State, ev.AnyEvent]


def ask(flow: BattleFlow, purpose: Purpose, owner: Seat, *pools: Dice) -> None:
    """Ask for dice; the label is unique in the game and says turn, step and purpose."""
    state = flow.state
    what = "/".join(part for part in (purpose.kind, purpose.unit) if part)
    label = f"{state.turn}/{state.step}/{what}/{state.rolls + 1}"
    flow.emit(ev.DiceAwaited(awaited=Awaited(label, pools, owner), purpose=purpose))


def attack_dice(flow: BattleFlow, purpose: Purpose, owner: Seat, number: int) -> None:
    """Ask for ``number`` attack dice, whose sixes will be rolled again."""
    ask(flow, replace(purpose, number=number, rounds=()), owner, Dice(number))


@rule("CT-DICE-03", "CT-AMB-13", "CT-RND-05")
def again(
    flow: BattleFlow, purpose: Purpose, owner: Seat, faces: tuple[int, ...]
) -> tuple[tuple[int, ...], ...]:
    """One round is thrown: the sixes are asked for again, else all rounds are returned."""
    rounds = (*purpose.rounds, faces)
    sixes = faces.count(6)
    if sixes:
        ask(flow, replace(purpose, rounds=rounds), owner, Dice(sixes))
        return ()
    return rounds
