"""``replay`` in a terminal: the keys, and a real pseudo-terminal."""

from __future__ import annotations

import os
import pty
import select
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from projections.timeline import Chapter
from service.cli.record import Record, from_file
from service.cli.replay import Asked, Player, keys, strip_of
from service.cli.tools import Tools
from tests.support.pennant import GAME
from tests.support.server import ROOT


@pytest.fixture
def record(bundle: Path) -> Record:
    return from_file(Tools({"pennant": GAME}), str(bundle))


def frames(record: Record, pressed: str, version: int = 1) -> tuple[list[int], list[str]]:
    """The versions that the keys lead to, one for each frame, and the frames."""
    shown: list[str] = []
    Player(record, version, shown.append).run(iter(pressed))
    return [int(frame.split("version ")[1].split()[0]) for frame in shown], shown


def test_forwards_and_backwards(record: Record) -> None:
    assert frames(record, "nnnpp")[0] == [1, 2, 3, 4, 3, 2]


def test_it_stops_at_both_ends(record: Record) -> None:
    last = record.latest
    assert frames(record, "pGnng")[0] == [1, 1, last, last, last, 1]


def test_every_frame_shows_the_board_of_its_version(record: Record) -> None:
    versions, shown = frames(record, "n" * record.latest + "p" * record.latest)
    assert len(set(versions)) == record.latest
    for version, frame in zip(versions, shown, strict=True):
        assert frame.startswith(record.board(version))
        assert record.at(version).text in frame


def test_a_number_and_enter_jump(record: Record) -> None:
    assert frames(record, "j7\r")[0][-1] == 7
    assert frames(record, "j79\x7f\r")[0][-1] == 7
    assert frames(record, "j9999999999999\r")[0][-1] == record.latest
    assert frames(record, "j\r", version=4)[0][-1] == 4
    assert frames(record, "j7q", version=4)[0][-1] == 4


def test_order_by_order(record: Record) -> None:
    """Stops after the last event of each order; backwards the same stops."""
    ends = [
        seq
        for seq in range(1, record.latest)
        if record.at(seq).caused_by != record.at(seq + 1).caused_by
    ]
    stops = [*ends, record.latest]
    forwards = frames(record, "N" * len(stops))[0][1:]
    assert [stop for stop in stops if stop > 1] == list(dict.fromkeys(forwards))[: len(stops)]
    backwards = frames(record, "P" * len(stops), version=record.latest)[0][1:]
    assert backwards[: len(ends)] == ends[::-1]


def asking(record: Record, bundle: Path, pressed: str, version: int) -> list[str]:
    shown: list[str] = []
    asked = Asked(Tools({"pennant": GAME}), str(bundle), "", "", "")
    Player(record, version, shown.append, asked.reasons).run(iter(pressed))
    return shown


def test_why_odds_and_what_changed_are_a_key_away(record: Record, bundle: Path) -> None:
    """In words: no page has a brace in it; the next key leads on from where one stood."""
    rolled = next(t.seq for t in record.told if t.type == "pennant.fire-resolved")
    _, why, odds, changed, then = asking(record, bundle, "wodn", rolled)
    for page in (why, odds, changed):
        assert page.startswith(f"version {rolled} of {record.latest}\n")
        assert "{" not in page
    for part in ("Numbers:", "Dice:", "Rules:", record.at(rolled).text):
        assert part in why
    assert "ways to fall" in odds
    assert "Rules:" not in odds
    assert [line for line in changed.splitlines() if line.endswith(f"{rolled}]")]
    assert f"version {rolled + 1} of" in then
    assert "No dice were thrown for it." in asking(record, bundle, "o", 3)[-1]


def test_a_strip_of_turns_is_below_the_board(record: Record) -> None:
    strips = [frame.splitlines()[-5] for frame in frames(record, "G")[1]]
    assert strips[0][0] == "#"
    assert strips[1][-1] == "#"
    assert {len(strip) for strip in strips} == {78}
    chapters = [Chapter(turn, "Fire", 10 * turn + 1, 10 * turn + 10, ()) for turn in range(3)]
    strip = strip_of(chapters, 16, 30)
    assert strip.index("|1") < strip.index("#") < strip.index("|2")


def test_other_keys_do_nothing_and_q_ends(record: Record) -> None:
    assert frames(record, "xyqnn")[0] == [1]


def test_keys_come_one_by_one_or_in_heaps() -> None:
    typed: Iterator[str] = iter(["n", "pn", "\x1b[C", "\x1b[D", "\x1b[99~", " ", "\x1b"])

    def read() -> str:
        try:
            return next(typed)
        except StopIteration:
            raise EOFError from None

    assert "".join(keys(read)) == "npnnpnq"


def test_in_a_real_terminal(bundle: Path, record: Record) -> None:
    """The command in a pseudo-terminal: a key, the frame that answers it, then q."""
    ours, theirs = pty.openpty()
    line = [sys.executable, "-m", "tests.service.cli.program", "replay", str(bundle)]
    environment = os.environ | {"TERM": "xterm", "COLUMNS": "100", "LINES": "40"}
    process = subprocess.Popen(
        line, cwd=ROOT, stdin=theirs, stdout=theirs, stderr=theirs, env=environment
    )
    os.close(theirs)
    try:
        _expect(ours, "version 1 of")
        os.write(ours, b"nn")
        _expect(ours, "version 3 of")
        os.write(ours, b"j5\r")
        _expect(ours, "version 5 of")
        os.write(ours, b"p")
        assert record.at(4).text in _expect(ours, "version 4 of", record.at(4).text)
        os.write(ours, b"q")
        assert process.wait(20) == 0
    finally:
        process.kill()
        process.wait()
        os.close(ours)


def _expect(terminal: int, *words: str) -> str:
    """Reads until all the words were shown."""
    seen, until = "", time.monotonic() + 30
    while time.monotonic() < until:
        if select.select([terminal], [], [], 0.2)[0]:
            seen += os.read(terminal, 65536).decode(errors="replace")
        if all(word in seen for word in words):
            return seen
    raise AssertionError(f"{words} not shown: {seen[-2000:]}")
