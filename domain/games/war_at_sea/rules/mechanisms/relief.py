"""What softens a hit: Torpedo Protection and Uniquely Tough."""

from __future__ import annotations

from .....kernel.chance import Dice
from .....kernel.flow import Flow
from ... import events as ev
from ... import purposes
from ...abilities.effects import has, rule_of
from ...state import Attack, State, Unit
from ..damage import ask
from ..facts import card_of

BattleFlow = Flow[State, ev.AnyEvent]

PROTECTION, TOUGH = "torpedo-protection", "uniquely-tough"
NEEDED = 4
"""Torpedo Protection: this face or more, and the hit does one hull point less."""


def protect(flow: BattleFlow, attack: Attack, target: Unit) -> bool:
    """Torpedo Protection: one die for each hit."""
    if not protected(flow.state, attack, target) or PROTECTION in attack.tried:
        return False
    ask(flow, purposes.Protect(target.id, PROTECTION), target.seat, Dice(attack.successes))
    return True


def protected(state: State, attack: Attack, target: Unit) -> bool:
    """Whether torpedo hits of the attack are softened."""
    hits = attack.weapon == "torpedo" and not attack.cancelled and attack.successes > 0
    return hits and has(card_of(state, target), PROTECTION) is not None


def protection_rolled(flow: BattleFlow, target: str, faces: tuple[int, ...]) -> None:
    """Each die for itself."""
    for face in faces:
        flow.emit(
            ev.AbilityRolled(
                unit=target,
                ability=PROTECTION,
                face=face,
                result="less" if face >= NEEDED else "",
                rules=(rule_of(PROTECTION),),
            )
        )


def relieved(attack: Attack) -> int:
    """Hull points that the dice of Torpedo Protection take off."""
    return attack.tried.count(f"{PROTECTION}/less")


def toughened(
    state: State, attack: Attack, target: Unit, result: tuple[str, int]
) -> tuple[str, int]:
    """Uniquely Tough: bombs leave the last hull point; destruction comes down to that."""
    card = card_of(state, target)
    if attack.weapon != "bomb" or not has(card, TOUGH):
        return result
    outcome, damage = result
    most = max(0, card.hull_points - target.damage - target.pending - 1)
    if outcome == "destroyed":
        damage = most
    elif outcome != "hit":
        return result
    damage = min(damage, most)
    return ("hit", damage) if damage else ("no-effect", 0)
