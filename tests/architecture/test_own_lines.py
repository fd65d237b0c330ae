"""The HTTP layer and its document grow no further; ``tests.support.own_lines`` says what counts."""

from __future__ import annotations

import pytest

from tests.architecture.tree import ROOT
from tests.support import own_lines
from tests.support.own_lines import BARS, Lines, counted, lines_of, total

RECORD = ROOT / "service/decisions/0004-handlers-of-litestar.md"

SAMPLE = '''"""What it is."""

# Why it is so.
WORDS = """Two lines
of text"""


def half(number: int) -> int:
    """Half of it,
    rounded down."""
    return number // 2  # as always
'''


@pytest.mark.parametrize("part", BARS)
def test_a_part_is_no_longer_than_its_bar(part: str) -> None:
    found, bar = total(counted()[part]), BARS[part]
    longer = {name: lines for name, lines in found._asdict().items() if lines > getattr(bar, name)}
    assert longer == {}, f"more than {bar}: python -m {own_lines.__name__}"


@pytest.mark.parametrize("part", BARS)
def test_the_decision_says_the_bar(part: str) -> None:
    raw, code = BARS[part]
    assert f"{part} has {raw:,} at most ({code:,} of code)" in RECORD.read_text("utf-8")


def test_what_is_code() -> None:
    assert lines_of(SAMPLE) == Lines(raw=11, code=4)


def test_resources_server_and_bodies_are_no_part_of_http() -> None:
    files = counted()["HTTP"]
    assert {"access", "asked", "envelope", "routes", "service/proxies.py"} <= files.keys()
    named = {*own_lines.BODIES_AND_PAGES, *own_lines.SERVER}
    assert not files.keys() & {"commands", "games", "views", "web", *named}
    gone = [name for name in named if not (ROOT / f"service/http/{name}.py").is_file()]
    assert gone == [], "what is left out of the count is there"
