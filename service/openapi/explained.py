"""What the page of a problem's code says: why it is given, by which rules, and what to do."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from domain.kernel.finder import home_of
from domain.kernel.game import Game
from domain.kernel.shown.refusal_texts import RefusalText, refusal_texts
from domain.kernel.shown.rulebook import RuleText
from service.problems import BY_CODE, Explained, Kind, status_of, title_from

from .codes import refusal_codes, rules_cited

AnyGame = Game[Any, Any, Any]
KERNEL = "domain.kernel.shown"


def explained(games: Mapping[str, AnyGame], code: str) -> Explained | None:
    """The refusal of that code, of the service or of rulesets; None where nothing refuses so."""
    if code in BY_CODE:
        return Explained(BY_CODE[code])
    refusing = [game for game in games.values() if code in refusal_codes(game)]
    if not refusing:
        return None
    kind = Kind(
        code=code,
        status=status_of(code),
        title=title_from(code),
        meaning=_of_each({game.title: text_of(game, code).meaning for game in refusing}),
        hint=_of_each({game.title: text_of(game, code).hint for game in refusing}),
    )
    return Explained(kind, tuple(rule for game in refusing for rule in _rules(game, code)))


def text_of(game: AnyGame, code: str) -> RefusalText:
    """What a ruleset's code means: by the ruleset, by the loop of play, or what is true of all."""
    home = home_of(game)
    known = {**refusal_texts(KERNEL), **refusal_texts(f"{home}.shown")}
    return known.get(code) or RefusalText(
        meaning=f"The rules of {game.ruleset} do not accept the command; `rule` names which one.",
        hint="The problem's own hint says what would be legal; so does the list of commands.",
    )


def _of_each(texts: Mapping[str, str]) -> str:
    """What rulesets say alike is said once; else each has a paragraph."""
    if len({*texts.values()}) == 1:
        return next(iter(texts.values()))
    return "\n\n".join(f"{title}: {text}" for title, text in texts.items())


def _rules(game: AnyGame, code: str) -> Iterator[RuleText]:
    known = {each.id: each for each in game.catalogue.rules()}
    return (known[id_] for id_ in rules_cited(game, code) if id_ in known)
