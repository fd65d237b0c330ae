"""How a rule asks the chance seat for dice."""

from __future__ import annotations

from ....kernel.chance import PUBLIC_DOMAIN, Awaited, Dice
from ....kernel.flow import Flow
from ....kernel.rules import rule
from ....kernel.values import Seat
from . import events as ev
from .state import Purpose, Roll, State

BattleFlow = Flow[State, ev.AnyEvent]


@rule("NB-RND-03")
def ask(
    flow: BattleFlow,
    purpose: Purpose,
    owner: Seat,
    pools: tuple[Dice, ...],
    domain: str = PUBLIC_DOMAIN,
    roll: Roll | None = None,
) -> None:
    """Put a request into the state. Labels number the requests of a game and say no secret."""
    what = roll.kind if roll is not None else purpose.kind
    label = f"{what}-{flow.state.rolls + 1}"
    awaited = Awaited(label, pools, owner, domain)
    flow.emit(ev.DiceAwaited(awaited=awaited, purpose=purpose, roll=roll))
