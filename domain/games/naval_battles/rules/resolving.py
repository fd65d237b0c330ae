"""Resolving what was not stopped: rolls, damage, sinking (NB-RES, NB-SINK)."""

from __future__ import annotations

from ....kernel.flow import Flow
from ....kernel.rules import rule
from . import events as ev
from . import facts, rolling, winning
from .cards import RAIDS, SHOTS
from .declaring import spring
from .defending import spent, stop
from .ships import SHIPS
from .state import Attack, Roll, State

BattleFlow = Flow[State, ev.AnyEvent]


@rule("NB-RES-01", "NB-RES-03", "NB-RES-04", "NB-RES-05", "NB-AMB-06", "NB-AMB-07")
def resolve_next(flow: BattleFlow) -> bool:
    """The next open attack; no die for a target that is sunk."""
    state = flow.state
    if state.surprises:
        spring(flow)
        return True
    if not state.attacks:
        return False
    attack = _first(state)
    if attack.target not in state.ships:
        ignore(flow, attack)
    elif attack.kind in RAIDS:
        carrier = attack.ships[0] if attack.ships else ""
        rolling.intend(flow, Roll("raid", state.active, attack.number, carrier))
    elif SHOTS[attack.kind].rolls is not None:
        rolling.intend(flow, Roll("torpedo", state.active, attack.number, attack.ships[0]))
    else:
        hit(flow, attack)
    return True


@rule("NB-AMB-50")
def _first(state: State) -> Attack:
    """In order of declaration; by agreement those that need no die come before the others."""
    if state.options.resolve_order == "declared":
        return state.attacks[0]
    return min(state.attacks, key=lambda each: (_rolls(each), each.number))


def _rolls(attack: Attack) -> bool:
    """Whether a die decides that it hits."""
    return attack.kind in RAIDS or SHOTS[attack.kind].rolls is not None


@rule("NB-SINK-03")
def ignore(flow: BattleFlow, attack: Attack) -> None:
    """Further attacks at a sunk ship are ignored; their cards are discarded."""
    flow.emit(
        ev.AttackIgnored(
            attack=attack.number, discarded=spent(flow.state, attack), rules=("NB-SINK-03",)
        )
    )


@rule("NB-LBAR-05", "NB-AIR-05", "NB-TORP-06", "NB-EX-15")
def rolled(flow: BattleFlow, face: int) -> None:
    """A die is down: a raid sinks, torpedoes hit, air cover or run silent stop, or nothing."""
    roll = rolling.scored(flow, face)
    success = isinstance(last := flow.events[-1], ev.RollScored) and last.success
    attack = facts.attack(flow.state, roll.attack)
    assert attack is not None
    if roll.kind in ("cover", "silent"):
        if success:
            by = "air-cover" if roll.kind == "cover" else "run-silent"
            stop(flow, attack, by, rolling.RULES[roll.kind])
    elif not success:
        discarded = spent(flow.state, attack)
        flow.emit(
            ev.AttackMissed(
                attack=attack.number, discarded=discarded, rules=(rolling.RULES[roll.kind],)
            )
        )
    else:
        hit(flow, attack)


@rule("NB-MAIN-05", "NB-SINK-01", "NB-SINK-06", "NB-RES-02", "NB-SHIP-05", "NB-SUB-06",
      "NB-AMB-35")  # fmt: skip
def hit(flow: BattleFlow, attack: Attack) -> None:
    """A raid sinks outright; a card's damage sinks once all damage reaches the hull value.

    A card that does not sink its target goes under it, out of the deck.
    """
    state = flow.state
    target = state.ships[attack.target]
    hull = SHIPS[target.id].hull
    points = facts.card(state, attack.card).damage if attack.card else 0
    total = facts.damage(state, target) + points
    if attack.kind in RAIDS or total >= hull:
        sink(flow, attack)
        return
    flow.emit(
        ev.DamageScored(
            attack=attack.number,
            ship=target.id,
            card=attack.card,
            damage=points,
            total=total,
            hull=hull,
            rules=("NB-RES-02",),
        )
    )


@rule("NB-SINK-02", "NB-SINK-05", "NB-WIN-02", "NB-EX-13")
def sink(flow: BattleFlow, attack: Attack) -> None:
    """The ship goes to its sinker's pile, all cards concerned to the discards; he may have won."""
    state = flow.state
    target = state.ships[attack.target]
    raid = attack.kind in RAIDS
    flow.emit(
        ev.ShipSunk(
            attack=attack.number,
            ship=target.id,
            seat=target.seat,
            by=state.active,
            points=SHIPS[target.id].points,
            discarded=(*target.damage, *spent(state, attack)),
            rules=("NB-SINK-06" if raid else "NB-SINK-01",),
        )
    )
    winning.check(flow, state.active)
