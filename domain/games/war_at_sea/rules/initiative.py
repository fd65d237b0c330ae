"""INIT: who is First Player and who is Second."""

from __future__ import annotations

from collections.abc import Mapping

from ....kernel.chance import Dice
from ....kernel.flow import Flow
from ....kernel.rules import rule
from ....kernel.tally import Reason, Tally
from ....kernel.values import Seat
from . import events as ev
from . import purposes
from .damage import ask
from .effects import Yields
from .facts import card_of, crippled, off_map, own
from .families.effects import initiative_modifiers
from .state import State

BattleFlow = Flow[State, ev.AnyEvent]

"""Effect on a unit whose side loses the initiative of the turn in which it lapses."""


@rule("WAS-INIT-08", "WAS-INIT-09", "WAS-FLEET-17", "WAS-DMG-10", "WAS-ABIL-42")
def flagship(state: State, seat: Seat) -> Reason | None:
    """The best Flagship bonus in play, from a Ship that is not crippled; None without one."""
    best: Reason | None = None
    for unit in own(state, seat):
        bonus = card_of(state, unit).flagship
        able = not crippled(state, unit) and not off_map(unit)
        if bonus > (best.value if best else 0) and able:
            best = Reason(bonus, "WAS-INIT-07", "flagship", unit.id)
    return best


@rule("WAS-INIT-07")
def total(state: State, seat: Seat, faces: tuple[int, ...]) -> Tally:
    """Two dice, the Flagship bonus, and what abilities add.

    Crippled Ships lose the Flagship bonus only (UP "Crippled"); of several abilities of one name
    the best counts (WAS-ABIL-09).
    """
    reasons = [Reason(face, "WAS-INIT-07", "die") for face in faces]
    bonus = flagship(state, seat)
    if bonus is not None:
        reasons.append(bonus)
    friends = [card_of(state, unit) for unit in own(state, seat)]
    leaders: dict[str, Reason] = {}
    for unit in own(state, seat):
        others = list(friends)
        others.remove(card_of(state, unit))
        for reason in initiative_modifiers(card_of(state, unit), unit.id, others):
            best = leaders.get(reason.rule)
            leaders[reason.rule] = reason if best is None else max(best, reason, key=_value)
    reasons.extend(leaders.values())
    return Tally.of(*reasons)


@rule("WAS-INIT-10", "WAS-INIT-11", "WAS-INIT-12", "WAS-INIT-13", "RUL-15", "RUL-16", "RUL-14",
      "WAS-AIRD-24", "WAS-TORP-13")  # fmt: skip
def loser(state: State, totals: Mapping[Seat, Tally]) -> Seat:
    """The First Player: the lower total, then the lower Flagship bonus; empty when both tie."""
    one, two = state.seats
    if len(yielding(state)) == 1:
        return yielding(state)[0]
    for a, b in (
        (totals[one].total, totals[two].total),
        (_bonus(state, one, totals), _bonus(state, two, totals)),
    ):
        if a != b:
            return one if a < b else two
    return ""


def yielding(state: State) -> tuple[Seat, ...]:
    """Seats that lose this initiative whatever the dice say (General Pursuit, the turn before)."""
    bound = [e.seat for e in state.lasting(Yields) if e.until == state.turn]
    return tuple(seat for seat in state.seats if seat in bound)


def why(state: State, totals: Mapping[Seat, Tally], first: Seat) -> tuple[str, ...]:
    """The rules that settle who is First Player: what decided, and what follows from it."""
    if not first:
        return ("WAS-INIT-12",)
    if len(yielding(state)) == 1:
        return (state.lasting(Yields)[0].rule, "WAS-INIT-13")
    one, two = (totals[seat].total for seat in state.seats)
    if one != two:
        return ("WAS-INIT-10", "WAS-INIT-13")
    bonus = ("WAS-INIT-11", "RUL-15") if state.options.tie_break_abilities else ("WAS-INIT-11",)
    return (*bonus, "WAS-INIT-13")


def _value(reason: Reason) -> int:
    return reason.value


def _bonus(state: State, seat: Seat, totals: Mapping[Seat, Tally]) -> int:
    if state.options.tie_break_abilities:
        return sum(reason.value for reason in totals[seat].reasons if reason.label != "die")
    best = flagship(state, seat)
    return best.value if best else 0


def roll(flow: BattleFlow) -> bool:
    """Two dice for each side, until one has lost."""
    if flow.state.first:
        return False
    ask(flow, purposes.Initiative(), "", Dice(2), Dice(2))
    return True


def rolled(flow: BattleFlow, faces: tuple[tuple[int, ...], ...]) -> None:
    """The dice of both sides: who is First Player."""
    state = flow.state
    by_seat = list(zip(state.seats, faces, strict=True))
    totals = {seat: total(state, seat, thrown) for seat, thrown in by_seat}
    first = loser(state, totals)
    rules = why(state, totals, first)
    thrown = {seat: sum(dice) for seat, dice in by_seat}
    flow.emit(ev.InitiativeRolled(totals=totals, thrown=thrown, first=first, rules=rules))
