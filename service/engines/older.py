"""An engine of the history as the installed kernel knows rules and what shows them.

Its record has the fields of its own time. What has come since is left as it is where a game says
nothing of it, and what has moved is taken from where it was.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, dataclass, fields, replace
from types import SimpleNamespace
from typing import Any

from domain.kernel.game import Game
from domain.kernel.shown.insight import Insight

from .load import Loaded

MOVED = ("chances", "prospects")
"""What decides now, and was among what explains."""


NOTHING = SimpleNamespace(commands=(), templates=(), concessions=())
"""What is on offer where nobody is asked."""


@dataclass(frozen=True, kw_only=True)
class PastGame(Game[Any, Any, Any]):
    """A game whose commands were not yet called by their ruleset, and whose orders of play are
    its own kernel's: it was checked when it was made."""

    def __post_init__(self) -> None:
        pass


def completed(loaded: Loaded) -> Loaded:
    """The engine with every field that the installed kernel asks for."""
    engine = loaded.engine
    insight = getattr(engine, "insight", None)
    given = _filled(Game, engine)
    for name in MOVED:
        given[name] = getattr(engine, name, getattr(insight, name, given[name]))
    given["legal"] = _else(engine.legal, NOTHING)
    given["pending"] = _else(engine.pending, ())
    given["insight"] = SimpleNamespace(**_filled(Insight, insight))
    return replace(loaded, engine=SimpleNamespace(**given))


def _else(function: Callable[..., Any], nothing: Any) -> Callable[..., Any]:
    """Between two events of one order nobody is asked anything, and some lose their way there: a
    test holds that none does where an order has ended."""

    def asked(*given: Any) -> Any:
        try:
            return function(*given)
        except (LookupError, ValueError):
            return nothing

    return asked


def _filled(kind: type, value: Any) -> dict[str, Any]:
    """The fields of ``kind`` as the value has them, or as they are by themselves."""
    found = {}
    for each in fields(kind):
        default = each.default
        if default is MISSING and each.default_factory is not MISSING:
            default = each.default_factory()
        found[each.name] = getattr(value, each.name, default)
    return found
