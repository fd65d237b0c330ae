"""TORP: the markers of earlier turns are checked before the submarines attack."""

from __future__ import annotations

from ....kernel.chance import Dice
from ....kernel.flow import Flow
from ....kernel.rules import rule
from . import events as ev
from .asking import ask
from .damage import harm
from .dice import TORPEDO_DAMAGE, torpedo_hits, torpedo_least
from .facts import in_order
from .state import Inbound, Purpose, State, Unit

BattleFlow = Flow[State, ev.AnyEvent]


@rule("CT-TORP-04", "CT-SATK-03", "CT-AMB-08", "CT-TORP-08")
def due(state: State) -> tuple[Unit, Inbound] | None:
    """The next markers of an earlier turn, in the order of targets and of launching."""
    for unit in in_order(state):
        if unit.inbound and unit.inbound[0].turn < state.turn:
            return unit, unit.inbound[0]
    return None


def check(flow: BattleFlow) -> bool:
    """Ask for one die for each marker of the next attack; the firing side rolls."""
    found = due(flow.state)
    if found is None:
        return False
    unit, inbound = found
    ask(flow, Purpose("inbound", unit.id, inbound.firer), inbound.seat, Dice(inbound.number))
    return True


@rule("CT-TORP-02", "CT-AMB-06")
def answered(flow: BattleFlow, purpose: Purpose, faces: tuple[tuple[int, ...], ...]) -> None:
    """Each six costs two hull points, whatever the armor, and never rolls for a critical."""
    inbound = flow.state.units[purpose.unit].inbound[0]
    number = torpedo_hits(faces[0])
    checked = ev.TorpedoesChecked(
        target=purpose.unit,
        firer=inbound.firer,
        turn=inbound.turn,
        faces=faces[0],
        hits=number,
        hull=number * TORPEDO_DAMAGE,
        least=torpedo_least().total,
        rules=("CT-TORP-02",),
    )
    harm(flow, checked, purpose.unit, inbound.firer)


ANSWERS = {"inbound": answered}
