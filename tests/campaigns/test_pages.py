"""Whole games by hand: the document has the figures of what is kept; one is played."""

from __future__ import annotations

import json
from pathlib import Path
from statistics import median

import pytest
from playwright.sync_api import Browser

from tests.bench import bench_desk
from tests.campaigns.pages import BOOK, EVENINGS, kept, written
from tests.pages.conftest import browser  # noqa: F401 (a fixture)
from tests.pages.evening import Evening, played
from tests.pages.hands import WAYS

FEWEST = 30
"""Orders of any whole game."""
PRESSES = {"mouse": 2, "finger": 3}
"""The most for a part: what is turned and tested by the dial of Crimson Tide apart."""
FREE = {"path", "place"}
LONG, TIMES = 10_000, 3
"""Events of a long game, and how often its desk is opened at least."""
REQUESTS, STEP = 1_000, 100
"""Milliseconds of its opening's requests and of a step (issue 31), half of them at most longer."""
MEGABYTES = 30
"""Of a page's scripts after a whole game."""


def test_the_tables_are_made_of_what_is_kept() -> None:
    book = BOOK.read_text("utf-8")
    assert book == written(book, kept())


@pytest.mark.parametrize(
    "told", kept().values(), ids=lambda told: f"{told['ruleset']}-{told['way']}"
)
def test_a_kept_game_is_whole_and_went_through_all_that_happens(told: dict[str, object]) -> None:
    evening = EVENINGS[str(told["ruleset"])]
    assert told["way"] in WAYS
    assert told["browsers"] == evening.seats
    assert int(str(told["orders"])) >= FEWEST
    assert (told["restarts"], told["lost networks"]) == (1, 1)
    memory = told["memory"]
    assert isinstance(memory, dict)
    assert memory["at last"]["heap"] < MEGABYTES * 1e6


@pytest.mark.parametrize(
    "told", kept().values(), ids=lambda told: f"{told['ruleset']}-{told['way']}"
)
def test_a_part_takes_one_press_and_two_where_a_list_opens(told: dict[str, object]) -> None:
    asked = told["asked"]
    assert isinstance(asked, dict)
    most = PRESSES.get(str(told["way"]))
    for name, part in asked.items():
        assert part["times"] > 0
        if most and name.rpartition(" / ")[2] not in FREE:
            assert part["most"] <= most, name


@pytest.mark.slow("clients")
def test_a_turn_of_crimson_tide_is_played_by_keys_alone(
    browser: Browser,  # noqa: F811 (the fixture)
    tmp_path: Path,
) -> None:
    evening = Evening("crimson-tide", options={"turns": 1})
    told = played(browser, tmp_path, evening, "keys", "one turn by keys")
    assert told["orders"] >= FEWEST
    assert (told["restarts"], told["lost networks"]) == (1, 1)


def test_the_desk_of_a_long_game_is_as_quick_as_was_asked() -> None:
    """The figures are those that were kept last, and the document has them in its form."""
    told = json.loads(bench_desk.KEPT.read_text("utf-8"))
    book = BOOK.read_text("utf-8")
    assert book == bench_desk.written(book, told)
    assert told["events"] >= LONG
    assert median(told["figures"]["of it, requests on their way"]) < REQUESTS
    assert median(told["figures"]["a step"]) < STEP
    assert all(len(each) >= TIMES for each in told["figures"].values())
