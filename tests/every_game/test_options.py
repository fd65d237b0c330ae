"""Every option of every game is one value: a rule, a text, and editions in which it works."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from msgspec import inspect
from msgspec.structs import replace

from domain.kernel.agreed import Agreed, options_of
from domain.kernel.finder import games
from domain.kernel.game import Game
from domain.kernel.rules import Refused
from domain.kernel.setup import Setup
from domain.kernel.shown.option_texts import OptionText
from service.http.rulesets import options_schema
from tests.crimson_tide import random_battles as crimson_tide
from tests.naval_battles import random_games as naval_battles
from tests.support import pennant, soundings
from tests.support import random_battles as war_at_sea
from tests.support.citing import functions, near
from tests.support.figures import WORDS
from tests.support.option_reads import reads
from tests.support.random_options import ways
from tests.support.suites import Suite, suites

AnyGame = Game[Any, Any, Any]
INSTALLED = games()
EVERY = {**INSTALLED, "pennant": pennant.GAME, "soundings": soundings.GAME}
OPTIONS = [(name, each) for name, game in EVERY.items() for each in options_of(game.options)]
every_option = pytest.mark.parametrize(
    ("game", "option"), OPTIONS, ids=[f"{name}-{each.name}" for name, each in OPTIONS]
)


@every_option
def test_it_names_its_rule_and_its_editions(game: str, option: Agreed) -> None:
    assert option.rule, f"{option.field}: Annotated[..., option(RULE)] says whose it is"
    assert set(option.editions) <= set(EVERY[game].editions)
    if game in INSTALLED:
        known = {each.id: each for each in EVERY[game].catalogue.rules()}
        assert option.rule in known
        works = {each for each in EVERY[game].editions if option.works(each)}
        assert works <= set(known[option.rule].editions), "it does not work where its rule does not"


@pytest.mark.parametrize("game", EVERY)
def test_every_option_has_a_text_and_every_text_an_option(game: str) -> None:
    names = {each.name for each in options_of(EVERY[game].options)}
    assert set(EVERY[game].option_texts) == names, "options.toml of the game has the texts"


def untrue(option: Agreed, text: OptionText) -> list[str]:
    """What the text of an option says that is not so: the usual answer is the default, no other."""
    usual, other = (frozenset(re.findall(r"`([^`]+)`", said)) for said in (text.usual, text.other))
    values = {str(each) for each in option.values if each != ""}
    default = option.default
    if isinstance(default, bool):
        words = [re.split(r"[^a-z]", said)[0] for said in (text.usual, text.other)]
        right = words == [str(default).lower(), str(not default).lower()]
        return [] if right else [f"it begins with {words}, and the default is {default}"]
    found = [f"{each!r} is not usual" for each in usual & values if each != str(default)]
    found += [f"{each!r} is usual" for each in other & {str(default)}]
    if isinstance(default, str) and default:
        found += [f"the usual {default!r} is not named"] * (default not in usual)
    if isinstance(default, str):
        found += [f"{each!r} is not named" for each in sorted(values - {default} - other)]
        found += [f"{each!r} is no value" for each in sorted((usual | other) - values) if values]
    if default == "":
        found += [f"nothing is usual, and {each!r} is something" for each in usual]
    if isinstance(default, int):
        found += misnumbered(option, text)
    return found


def misnumbered(option: Agreed, text: OptionText) -> list[str]:
    """A figure says its default, and the least and the most that it may be."""
    usual, said = (
        {int(each.replace(",", "")) for each in re.findall(r"\d[\d,]*", words)}
        for words in (text.usual, f"{text.about} {text.usual} {text.other}")
    )
    found = [f"the usual {option.default:,} is not named"] * (option.default not in usual)
    known = {each for each in bounds(option) if isinstance(each, int)}
    return found + [f"{each:,}, a bound, is not named" for each in sorted(known - said)]


def bounds(option: Agreed) -> set[Any]:
    """What an option that is a figure may be at least and at most."""
    if option.values:
        return {min(option.values), max(option.values)}
    game = next(each for each in EVERY.values() if option in options_of(each.options))
    form = inspect.type_info(game.options)
    assert isinstance(form, inspect.StructType)
    (kind,) = (each.type for each in form.fields if each.name == option.field)
    plain = kind.type if isinstance(kind, inspect.Metadata) else kind
    return {plain.ge, plain.le} if isinstance(plain, inspect.IntType) else set()


@every_option
def test_the_usual_answer_is_the_default_and_the_others_are_not(game: str, option: Agreed) -> None:
    told = untrue(option, EVERY[game].option_texts[option.name])
    assert told == [], f"options.toml of {game}, {option.name}: the text or the values are wrong"


@every_option
def test_usual_and_other_exchanged_are_found(game: str, option: Agreed) -> None:
    text = EVERY[game].option_texts[option.name]
    swapped = replace(text, usual=text.other, other=text.usual)
    quoted = "`" in text.usual + text.other or not isinstance(option.default, str)
    assert untrue(option, swapped) or not quoted


@pytest.mark.parametrize(
    ("game", "name", "old", "new"),
    [
        ("crimson-tide", "points", "600", "500"),
        ("crimson-tide", "width", "16 to", "up to"),
        ("war-at-sea", "year", "1945", "1944"),
        ("war-at-sea", "fleetExercise", "`Allies`", "`Allied`"),
        ("naval-battles", "linkedNations", "`anew`", "`again`"),
    ],
)
def test_another_value_or_bound_in_a_text_is_found(
    game: str, name: str, old: str, new: str
) -> None:
    (option,) = (each for where, each in OPTIONS if (where, each.name) == (game, name))
    text = EVERY[game].option_texts[name]
    assert untrue(option, text) == []
    assert old in text.other
    assert untrue(option, replace(text, other=text.other.replace(old, new)))


def leads_to(option: Agreed, game: str) -> bool:
    """Whether the option's rule is about it: its text names it, or it is cited where it is read."""
    rules = EVERY[game].catalogue.rules()
    named = re.compile(rf"[oO]ption:? `?{option.name}\b|`{option.name}`|\b{_camel(option)}\b")
    if any(named.search(each.text) for each in rules if each.id == option.rule):
        return True
    return option.rule in cited(game.replace("-", "_"), option.field)


