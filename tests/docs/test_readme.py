"""The README's tour is real: every command runs, and its output is the one that is shown."""

from __future__ import annotations

from pathlib import Path

import pytest

from domain.games.war_at_sea.rules.cards import CARDS
from tests.docs.console import Shown, matches
from tests.docs.readme import CARDS_SAID, README, counted, rewritten, tour


@pytest.mark.timeout(300)
def test_the_tour_is_what_happens(tmp_path: Path) -> None:
    for each, output, code in tour(README.read_text("utf-8"), tmp_path):
        assert code == 0, f"$ {each.command}\n{output}"
        assert matches(each.output, output), (
            f"make remake writes it anew (make docs)\n$ {each.command}\n{output}"
        )


def test_the_figure_of_cards_is_the_catalogue_s() -> None:
    document = README.read_text("utf-8")
    assert CARDS_SAID.search(document)
    assert counted(document) == document, "make remake writes it anew (make docs)"
    assert counted("All 1 cards") == f"All {len(CARDS):,} cards"


def test_writing_anew_replaces_only_what_differs() -> None:
    document = "```console\n$ one\nold\n$ two\nsame ...\n```\n"
    done = [
        (Shown("one", "old"), "new 0123456789abcdef\n", 0),
        (Shown("two", "same ..."), "same x", 0),
    ]
    assert rewritten(document, done) == "```console\n$ one\nnew ...\n$ two\nsame ...\n```\n"


def test_writing_anew_keeps_the_lines_that_are_still_true() -> None:
    document = "```console\n$ one\n...\nold\ndice: ... faces\n```\n"
    done = [(Shown("one", "...\nold\ndice: ... faces"), "new\ndice: 178 faces\n", 0)]
    assert rewritten(document, done) == "```console\n$ one\nnew\ndice: ... faces\n```\n"


def test_writing_anew_keeps_every_margin() -> None:
    document = "```console\n$ one\n{\n    {\n    }\n    a\n}\n```\n"
    done = [(Shown("one", "{\n    {\n    }\n    a\n}"), "{\n    {\n    }\n    b\n}\n", 0)]
    assert rewritten(document, done) == document.replace("a\n", "b\n")


@pytest.mark.timeout(300)
def test_what_dice_decide_is_not_shown(tmp_path: Path) -> None:
    """The tour of another battle, such as the same seed gives under other files of the rules."""
    document = README.read_text("utf-8")
    other = document.replace('"seed": "tour"', '"seed": "another"')
    assert other != document
    assert rewritten(other, tour(other, tmp_path)) == other
