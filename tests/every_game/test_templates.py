"""A template tells with its schema every refusal that a command which fits it can still meet.

Commands are drawn from the templates of random games, and of the positions of the numbered cases
about each option at each of its values, and given to the rules. What they are refused for is listed
(nothing else), and what is listed somewhere is met by one of them (nothing more).
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import islice
from typing import Any

import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]
from msgspec.structs import replace

from domain.kernel.agreed import options_of
from domain.kernel.options import TemplateRefusal
from tests.support.cases import FOLDER, commands, load
from tests.support.option_cases import Case, at, near, value
from tests.support.suites import Suite, suites
from tests.support.templated import Tried, offered, plain, positions, standing, tried

pytestmark = pytest.mark.slow("conformance")

SEEDS = 12
TEMPLATES = 300
"""Templates of each game that are looked at."""
ALIKE = 600
"""Commands that are drawn from templates of one type with the same refusals, about so many."""
ONCE = 300
"""Commands that are drawn from one of them, at most."""

AGREED = 40
"""Those that are drawn in the cases of one value of an option, about so many of a kind."""
MANY = 200
"""The same where the rules changed."""

PLAYED = list(suites().values())
every_suite = pytest.mark.parametrize("suite", PLAYED, ids=[suite.folder for suite in PLAYED])


def draws(suite: Suite, seed: int, done: Counter[tuple[str, Any]]) -> Iterator[Tried]:
    """Commands of a random game's templates: many where few were drawn of such a template."""
    setup, game = suite.random(seed)
    dice, kinds = random.Random(f"templates {seed}"), commands(suite.game.commands)
    for state, seat, template in islice(offered(game, setup, dice), TEMPLATES):
        key = template.type, template.refusals
        many = max(1, min(ONCE, ALIKE - done[key]))
        done[key] += many
        for _ in range(many):
            yield tried(game, state, seat, template, kinds, dice)


@cache
def found(folder: str) -> tuple[Tried, ...]:
    done: Counter[tuple[str, Any]] = Counter()
    suite = suites()[folder]
    return tuple(each for seed in range(SEEDS) for each in draws(suite, seed, done))


def near_options(suite: Suite) -> Iterator[tuple[str, Case]]:
    """The cases about each option, at each of its values: random games may never come there."""
    listed = load(suite.folder) if (FOLDER / suite.folder).is_dir() else ()
    for option in options_of(suite.game.options):
        others = {*(option.values or (value(each, option) for each in listed))} - {option.default}
        for other in sorted(others, key=repr):
            for case in near(option, listed):
                yield f"{option.name} {other}", at(case, option, other)


@cache
def found_in_cases(folder: str, agreed: int = AGREED) -> tuple[Tried, ...]:
    """Commands of the templates in those cases."""
    suite = suites()[folder]
    dice, kinds = random.Random(f"cases {folder}"), commands(suite.game.commands)
    done: Counter[Any] = Counter()
    every: list[Tried] = []
    for name, case in near_options(suite):
        for state in positions(suite, case):
            for _, seat, template in standing(suite.game, state):
                key = template.type, template.refusals, name
                many = max(1, min(ONCE, agreed - done[key]))
                done[key] += many
                every += (
                    tried(suite.game, state, seat, template, kinds, dice) for _ in range(many)
                )
    return tuple(every)


def unlisted(found: Iterable[Tried]) -> list[str]:
    """Refusals that the template of the command does not name."""
    return [
        f"{each.template.type}: {each.refusal.code} ({each.refusal.rule}) of {each.command}"
        for each in found
        if each.refusal is not None and each.refusal not in each.template.refusals
    ]


def unmet(found: Sequence[Tried]) -> set[tuple[str, TemplateRefusal]]:
    """What templates of a type name and no command of such a template was refused for."""
    listed = {(each.template.type, named) for each in found for named in each.template.refusals}
    return listed - {(each.template.type, each.refusal) for each in found if each.refusal}


@every_suite
def test_a_command_of_a_template_is_refused_for_what_the_template_names_only(suite: Suite) -> None:
    assert unlisted(found(suite.folder))[:3] == []


WITH_CASES = [suite for suite in PLAYED if (FOLDER / suite.folder).is_dir()]


@pytest.mark.parametrize("agreed", [AGREED, pytest.param(MANY, marks=pytest.mark.slow("games"))])
@pytest.mark.parametrize("suite", WITH_CASES, ids=[suite.folder for suite in WITH_CASES])
def test_so_is_one_in_the_cases_of_an_option(suite: Suite, agreed: int) -> None:
    every = found_in_cases(suite.folder, agreed)
    assert every, f"no case of tests/cases/{suite.folder} about an option has a template"
    assert unlisted(every)[:3] == []


@every_suite
def test_whatever_a_template_names_is_met(suite: Suite) -> None:
    assert unmet((*found(suite.folder), *found_in_cases(suite.folder))) == set()


@every_suite
def test_commands_of_each_type_are_accepted_too(suite: Suite) -> None:
    every = found(suite.folder)
    accepted = {each.template.type for each in every if each.refusal is None}
    assert accepted == {each.template.type for each in every}
    assert len(accepted) > 0


@every_suite
def test_the_rules_that_a_template_names_can_be_looked_up(suite: Suite) -> None:
    rules = {text.id for text in suite.game.catalogue.rules()}
    named = {refusal.rule for each in found(suite.folder) for refusal in each.template.refusals}
    assert len(named) > 0
    assert named - rules == set()


@every_suite
def test_what_is_drawn_fits_the_schema_and_what_is_named_is_named_once(suite: Suite) -> None:
    for each in found(suite.folder)[::97]:
        schema = plain(each.template.schema)
        Draft202012Validator.check_schema(schema)
        assert Draft202012Validator(schema).is_valid(each.command), each.command
        assert len(set(each.template.refusals)) == len(each.template.refusals)


def test_a_refusal_that_is_not_named_is_found_and_one_too_many_too() -> None:
    """The check of the check: a real template without its refusals, and with one that is none."""
    every = found("crimson_tide")
    silent = [each._replace(template=replace(each.template, refusals=())) for each in every]
    assert len(unlisted(silent)) == sum(each.refusal is not None for each in every) > 0
    more = TemplateRefusal("move.no-ram", "CT-AMB-99")
    loud = [each._replace(template=replace(each.template, refusals=(more,))) for each in every]
    assert {named for _, named in unmet(loud)} == {more}
