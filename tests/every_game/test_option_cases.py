"""Every option acts in a numbered case at each of its values, and rests in one that is near it.

So neither a second case of an option that was left out goes unseen, nor an option that acts more
widely than its ruling says: what shows either is played at two values (support/option_cases.py).
"""

from __future__ import annotations

import ast
import contextlib
import dataclasses
import inspect
import textwrap
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import chain
from typing import Any

import pytest
from msgspec.structs import replace

from domain.games import crimson_tide
from domain.games.crimson_tide.rules import strength
from domain.kernel.agreed import Agreed, options_of
from domain.kernel.conformance import Nonconformance, check_legality
from domain.kernel.rules import Refused
from domain.kernel.tally import Reason
from domain.kernel.testing.cases import run
from domain.kernel.values import Seat
from tests.support import cases
from tests.support.option_cases import Case, acting, at, holds, near, resting, told, value
from tests.support.suites import Suite, suites
from tests.support.widened import Wider, cited, wider, without
from tests.support.widened import made as widely

PLAYED = [suite for suite in suites().values() if (cases.FOLDER / suite.folder).is_dir()]
CASES = {suite.folder: cases.load(suite.folder) for suite in PLAYED}
OPTIONS = [(suite, each) for suite in PLAYED for each in options_of(suite.game.options)]
every_option = pytest.mark.parametrize(
    ("suite", "option"), OPTIONS, ids=[f"{s.folder}-{o.name}" for s, o in OPTIONS]
)

TERMS = {
    "crimson_tide": (
        "klick", "width", "length", "home", "points", "units", "turns", "target", "chart", "light",
        "change", "nations", "weather",
    ),
    "naval_battles": ("nations", "stallRounds"),
    "war_at_sea": (
        "axis", "fleetExercise", "battleZone", "escort", "year", "history", "light", "weather",
    ),
}  # fmt: skip
"""What is played, by whom and on which table: no reading of a rule. Each battle is another with
another value, so that nothing can rest; one value of them stands for all."""

FARTHER = {
    (
        "naval_battles",
        "firstHand",
    ): "cards lie in a sealed deck: tests/naval_battles/rules/test_setup.py",
}
"""What no numbered case can show, with where it is shown."""


def wanted(suite: Suite, option: Agreed) -> set[Any]:
    """The values that want a case in which they act; of terms and figures any other will do."""
    if option.name in TERMS.get(suite.folder, ()):
        return set()
    return {*option.values} - {option.default}


@every_option
def test_it_acts_in_a_case_at_each_of_its_values(suite: Suite, option: Agreed) -> None:
    if (suite.folder, option.name) in FARTHER:
        return
    listed = CASES[suite.folder]
    found: set[Any] = set()
    for _, other in acting(suite, option, listed):
        found.add(other)
        if wanted(suite, option) <= found:
            return
    lacks = sorted(map(str, wanted(suite, option) - found)) or "another value than the default"
    pytest.fail(
        f"No case of tests/cases/{suite.folder} holds with {option.name} at {lacks} and not at "
        f"{option.default!r}: each circumstance of {option.rule} wants one"
    )


@every_option
def test_it_rests_in_a_case_near_it(suite: Suite, option: Agreed) -> None:
    if option.name in TERMS.get(suite.folder, ()) or (suite.folder, option.name) in FARTHER:
        return
    rests = next(resting(suite, option, CASES[suite.folder]), "")
    assert rests, (
        f"Every case of tests/cases/{suite.folder} near {option.name} comes out otherwise at "
        f"another value: {option.rule} wants one just beyond what it says, with the option set, in "
        "which nothing changes"
    )


# --- what is offered under an option --------------------------------------------------------------


def unlawful(suite: Suite, option: Agreed, listed: Sequence[Case]) -> Iterator[str]:
    """What is offered in the cases that set an option, and would be refused there.

    Two functions know what an option forbids: what refuses it, and what lists the answers. Random
    games need its value and its occasion together to see that one of them has forgotten it.
    """
    for case in listed:
        if value(case, option) != option.default:
            found: list[str] = []
            with suite.around(), contextlib.suppress(AssertionError):
                run(suite.game, case, suite.begin, partial(_offered, suite.game, found))
            yield from (f"{case['id']}: {each}" for each in found)


def _offered(
    game: Any, found: list[str], state: Any, events: Sequence[Any], refusal: Refused | None
) -> Iterator[str]:
    seats = dict.fromkeys(question.seat for question in game.pending(state))
    try:
        check_legality(game, state, [*seats], ())
    except Nonconformance as differs:
        found.append(str(differs))
    yield from ()


