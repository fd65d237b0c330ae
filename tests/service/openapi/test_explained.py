"""No page of a problem's code is empty: it says why, and what to do."""

from __future__ import annotations

from html import unescape
from typing import Any

import pytest

from domain.kernel.finder import games, home_of
from domain.kernel.game import Game
from domain.kernel.shown.refusal_texts import refusal_texts
from service.http.pages import problem_page
from service.openapi.codes import refusal_codes, rules_cited
from service.openapi.explained import KERNEL, explained, text_of
from service.problems import KINDS
from tests.support.pennant import GAME as PENNANT

LEAST = 10
"""Letters of a text that says something."""

INSTALLED = games()
SAYS_NOTHING = "do not accept the command"


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: str(kind.code))
def test_the_service_says_why_it_refuses_and_what_to_do(kind: Any) -> None:
    assert len(kind.meaning) >= LEAST
    assert len(kind.hint) >= LEAST


@pytest.mark.parametrize("name", INSTALLED)
def test_every_code_of_a_ruleset_says_why_and_what_to_do(name: str) -> None:
    texts = {code: text_of(INSTALLED[name], code) for code in refusal_codes(INSTALLED[name])}
    assert texts
    bare = [code for code, text in texts.items() if SAYS_NOTHING in text.meaning]
    assert bare == [], "shown/refusals.toml has no text of these"
    thin = [code for code, text in texts.items() if not (whole(text.meaning) and whole(text.hint))]
    assert thin == []


def whole(said: str) -> bool:
    """Whether it is a sentence that says something."""
    return len(said) >= LEAST and (said[0].isupper() or said[0] == "`") and said.endswith(".")


@pytest.mark.parametrize("name", INSTALLED)
def test_no_text_is_of_a_code_that_nothing_refuses_with(name: str) -> None:
    known = {*refusal_codes(INSTALLED[name])}
    own = {*refusal_texts(f"{home_of(INSTALLED[name])}.shown")}
    assert own <= known
    assert not own & {*refusal_texts(KERNEL)}, "the loop of play says it"
    assert {*refusal_texts(KERNEL)} <= known


def test_a_code_of_several_rulesets_says_what_each_means_by_it() -> None:
    found = explained(INSTALLED, "attack.aborted")
    assert found is not None
    assert [part.split(":")[0] for part in found.kind.meaning.split("\n\n")] == [
        INSTALLED[name].title for name in ("crimson-tide", "war-at-sea")
    ]
    assert found.kind.hint == "Attack with another unit."
    assert [rule.id for rule in found.rules] == ["CT-AATK-04", "WAS-AIRA-04"]
    page = unescape(problem_page(found, {}).decode())
    for said in (*found.kind.meaning.split("\n\n"), *(rule.title for rule in found.rules)):
        assert said in page


def test_the_rules_that_refuse_are_told_in_words() -> None:
    told: dict[str, int] = {}
    for name, game in INSTALLED.items():
        known = {rule.id for rule in game.catalogue.rules()}
        for code in refusal_codes(game):
            cited = rules_cited(game, code)
            assert {*cited} <= known, code
            told[name] = told.get(name, 0) + bool(cited)
    for name, count in told.items():
        assert count > len(refusal_codes(INSTALLED[name])) * 3 / 4, name


def test_a_ruleset_without_texts_says_where_to_look() -> None:
    stranger: dict[str, Game[Any, Any, Any]] = {PENNANT.ruleset: PENNANT}
    found = explained(stranger, "setup.seats")
    assert found is not None
    assert SAYS_NOTHING in found.kind.meaning
    assert explained(stranger, "attack.aborted") is None
