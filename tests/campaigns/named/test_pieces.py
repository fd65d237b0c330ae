"""A campaign goes on where it was killed and counts nothing twice; its table is what is kept."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import msgspec
import pytest

from tests.campaigns.named import __main__ as command
from tests.campaigns.named import pieces, table
from tests.campaigns.named.campaigns import CAMPAIGNS
from tests.campaigns.named.pieces import Busy, Campaign, Done, Piece
from tests.campaigns.named.toys import counted, fruitless, silent
from tests.support.server import ROOT

PROGRAM = """
import sys
from pathlib import Path
from tests.campaigns.named import pieces, toys
if __name__ == "__main__":
    pieces.go_on(Path(sys.argv[1]), toys.counted, 90, 2, toys.silent)
"""


def test_it_is_killed_at_any_moment_and_goes_on(tmp_path: Path) -> None:
    file, program = tmp_path / "state.jsonl", tmp_path / "program.py"
    program.write_text(PROGRAM)
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done: list[int] = []
    for lines in (2, 9):
        running = subprocess.Popen([sys.executable, str(program), str(file)], env=environment)
        while len(pieces.read(file)) < lines:
            assert running.poll() is None
            time.sleep(0.01)
        running.send_signal(signal.SIGKILL)
        running.wait()
        done.append(len(pieces.read(file)))
    before = pieces.read(file)
    found = pieces.go_on(file, counted, 90, 2, silent)
    assert 2 <= done[0] < done[1] < 30
    assert found.items() >= before.items()
    written = [msgspec.json.decode(line, type=Piece) for line in file.read_bytes().splitlines()]
    assert sorted(each.number for each in written) == sorted(found)
    assert 90 <= sum(each.amount for each in written) <= 90 + 2 * 3
    assert pieces.go_on(file, fruitless, 90, 1, silent) == found, "nothing is left to do"


def test_a_line_that_was_cut_off_is_done_again(tmp_path: Path) -> None:
    file = tmp_path / "state.jsonl"
    pieces.go_on(file, counted, 6, 1, silent)
    file.write_bytes(file.read_bytes()[:-20])
    assert sorted(pieces.read(file)) == [0]
    assert sorted(pieces.go_on(file, counted, 9, 1, silent)) == [0, 1, 2]
    assert sorted(pieces.read(file)) == [0, 1, 2]


def test_two_runs_do_not_share_a_state(tmp_path: Path) -> None:
    file = tmp_path / "state.jsonl"

    def say(piece: Piece, done: int) -> None:
        with pytest.raises(Busy):
            pieces.go_on(file, counted, 9, 1, silent)

    assert len(pieces.go_on(file, counted, 3, 1, say)) == 1


def test_what_comes_to_nothing_ends(tmp_path: Path) -> None:
    found = pieces.go_on(tmp_path / "state.jsonl", fruitless, 100, 1, silent)
    assert len(found) == pieces.FRUITLESS


def bad(number: int) -> Done:
    if number == 1:
        raise ValueError("it broke")
    return Done(2, ["seed 7 is wrong"] if number == 2 else [])


def too_few(found: Sequence[Piece]) -> list[str]:
    return [f"only {len(found)}"]


def test_failures_are_kept_told_and_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    campaign = Campaign("toys", 10, bad, too_few)
    monkeypatch.setitem(CAMPAIGNS, "toys", campaign)
    monkeypatch.setattr(pieces, "KEPT", tmp_path)
    done = {number: pieces.measured(campaign, number) for number in range(3)}
    file = pieces.state_of("toys", "abc")
    file.parent.mkdir()
    file.write_bytes(b"".join(msgspec.json.encode(each) + b"\n" for each in done.values()))
    assert command.run("toys", 4, 1, "abc") == 1
    said = capsys.readouterr().out
    assert "toys at abc: 4 of 10 toys, 3 failures" in said
    assert "ValueError: it broke" in said
    assert "piece 2: seed 7 is wrong" in said
    (row,) = table.found(tmp_path)
    assert (row.amount, row.failures, row.whole) == (4, 3, 10)
    file.rename(pieces.state_of("toys", "abc-dirty"))
    assert table.found(tmp_path) == [], "nobody can find that commit again"


def test_what_needs_a_program_that_is_not_here_says_so_and_keeps_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(pieces, "KEPT", tmp_path / "kept")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert command.run("crash-images", 4, 1, "abc") == command.CANNOT
    said = capsys.readouterr().out
    assert said == "crash-images cannot be run here: strace is not on the path\n"
    assert not pieces.KEPT.exists()


def test_the_table_is_what_is_kept() -> None:
    text = table.SHOWN.read_text("utf-8")
    rows = table.kept()
    assert table.within(text, table.table(rows)) == text
    assert rows == table.together((), rows)


def test_what_is_kept_is_of_campaigns_as_they_were_asked_for() -> None:
    for row in table.kept():
        name = row.command.removeprefix("named ")
        if name != row.command:
            assert (row.unit, row.whole) == (CAMPAIGNS[name].unit, CAMPAIGNS[name].whole)


def test_a_row_takes_the_place_of_the_one_of_its_commit() -> None:
    row = table.Row("named toys", "abc", "2026-11-25", 4, "toys", 1_000, 0, 2.0)
    more = msgspec.structs.replace(row, amount=8)
    other = msgspec.structs.replace(row, commit="abd")
    assert table.together([row, other], [more]) == [more, other]
    shown = "| `named toys` | abc | 2026-11-25 | 4 toys | 0.4 % of 1,000 | 0.5 | 0 |"
    assert shown in table.table([row])


def test_the_command_itself_does_a_piece_in_another_process() -> None:
    words = ["-m", "tests.campaigns.named", "games-naval-battles", "--amount", "1"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    asked = [sys.executable, *words]
    done = subprocess.run(
        asked, cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout.rstrip().endswith("of 100,000 games, 0 failures")
