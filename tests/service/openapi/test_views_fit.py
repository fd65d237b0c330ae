"""What a view shows fits the document: in recorded games, at every version, whoever looks."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import islice
from typing import Any, Union

import pytest
from jsonschema_rs import Draft202012Validator
from msgspec import defstruct

from domain.kernel.codec import full
from domain.kernel.finder import games
from domain.kernel.game import Game
from domain.kernel.values import PUBLIC, Value
from projections.records import Rules
from service.http.wire import ENCODER, ViewAnswer
from service.openapi.catalogued import figures, whence
from service.openapi.components import KERNEL, _generate, _structs
from service.openapi.document import plain
from tests.support.stretches import of_recorded
from tests.support.suites import AnyGame, suites

EVERY, MOST = 60, 5_000
"""Of so many views in recorded games one in so many is looked at, and each first of its kind."""
RULES = Rules("some-rules", "2009", "1", "0" * 64)


def views(game: AnyGame, folder: str) -> Iterator[tuple[str, str, Any]]:
    """After each order of the recorded games, the state as each seat and the public has it."""
    seen: dict[str, Any] = {}
    for stretch in of_recorded(suites()[folder]):
        if stretch.before is None:
            seen = dict.fromkeys((*stretch.after.seats, PUBLIC))
        for viewer, state in seen.items():
            told = [game.seen(event, viewer) for event in stretch.events]
            seen[viewer] = game.fold(told, state)
            yield stretch.name, viewer, seen[viewer]


def filled(state: Any) -> frozenset[str]:
    """The fields in which something stands: a sample takes the first position of each such set."""
    return frozenset(name for name in state.__struct_fields__ if getattr(state, name))


def sample(game: AnyGame, folder: str) -> Iterator[tuple[str, str, Any]]:
    """One view in so many, and the first of each set of fields that are filled."""
    met = set[frozenset[str]]()
    for number, each in enumerate(islice(views(game, folder), MOST)):
        kind = filled(each[2])
        if kind not in met or number % EVERY == 0:
            met.add(kind)
            yield each


@cache
def judge(ruleset: str) -> Draft202012Validator:
    """Of a view of the ruleset, as the union has it: exactly one branch fits."""
    components = {"schemas": plain()["components"]["schemas"]}
    return Draft202012Validator({"$ref": "#/components/schemas/View", "components": components})


def faults(game: AnyGame, found: Iterable[tuple[str, str, Any]]) -> tuple[set[str], list[str], int]:
    """Fields that were filled somewhere, what does not fit, and how many were looked at."""
    met, wrong, number = set[str](), list[str](), 0
    for name, viewer, state in found:
        answer = ViewAnswer("0" * 32, game.ruleset, 1, "0" * 64, viewer, RULES, 0, full(state))
        value = json.loads(ENCODER.encode(answer))
        if not judge(game.ruleset).is_valid(value):
            wrong.append(f"{name}, {viewer}: {sorted(filled(state))}")
        met |= filled(state)
        number += 1
    return met, wrong, number


@pytest.mark.parametrize("folder", sorted(suites()))
def test_a_view_fits_the_document(folder: str) -> None:
    game = suites()[folder].game
    met, wrong, number = faults(game, sample(game, folder))
    assert not wrong, f"{len(wrong)} of {number}: {wrong[:3]}"
    assert number > 100
    if game.ruleset == "war-at-sea":
        assert "used" in met, "no ability was used in the sample"


@pytest.mark.slow("strangers")
@pytest.mark.parametrize("folder", sorted(suites()))
def test_every_view_of_the_recorded_games_fits_the_document(folder: str) -> None:
    game = suites()[folder].game
    _, wrong, number = faults(game, views(game, folder))
    assert not wrong, f"{len(wrong)} of {number}: {wrong[:3]}"


def test_a_view_that_does_not_fit_is_found() -> None:
    game = games()["war-at-sea"]
    name, viewer, state = next(each for each in views(game, "war_at_sea") if each[2].used)
    value = full(state)
    value["used"] = [{**each, "seat": 1} for each in value["used"]]
    answer = ViewAnswer("0", game.ruleset, 1, "0", viewer, RULES, 0, value)
    assert not judge(game.ruleset).is_valid(json.loads(ENCODER.encode(answer))), name


def structs(game: Game[Any, Any, Any]) -> set[Any]:
    """All types of a ruleset that have a schema: of commands, state, events, odds, catalogue."""
    commands: Any = Union[game.commands]  # noqa: UP007
    forms = [game.odds_form, game.preview_form, game.worthwhile_form]
    told = game.catalogue.forms.items()
    shipped = [made(kind, form) for kind, form in told for made in (figures, whence)]
    return _structs([commands, game.state, *game.events, *filter(None, [*forms, *shipped])])


@pytest.mark.parametrize("ruleset", sorted(games()))
def test_types_that_share_a_name_have_two_in_the_document(ruleset: str) -> None:
    """Of a name that two have, the document's type may be that of one only."""
    known = plain()["components"]["schemas"]
    prefix = "".join(word.capitalize() for word in ruleset.split("-"))
    named: dict[str, list[Any]] = {}
    for struct in structs(games()[ruleset]) - KERNEL:
        named.setdefault(struct.__name__, []).append(struct)
    twice = {name: each for name, each in named.items() if len(each) > 1}
    assert set(twice) == ({"Used"} if ruleset == "war-at-sea" else set())
    for name, each in twice.items():
        assert f"{prefix}{name}" not in known
        words = [one.__module__.rpartition(".")[2].capitalize() for one in each]
        assert all(f"{prefix}{word}{name}" in known for word in words)


def test_two_types_that_would_have_one_name_are_no_document() -> None:
    """Even the modules end in the same word."""
    first, second = (
        defstruct("Twin", [(field, int)], bases=(Value,), frozen=True, module=f"{field}.state")
        for field in ("one", "two")
    )
    with pytest.raises(ValueError, match="one name"):
        _generate([first, second], "Some")
