"""What a shown archive shows, in the installed kernel's types: a pinned game as it was.

States, commands and events pass as the engine's own values; sentences, pictures, roles and figures
come out as the service sends them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from domain.kernel.codec import canonical
from domain.kernel.game import Game
from domain.kernel.options import Described
from domain.kernel.shown.catalogue import Catalogue
from domain.kernel.shown.insight import Insight
from domain.kernel.shown.odds_summary import OddsSummary
from domain.kernel.shown.roles import PARTS, Reading, Role
from domain.kernel.shown.rulebook import RuleText
from domain.kernel.shown.scene import Scene, of_text
from domain.kernel.tally import Tally
from domain.kernel.values import Choose

from . import said
from .face import adapted, carried_over
from .load import Loaded
from .older import PastGame, completed

DESCRIBED = said.decoder(said.DescribedSaid)
IN_SHORT = said.decoder(OddsSummary)
SCENE = said.decoder(Scene)
FIGURES = said.decoder(dict[str, Tally])
RULES = said.decoder(tuple[RuleText, ...])


def shown_by(
    loaded: Loaded, game: Any, kind: type[Game[Any, Any, Any]] = Game
) -> Game[Any, Any, Any]:
    """An engine with what was laid over it (``shown.lay``)."""

    def describe(state: Any, command: Any) -> Described:
        return DESCRIBED.decode(canonical(game.describe(state, command))).read()

    return kind(
        **adapted(loaded),
        title=game.title,
        phases=game.phases,
        describe=describe,
        says=game.says,
        board=game.board,
        scene=_scene(game),
        preview=game.preview,
        roles={type_: _reading(reading) for type_, reading in game.roles.items()},
        catalogue=Catalogue(rules=_rules(game)),
        insight=_insight(game.insight),
        odds_in_short=_in_short(game),
        worthwhile=_worthwhile(game),
        odds_later=getattr(game, "odds_later", lambda state, command: None),
        fails=getattr(game, "fails", lambda state, command: ""),
    )


def shown_as_it_was(loaded: Loaded) -> Game[Any, Any, Any]:
    """An engine of the history, which has what shows it."""
    whole = completed(loaded)
    return shown_by(whole, whole.engine, PastGame)


def _scene(game: Any) -> Callable[[Any, Any, Any, str], Scene]:
    def scene(state: Any, before: Any, events: Any, focus: str) -> Scene:
        drawn = None if game.scene is None else game.scene(state, before, events, focus)
        if drawn is None:
            return of_text(game.title, game.board(state))
        return SCENE.decode(canonical(drawn))

    return scene


def _in_short(game: Any) -> Callable[[Mapping[str, Any]], OddsSummary | None]:
    """Engines of before odds had a short form give none."""
    tell = getattr(game, "odds_in_short", lambda odds: None)

    def in_short(odds: Mapping[str, Any]) -> OddsSummary | None:
        found = tell(odds)
        return None if found is None else IN_SHORT.decode(canonical(found))

    return in_short


def _worthwhile(game: Any) -> Callable[[Any, Any], dict[str, Any] | None]:
    """Engines of before offers said what is worth a look call none so."""
    return getattr(game, "worthwhile", lambda state, command: None)


def _reading(reading: Callable[[Any, Any], Any]) -> Reading:
    ours = carried_over(Role, said.RoleSaid)

    def meant(before: Any, event: Any) -> tuple[Role, ...]:
        found = reading(before, event)
        return tuple([ours(each) for each in found if each.role in PARTS]) if found else ()

    return meant


def _rules(game: Any) -> Callable[[], tuple[RuleText, ...]]:
    @cache
    def rules() -> tuple[RuleText, ...]:
        return RULES.decode(canonical(game.catalogue.rules()))

    return rules


def _insight(insight: Any) -> Insight:
    def figures(state: Any, unit: str) -> Mapping[str, Tally]:
        return FIGURES.decode(canonical(dict(insight.figures(state, unit))))

    def suppose(state: Any, choose: Choose) -> Any:
        return insight.suppose(state, choose)

    return Insight(
        calls=insight.calls, figures=figures, suppose=suppose,
        forbids=insight.forbids, freed=insight.freed,
    )  # fmt: skip
