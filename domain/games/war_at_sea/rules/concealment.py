"""LOS: units in smoke have concealment; the defender rolls for it, or declines."""

from __future__ import annotations

from ....kernel.chance import Dice
from ....kernel.flow import Flow
from ....kernel.rules import rule
from . import board, purposes
from . import events as ev
from .attacks import open_shot, reroll_offered
from .damage import ask
from .darkness import dark
from .dice import reads
from .facts import card_of, chart_of
from .families import hooks
from .families.effects import Shot, bears
from .families.shots import effects_of
from .state import Attack, Outcome, State, Unit
from .weather import obscured

BattleFlow = Flow[State, ev.AnyEvent]

CONCEALMENT = "concealment"
"""What the roll is called where abilities are named: in questions, and in ``Attack.tried``."""


def result_of(attack: Attack) -> Outcome:
    """What the dice come to before anything undoes or replaces it."""
    if attack.weapon == "torpedo":
        return "hit" if attack.successes else "miss"
    return reads(attack.successes, attack.armor.total, attack.vital.total)


@rule("WAS-LOS-07", "WAS-LOS-08", "WAS-LOS-09", "WAS-LOS-13", "WAS-LOS-14", "RUL-61")
def concealed(state: State, target: Unit, reach: int = 0) -> bool:
    """A unit of any type in smoke or a squall has concealment; firing out is not hindered."""
    return target.sector in obscured(state) or _by_shore(state, target, reach)


def _by_shore(state: State, target: Unit, reach: int) -> bool:
    """Stealthy in an island sector, or in the dark; Coastal Tactics next to one, from outside."""
    card = card_of(state, target)
    if not target.sector or not card.abilities:
        return False
    islands = chart_of(state).islands
    if bears(card, hooks.HidesInside) and (target.sector in islands or dark(state)):
        return True
    beside = any(board.distance(target.sector, island) == 1 for island in islands)
    return reach > 0 and beside and bears(card, hooks.HidesBeside) is not None


@rule("RUL-54")
def due(state: State) -> bool:
    """One concealment roll for an attack: if it would hit, before all else, or before its dice."""
    attack = state.attack
    if attack is None or attack.outcome or CONCEALMENT in attack.tried:
        return False
    before = state.options.concealment_timing == "before-roll"
    if before == bool(attack.faces):
        return False
    if not before and (reroll_offered(state) or result_of(attack) == "miss"):
        return False
    return hidden(state, attack)


def hidden(state: State, attack: Attack) -> bool:
    """Whether the attack meets concealment; Improved Radar looks through it."""
    if bears(card_of(state, state.units[attack.attacker]), hooks.SeesThrough):
        return False
    return concealed(state, state.units[attack.target], attack.range)


@rule("WAS-LOS-12")
def declinable(state: State) -> bool:
    """The roll is the defender's to decline, where the players have agreed to be asked."""
    return state.options.concealment == "asked" and state.awaiting is None and due(state)


def conceal(flow: BattleFlow) -> bool:
    """Ask for the defender's roll if it is due."""
    if not due(flow.state):
        return False
    roll(flow)
    return True


def roll(flow: BattleFlow) -> None:
    """Ask for the concealment die; it is the defender's."""
    _, _, target, _ = open_shot(flow.state)
    ask(flow, purposes.Concealment(target.id), target.seat, Dice(1))


@rule("WAS-LOS-10", "WAS-LOS-11", "WAS-GLOSS-11")
def rolled(flow: BattleFlow, face: int) -> None:
    """5 or 6 and the attack misses altogether; from the same sector only a 6."""
    _, _, target, shot = open_shot(flow.state)
    least, rules = needed(shot)
    flow.emit(
        ev.ConcealmentRolled(
            unit=target.id, face=face, needed=least, concealed=face >= least, rules=rules
        )
    )


def needed(shot: Shot) -> tuple[int, tuple[str, ...]]:
    """The least face that conceals, and the rules that say so.

    5, or 6 from the same sector; one less where an ability of the target helps.
    """
    close = shot.range == 0 or bears(shot.attacker, hooks.FindsHidden)
    least, rule_ = (6, "WAS-LOS-11") if close else (5, "WAS-LOS-10")
    helps = [ref.rule for ref, _ in effects_of(shot.target, hooks.HidesBetter)][:1]
    return least - len(helps), (rule_, *helps)
