"""Whatever was accepted is described: it is listed, or fits a template that its seat was given.

A template that lacks in a rare position, or leaves something out that the rules allow, refuses
nothing and is seen by nobody: bots and pages cannot give the order. Looked at are the orders of
recorded games and numbered cases, of each type that has templates.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Set
from itertools import chain
from typing import Any

import msgspec
import pytest
from jsonschema_rs import validator_for

from domain.kernel.commands import tag_of
from domain.kernel.options import Options, Template
from tests.support import stretches
from tests.support.suites import Suite, suites
from tests.support.templated import plain

pytestmark = pytest.mark.slow("conformance")

TEMPLATED = {
    "crimson_tide": {"deploy", "dive", "move", "place", "submit-fleet"},
    "naval_battles": {"arrange", "commit-fleet", "discard", "reinforce"},
    "war_at_sea": {"submit-fleet"},
}
"""The types of commands that have templates."""
MOST = 80
"""Orders of a type that are looked at."""


def orders(suite: Suite, deeds: Set[str]) -> Iterator[stretches.Stretch]:
    """Orders of these types that were accepted."""
    found: Counter[str] = Counter()
    for each in chain(stretches.of_cases(suite), stretches.of_recorded(suite)):
        if each.order is not None and each.before is not None:
            deed = _deed(tag_of(type(each.order)))
            found[deed] += 1
            if deed in deeds and found[deed] <= MOST:
                yield each


def _deed(tag: str) -> str:
    return tag.rpartition(".")[2]


def undescribed(options: Options[Any], each: stretches.Stretch) -> str:
    """What a seat was given, where its order is in none of it; "" where it is."""
    if each.order in options.commands or each.order in options.concessions:
        return ""
    order = {"type": tag_of(type(each.order)), **lean(each.order)}
    alike = [t for t in options.templates if t.type == order["type"]]
    forms = (order, plain(each.order))
    if any(validator_for(plain(t.schema)).is_valid(form) for t in alike for form in forms):
        return ""
    told = "no template of it fits" if alike else "there is no template of it"
    return f"{each.name}: {each.seat} gave {order}, and {told}"


def lean(order: Any) -> dict[str, Any]:
    """An order as it is written: without what has its default."""
    return {
        each.encode_name: plain(getattr(order, each.name))
        for each in msgspec.structs.fields(order)
        if getattr(order, each.name) != each.default
    }


def templates(options: Options[Any]) -> set[str]:
    return {_deed(each.type) for each in options.templates}


@pytest.mark.parametrize("folder", sorted(TEMPLATED))
def test_what_was_accepted_is_described(folder: str) -> None:
    suite = suites()[folder]
    seen: set[str] = set()
    for each in orders(suite, TEMPLATED[folder]):
        options = suite.game.legal(each.before, each.seat)
        assert undescribed(options, each) == ""
        seen |= templates(options)
    assert seen == TEMPLATED[folder], "the types that have templates"


# --- what is left out of a template is found -----------------------------------------------------


def without(template: Template) -> tuple[Template, ...]:
    return ()


def narrowed(template: Template) -> tuple[Template, ...]:
    """Lists of one thing at most."""
    schema = plain(template.schema)
    for part in schema["properties"].values():
        if part.get("type") == "array":
            part["maxItems"] = 1
    return (msgspec.structs.replace(template, schema=schema),)


@pytest.mark.parametrize(
    ("folder", "deed", "change", "said"),
    [
        ("naval_battles", "reinforce", without, "there is no template of it"),
        ("naval_battles", "reinforce", narrowed, "no template of it fits"),
        ("naval_battles", "commit-fleet", narrowed, "no template of it fits"),
        ("crimson_tide", "submit-fleet", narrowed, "no template of it fits"),
        ("crimson_tide", "deploy", without, "there is no template of it"),
        ("war_at_sea", "submit-fleet", narrowed, "no template of it fits"),
    ],
)
def test_what_a_template_leaves_out_is_named(
    folder: str, deed: str, change: Callable[[Template], tuple[Template, ...]], said: str
) -> None:
    suite = suites()[folder]

    def told(each: stretches.Stretch) -> Options[Any]:
        options = suite.game.legal(each.before, each.seat)
        changed = (change(t) if _deed(t.type) == deed else (t,) for t in options.templates)
        return msgspec.structs.replace(options, templates=tuple(chain.from_iterable(changed)))

    found = (undescribed(told(each), each) for each in orders(suite, {deed}))
    assert said in next((each for each in found if each), "")
