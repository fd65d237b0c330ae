"""What the game lists of itself: its steps and questions, and where silence is meant.

The completeness check (kernel/testing) asks for everything else. Each entry here is a decision.
"""

from __future__ import annotations

from ....kernel.shown.tables import Remains, Tables, Vain
from ..rules import events as ev
from ..rules.damage import REPAIRED_ON
from ..rules.facts import card_of, flying
from ..rules.sequence import COURSES
from ..rules.state import State
from . import names
from .attack_sentences import WASTED, why_in_vain
from .parts import PARTS, UNLIT
from .roles import SAFE

QUIET: frozenset[type] = frozenset(
    {
        ev.AttackEnded,
        ev.DiceAwaited,
        ev.DiceThrown,
        ev.TaskDone,
        ev.TransitEnded,
        ev.TurnEnded,
    }
)
"""Book-keeping: these say nothing."""

UNRULED: frozenset[type] = frozenset(
    {
        ev.AttackEnded,
        ev.DiceAwaited,
        ev.DiceThrown,
        ev.MoveEnded,
        ev.StepBegan,
        ev.TaskDone,
    }
)
"""Book-keeping and the order of play: these decide nothing, and name no rule."""

UNDRAWN: frozenset[type] = frozenset(
    {
        ev.AttackEnded,
        ev.DiceAwaited,
        ev.DiceThrown,
        ev.GameEnded,
        ev.GameOpened,
        ev.ImpactRolled,
        ev.RecoveryRolled,
        ev.StepBegan,
        ev.TaskDone,
        ev.TransitEnded,
        ev.TurnEnded,
    }
)
"""These are in no picture of the last action but, where they say something, by their sentence."""


def _rolled(done: str) -> Vain:
    """A roll that failed names the face that it needed."""
    return lambda _, event: None if getattr(event, done) else f"{event.needed} needed"


VAIN: dict[type, Vain] = {
    ev.AttackResolved: why_in_vain,
    ev.AttackWasted: lambda _, event: WASTED[event.reason],
    ev.ConcealmentRolled: _rolled("passed"),
    ev.DetectionRolled: _rolled("detected"),
    ev.SpottingRolled: _rolled("found"),
    ev.EvasionRolled: _rolled("evaded"),
    ev.RepairRolled: lambda _, event: None if event.repaired else f"{REPAIRED_ON} needed",
}
"""What may come to nothing: an attack, a roll."""

REMAINS: dict[str, Remains] = {
    "lost/[]/id": "this is the list of them",
    "units/*/inbound/[]/firer": "torpedoes run on, whatever becomes of who launched them",
}
"""Where the name of a unit that has left play may still stand."""


def _kind(state: State, unit: str) -> str:
    """``ship``, ``submarine that dives``, ``aircraft in the air``."""
    each = state.units[unit]
    kind = card_of(state, each).kind
    if kind == "aircraft":
        return f"{kind} in the air" if flying(each) else f"{kind} at its base"
    return f"{kind} that dives" if each.submerged else kind


OFFERED = {
    "attack.target": frozenset(
        {
            "other aircraft in the air",
            "other land",
            "other ship",
            "other submarine",
            "other submarine that dives",
        }
    ),
    "attack.unit": frozenset(
        {
            "own aircraft in the air",
            "own land",
            "own ship",
            "own submarine",
            "own submarine that dives",
        }
    ),
    "deploy.target": frozenset({"other ship", "other submarine", "other submarine that dives"}),
    "deploy.unit": frozenset({"own aircraft at its base"}),
    "dive.unit": frozenset({"own submarine", "own submarine that dives"}),
    "land.unit": frozenset({"own aircraft in the air"}),
    "move.unit": frozenset({"own ship", "own submarine", "own submarine that dives"}),
}
"""The kinds of units that are offered for each part of an order."""

TABLES = Tables(
    where=__name__,
    step=lambda state: state.step,
    titles={key: names.phase_name(key.phase) for each in COURSES for key in each.keys},
    titled=names.__name__,
    questions=frozenset(COURSES[0].questions),
    quiet=QUIET,
    unruled=UNRULED,
    undrawn=UNDRAWN,
    vain=VAIN,
    parts=PARTS,
    unlit=UNLIT,
    aboard=frozenset({"units/*/base"}),
    losses="lost/[]/id",
    remains=REMAINS,
    units=lambda state: state.units,
    kind=_kind,
    offered=OFFERED,
    phases=tuple(names.PHASES),
    closes=ev.TurnEnded,
    unharmed=lambda: {SAFE},
)
