"""Points, battles and the end of the game (NB-WIN, NB-LINK, NB-TEAM)."""

from __future__ import annotations

from ....kernel.flow import Flow
from ....kernel.rules import No, rule
from ....kernel.values import Seat
from . import commands as c
from . import events as ev
from . import facts
from .scenarios import is_linked, team_of
from .state import State

BattleFlow = Flow[State, ev.AnyEvent]

BATTLE = 25
"""Points of each player of a side that win a battle (NB-WIN-01, NB-TEAM-02)."""
MATCH = 75
"""Points of each player of a side that win linked games (NB-LINK-03)."""


@rule("NB-RUL-08")
def goal(state: State, seat: Seat, each: int) -> int:
    """What a side has to reach together: so many points for each of its players."""
    return each * len(facts.side(state, seat))


@rule("NB-TEAM-05", "NB-AMB-39")
def team_points(state: State, seat: Seat) -> int:
    """What a team has sunk together; one player's points alone decide nothing."""
    return sum(facts.points(state, mate) for mate in facts.side(state, seat))


def check(flow: BattleFlow, seat: Seat, *why: str) -> None:
    """After each sinking: who has won, at once and in the middle of everything.

    why  rules by which the points count, where nobody sank a ship just now
    """
    if not _takes_part(flow.state, seat):
        return
    if is_linked(flow.state.scenario):
        _linked(flow, seat, why)
    elif team_of(flow.state.scenario) > 1:
        _team(flow, seat, why)
    else:
        _battle(flow, seat, why)


@rule("NB-RUL-14")
def check_begun(flow: BattleFlow) -> bool:
    """When all fleets are laid out: points that a battle begins with may have won it.

    Of several sides that are past a goal the one with most points has won. Where they share the
    most, nobody has yet: they play, and the next of them to sink a ship has.
    """
    state = flow.state
    sides = {facts.side(state, seat): seat for seat in facts.present(state)}
    reached = {seat: standing(state, seat) for seat in sides.values()}
    most = max(reached.values())
    first, *others = [seat for seat in reached if reached[seat] == most]
    if others or not most[0]:
        return False
    check(flow, first, "NB-RUL-14")
    return True


def standing(state: State, seat: Seat) -> tuple[int, int]:
    """Which goal a side has reached, with how many points: 2 of linked games, 1 of a battle."""
    total = sum(facts.total(state, mate) for mate in facts.side(state, seat))
    if is_linked(state.scenario) and total >= goal(state, seat, MATCH):
        return 2, total
    together = team_points(state, seat)
    return (1, together) if together >= goal(state, seat, BATTLE) else (0, 0)


def _takes_part(state: State, seat: Seat) -> bool:
    """Whether somebody of the seat's side is still in the game: who has left wins nothing."""
    return any(mate not in state.gone for mate in facts.side(state, seat))


@rule("NB-WIN-01", "NB-GEN-02", "NB-AMB-36")
def _battle(flow: BattleFlow, seat: Seat, why: tuple[str, ...]) -> None:
    """The first to sink 25 points wins."""
    if facts.points(flow.state, seat) >= BATTLE:
        end(flow, (seat,), "points", "NB-WIN-01", *why)


@rule("NB-TEAM-02")
def _team(flow: BattleFlow, seat: Seat, why: tuple[str, ...]) -> None:
    """A team of two wins with 50 points, a team of three with 75."""
    if team_points(flow.state, seat) >= goal(flow.state, seat, BATTLE):
        end(flow, facts.side(flow.state, seat), "points", "NB-TEAM-02", *why)


@rule("NB-LINK-01", "NB-LINK-02", "NB-LINK-03", "NB-LINK-05", "NB-AMB-37", "NB-AMB-38")
def _linked(flow: BattleFlow, seat: Seat, why: tuple[str, ...]) -> None:
    """75 points over all battles win the match, in mid-battle too; 25 end the battle.

    Teams count together, for each of their players as much. Then every player's points are noted
    and the next battle is set up.
    """
    state = flow.state
    side = facts.side(state, seat)
    if sum(facts.total(state, mate) for mate in side) >= goal(state, seat, MATCH):
        end(flow, side, "points", "NB-LINK-03", *why)
    elif team_points(state, seat) >= goal(state, seat, BATTLE):
        scored = {each: facts.points(state, each) for each in state.seats}
        flow.emit(ev.BattleEnded(winner=seat, points=scored, rules=("NB-LINK-02", *why)))
        kept = state.nations if state.options.linked_nations == "kept" else {}
        number = state.battle + 1
        totals = {each: facts.total(state, each) for each in state.seats}
        rules = ("NB-LINK-01",)
        flow.emit(ev.BattleBegan(battle=number, nations=kept, earlier=totals, rules=rules))


def end(flow: BattleFlow, winners: tuple[Seat, ...], reason: str, rule_: str, *why: str) -> None:
    """The game is over."""
    flow.emit(ev.GameEnded(winners=winners, reason=reason, rule=rule_, rules=(rule_, *why)))


# --- ways out ------------------------------------------------------------------------------------


@rule("NB-WIN-05")
def why_not_agree(state: State, seat: Seat, command: c.AgreeToEnd) -> No | None:
    """After ten full rounds without damage the players may agree to end."""
    rounds = state.options.stall_rounds
    if not rounds or state.calm < rounds:
        hint = f"Open after {rounds} rounds without damage." if rounds else "Not in this game."
        return No("game.end-not-open", "NB-WIN-05", hint)
    if seat in state.calls or seat in state.gone:
        return No("game.end-called", "NB-WIN-05", "You have agreed; the others have not yet.")
    return None


def agree(flow: BattleFlow, seat: Seat, command: c.AgreeToEnd) -> None:
    """A player agrees to end."""
    flow.emit(ev.EndCalled(seat=seat, rules=("NB-WIN-05",)))
    conclude(flow)


@rule("NB-RUL-02")
def conclude(flow: BattleFlow) -> None:
    """When all who are left agree the highest total wins; equal highest totals make a draw.

    Sides that have left altogether are not counted.
    """
    state = flow.state
    if any(seat not in state.calls for seat in facts.present(state)):
        return
    present = [seat for seat in state.seats if _takes_part(state, seat)]
    totals = {s: sum(facts.total(state, m) for m in facts.side(state, s)) for s in present}
    best = max(totals.values())
    sides = {facts.side(state, s) for s in present if totals[s] == best}
    winners = facts.side(state, max(totals, key=lambda s: totals[s])) if len(sides) == 1 else ()
    end(flow, winners, "agreement", "NB-WIN-05")


@rule("NB-RUL-01")
def leave(flow: BattleFlow, seat: Seat) -> None:
    """A player leaves: his ships stay and may be sunk, he is asked nothing more.

    What he has in play is discarded. When one side is left, it has won; when all who are left
    had agreed to end, it ends.
    """
    flow.emit(ev.PlayerLeft(seat=seat, rules=("NB-RUL-01",)))
    state = flow.state
    sides = {facts.side(state, other) for other in facts.present(state)}
    if len(sides) == 1:
        end(flow, sides.pop(), "resignation", "NB-RUL-01")
    else:
        conclude(flow)
