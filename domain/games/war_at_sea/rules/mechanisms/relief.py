"""What softens a hit: Torpedo Protection and Uniquely Tough."""

from __future__ import annotations

from .....kernel.chance import Dice
from .....kernel.flow import Flow
from .. import events as ev
from .. import purposes
from ..cards import AbilityRef
from ..damage import ask
from ..facts import card_of
from ..families import hooks
from ..families.effects import bears, declared_by, of_family, rule_of
from ..state import Attack, Outcome, State, Unit

BattleFlow = Flow[State, ev.AnyEvent]


def protect(flow: BattleFlow, attack: Attack, target: Unit) -> bool:
    """Torpedo Protection: one die for each hit."""
    protection = protected(flow.state, attack, target)
    if protection is None or protection[0].family in attack.tried:
        return False
    family = protection[0].family
    ask(flow, purposes.Protect(target.id, family), target.seat, Dice(attack.successes))
    return True


def protected(
    state: State, attack: Attack, target: Unit
) -> tuple[AbilityRef, hooks.Protection] | None:
    """By what torpedo hits of the attack are softened."""
    hits = attack.weapon == "torpedo" and not attack.cancelled and attack.successes > 0
    return bears(card_of(state, target), hooks.Protection) if hits else None


def protection_rolled(flow: BattleFlow, target: str, family: str, faces: tuple[int, ...]) -> None:
    """Each die for itself."""
    protection, rule_ = of_family(family, hooks.Protection), rule_of(family)
    needed = protection.needed if protection else 0
    for face in faces:
        flow.emit(
            ev.AbilityRolled(
                unit=target,
                ability=family,
                face=face,
                result="less" if face >= needed else "",
                rules=(rule_,),
            )
        )


def relieved(attack: Attack) -> int:
    """Hull points that the dice of Torpedo Protection take off."""
    return sum(attack.tried.count(f"{family}/less") for family in declared_by(hooks.Protection))


def toughened(
    state: State, attack: Attack, target: Unit, result: tuple[Outcome, int]
) -> tuple[Outcome, int]:
    """Uniquely Tough: bombs leave the last hull point; destruction comes down to that."""
    card = card_of(state, target)
    if attack.weapon != "bomb" or not bears(card, hooks.Tough):
        return result
    outcome, damage = result
    most = max(0, card.hull_points - target.damage - target.pending - 1)
    if outcome == "destroyed":
        damage = most
    elif outcome != "hit":
        return result
    damage = min(damage, most)
    return ("hit", damage) if damage else ("no-effect", 0)