@every_option
def test_what_is_offered_in_its_cases_is_accepted(suite: Suite, option: Agreed) -> None:
    assert [*unlawful(suite, option, CASES[suite.folder])] == []


def test_an_offer_that_forgets_an_option_is_found() -> None:
    suite = next(each for each in PLAYED if each.folder == "naval_battles")
    option = next(each for each in options_of(suite.game.options) if each.name == "carriers")

    def forgetful(state: Any, seat: Seat) -> Any:
        usual = replace(state.options, carriers=option.default)
        return suite.game.legal(replace(state, options=usual), seat)

    game = dataclasses.replace(suite.game, legal=forgetful)
    assert [*unlawful(dataclasses.replace(suite, game=game), option, CASES[suite.folder])]


def test_terms_and_what_is_shown_farther_off_are_options() -> None:
    names = {(suite.folder, option.name) for suite, option in OPTIONS}
    assert names >= FARTHER.keys()
    assert names >= {(game, name) for game, listed in TERMS.items() for name in listed}


def test_what_a_ruling_leaves_open_is_no_term() -> None:
    """Terms are no way out of a case that rests."""
    rulings = {(s.folder, o.name) for s, o in OPTIONS if "-AMB-" in o.rule or o.rule[:3] == "RUL"}
    terms = {(game, name) for game, listed in TERMS.items() for name in listed}
    assert rulings & terms == {("war_at_sea", "battleZone")}, "that one is agreed on, not read"


# --- what an option adds to a figure --------------------------------------------------------------


def foreign(suite: Suite, option: Agreed, listed: Sequence[Case]) -> Iterator[str]:
    """Rules by which an option changes a figure or an event in a case, and that are neither the
    option's own nor among those that the case is about."""
    for case in near(option, listed):
        if value(case, option) != option.default:
            there, usual = (told(suite, each) for each in (case, at(case, option, option.default)))
            if not isinstance(there, str) and not isinstance(usual, str):
                for id in sorted(_added(there[1], usual[1]) - {option.rule, *case["rules"]}):
                    yield f"{case['id']}: {id}"


def _added(there: Sequence[Any], usual: Sequence[Any]) -> set[str]:
    """The rules that the first event that is another one has more of, figure by figure."""
    pair = next((pair for pair in zip(there, usual, strict=False) if pair[0] != pair[1]), None)
    if pair is None or pair[0]["type"] != pair[1]["type"]:
        return set()
    one, other = (dict(_reasons(each, "")) for each in pair)
    return {rule for place in one.keys() & other.keys() for rule, *_ in one[place] - other[place]}


def _reasons(told: Any, place: str) -> Iterator[tuple[str, frozenset[tuple[Any, ...]]]]:
    """The reasons of each figure of an event, and its rules, by where they stand."""
    if isinstance(told, dict):
        if told.keys() >= {"total", "reasons"}:
            each = ((r["rule"], r["label"], r["value"]) for r in told["reasons"])
            yield place, frozenset(each)
        for key, inner in told.items():
            if key == "rules":
                yield f"{place}/rules", frozenset((rule,) for rule in inner)
            else:
                yield from _reasons(inner, f"{place}/{key}")
    elif isinstance(told, list | tuple):
        for n, inner in enumerate(told):
            yield from _reasons(inner, f"{place}/{n}")


@every_option
def test_what_it_adds_to_a_figure_cites_its_rule(suite: Suite, option: Agreed) -> None:
    found = [] if option.name in TERMS.get(suite.folder, ()) else [
        *foreign(suite, option, CASES[suite.folder])
    ]  # fmt: skip
    assert found == [], (
        f"{option.name} is of {option.rule}, and a figure or an event cites another rule by it: "
        f"cite its own, or name the other in the rules of the case of tests/cases/{suite.folder}"
    )


def test_a_figure_that_cites_another_rule_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    suite, gunnery = option_of("crimson_tide", "nightGunnery")
    assert [*foreign(suite, gunnery, CASES["crimson_tide"])] == []

    def night(value: int, rule: str, label: str, source: str = "") -> Reason:
        return Reason(value, "CT-COLL-07" if rule == "CT-NIGHT-10" else rule, label, source)

    monkeypatch.setattr(strength, "Reason", night)
    assert any("CT-COLL-07" in each for each in foreign(suite, gunnery, CASES["crimson_tide"]))


# --- a condition beside an option -----------------------------------------------------------------

