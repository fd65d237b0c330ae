"""What the game lists of itself: its steps and questions, and where silence is meant.

The completeness check (kernel/testing) asks for everything else. Each entry here is a decision.
"""

from __future__ import annotations

from ....kernel.shown.tables import Remains, Tables, Vain
from ..rules import events as ev
from ..rules.sequence import battle
from ..rules.state import State
from . import names
from .attack_sentences import stopped_by
from .parts import PARTS, UNLIT

QUIET: frozenset[type] = frozenset(
    {
        ev.DiceAwaited,
        ev.DiceThrown,
        ev.Passed,
        ev.RollIntended,
        ev.StepBegan,
    }
)
"""Book-keeping: these say nothing."""

UNRULED: frozenset[type] = frozenset(
    {
        ev.DiceAwaited,
        ev.DiceThrown,
        ev.StepBegan,
    }
)
"""Book-keeping and the order of play: these decide nothing, and name no rule."""

UNDRAWN: frozenset[type] = frozenset(
    {
        ev.BattleEnded,
        ev.DiceAwaited,
        ev.DiceThrown,
        ev.GameEnded,
        ev.GameOpened,
        ev.Passed,
        ev.RollIntended,
        ev.RowsClosed,
        ev.StepBegan,
    }
)
"""These are in no picture of the last action but, where they say something, by their sentence."""

VAIN: dict[type, Vain] = {
    ev.RollScored: lambda _, event: None if event.success else f"against {event.needed.total}",
    ev.AttackMissed: lambda _, event: "the roll was too low",
    ev.AttackIgnored: lambda _, event: "its target is sunk",
    ev.AttackStopped: stopped_by,
}
"""What may come to nothing: an attack, a roll."""


def _afloat_again(state: State, key: str, ship: str) -> bool:
    """In the next battle every ship is there again: those that are sunk are of this one."""
    return all(ship not in sunk for sunk in state.sunk.values())


REMAINS: dict[str, Remains] = {
    "sunk/*/[]": "this is the list of them",
    "prepared/*/[]/ship": "it lies there until its player's turn, whatever becomes of the ship",
    "attacks/[]/target": "further attacks at a ship that is sunk are ignored, one by one",
    "committed/*/items/[]": _afloat_again,
    "reserves/*/[]": _afloat_again,
}
"""Where the name of a ship that is sunk may still stand."""


def _kind(state: State, ship: str) -> str:
    """A ship of a row, or a submarine by its side that is up."""
    if state.ships[ship].row:
        return "ship"
    return "active submarine" if state.ships[ship].active else "submarine"


OFFERED = {
    "aim-raid.target": frozenset({"other active submarine", "other ship", "other submarine"}),
    "air-cover.unit": frozenset({"own ship"}),
    "air-raid.target": frozenset({"other active submarine", "other ship", "other submarine"}),
    "air-raid.unit": frozenset({"own ship"}),
    "attack.target": frozenset({"other active submarine", "other ship", "other submarine"}),
    "attack.unit": frozenset({"own active submarine", "own ship"}),
    "defend.target": frozenset({"other ship", "own ship"}),
    "land-raid.target": frozenset({"other active submarine", "other ship", "other submarine"}),
    "prepare.unit": frozenset({"own active submarine", "own ship"}),
    "remove-damage.unit": frozenset({"own active submarine", "own ship", "own submarine"}),
}
"""The kinds of units that are offered for each part of an order."""

TABLES = Tables(
    where=__name__,
    step=lambda state: state.step,
    titles={key: names.STEPS[key.phase] for key in battle().keys if key.phase in names.STEPS},
    titled=names.__name__,
    questions=frozenset(battle().questions),
    quiet=QUIET,
    unruled=UNRULED,
    undrawn=UNDRAWN,
    vain=VAIN,
    blind=frozenset({(ev.DeckLaid, "cards"), (ev.DiceThrown, "faces")}),
    parts=PARTS,
    unlit=UNLIT,
    losses="sunk/*/[]",
    remains=REMAINS,
    units=lambda state: state.ships,
    kind=_kind,
    offered=OFFERED,
    phases=tuple(names.STEPS),
)
