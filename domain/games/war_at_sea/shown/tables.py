"""What the game lists of itself: its steps and questions, and where silence is meant.

The completeness check (kernel/testing) asks for everything else. Each entry here is a decision.
"""

from __future__ import annotations

from ....kernel.shown.tables import Tables, Vain
from ..rules import events as ev
from ..rules.sequence import BATTLES
from . import names
from .attack_sentences import why_in_vain
from .parts import PARTS, UNLIT

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
)
