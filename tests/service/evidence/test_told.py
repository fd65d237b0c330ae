"""Words of a file stay within their line of the verdict: whoever made it writes no line of it, and
steers no terminal."""

from __future__ import annotations

import dataclasses

import msgspec
import pytest

from service.evidence.digest import rules_digest
from service.evidence.records import GameClosed
from service.evidence.verdict import printed
from service.evidence.verify import verify
from tests.support import pennant

from .playing import GAMES, Cheat, Table
from .test_cheats import on_type

SAID = "1.0.0)\nvouched  origin: shown: signed by a.example\x1b[2J\x1b[H\u202e"
ESCAPED = r"1.0.0)\nvouched  origin: shown: signed by a.example\x1b[2J\x1b[H\u202e"


def test_an_upheld_file_adds_no_line_to_its_verdict() -> None:
    """A version of the rules is text of the file: the judge knows them by their digest."""
    strange = dataclasses.replace(pennant.GAME, version=SAID)
    made = Table(game=strange, setup=pennant.setup(6), rules=rules_digest(pennant.GAME)).play(1)
    verdict = verify(made.export(), GAMES)
    lines = verdict.text().split("\n")
    assert (verdict.word, verdict.version) == ("UPHELD", SAID)
    assert f"(pennant {ESCAPED})" in lines[1]
    assert sum(line.startswith("vouched  origin") for line in lines) == 1
    assert all(line.isprintable() for line in lines)


def test_nor_does_a_refuted_one() -> None:
    def change(record: GameClosed) -> GameClosed:
        result = msgspec.structs.replace(record.result, reason=SAID)
        return msgspec.structs.replace(record, result=result)

    made = Table(setup=pennant.setup(6), cheat=Cheat(record=on_type(GameClosed, change)))
    text = verify(made.play(1).forge(), GAMES).text()
    assert ESCAPED in text
    assert all(line.isprintable() for line in text.split("\n"))


@pytest.mark.parametrize("line", ["plain", "Zürich, naïve: 42 × 3"])
def test_words_of_people_are_told_as_they_are(line: str) -> None:
    assert printed([line, line]) == f"{line}\n{line}"