NO_OTHER = {
    "declinable: without 'state.awaiting is None'": "nobody is asked while dice are awaited",
    "_may_shell: without \"'main' in card_of(state, unit).attacks\"": "every card has main guns",
}
"""Conditions that make no difference as the code stands around them, with why."""


def widened(suite: Suite, option: Agreed) -> Iterator[Wider]:
    """Of a term there is nothing to widen: it is no reading of a rule."""
    if option.name in TERMS.get(suite.folder, ()):
        return iter(())
    return wider(f"domain.games.{suite.folder}", option.field)


def unnoticed(suite: Suite, option: Agreed, change: Wider) -> bool:
    """Whether no case notices that a condition beside an option is gone: the nearest are asked
    first, then those of the rules that the function names, then all."""
    listed = CASES[suite.folder]
    first = near(option, listed)
    rules = cited(change)
    more = [case for case in listed if case not in first and rules.intersection(case["rules"])]
    return not any(
        breaks(suite, case, change) and sound(suite, case) for case in chain(first, more, listed)
    )


def breaks(suite: Suite, case: Case, change: Wider) -> bool:
    """Whether a case no longer holds with the change; that it breaks down is noticed, too."""
    with widely(change), suite.around():
        return not sound(suite, case)


def sound(suite: Suite, case: Case) -> bool:
    """Whether a case holds; one that fails without any change notices none."""
    try:
        return holds(suite, case)
    except Exception:  # whatever it is
        return False


@every_option
def test_a_case_notices_each_condition_that_is_gone_beside_it(suite: Suite, option: Agreed) -> None:
    """So what shows that it rests is near: just beyond each condition, and not anywhere."""
    wide = [each for each in widened(suite, option) if each.what not in NO_OTHER]
    silent = [each.what for each in wide if unnoticed(suite, option, each)]
    assert silent == [], (
        f"{option.name} acts more widely, and no case of tests/cases/{suite.folder} notices: it "
        f"wants one with the option set, in which that alone is otherwise ({option.rule})"
    )


def test_what_makes_no_difference_is_a_condition() -> None:
    known = {each.what for suite, option in OPTIONS for each in widened(suite, option)}
    assert known >= NO_OTHER.keys()


# --- what is found --------------------------------------------------------------------------------


def test_a_condition_is_left_out_whether_it_stands_beside_the_question_or_before_it() -> None:
    def asks(state: Any, weapon: str) -> bool:
        if weapon == "aaw":
            return False
        dark = state.night and state.options.gunnery == "reduced"
        return dark and weapon != "torpedo" and state.turn > 1

    (tree,) = ast.parse(textwrap.dedent(inspect.getsource(asks))).body
    assert isinstance(tree, ast.FunctionDef)
    assert [what for what, _ in without(tree, "gunnery")] == [
        "without 'state.night'",
        "without \"weapon != 'torpedo'\"",
        "without 'state.turn > 1'",
        "without \"if weapon == 'aaw'\"",
    ]


def test_an_option_whose_near_case_is_gone_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    suite, gunnery = option_of("crimson_tide", "nightGunnery")
    (guns,) = (e for e in widened(suite, gunnery) if "weapon in GUNS" in e.what)
    assert not unnoticed(suite, gunnery, guns)
    fewer = [case for case in CASES["crimson_tide"] if case["id"] != "CT-C-1586"]
    monkeypatch.setitem(CASES, "crimson_tide", fewer)
    assert unnoticed(suite, gunnery, guns)


def option_of(game: str, name: str) -> tuple[Suite, Agreed]:
    return next((s, o) for s, o in OPTIONS if (s.folder, o.name) == (game, name))


def test_an_option_without_its_case_is_found() -> None:
    suite, grounded = option_of("crimson_tide", "grounded")
    without = [case for case in CASES["crimson_tide"] if value(case, grounded) == "carriers"]
    assert list(acting(suite, grounded, without)) == []
    assert list(acting(suite, grounded, CASES["crimson_tide"])) == [("CT-C-989", "every-ship")]


def test_an_option_that_acts_more_widely_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """By day too: CT-NIGHT-10 speaks of the night."""
    suite, gunnery = option_of("crimson_tide", "nightGunnery")
    (case,) = (case for case in CASES["crimson_tide"] if case["id"] == "CT-C-1453")
    assert case in near(gunnery, CASES["crimson_tide"])
    usual = at(case, gunnery, gunnery.default)
    assert told(suite, case) == told(suite, usual)
    monkeypatch.setattr(strength, "dark", lambda state: True)
    assert told(suite, case) != told(suite, usual)
    assert crimson_tide.GAME is suite.game
