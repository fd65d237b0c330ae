"""INIT: who is first player and who is second."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ....kernel.chance import Dice
from ....kernel.flow import Flow
from ....kernel.rules import rule
from ....kernel.tally import Reason, Tally
from ....kernel.values import Known, Seat
from . import events as ev
from .asking import ask
from .cards import cards
from .facts import card_of, crippled, sinking
from .sides import of_side
from .state import Pick, Purpose, State

BattleFlow = Flow[State, ev.AnyEvent]
Faces = tuple[tuple[int, ...], ...]


@rule("CT-INIT-02", "CT-INIT-03", "CT-AMB-15", "CT-AMB-17")
def flagships(state: State, seat: Seat) -> tuple[Reason, ...]:
    """The flagship bonuses that count: the best in play, or by agreement all of them.

    In set-up the ships that still wait to be placed count, since the fleets lie open.
    """
    bonuses = [
        Reason(card_of(state, unit).flagship, "CT-INIT-01", "flagship", unit.id)
        for unit in of_side(state, seat)
        if card_of(state, unit).flagship and not crippled(state, unit) and not sinking(state, unit)
    ]
    if not state.turn:
        bonuses += [
            Reason(cards()[pick.card].flagship, "CT-INIT-01", "flagship", pick.card)
            for pick in _waiting(state, seat)
            if cards()[pick.card].flagship
        ]
    if state.options.flagship == "sum" or not bonuses:
        return tuple(bonuses)
    return (max(bonuses, key=lambda reason: reason.value),)


def _waiting(state: State, seat: Seat) -> Iterator[Pick]:
    """What the fleets of a side still hold."""
    for member in state.members(seat):
        fleet = state.fleets.get(member)
        if isinstance(fleet, Known):
            yield from fleet.items


def owner(state: State) -> Seat:
    """The side whose step it is; empty where both act, or nobody does."""
    part = state.step.part
    if part == "first":
        return state.first
    return state.second if part == "second" else ""


def roll(flow: BattleFlow) -> bool:
    """Two dice for each side, until there is a lower one."""
    if flow.state.first:
        return False
    ask(flow, Purpose("initiative"), "", Dice(2), Dice(2))
    return True


@rule("CT-INIT-01")
def total(state: State, seat: Seat, faces: tuple[int, ...]) -> Tally:
    """Two dice and the flagship bonus."""
    dice = (Reason(face, "CT-INIT-01", "die") for face in faces)
    return Tally.of(*dice, *flagships(state, seat))


@rule("CT-INIT-04", "CT-SEQ-03")
def loser(state: State, totals: Mapping[Seat, Tally]) -> Seat:
    """The lower total, then the lower flagship bonus, is the first player; empty on a full tie."""
    one, two = state.sides
    bonus = {s: sum(reason.value for reason in flagships(state, s)) for s in state.sides}
    for a, b in ((totals[one].total, totals[two].total), (bonus[one], bonus[two])):
        if a != b:
            return one if a < b else two
    return ""


def rolled(flow: BattleFlow, purpose: Purpose, faces: Faces) -> None:
    """Both totals, and who is first."""
    state = flow.state
    totals = {s: total(state, s, thrown) for s, thrown in zip(state.sides, faces, strict=True)}
    first = loser(state, totals)
    rules = ("CT-INIT-01",) if first else ("CT-INIT-04",)
    flow.emit(ev.InitiativeRolled(totals=totals, first=first, rules=rules))
