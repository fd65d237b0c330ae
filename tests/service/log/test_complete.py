"""All games of a log: which of them no file tells of is said, and where a file ends too early."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from service.cli import main
from service.log.games import leaves_of
from service.log.leaf import Leaf, read_leaf
from service.log.monitor import Finding, Monitor
from service.log.remote import RemoteLog
from tests.service.evidence.playing import finished
from tests.service.log.logs import LOG, leaf, played, write_log
from tests.support.pennant import GAME


def look(folder: Path, leaves: list[tuple[str, Leaf]]) -> list[Finding]:
    with closing(Monitor(LOG.public, RemoteLog(f"file://{folder}"), folder / "of-me")) as monitor:
        found = list(monitor.look(leaves=leaves, complete=True))
    return [each for each in found if not each.text.endswith(("is in the log", "them new"))]


def of(game: int, last: int) -> list[tuple[str, Leaf]]:
    """What the file of a made-up game tells."""
    return [(f"game{game}", read_leaf(leaf(game, seq))) for seq in range(1, last + 1)]


def test_the_files_of_all_games_are_complete(tmp_path: Path) -> None:
    write_log(tmp_path, played(10))
    whole = [*of(0, 4), *of(1, 3), *of(2, 3)]
    assert look(tmp_path, whole) == [Finding("well", "complete: the 3 games of the log, 3 told of")]
    write_log(tmp_path / "empty", [])
    assert look(tmp_path / "empty", []) == [
        Finding("well", "complete: the 0 games of the log, 0 told of")
    ]


def test_a_game_of_which_no_file_tells_is_found(tmp_path: Path) -> None:
    write_log(tmp_path, played(10))
    told = look(tmp_path, [*of(0, 4), *of(2, 3)])
    assert [each.kind for each in told] == ["alarm", "alarm"]
    assert told[0].text == f"left out: the game {1:032x}, of 3 events, is in no file"
    assert told[1].text == "not complete: the 3 games of the log, 2 told of"
    assert [each.kind for each in look(tmp_path, [])] == ["alarm"] * 4


def test_a_file_that_ends_before_its_game_does_is_found(tmp_path: Path) -> None:
    write_log(tmp_path, played(10))
    first, last = look(tmp_path, [*of(0, 2), *of(1, 3), *of(2, 3)])
    assert first == Finding("alarm", "left out: game0 ends with event 2, and the log has 4 of it")
    assert last == Finding("alarm", "not complete: the 3 games of the log, 3 told of")
    # of two files of one game the longer one counts
    again = [*of(0, 2), *of(0, 4), *of(1, 3), *of(2, 3)]
    assert [each.kind for each in look(tmp_path, again)] == ["well"]


def test_of_many_that_are_left_out_the_first_are_named(tmp_path: Path) -> None:
    write_log(tmp_path, [leaf(game, 1) for game in range(40)])
    told = look(tmp_path, [])
    assert len(told) == 12
    assert told[9].text == f"left out: the game {9:032x}, of 1 event, is in no file"
    assert told[10].text == "left out: 30 more games are in no file"


def test_games_of_the_former_form_cannot_be_matched(tmp_path: Path) -> None:
    write_log(tmp_path, [*played(4, form="nwl1"), leaf(7, 1)])
    first, last = look(tmp_path, of(7, 1))
    assert first.kind == "unknown"
    assert first.text.startswith("3 games are logged in the former form nwl1")
    assert last == Finding("unknown", "complete but for those: the 4 games of the log, 1 told of")


def test_nothing_is_said_of_leaves_that_nobody_signed(tmp_path: Path) -> None:
    write_log(tmp_path, played(9))
    assert look(tmp_path, [*of(0, 3), *of(1, 3), *of(2, 3)])[-1].kind == "well"
    tile = tmp_path / "tile" / "entries" / "000.p" / "9"
    tile.write_bytes(tile.read_bytes().replace(leaf(2, 3), leaf(5, 3), 1))
    (found,) = look(tmp_path, [*of(0, 3), *of(1, 3), *of(2, 2)])
    assert (found.kind, "not those that were signed" in found.text) == ("alarm", True)


def test_the_command_tells_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = finished(8, 1, master=b"\x77" * 32).export()
    (tmp_path / "game.decklog").write_bytes(data)
    own = [each.data for each in leaves_of(data)]
    line = ["monitor", str(tmp_path / "log"), "--log", str(LOG.public), "--complete"]
    line += ["--folder", str(tmp_path / "mine"), "--game", str(tmp_path / "game.decklog")]
    write_log(tmp_path / "log", own)
    assert main(line, {"pennant": GAME}) == 0
    assert "complete: the 1 game of the log, 1 told of" in capsys.readouterr().out
    write_log(tmp_path / "log", [*own, leaf(3, 1)])
    assert main(line, {"pennant": GAME}) == 1
    assert f"left out: the game {3:032x}, of 1 event, is in no file" in capsys.readouterr().out