@cache
def cited(folder: str, field: str) -> frozenset[str]:
    """What stands in the functions that read an option, and next to them."""
    readers = [each for each in functions(folder) if field in each.uses]
    return frozenset[str]().union(*(e.says for reader in readers for e in near(folder, reader)))


def _camel(option: Agreed) -> str:
    """A name that is no plain word may be told without more; no text has an empty one."""
    return option.name if option.name.lower() != option.name else "\0"


@pytest.mark.parametrize(
    ("game", "option"),
    [each for each in OPTIONS if each[0] in INSTALLED],
    ids=[f"{name}-{each.name}" for name, each in OPTIONS if name in INSTALLED],
)
def test_its_rule_is_about_it(game: str, option: Agreed) -> None:
    assert leads_to(option, game), (
        f"{option.rule} does not name the option {option.name}, and no function that reads it, or "
        "stands next to one that does, cites it"
    )


def test_the_ruling_of_another_option_is_found() -> None:
    """Of all pairs of options most: two that one function reads cannot be told apart so."""
    pairs = [
        leads_to(one._replace(rule=two.rule), game)
        for game in INSTALLED
        for one in options_of(EVERY[game].options)
        for two in options_of(EVERY[game].options)
        if one.rule != two.rule
    ]
    assert sum(pairs) < len(pairs) // 10


DEFAULT = re.compile(r"[^.;:]*\bdefault\b[^.;]*", re.IGNORECASE)
DEFAULT_IS = re.compile(r"\bdefault(?: is)? (\d[\d,]*|\w+)", re.IGNORECASE)


def misdefaulted(option: Agreed, text: str) -> list[str]:
    """Where a rule says of another value, or of another figure, that it is the default."""
    found = []
    others = {each for each in option.values if isinstance(each, str) and each != option.default}
    for said in DEFAULT.findall(text):
        named = {each for each in others if each and re.search(rf"\b{each}\b", said)}
        if named and not re.search(rf"\b{option.default}\b", said):
            found.append(f"{said.strip()}: it is {option.default!r}, not {sorted(named)}")
        for number in DEFAULT_IS.findall(said):
            figure = _figure(number)
            if type(option.default) is int and figure not in (None, option.default):
                found.append(f"{said.strip()}: it is {option.default}")
    return found


def _figure(said: str) -> int | None:
    plain = said.replace(",", "").lower()
    return int(plain) if plain.isdigit() else WORDS.index(plain) if plain in WORDS else None


@pytest.mark.parametrize("game", INSTALLED)
def test_a_rule_says_of_the_default_alone_that_it_is_the_default(game: str) -> None:
    book = {each.id: each.text for each in EVERY[game].catalogue.rules()}
    found = {each.name: misdefaulted(each, book[each.rule])
             for each in options_of(EVERY[game].options)}  # fmt: skip
    assert {name: said for name, said in found.items() if said} == {}


