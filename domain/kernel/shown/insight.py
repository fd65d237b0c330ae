"""What a reader may ask of a position: names, figures with reasons, what may be supposed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ..fork import Choose
from ..tally import Tally
from .claims import ClaimsByField


def _no_figures(state: Any, unit: str) -> dict[str, Tally]:
    """A ruleset that names none."""
    return {}


@dataclass(frozen=True)
class Insight:
    """Pure functions of a ruleset that explain; none of them decides anything.

    They are asked with views too, in which others' secrets are hidden.

    calls    (state, id) -> what a unit or card is called; "" for what is none
    figures  (state, id) -> a unit's numbers with their reasons: ``armor``, ``speed``
    suppose  (view, choose) -> a position that the viewer could take for the truth: what he cannot
             see is made up by ``choose(n)``, a number below n, and depends on nothing else
    claims   field of the state -> what it says of the hidden to everybody who sees it, or why it
             says nothing; whatever ``suppose`` makes up agrees with all of it. None: no secrets
    forbids  ID of the rule that forbids to reckon before declaring; "" where one may
    freed    (state) -> whether the players of this game have agreed that one may all the same
    """

    calls: Callable[[Any, str], str] = lambda state, unit: ""
    figures: Callable[[Any, str], Mapping[str, Tally]] = _no_figures
    suppose: Callable[[Any, Choose], Any] = lambda state, choose: state
    claims: ClaimsByField = field(default_factory=dict, hash=False)
    forbids: str = ""
    freed: Callable[[Any], bool] = lambda state: False

    def forbidden(self, state: Any) -> str:
        """The rule that forbids to reckon before declaring in this game; empty: one may."""
        return "" if self.freed(state) else self.forbids
