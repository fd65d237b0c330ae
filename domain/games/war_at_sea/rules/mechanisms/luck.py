"""Bad Luck: what many 1s in its own attack roll do to a unit and to a Ship beside it."""

from __future__ import annotations

from .....kernel.flow import Flow
from .. import events as ev
from ..effects import NoAttack, NoMove
from ..facts import card_of, is_ship, own
from ..families import hooks
from ..families.effects import bears, named, rule_of
from ..state import Attack, State, Unit

BattleFlow = Flow[State, ev.AnyEvent]


def struck(state: State, attack: Attack) -> bool:
    """Whether the attack roll was that bad."""
    ones = needed(state, attack)
    return ones > 0 and attack.faces.count(1) >= ones


def needed(state: State, attack: Attack) -> int:
    """The 1s that bring it about; 0: no roll of this attack does."""
    luck = bears(card_of(state, state.units[attack.attacker]), hooks.BadLuck)
    if luck is None:
        return 0
    weapon = attack.weapon
    if named(("gunnery",), weapon):
        return luck[1].gunnery
    return luck[1].torpedo if weapon == "torpedo" else 0


def mates(state: State, unit: Unit) -> tuple[str, ...]:
    """Friendly Ships in its sector, of which one suffers with it."""
    return tuple(
        u.id
        for u in own(state, unit.seat)
        if u.sector == unit.sector and u.id != unit.id and is_ship(state, u)
    )


def befall(flow: BattleFlow, unit: Unit, family: str, mate: str) -> None:
    """Both lose a hull point and stay where they are next turn; alone it is out for two turns."""
    rule_, turn = rule_of(family), flow.state.turn
    if not mate:
        still = NoMove(unit=unit.id, source=unit.id, rule=rule_, until=turn + 2)
        silent = NoAttack(unit=unit.id, after_turn=turn, source=unit.id, rule=rule_, until=turn + 2)
        flow.emit(
            ev.AbilityUsed(unit=unit.id, ability=family, effects=(still, silent), rules=(rule_,))
        )
        return
    both = (unit.id, mate)
    still_too = tuple(
        NoMove(unit=name, source=unit.id, rule=rule_, until=turn + 1) for name in both
    )
    flow.emit(
        ev.AbilityUsed(unit=unit.id, ability=family, on=mate, effects=still_too, rules=(rule_,))
    )
    for name in both:
        flow.emit(ev.HullLost(unit=name, points=1, cause=family, rules=(rule_,)))
