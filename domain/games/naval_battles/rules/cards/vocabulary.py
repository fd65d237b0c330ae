"""What a file of this folder says about its card, by the step in which the card is played."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from .....kernel.rules import No
from ..deck import Family
from ..state import Attack, RollKind, Ship, State


@dataclass(frozen=True)
class Shot:
    """An attack card that ships fire.

    mount   type of mount that fires it
    ships   how many ships fire together
    stands  why this ship may not fire it from where it is
    reach   rows of targets that this ship may fire it at; 0 stands for submarines
    rule    rule that names the targets
    rolls   the die that decides a hit; None: it hits unless it is stopped
    """

    family: Family
    mount: str
    ships: int
    stands: Callable[[Ship], No | None]
    reach: Callable[[Ship], tuple[int, ...]]
    rule: str
    rolls: RollKind | None = None


@dataclass(frozen=True)
class Shield:
    """A card that answers an attack.

    rule      rule that a defense with it cites
    prepared  it may lie prepared as well (NB-CARD-02)
    why_not   why it does nothing against this attack at this target
    moves     it moves the attack instead of stopping it
    """

    family: Family
    rule: str
    prepared: bool
    why_not: Callable[[State, Attack, Ship], No | None]
    moves: bool = False
