"""``decklog play``: a whole game is played by typed answers; words narrow, numbers pick."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from service.bots import DecklogClient
from service.cli import play
from service.cli.play import Sitting, beside, narrowed, ordered, told
from tests.service.cli.conftest import Run
from tests.service.cli.play import create
from tests.support.server import Running

ITEMS = [
    {"text": "Bismarck moves to 2.4", "command": 1},
    {"text": "Bismarck moves to 2.5", "command": 2},
    {"text": "Bismarck fires at Hood", "command": 3, "odds": {"outcomes": [
        {"outcome": "hit", "perMille": 517}, {"outcome": "destroyed", "perMille": 221},
    ]}},
    {"text": "End sea movement", "command": 4, "pointless": "nobody is in reach"},
]  # fmt: skip


def left(typed: str, shown: list[dict[str, object]] = ITEMS) -> tuple[list[object], str]:
    items, said = narrowed(ITEMS, shown, typed)
    return [item["command"] for item in items], said


def test_a_number_or_words_leave_one_choice() -> None:
    assert left("2") == ([2], "")
    assert left("bi 2.4") == ([1], "")
    assert left("END") == ([4], "")
    assert left("2", ITEMS[2:]) == ([4], "")


def test_words_that_fit_several_narrow_and_nothing_shows_all_again() -> None:
    assert left("bi mo") == ([1, 2], "2 choices are like 'bi mo'.")
    assert left("", ITEMS[:1]) == ([1, 2, 3, 4], "All choices.")
    assert left("tirpitz", ITEMS[:2]) == ([1, 2], "No choice is like 'tirpitz'.")


def test_a_choice_says_what_it_is_worth() -> None:
    assert told(ITEMS[2]) == "Bismarck fires at Hood  [hit 52%, destroyed 22%]"
    assert told(ITEMS[3]) == "End sea movement (pointless: nobody is in reach)"
    hopeless = {"hit": 0, "hopeless": "armor 7: its dice come to 2 at most"}
    dry = {**ITEMS[2], "oddsSummary": hopeless}
    assert told(dry) == ("Bismarck fires at Hood (hopeless: armor 7: its dice come to 2 at most)")


def test_a_choice_that_is_worth_a_look_says_why_and_comes_first() -> None:
    bombs = {"purposes": [{"text": "bombs Hood"}, {"text": "bombs Renown"}]}
    worth = {"text": "Val flies to 7.4", "command": 5, "worthwhile": bombs}
    assert told(worth) == "Val flies to 7.4  [bombs Hood, bombs Renown]"
    assert [item["command"] for item in ordered([*ITEMS, worth])] == [5, 1, 2, 3, 4]


def test_choices_stand_beside_the_board_where_there_is_room(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    assert list(beside(["ab", "c"], ["1 x", "2 y", "3 z"])) == ["ab   1 x", "c    2 y", "     3 z"]
    monkeypatch.setenv("COLUMNS", "40")
    assert list(beside(["ab", "c"], ["1 x"])) == ["ab", "c", "", "1 x"]


def test_a_whole_game_is_played_by_numbers(server: Running) -> None:
    """The other seat answers while this one waits."""
    table, pages, rng = create(server.url, "typed", options={"turns": 3}), [""], Random(3)

    def typed() -> Iterator[str]:
        while True:
            yield "1"

    answers = typed()
    with DecklogClient(server.url, table.tokens["p1"]) as client:
        sitting = Sitting(
            client, table.id, lambda: next(answers), pages.append, lambda: table.play(1, rng)
        )
        assert sitting.play() == 0
    assert table.summary()["status"] == "finished"
    assert pages[-1].startswith("The game is over: ")
    assert [page for page in pages if page.startswith("Waiting for p2")]
    asked = [page for page in pages if play.KEYS in page]
    assert len(asked) > 1
    assert [page for page in asked if "   1  " in page] == asked


def test_who_leaves_leaves_the_game_as_it_is(
    run: Run, server: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = create(server.url, "left")
    before = table.summary()["version"]
    monkeypatch.setattr(play, "_read", lambda: "q")
    done = run("play", table.id, "--url", server.url, "--token", table.tokens["p1"])
    assert done.code == 0
    assert "   1  " in done.out
    assert table.summary()["version"] == before
    listed = run("play", table.id, "--url", server.url, "--token", table.tokens["p1"], "--json")
    assert listed.json["items"]
    strange = run("play", table.id, "--url", server.url, "--token", "dl_seat_none")
    strange.assert_mistake("token")
