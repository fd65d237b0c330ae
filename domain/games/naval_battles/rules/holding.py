"""Whether a seat may play a card now: it is in his hand, and it is for this step (NB-CARD)."""

from __future__ import annotations

from collections import Counter

from ....kernel.rules import No, rule
from ....kernel.values import Seat
from . import facts
from .cards import steps_of
from .folds.common import cards_of
from .state import State


@rule("NB-RUL-03")
def why_not_held(state: State, seat: Seat, *names: str, pointer: str = "/card") -> No | None:
    """One plays from one's own hand, as many copies as one holds."""
    held = Counter(facts.hand(state, seat))
    if Counter(names) <= held:
        return None
    return No("card.not-in-hand", "NB-RUL-03", "See your hand for what you hold.", pointer)


def why_not_step(state: State, name: str, step: str, pointer: str = "/card") -> No | None:
    """The card's type names the steps in which it may be played."""
    known = cards_of(state).get(name)
    if known is not None and step in steps_of(known.family):
        return None
    when = " or ".join(steps_of(known.family)) if known is not None else "no"
    return No("card.wrong-step", "NB-CARD-01", f"It is for the {when} step.", pointer)


def why_not_play(state: State, seat: Seat, name: str, step: str) -> No | None:
    """Both together: in the hand, and for this step."""
    return why_not_held(state, seat, name) or why_not_step(state, name, step)
