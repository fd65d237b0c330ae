"""Stored events are for ever: their names, numbers, forms and examples do not change."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from domain.kernel.codec import canonical
from tests.support import frozen
from tests.support.suites import Suite, suites

FROZEN = {name: frozen.load(suite) for name, suite in suites().items()}


@pytest.mark.parametrize(
    ("suite", "type_"),
    [
        pytest.param(suite, type_, id=frozen.key(suite, type_))
        for suite in suites().values()
        for type_ in suite.game.events
    ],
)
def test_the_form_of_an_event_is_the_frozen_one(suite: Suite, type_: type[Any]) -> None:
    name, known = frozen.key(suite, type_), FROZEN[suite.folder]
    assert name in known, "new: make remake freezes it (python -m tests.support.frozen)"
    assert frozen.form(type_) == known[name]["form"], "a new form needs a new schema number"


@pytest.mark.parametrize(
    ("suite", "name"),
    [
        pytest.param(suites()[folder], name, id=name)
        for folder, known in FROZEN.items()
        for name in known
    ],
)
def test_what_was_stored_is_read_and_written_as_it_was(suite: Suite, name: str) -> None:
    stored, _, number = name.rpartition(".v")
    example = canonical(FROZEN[suite.folder][name]["example"])
    event = suite.codec.decode(stored, int(number), example)
    assert suite.codec.name(event) == stored
    if int(number) == event.SCHEMA:
        assert suite.codec.encode(event) == example


@pytest.mark.parametrize("suite", suites().values(), ids=lambda suite: suite.folder)
def test_no_two_events_share_a_name(suite: Suite) -> None:
    types = suite.game.events
    assert len({frozen.key(suite, type_) for type_ in types}) == len(types)


@pytest.mark.parametrize("suite", suites().values(), ids=lambda suite: suite.folder)
def test_a_field_more_or_less_is_noticed(suite: Suite) -> None:
    for type_ in suite.game.events:
        fields = [(f.name, f.type) for f in msgspec.structs.fields(type_)]
        more = msgspec.defstruct(type_.__name__, [*fields, ("surplus", int, 0)])
        assert frozen.form(more) != frozen.form(type_)
