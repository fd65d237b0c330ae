"""EOT and VP: objectives, Victory Points, and how a battle ends."""

from __future__ import annotations

from ....kernel.flow import Flow
from ....kernel.rules import No, rule
from ....kernel.setup import Result
from ....kernel.values import Seat
from . import board, terms
from . import commands as c
from . import events as ev
from .convoy import result as convoy_result
from .effects import NoClaim
from .facts import card_named, card_of, convoy, is_ship, limits_of, own
from .families import hooks
from .families.effects import bears
from .state import State, Unit

BattleFlow = Flow[State, ev.AnyEvent]

CALM_TURNS = 5
"""Turns without progress after which a stalemate may be requested (RUL-83c)."""


@rule("WAS-EOT-02", "WAS-EOT-15", "WAS-EOT-09", "WAS-ABIL-31", "RUL-85")
def claims(state: State, unit: Unit) -> bool:
    """Whether this unit can claim: any Ship, unless its ability forbids it; nothing else."""
    held = bool(state.lasting_on(NoClaim, unit.id))
    return is_ship(state, unit) and not bears(card_of(state, unit), hooks.NoClaims) and not held


@rule("WAS-EOT-01", "RUL-90", "RUL-103", "WAS-EOT-10", "WAS-MAP-24")
def claimable(state: State, seat: Seat) -> tuple[str, ...]:
    """Objective sectors the seat may claim now: own Ship in it, no enemy Ship in it or adjacent."""
    if seat in state.barred:
        return ()
    hostile = [u.sector for u in own(state, state.other(seat)) if u.sector and is_ship(state, u)]
    mine = {u.sector for u in own(state, seat) if u.sector and claims(state, u)}
    return tuple(
        sector
        for sector in state.objectives
        if sector in mine and all(board.distance(sector, other) > 1 for other in hostile)
    )


def why_not_claim(state: State, seat: Seat, command: c.Claim) -> No | None:
    """Why a seat may not claim an objective: the players are not asked, or it is not its own."""
    asked_for = state.options.claims == "asked"
    if asked_for and command.sector in claimable(state, seat):
        return None
    return No("claim.not-open", "WAS-EOT-01", "Not held alone by a Ship.", "/sector")


def claim(flow: BattleFlow, seat: Seat, command: c.Claim) -> None:
    """Take the marker off the map and score it."""
    sector, points = command.sector, objective_points(flow.state, command.sector)
    flow.emit(ev.ObjectiveClaimed(seat=seat, sector=sector, points=points, rules=("WAS-EOT-01",)))


def claim_no_more(flow: BattleFlow, seat: Seat) -> None:
    """A seat has made its claims; what it might have claimed besides is noted."""
    left = claimable(flow.state, seat)
    if left:
        flow.emit(ev.ClaimDeclined(seat=seat, sectors=left, rules=("WAS-EOT-03",)))
    flow.emit(ev.Passed(seat=seat, rules=("WAS-EOT-01",)))


@rule("WAS-VP-02", "WAS-VP-07", "WAS-EOT-04", "WAS-SCEN-07", "WAS-SCEN-46", "WAS-SCEN-47",
      "WAS-SCEN-48")  # fmt: skip
def objective_points(state: State, sector: str = "") -> int:
    """What the objective in a sector is worth; once claimed it is never lost again.

    Without a sector: what an enemy without Ships is worth.
    """
    return terms.worth(state, sector)


@rule("WAS-VP-08", "WAS-EOT-13", "RUL-82", "WAS-SCEN-10", "WAS-VP-11")
def bonus_due(state: State, seat: Seat) -> bool:
    """2009: the enemy has no Ship other than Torpedo Boats; once a game for each player."""
    if not state.rulebook.ships_bonus or seat in state.bonus or convoy(state):
        return False
    if not objective_points(state):
        return False
    enemy = state.other(seat)
    if not (state.options.no_ships_bonus_shipless_fleet or _had_ships(state, enemy)):
        return False
    return not any(
        is_ship(state, u) and card_of(state, u).subtype != "Torpedo Boat" for u in own(state, enemy)
    )


def _had_ships(state: State, seat: Seat) -> bool:
    """Whether it ever had what counts for the bonus; it is asked when none is left."""
    lost = (card_named(state, gone.card) for gone in state.lost if gone.seat == seat)
    return any(each.type == "Ship" and each.subtype != "Torpedo Boat" for each in lost)


