"""What the game lists of itself: its steps and questions, and where silence is meant.

The completeness check (kernel/testing) asks for everything else. Each entry here is a decision.
"""

from __future__ import annotations

from ....kernel.shown.tables import Remains, Tables, Vain
from ..rules import events as ev
from ..rules.sequence import BATTLES
from ..rules.state import State
from . import names
from .attack_sentences import why_in_vain
from .parts import PARTS, UNLIT
from .roles import safe

QUIET: frozenset[type] = frozenset(
    {
        ev.AttackEnded,
        ev.DiceAwaited,
        ev.DiceThrown,
        ev.EffectEnded,
        ev.PhaseEnded,
        ev.ReturnEnded,
        ev.StackKept,
        ev.TaskDone,
    }
)
"""Book-keeping: these say nothing."""

UNRULED: frozenset[type] = frozenset(
    {
        ev.AttackEnded,
        ev.DiceAwaited,
        ev.DiceThrown,
        ev.PhaseEnded,
        ev.StepBegan,
        ev.TaskDone,
    }
)
"""Book-keeping and the order of play: these decide nothing, and name no rule."""

UNDRAWN: frozenset[type] = frozenset(
    {
        ev.AbilityDeclined,
        ev.AttackEnded,
        ev.AttackRolled,
        ev.CarrierDoomed,
        ev.ClaimDeclined,
        ev.ConcealmentRolled,
        ev.CustomsBrought,
        ev.DeployerChosen,
        ev.DiceAwaited,
        ev.DiceThrown,
        ev.EffectEnded,
        ev.FleetDeployed,
        ev.GameEnded,
        ev.GameOpened,
        ev.LightChanged,
        ev.LightSet,
        ev.PhaseEnded,
        ev.RecoveryRolled,
        ev.ReturnEnded,
        ev.SideChooserFound,
        ev.StackKept,
        ev.StepBegan,
        ev.TaskDone,
        ev.TurnEnded,
        ev.WeatherRolled,
    }
)
"""These are in no picture of the last action but, where they say something, by their sentence."""

VAIN: dict[type, Vain] = {
    ev.AttackResolved: why_in_vain,
    ev.ConcealmentRolled: lambda _, event: None if event.concealed else f"({event.needed}+)",
    ev.SearchRolled: lambda _, event: None if event.found else f"{event.needed} needed",
    ev.CarrierLossRolled: lambda _, event: None if event.units else "there are none",
}
"""What may come to nothing: an attack, a roll."""


def _till_landed(state: State, key: str, base: str) -> bool:
    """Whoever was aboard of what is lost looks for another base in the Air Return of that turn."""
    phases = list(names.PHASES)
    later = phases[phases.index("air-return") + 1 :]
    if state.step.phase in (*names.SET_UP, *later):
        return False
    return any(each.id == base and each.turn == state.turn for each in state.lost)


REMAINS: dict[str, Remains] = {
    "lost/[]/id": "this is the list of them",
    "units/*/base": _till_landed,
    "stacks/{}": _till_landed,
    "used/[]/unit": "what was used counts until the turn ends, whoever used it",
    "effects/[]/unit": "an effect stands until its own end; nobody asks for that of who is gone",
    "effects/[]/source": "an effect outlives whoever made it",
}
"""Where the name of a unit that has left play may still stand."""


def _kind(state: State, unit: str) -> str:
    """``Ship on the map``."""
    each = state.units[unit]
    place = "on the map" if each.sector else "at its base" if each.base else "off the map"
    return f"{names.type_of(each.card)} {place}"


UNPAID = {
    "stranded": "it is still at sea when the time of a convoy is up",
    "lost-with-ship": "it was a part of the Ship that is scored",
}
"""Causes of losses for which no enemy scores."""

OFFERED = {
    "attack.target": frozenset(
        {
            "other Aircraft at its base",
            "other Aircraft on the map",
            "other Ship on the map",
            "other Submarine on the map",
        }
    ),
    "attack.unit": frozenset(
        {
            "own Aircraft at its base",
            "own Aircraft on the map",
            "own Ship on the map",
            "own Submarine on the map",
        }
    ),
    "eliminate.unit": frozenset({"own Aircraft at its base", "own Aircraft on the map"}),
    "move.unit": frozenset({"own Ship on the map", "own Submarine on the map"}),
    "place.unit": frozenset({"own Aircraft at its base"}),
    "return.unit": frozenset({"own Aircraft at its base", "own Aircraft on the map"}),
    "risk.unit": frozenset({"own Aircraft at its base", "own Aircraft on the map"}),
    "send-to-airbase.unit": frozenset({"own Aircraft at its base"}),
    "use.target": frozenset(
        {
            "one that is not in play",
            "other Aircraft on the map",
            "other Ship on the map",
            "other Submarine on the map",
            "own Aircraft at its base",
            "own Aircraft on the map",
            "own Ship on the map",
        }
    ),
    "use.unit": frozenset(
        {
            "own Aircraft at its base",
            "own Aircraft on the map",
            "own Ship off the map",
            "own Ship on the map",
            "own Submarine on the map",
        }
    ),
}
"""The kinds of units that are offered for each part of an order."""

ALONE = {
    "choose-edge": "one player chooses, and the other has the edge opposite",
    "choose-side": "one player chooses, and the other has the other side",
    "risk-aircraft": "of the owner of a lost Carrier; in no game that is kept do both lose one",
    "sub-hunter": "of the owner of that ability; both have it in no game that is kept",
}
"""Questions that are put to one player of a turn alone."""

TABLES = Tables(
    where=__name__,
    step=lambda state: state.step,
    titles={key: names.phase_name(key.phase) for each in BATTLES for key in each.keys},
    titled=names.__name__,
    questions=frozenset(key for each in BATTLES for key in each.questions),
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
    alone=ALONE,
    phases=("initiative", *names.PHASES),
    closes=ev.TurnEnded,
    unharmed=safe,
    unpaid=UNPAID,
)
