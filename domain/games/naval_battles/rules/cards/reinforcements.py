"""Reinforcements: ships from the reinforcement pile join the fleet."""

from __future__ import annotations

from .....kernel.rules import rule
from ..folds.common import cards_of
from ..state import State

FAMILY = "reinforcements"


@rule("NB-REIN-03")
def points(state: State, cards: tuple[str, ...]) -> int:
    """Victory points of ships that these cards bring together."""
    return sum(cards_of(state)[name].points for name in cards)
