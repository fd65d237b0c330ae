"""A monitor: what it calls well, what it cannot tell, and what makes it alarm."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path

import pytest

from service.log.conviction import judge
from service.log.leaf import Leaf, read_leaf
from service.log.monitor import NOTHING, Finding, Monitor
from service.log.remote import RemoteLog
from tests.service.log.logs import LOG, leaf, played, write_log


class Watching:
    """A monitor that is started anew for each look."""

    def __init__(self, folder: Path) -> None:
        self.log, self.folder = folder / "log", folder / "monitor"

    def look(
        self,
        heads: Sequence[tuple[str, str]] = (),
        leaves: Sequence[tuple[str, Leaf]] = (),
        not_yet: Mapping[Leaf, str] = NOTHING,
    ) -> list[Finding]:
        monitor = Monitor(LOG.public, RemoteLog(f"file://{self.log}"), self.folder)
        try:
            return list(monitor.look(heads, leaves, not_yet))
        finally:
            monitor.close()


@pytest.fixture
def watching(tmp_path: Path) -> Watching:
    return Watching(tmp_path)


def test_a_log_that_grows_is_well(watching: Watching) -> None:
    for count, new in ((3, 3), (3, 0), (300, 297)):
        write_log(watching.log, played(count))
        assert watching.look() == [Finding("well", f"{count} leaves, {new} of them new")]


def test_a_log_that_is_not_there_is_unknown(watching: Watching) -> None:
    assert [each.kind for each in watching.look()] == ["unknown"]
    write_log(watching.log, played(3))
    (watching.log / "tile" / "entries" / "000.p" / "3").unlink()
    assert [each.kind for each in watching.look()] == ["unknown"]


def test_a_log_that_is_rewritten_is_caught(watching: Watching) -> None:
    write_log(watching.log, played(7))
    watching.look()
    write_log(watching.log, [*played(6), leaf(9, 1), *played(12)[7:]])
    (found,) = watching.look()
    assert found.kind == "alarm"
    assert "has signed two pasts" in found.text
    assert judge(Path(found.file).read_bytes(), LOG.public) in found.text


def test_a_log_that_goes_back_is_caught(watching: Watching) -> None:
    write_log(watching.log, played(7))
    watching.look()
    write_log(watching.log, played(5))
    (found,) = watching.look()
    assert (found.kind, found.file) == ("alarm", "")
    assert found.text.startswith("the log went back from 7 leaves to 5")


def test_an_event_twice_is_caught(watching: Watching) -> None:
    write_log(watching.log, [*played(9), leaf(1, 2, 5)])
    (found,) = watching.look()
    assert found.kind == "alarm"
    assert "has logged event 2 of 00000000000000000000000000000001 twice" in found.text
    assert judge(Path(found.file).read_bytes(), LOG.public) == found.text


def test_other_leaves_than_those_that_were_signed_are_caught(watching: Watching) -> None:
    write_log(watching.log, played(9))
    tile = watching.log / "tile" / "entries" / "000.p" / "9"
    tile.write_bytes(tile.read_bytes().replace(leaf(2, 3), leaf(2, 4), 1))
    (found,) = watching.look()
    assert found == Finding("alarm", "the leaves that are served are not those that were signed")


def test_a_checkpoint_of_another_key_is_caught(watching: Watching) -> None:
    from service.log.note import Signer

    write_log(watching.log, played(9), Signer(LOG.public.name, bytes(32)))
    (found,) = watching.look()
    assert (found.kind, "is not signed by" in found.text) == ("alarm", True)


def test_heads_of_others_are_compared(watching: Watching, tmp_path: Path) -> None:
    kept = write_log(watching.log, played(4))
    larger = write_log(tmp_path / "elsewhere", played(30))
    other = write_log(tmp_path / "other", [*played(3), leaf(9, 1)])
    write_log(watching.log, played(9))
    heads = [("a", kept), ("b", larger), ("c", other), ("d", "no head")]
    found = watching.look(heads)
    assert [each.kind for each in found] == ["well", "well", "unknown", "alarm", "unknown"]
    assert found[1].text == "a has seen the same, up to 4 leaves"
    assert found[2].text == "b has seen 30 leaves: look again later"
    assert found[3].text.startswith("c was shown another log: example.org/log has signed two")
    assert judge(Path(found[3].file).read_bytes(), LOG.public)


def test_games_have_to_be_in_it(watching: Watching) -> None:
    write_log(watching.log, played(9))
    leaves = [
        ("one", read_leaf(leaf(1, 2))),
        ("two", read_leaf(leaf(1, 4))),
        ("three", read_leaf(leaf(2, 1, 8))),
    ]
    found = watching.look((), leaves)[1:]
    assert {(each.kind, each.text) for each in found} == {
        ("well", "one: event 2 is in the log"),
        ("alarm", "two: event 4 is not in the log"),
        ("alarm", f"three: the log has another event 1, {read_leaf(leaf(2, 1)).hash}"),
    }


def test_what_is_owed_has_time_until_it_is_due(watching: Watching) -> None:
    write_log(watching.log, played(9))
    owed, there = read_leaf(leaf(1, 4)), read_leaf(leaf(1, 2))
    leaves = [("receipt", owed), ("other", there)]
    not_yet = {owed: "2026-01-01T00:00:10.000Z", there: "2026-01-01T00:00:10.000Z"}
    found = watching.look((), leaves, not_yet)[1:]
    assert {(each.kind, each.text) for each in found} == {
        ("well", "other: event 2 is in the log"),
        (
            "unknown",
            "receipt: event 4 is not in the log yet: until 2026-01-01T00:00:10.000Z it need not be",
        ),
    }
    assert [each.kind for each in watching.look((), leaves)[1:]] == ["well", "alarm"]


class TwoFaced(RemoteLog):
    """It shows the leaves of one log until they have been read, and else the files of another."""

    def __init__(self, log: Path, other: Path) -> None:
        super().__init__(f"file://{log}")
        self._other = RemoteLog(f"file://{other}")
        self._seen = set[str]()

    def fetch(self, path: str) -> bytes:
        if path in self._seen or path.startswith("tile/0/"):
            return self._other.fetch(path)
        self._seen.add(path)
        return super().fetch(path)


def two_faced(folder: Path, log: Sequence[bytes], other: Sequence[bytes]) -> Monitor:
    write_log(folder / "log", log)
    write_log(folder / "other", other)
    return Monitor(LOG.public, TwoFaced(folder / "log", folder / "other"), folder / "monitor")


def test_a_head_of_others_is_not_compared_with_tiles_that_nobody_signed(tmp_path: Path) -> None:
    """The tiles that are served for the comparison are those of the log that others were shown."""
    others = [*played(7), leaf(9, 1), *played(9)[8:]]
    head = write_log(tmp_path / "theirs", others[:8])
    with closing(two_faced(tmp_path, played(9), others)) as monitor:
        found = list(monitor.look([("a", head)]))
    assert [each.kind for each in found] == ["well", "alarm"]
    assert found[1].text.startswith("a was shown another log: ")


@pytest.mark.parametrize("other", [leaf(1, 2, 9), b"no leaf"])
def test_games_are_not_looked_up_in_leaves_that_nobody_signed(tmp_path: Path, other: bytes) -> None:
    own = [*played(3), *played(5)[4:]]
    wanted = read_leaf(leaf(1, 2, 9))
    with closing(two_faced(tmp_path, own, [*own[:3], other])) as monitor:
        found = list(monitor.look((), [("one", wanted)]))
    assert found[1:] == [
        Finding("alarm", "the leaves that are served are not those that were signed")
    ]


def test_each_of_two_files_of_one_game_is_looked_up(watching: Watching) -> None:
    write_log(watching.log, played(9))
    leaves = [("false", read_leaf(leaf(1, 2, 8))), ("true", read_leaf(leaf(1, 2)))]
    assert [each.kind for each in watching.look((), leaves)[1:]] == ["alarm", "well"]
