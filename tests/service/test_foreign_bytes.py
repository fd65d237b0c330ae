"""Parsers of what strangers send: nothing but a sound value or a refusal, in linear time.

A small part in each run; more by ``python -m tests.campaigns.foreign``.
"""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.support.foreign import PARSERS, TIMES, Parser, bytes_for, doubling, frames, holds

pytestmark = pytest.mark.slow("strangers")

EXAMPLES = 60

NAMES = [parser.name for parser in PARSERS]


@pytest.mark.parametrize("parser", PARSERS, ids=NAMES)
def test_whatever_comes_is_read_or_refused(parser: Parser) -> None:
    @settings(
        max_examples=EXAMPLES, database=None, deadline=None, derandomize=True,
        suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    @given(st.data())
    def test(data: st.DataObject) -> None:
        holds(parser, data.draw(bytes_for(parser)))

    test()


@pytest.mark.parametrize("parser", PARSERS, ids=NAMES)
def test_what_it_is_made_for_is_read(parser: Parser) -> None:
    assert any(holds(parser, seed) for seed in parser.seeds)


@pytest.mark.parametrize("parser", PARSERS, ids=NAMES)
def test_the_time_grows_as_the_bytes_do(parser: Parser) -> None:
    slow = {
        (unit, *frame): times
        for unit in parser.units
        for frame in frames(parser)
        if (times := doubling(parser, unit, *frame)) >= TIMES
    }
    assert slow == {}


def test_what_takes_the_square_is_noticed() -> None:
    square = Parser(
        "a square", lambda data: [data.count(b"b") for _ in data[::64]], lambda *_: True
    )
    assert doubling(square, b"a", b"", b"") >= TIMES
