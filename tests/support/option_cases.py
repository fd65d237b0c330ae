"""Whether an option acts or rests in a numbered case: it is played at two of its values.

An option *acts* where a case holds at another value than the default, and not at the default: the
set-up is taken or refused, or what is expected does not come. It *rests* where nothing comes out
otherwise at its default and at another value. What a case says of itself proves neither.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from domain.kernel.agreed import Agreed
from domain.kernel.rules import Refused
from tests.support import cases
from tests.support.option_reads import watched
from tests.support.outcomes import outcome
from tests.support.suites import Suite

Case = Mapping[str, Any]
MIDDLE = ("units", "ships")
"""What a set-up has that begins in the middle of things; it has its options apart."""


def given(case: Case) -> Mapping[str, Any]:
    """The options that a case names."""
    setup: Mapping[str, Any] = case.get("setup", {})
    return dict(setup.get("options", {})) if _in_the_middle(setup) else setup


def _in_the_middle(setup: Mapping[str, Any]) -> bool:
    return any(isinstance(setup.get(key), list) for key in MIDDLE)


def value(case: Case, option: Agreed) -> Any:
    return given(case).get(option.name, option.default)


def at(case: Case, option: Agreed, value: Any) -> dict[str, Any]:
    """The case at another value of an option."""
    setup = dict(case.get("setup", {}))
    options = {**given(case), option.name: value}
    middle = _in_the_middle(setup)
    return {**case, "setup": {**setup, "options": options} if middle else options}


def near(option: Agreed, listed: Sequence[Case]) -> list[Case]:
    """The cases about what an option is about, those that name it or its rule first.

    They name it, or its rule, or another rule of a case that sets it.
    """
    setting = [case for case in listed if value(case, option) != option.default]
    rules = {option.rule}.union(*(case["rules"] for case in setting))
    found = [case for case in listed if case in setting or rules.intersection(case["rules"])]
    works = (case for case in found if option.works(case.get("edition", "")))
    return sorted(works, key=lambda case: (case not in setting, option.rule not in case["rules"]))


def holds(suite: Suite, case: Case) -> bool:
    """Whether what a case expects comes."""
    try:
        cases.run(suite, case)
    except (AssertionError, Refused):
        return False
    return True


def acting(suite: Suite, option: Agreed, listed: Sequence[Case]) -> Iterator[tuple[str, Any]]:
    """The cases in which an option acts, each with the value."""
    for case in listed:
        other, works = value(case, option), option.works(case.get("edition", ""))
        usual = at(case, option, option.default)
        if works and other != option.default and holds(suite, case) and not holds(suite, usual):
            yield case["id"], other


def resting(suite: Suite, option: Agreed, listed: Sequence[Case]) -> Iterator[str]:
    """The cases near an option in which nothing comes out otherwise at any other value, though they
    name it or its rule, or the rules ask for it."""
    others = {*(option.values or (value(case, option) for case in listed))} - {option.default}
    for case in near(option, listed):
        with watched(suite.game.options, f"domain.games.{suite.folder}") as read:
            usual = told(suite, at(case, option, option.default))
        asked = option.name in read or option.name in given(case) or option.rule in case["rules"]
        if asked and all(told(suite, at(case, option, v)) == usual for v in others):
            yield case["id"]


def told(suite: Suite, case: Case) -> Any:
    """What is accepted and what happens; what was agreed is no event of its own."""
    try:
        found = outcome(suite, case, refusing=(Refused, AssertionError))
    except Exception as broken:  # dice or cards that are not those of this value
        return f"{type(broken).__name__}: {broken}"
    events = found[1] if len(found) > 2 else ()
    return [found[0], [{**each, "options": None} for each in events]]
