"""What the template of a move says of going astern, and that no order within it is far off."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from domain.games.crimson_tide.rules import helm
from tests.crimson_tide.table import MEDIUM, table, unit


@pytest.mark.parametrize(
    ("fields", "astern"),
    [
        ({}, [False]),
        ({"stopped": True}, [False, True]),
        ({"stopped": True, "criticals": (11,), "hull_lost": 2}, [False, True]),
        ({"stopped": True, "criticals": (5,)}, [False]),
        ({"stopped": True, "must_reverse": True}, [True]),
    ],
    ids=["under way", "stopped", "one klick left", "no engine", "owes sternway"],
)
def test_astern_is_offered_where_it_is_possible(fields: dict[str, Any], astern: list[bool]) -> None:
    state = table(unit("p1-1", MEDIUM, 500_000, 500_000, **fields), unit("p2-1", MEDIUM, 0, 0))
    schema = helm.template(state, state.units["p1-1"]).schema
    plain = {name: msgspec.json.decode(value) for name, value in schema.items()}
    assert plain["properties"]["astern"]["enum"] == astern
    ready = list(helm.ready(state, state.units["p1-1"]))
    assert {move.astern for move in ready if move.path} <= set(astern)
    assert any(move.astern for move in ready) == (True in astern)