def _armed(state: State) -> list[Seat]:
    return [seat for seat in state.seats if own(state, seat)]


@rule("WAS-VP-05", "WAS-SCEN-09", "RUL-77", "RUL-80", "RUL-84", "RUL-88")
def eliminated(state: State) -> Result | None:
    """2007, at the end of every phase: who has no units left loses at once."""
    by_phase = state.options.elimination_timing2009 == "phase"
    if not state.rulebook.phase_elimination and not by_phase:
        return None
    if convoy(state):
        return convoy_result(state)
    if not limits_of(state).elimination:
        return None
    alive = _armed(state)
    if len(alive) == 1:
        return Result((alive[0],), "elimination", "WAS-VP-05")
    return _by_points(state, "mutual-elimination", "RUL-80") if not alive else None


@rule("WAS-EOT-06", "WAS-EOT-07", "WAS-VP-03", "WAS-VP-04", "WAS-VP-06", "WAS-SCEN-08",
      "RUL-78", "RUL-79", "RUL-81")  # fmt: skip
def verdict(state: State) -> Result | None:
    """The victory check of End of Turn: units left first, then the target, then play on."""
    if convoy(state):
        return convoy_result(state)
    reached = _on_points(state) or terms.time_up(state)
    if not limits_of(state).elimination:
        return reached
    if reached and reached.winners and not state.options.elimination_beats_points:
        return reached
    alive = _armed(state)
    if len(alive) == 1:
        return Result((alive[0],), "elimination", "RUL-81")
    if not alive:
        return _by_points(state, "mutual-elimination", "RUL-80")
    return reached


def _on_points(state: State) -> Result | None:
    """Who is ahead at the target; with equal scores play goes on, or by agreement is a draw."""
    target = limits_of(state).target
    if not target or max(state.scores.values()) < target:
        return None
    if len(set(state.scores.values())) > 1:
        return _by_points(state, "victory-points", "WAS-EOT-06")
    draw = state.options.equal_scores_at_target == "draw"
    return Result((), "equal-scores", "RUL-79") if draw else None


def _by_points(state: State, reason: str, rule_: str) -> Result:
    one, two = state.seats
    if state.scores[one] == state.scores[two]:
        return Result((), reason, rule_)
    return Result((one if state.scores[one] > state.scores[two] else two,), reason, rule_)


@rule("WAS-EOT-08", "WAS-VP-09")
def stalemate_result(state: State) -> Result:
    """A stalemate goes to the more costly units still in play, then to the points, else a draw."""
    one, two = state.seats
    left = {seat: sum(card_of(state, u).cost for u in own(state, seat)) for seat in state.seats}
    if left[one] != left[two]:
        return Result((one if left[one] > left[two] else two,), "stalemate", "WAS-EOT-08")
    return _by_points(state, "stalemate", "RUL-83")


def why_not_call(state: State, seat: Seat, command: c.CallStalemate) -> No | None:
    """Why a stalemate may not be asked for: in play, once a turn; not if there is a last turn."""
    if state.turn and seat not in state.stalemate and not terms.timed(state):
        return None
    return No("game.stalemate-not-open", "RUL-83", "In play, once a turn.")


def call(flow: BattleFlow, seat: Seat, command: c.CallStalemate) -> None:
    """A seat asks for a stalemate, at any time."""
    flow.emit(ev.StalemateCalled(seat=seat, rules=("RUL-83",)))


@rule("RUL-89")
def resign(flow: BattleFlow, seat: Seat, command: c.Resign) -> None:
    """A seat gives up, at any time."""
    won, by = (flow.state.other(seat),), "RUL-89"
    flow.emit(ev.GameEnded(winners=won, reason="resignation", rule=by, rules=(by,)))


@rule("RUL-83")
def stalemate(state: State, helpless: bool) -> bool:
    """Agreed by both; or nothing can be attacked or claimed ever again; or asked for after calm."""
    if terms.timed(state):
        return False
    if helpless or len(set(state.stalemate)) == len(state.seats):
        return True
    if not state.stalemate or state.progress or state.calm + 1 < CALM_TURNS:
        return False
    asker = state.stalemate[0]
    return not _could_claim_next(state, state.other(asker))


def _could_claim_next(state: State, seat: Seat) -> bool:
    return any(
        u.sector
        and claims(state, u)
        and board.distance(u.sector, sector) <= card_of(state, u).speed
        for u in own(state, seat)
        if u.sector
        for sector in state.objectives
    )