def test_another_default_in_a_rule_is_found() -> None:
    listed = {each.name: each for each in options_of(EVERY["naval-battles"].options)}
    assert misdefaulted(listed["carriers"], "At most one; the default is any number.") == []
    assert misdefaulted(listed["carriers"], "At most one; the default is one carrier.")
    assert misdefaulted(listed["handicap"], "By default the handicap is the house's.")
    assert misdefaulted(listed["firstHand"], "Fewer cards; the default is six.")


@every_option
def test_what_reads_the_ruleset_is_told_all_of_it(game: str, option: Agreed) -> None:
    """The lobby is drawn from this schema."""
    told = options_schema(EVERY[game])["properties"][option.name]
    assert told["description"] == EVERY[game].option_texts[option.name].whole
    assert told["default"] == option.default
    assert told["x-rule"] == option.rule
    assert tuple(told.get("x-editions", ())) == option.editions
    assert set(option.values) == set(told.get("enum", option.values))


def idle_places() -> Iterator[tuple[str, Agreed, str]]:
    for name, option in OPTIONS:
        for edition in EVERY[name].editions:
            if not option.works(edition):
                yield name, option, edition


def _setup(game: str, edition: str, **options: Any) -> Setup:
    return Setup(game, edition, "standard", ("p1", "p2"), options)


@pytest.mark.parametrize(
    ("game", "option", "edition"),
    list(idle_places()),
    ids=[f"{game}-{option.name}-{edition}" for game, option, edition in idle_places()],
)
def test_where_it_does_nothing_only_its_default_is_taken(
    game: str, option: Agreed, edition: str
) -> None:
    rules = EVERY[game]
    assert rules.opening(_setup(game, edition, **{option.name: option.default}))
    for value in option.values:
        if value != option.default:
            with pytest.raises(Refused) as refused:
                rules.opening(_setup(game, edition, **{option.name: value}))
            found = refused.value
            assert (found.code, found.rule) == ("setup.not-in-edition", option.rule)
            assert (found.pointer, bool(found.hint)) == (f"/options/{option.name}", True)


def test_some_options_do_nothing_somewhere() -> None:
    """Or the test above would run over nothing."""
    assert list(idle_places())


RANDOM = {
    "war-at-sea": (war_at_sea.setup_of, war_at_sea.WEIGHTS),
    "crimson-tide": (crimson_tide.setup_of, crimson_tide.WEIGHTS),
    "naval-battles": (naval_battles.setup_of, naval_battles.WEIGHTS),
}
SEEDS = 400
PLAYED = [suite for suite in suites().values() if suite.game.ruleset in INSTALLED]


@cache
def played(game: str) -> dict[tuple[str, str], set[Any]]:
    """The values that random games of so many seeds begin with, by edition and option."""
    found: dict[tuple[str, str], set[Any]] = {}
    for seed in range(SEEDS):
        setup = RANDOM[game][0](seed)
        for name, value in setup.options.items():
            found.setdefault((setup.edition, name), set()).add(value)
    return found


def test_every_installed_game_is_played_at_random() -> None:
    assert set(RANDOM) == set(INSTALLED)


@pytest.mark.parametrize("game", RANDOM)
def test_weights_are_of_options(game: str) -> None:
    names = {each.name for each in options_of(EVERY[game].options)}
    assert set(RANDOM[game][1]) <= names


@pytest.mark.parametrize(
    ("game", "option"),
    [each for each in OPTIONS if each[0] in RANDOM],
    ids=[f"{name}-{each.name}" for name, each in OPTIONS if name in RANDOM],
)
def test_random_games_are_played_with_each_of_its_values(game: str, option: Agreed) -> None:
    """All that its type lists; of figures and texts the default and something else."""
    weights = RANDOM[game][1]
    wanted = set(option.values) or {option.default, *ways(option, weights)}
    assert len(wanted) > 1
    for edition in EVERY[game].editions:
        if option.works(edition):
            assert played(game)[edition, option.name] == wanted, (
                f"WEIGHTS of {RANDOM[game][0].__module__}"
            )
        else:
            assert (edition, option.name) not in played(game)


@pytest.mark.parametrize("suite", PLAYED, ids=lambda suite: suite.folder)
def test_where_it_works_a_rule_asks_for_it(suite: Suite) -> None:
    for edition in suite.game.editions:
        works = {each.name for each in options_of(suite.game.options) if each.works(edition)}
        assert works - reads(suite, edition) == set(), f"no rule of {edition} asks for these"
