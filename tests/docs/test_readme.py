"""The README's tour is real: every command runs, and its output is the one that is shown."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.docs.console import Shown, matches
from tests.docs.readme import README, rewritten, tour


@pytest.mark.timeout(300)
def test_the_tour_is_what_happens(tmp_path: Path) -> None:
    for each, output, code in tour(README.read_text("utf-8"), tmp_path):
        assert code == 0, f"$ {each.command}\n{output}"
        assert matches(each.output, output), f"make docs writes it anew\n$ {each.command}\n{output}"


def test_writing_anew_replaces_only_what_differs() -> None:
    document = "```console\n$ one\nold\n$ two\nsame ...\n```\n"
    done = [
        (Shown("one", "old"), "new 0123456789abcdef\n", 0),
        (Shown("two", "same ..."), "same x", 0),
    ]
    assert rewritten(document, done) == "```console\n$ one\nnew ...\n$ two\nsame ...\n```\n"
