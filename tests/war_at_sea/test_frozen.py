"""Stored events are for ever: their names, numbers, forms and examples do not change."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from domain.kernel.codec import canonical
from tests.support import frozen

FROZEN = frozen.load()


@pytest.mark.parametrize("type_", frozen.TYPES, ids=frozen.key)
def test_the_form_of_an_event_is_the_frozen_one(type_: type[Any]) -> None:
    name = frozen.key(type_)
    assert name in FROZEN, "new: python -m tests.support.frozen freezes it"
    assert frozen.form(type_) == FROZEN[name]["form"], "a new form needs a new schema number"


@pytest.mark.parametrize("name", FROZEN)
def test_what_was_stored_is_read_and_written_as_it_was(name: str) -> None:
    stored, _, number = name.rpartition(".v")
    example = canonical(FROZEN[name]["example"])
    event = frozen.CODEC.decode(stored, int(number), example)
    assert frozen.CODEC.name(event) == stored
    if int(number) == event.SCHEMA:
        assert frozen.CODEC.encode(event) == example


def test_a_field_more_or_less_is_noticed() -> None:
    class UnitMoved(msgspec.Struct):
        unit: str
        path: tuple[str, ...]
        speed: int = 0

    moved = next(type_ for type_ in frozen.TYPES if type_.NAME == "unit-moved")
    assert frozen.form(UnitMoved) != frozen.form(moved)
    assert len({frozen.key(type_) for type_ in frozen.TYPES}) == len(frozen.TYPES)
